"""Where a scripted bot moves armies at the end of its turn."""

from rubicon.engine.phases.fortify import fortify_reaches
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.greedy import FAR, front_distance
from rubicon.players.memory import Memory
from rubicon.players.scripted.placing import rate_places


@compiled
def fortify_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """Move the largest army that is not at the front to where it is worth most, or nearer to it."""
    work = memory.work
    source = NONE
    distance = front_distance(view, board, seat)
    for t in range(board.territories):
        # A shortest way to the front leads over own neighbours, so an army that is not FAR has
        # somewhere nearer to go.
        if view.owner[t] != seat or distance[t] in (0, FAR) or view.armies[t] < 2:
            continue
        if source == NONE or view.armies[t] > view.armies[source]:
            source = t
    if source == NONE:
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
    rate_places(view, board, seat, memory)
    fortify_reaches(view, rules, board, source, work.queued)
    where = NONE
    for t in range(board.territories):
        if work.queued[t] == 0 or distance[t] >= distance[source]:
            continue
        if (
            where == NONE
            or distance[t] < distance[where]
            or (distance[t] == distance[where] and work.worth[t] > work.worth[where])
        ):
            where = t
    return encode(ActionKind.FORTIFY, source, where, 0, view.armies[source] - 1)
