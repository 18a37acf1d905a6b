"""The player that chooses at random: first a kind of thing to do, then one thing of that kind.

Two habits bring its games to an end: it attacks only weaker territories, and mostly with the
highest number of dice and armies.
"""

from rubicon.engine.legal_actions import RangeBuffer, ranges
from rubicon.engine.records.action_codes import NUMBER_SHIFT, ActionKind, a_of, b_of, kind_of
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator, below

STOP_ONE_IN = 1024  # the chance to end the attacks while another is possible
ANY_NUMBER_ONE_IN = 4  # the chance to take any number of armies or dice, else the highest
KINDS = len(ActionKind)


@compiled
def is_unpromising(view: Position, action: int) -> bool:
    """Whether an action is an attack with no more armies than the defender has."""
    if kind_of(action) != ActionKind.ATTACK:
        return False
    return view.armies[a_of(action)] <= view.armies[b_of(action)]


@compiled
def drop_unpromising(view: Position, buffer: RangeBuffer, count: int) -> int:
    """Drop unpromising attacks from the ranges; return how many ranges are left."""
    kept = 0
    for i in range(count):
        if not is_unpromising(view, buffer[i, 0]):
            for column in range(3):
                buffer[kept, column] = buffer[i, column]
            kept += 1
    return kept


@compiled
def random_kind(buffer: RangeBuffer, count: int, rng: Generator) -> int:
    """A kind that occurs among the ranges, each equally likely; attacks mostly go on."""
    present = 0
    for i in range(count):
        present |= 1 << kind_of(buffer[i, 0])
    ends = (1 << ActionKind.ATTACK) | (1 << ActionKind.END_ATTACK)
    if present & ends == ends:
        return ActionKind.ATTACK if below(rng, STOP_ONE_IN) > 0 else ActionKind.END_ATTACK
    kinds = 0
    for kind in range(KINDS):
        kinds += (present >> kind) & 1
    number = below(rng, kinds)
    for kind in range(KINDS):
        number -= (present >> kind) & 1
        if number < 0:
            return kind
    return ActionKind.END_TURN


@compiled
def random_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    buffer: RangeBuffer,
    rng: Generator,
) -> int:
    """A kind, one of its ranges, and mostly the highest number of that range."""
    listed = min(ranges(view, rules, board, seat, buffer), len(buffer))
    count = drop_unpromising(view, buffer, listed)
    kind = random_kind(buffer, count, rng)
    of_kind = 0
    for i in range(count):
        of_kind += int(kind_of(buffer[i, 0]) == kind)
    number = below(rng, of_kind)
    for i in range(count):
        number -= int(kind_of(buffer[i, 0]) == kind)
        if number < 0:
            low, high = int(buffer[i, 1]), int(buffer[i, 2])
            if below(rng, ANY_NUMBER_ONE_IN) == 0:
                high = low + int(below(rng, high - low + 1))
            return int(buffer[i, 0] | high << NUMBER_SHIFT)
    return 0
