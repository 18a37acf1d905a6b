"""Where a scripted bot moves armies at the end of its turn."""

from rubicon.engine.phases.fortify import fortify_reaches
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.greedy import FAR, at_front, front_distance
from rubicon.players.memory import Memory
from rubicon.players.scripted.placing import rate_places
from rubicon.players.scripted.survey import survey


@compiled
def fortify_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """Move the largest army that is not at the front to where it is worth most, or nearer to it."""
    work = memory.work
    if not may_move(view, board, seat):
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
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
    survey(view, rules, board, seat, memory)
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


@compiled
def may_move(view: Position, board: BoardTables, seat: int) -> bool:
    """Whether an army stands away from all other players; where none does, nothing is to be moved.

    Mostly none does, and to ask is quicker than to count all distances to the front.
    """
    for t in range(board.territories):
        if view.owner[t] != seat or view.armies[t] < 2:
            continue
        if not at_front(view, board, seat, t, True):
            return True
    return False
