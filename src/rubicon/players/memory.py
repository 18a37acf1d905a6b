"""What a bot remembers between its decisions; an empty memory is all zeros.

A bot plays well with an empty memory, as after a restart: it knows the position then, and has
forgotten who attacked it.
"""

import zlib
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.records import BoardTables, Position, compiled
from rubicon.players.characters import LEVEL_PLAY, TRAITS, LevelPlay, Traits

Values = npt.NDArray[np.float64]


class Workings(records.RecordLayout):
    """Room for one decision; what is left in it means nothing to the next one.

    Numbers of territories are unsigned bytes, as in `BoardTables`: between two bytes the compiler
    chooses without a branch.
    """

    # by territory
    value: Annotated[Values, np.float64, (records.TERRITORIES,)]  # of its capture
    cost: Annotated[Values, np.float64, (records.TERRITORIES,)]  # armies that its capture takes
    variance: Annotated[Values, np.float64, (records.TERRITORIES,)]  # of these armies
    distance: Annotated[
        Values, np.float64, (records.TERRITORIES,)
    ]  # armies that the way there takes
    reach: Annotated[
        Values, np.float64, (records.TERRITORIES,)
    ]  # of an own one: a longer way is hopeless
    need: Annotated[
        Values, np.float64, (records.TERRITORIES,)
    ]  # of an own one: what a plan takes from it
    spread: Annotated[Values, np.float64, (records.TERRITORIES,)]  # and its variance
    placed: Annotated[Values, np.float64, (records.TERRITORIES,)]  # what a plan places there
    worth: Annotated[Values, np.float64, (records.TERRITORIES,)]  # of an own one: of an army there
    force: Annotated[
        records.CellArray, np.int32, (records.TERRITORIES,)
    ]  # armies, as far as they are seen
    threat: Annotated[
        records.CellArray, np.int32, (records.TERRITORIES,)
    ]  # the strongest foreign neighbour
    garrison: Annotated[records.CellArray, np.int32, (records.TERRITORIES,)]  # armies that stay
    parent: Annotated[
        records.CellArray, np.uint8, (records.TERRITORIES,)
    ]  # the step before on the way there
    root: Annotated[
        records.CellArray, np.uint8, (records.TERRITORIES,)
    ]  # the own territory where it begins
    waiting: Annotated[records.CellArray, np.uint8, (records.TERRITORIES,)]  # a queue
    steps: Annotated[
        records.CellArray, np.uint8, (records.TERRITORIES,)
    ]  # the territories of a plan
    roots: Annotated[records.CellArray, np.uint8, (records.TERRITORIES,)]  # and where it begins
    children: Annotated[
        records.CellArray, np.int8, (records.TERRITORIES,)
    ]  # steps of a plan that go on from it
    queued: Annotated[records.CellArray, np.uint8, (records.TERRITORIES,)]
    # territories in the order of the board, so that a loop need not pass over all others
    own_land: Annotated[records.CellArray, np.uint8, (records.TERRITORIES,)]
    foreign_land: Annotated[records.CellArray, np.uint8, (records.TERRITORIES,)]
    borders: Annotated[
        records.CellArray, np.uint8, (records.TERRITORIES,)
    ]  # own, with a foreign neighbour
    marked: Annotated[
        records.CellArray, np.int32, (records.TERRITORIES,)
    ]  # the number of the plan that has it
    # by owner
    strength: Annotated[Values, np.float64, (records.SEATS + 1,)]  # armies, and two turns of income
    armies: Annotated[records.CellArray, np.int32, (records.SEATS + 1,)]
    barred: Annotated[records.CellArray, np.int8, (records.SEATS + 1,)]  # 1: not to be attacked now
    owner_worth: Annotated[
        Values, np.float64, (records.SEATS + 1,)
    ]  # of a territory, wherever it lies
    # by continent
    promise: Annotated[Values, np.float64, (records.CONTINENTS,)]  # of holding it, in armies a turn
    part_worth: Annotated[
        Values, np.float64, (records.CONTINENTS,)
    ]  # of a territory in it, besides
    own: Annotated[records.CellArray, np.int16, (records.CONTINENTS,)]  # territories of the seat
    holder: Annotated[
        records.CellArray, np.int16, (records.CONTINENTS,)
    ]  # the only owner, or MIXED
    defenders: Annotated[records.CellArray, np.int32, (records.CONTINENTS,)]  # foreign armies in it
    # of the plan that is weighed
    chance: Annotated[float, np.float64]
    takes: Annotated[float, np.float64]  # armies
    left: Annotated[float, np.float64]  # armies that remain where it begins
    gain: Annotated[float, np.float64]
    # of the best plan so far
    best_score: Annotated[float, np.float64]
    best_chance: Annotated[float, np.float64]
    best_placed: Annotated[float, np.float64]  # armies that it places on `best_root`
    best_left: Annotated[float, np.float64]
    best_root: Annotated[int, np.int64]
    best_victim: Annotated[int, np.int64]  # the seat that it eliminates, or NONE
    set_worth: Annotated[float, np.float64]  # armies of the next set
    leader: Annotated[int, np.int64]
    daring: Annotated[float, np.float64]  # 0 to 1: how little is spared
    own_count: Annotated[int, np.int64]  # of `own_land`, and so on
    foreign_count: Annotated[int, np.int64]
    border_count: Annotated[int, np.int64]
    plan: Annotated[int, np.int64]  # the number of plans weighed so far
    step_count: Annotated[int, np.int64]
    root_count: Annotated[int, np.int64]
    duel: Annotated[int, np.int64]  # 1: one opponent is left
    closing: Annotated[int, np.int64]  # 1: the seat presses on


WORKINGS = records.record_dtype(Workings)


class Memory(records.RecordLayout):
    """The memory of one seat, hidden from all others."""

    traits: Annotated[Traits, TRAITS]  # of its character
    level: Annotated[LevelPlay, LEVEL_PLAY]  # how its level plays, where it has one
    level_policy: Annotated[int, np.int64]  # whose level this is; 0: none
    deciding: Annotated[int, np.int64]  # the policy that decides this round
    drawn_in: Annotated[int, np.int64]  # 1 + the round it was drawn for; 0: none
    work: Annotated[Workings, WORKINGS]
    needed: Annotated[float, np.float64]  # the chance that the attack under way needs to go on
    policy: Annotated[int, np.int64]  # whose traits these are; 0: none
    wanted: Annotated[
        records.CellArray, np.int8, (records.TERRITORIES,)
    ]  # 1: to be captured by the plan
    source: Annotated[int, np.int16]  # of the attack under way; -1 or 0 and 0: none
    target: Annotated[int, np.int16]
    victim: Annotated[int, np.int16]  # 1 + the seat that is to be eliminated this turn; or 0
    planned: Annotated[int, np.int16]  # 1: `wanted` is a plan of this turn
    stacked: Annotated[int, np.int16]  # 1 + where all its starting armies go, in a plan; or 0
    kept: Annotated[int, np.int16]  # armies that stay on `source`, above the one that must
    owner: Annotated[records.CellArray, np.int8, (records.TERRITORIES,)]  # at the last decision
    taken: Annotated[
        records.CellArray, np.int16, (records.SEATS,)
    ]  # own territories that each seat has taken
    round_number: Annotated[int, np.int32]  # of the last decision; 0: nothing is remembered


MEMORY = records.record_dtype(Memory)


def empty_memory() -> Memory:
    """The memory of a seat that has not decided yet."""
    made: Memory = np.zeros(1, MEMORY)[0]
    return made


def memory_to_bytes(memory: Memory) -> bytes:
    """A memory for another process, without its workings; `memory_from_bytes` reads it."""
    # Field by field: a copy would have whatever lies between and after the fields.
    kept = np.zeros((), MEMORY)
    source: Any = memory
    for name in MEMORY.names or ():
        if name != "work":
            kept[name] = source[name]
    return zlib.compress(kept.tobytes(), 1)


def memory_from_bytes(data: bytes) -> Memory:
    """A memory that another process has sent; an empty one from no bytes."""
    if not data:
        return empty_memory()
    made: Any = np.ndarray((1,), MEMORY, bytearray(zlib.decompress(data)))
    remembered: Memory = made[0]
    return remembered


@compiled
def remember(memory: Memory, view: Position, board: BoardTables, seat: int) -> None:
    """Note who holds what the seat held at its last decision, and all owners for the next one."""
    known = memory.round_number > 0
    for t in range(board.territories):
        before, owner = memory.owner[t], view.owner[t]
        if before != owner:
            if known and before == seat and 0 <= owner < records.NEUTRAL:
                memory.taken[owner] += 1
            memory.owner[t] = owner
    memory.round_number = view.round_number
