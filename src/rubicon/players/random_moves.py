"""The player that chooses at random: first a kind of thing to do, then one thing of that kind.

Two habits bring its games to an end: it attacks only what is weaker, and mostly with everything.
"""

from rubicon.rules.layout import compiled
from rubicon.rules.position import Position
from rubicon.rules.procedures.codes import NUMBER_SHIFT, Kind, a_of, b_of, kind_of
from rubicon.rules.procedures.families import Families, families
from rubicon.rules.procedures.sampling import Generator, below
from rubicon.rules.tables import BoardTables, Rules

STOPS = 1024  # once in so many times it stops attacking, though it could go on
HALVES = 4  # once in so many times it takes any number, else the highest
KINDS = 19


@compiled
def rash(view: Position, action: int) -> bool:
    """Whether an action is an attack on somebody who is not weaker."""
    if kind_of(action) != Kind.ATTACK:
        return False
    return view.armies[a_of(action)] <= view.armies[b_of(action)]


@compiled
def keep_sober(view: Position, memory: Families, count: int) -> int:
    """Leave the rash attacks out of the families; how many there are then."""
    kept = 0
    for i in range(count):
        if not rash(view, memory[i, 0]):
            for column in range(3):
                memory[kept, column] = memory[i, column]
            kept += 1
    return kept


@compiled
def random_kind(memory: Families, count: int, rng: Generator) -> int:
    """A kind that occurs among the families, each equally likely; attacks mostly go on."""
    present = 0
    for i in range(count):
        present |= 1 << kind_of(memory[i, 0])
    ends = (1 << Kind.ATTACK) | (1 << Kind.END_ATTACK)
    if present & ends == ends:
        return Kind.ATTACK if below(rng, STOPS) > 0 else Kind.END_ATTACK
    kinds = 0
    for kind in range(KINDS):
        kinds += (present >> kind) & 1
    number = below(rng, kinds)
    for kind in range(KINDS):
        number -= (present >> kind) & 1
        if number < 0:
            return kind
    return Kind.END_TURN


@compiled
def random_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Families,
    rng: Generator,
) -> int:
    """A kind, one of its families, and mostly the highest number of its range."""
    listed = min(families(view, rules, board, seat, memory), len(memory))
    count = keep_sober(view, memory, listed)
    kind = random_kind(memory, count, rng)
    of_kind = 0
    for i in range(count):
        of_kind += int(kind_of(memory[i, 0]) == kind)
    number = below(rng, of_kind)
    for i in range(count):
        number -= int(kind_of(memory[i, 0]) == kind)
        if number < 0:
            low, high = int(memory[i, 1]), int(memory[i, 2])
            if below(rng, HALVES) == 0:
                high = low + int(below(rng, high - low + 1))
            return int(memory[i, 0] | high << NUMBER_SHIFT)
    return 0
