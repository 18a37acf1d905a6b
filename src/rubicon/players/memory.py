"""What a bot remembers between its decisions; an empty memory is all zeros.

A bot plays well with an empty memory, as after a restart: it knows the position then, and has
forgotten who attacked it.
"""

import zlib
from typing import Annotated, Any

import numpy as np

from rubicon.engine.records.layout import CellArray, RecordLayout, compiled, record_dtype
from rubicon.engine.records.position import NEUTRAL, SEATS, TERRITORIES, Position
from rubicon.engine.records.tables import BoardTables


class Memory(RecordLayout):
    """The memory of one seat, hidden from all others."""

    owner: Annotated[CellArray, np.int8, (TERRITORIES,)]  # at the last decision
    taken: Annotated[CellArray, np.int16, (SEATS,)]  # own territories that each seat has taken
    round_number: Annotated[int, np.int32]  # of the last decision; 0: nothing is remembered


MEMORY = record_dtype(Memory)


def empty_memory() -> Memory:
    """The memory of a seat that has not decided yet."""
    made: Memory = np.zeros(1, MEMORY)[0]
    return made


def memory_to_bytes(memory: Memory) -> bytes:
    """A memory for another process; the inverse of `memory_from_bytes`."""
    return zlib.compress(memory.tobytes(), 1)


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
    if memory.round_number > 0:
        for t in range(board.territories):
            owner = view.owner[t]
            if memory.owner[t] == seat and 0 <= owner < NEUTRAL and owner != seat:
                memory.taken[owner] += 1
    for t in range(board.territories):
        memory.owner[t] = view.owner[t]
    memory.round_number = view.round_number
