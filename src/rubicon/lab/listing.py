"""The legal decisions of many games as one padded array, and random ones among them."""

import numpy as np
import numpy.typing as npt

from rubicon.engine.legal_actions import RangeBuffer, out_of_turn, ranges
from rubicon.engine.records.action_codes import NUMBER_SHIFT, a_of, b_of, c_of, kind_of
from rubicon.engine.records.layout import compiled, unlocked
from rubicon.engine.records.position import NONE, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import below
from rubicon.lab.records import Games, Generators, ProgressArray, Whole

Rows = npt.NDArray[np.int32]  # shape (games, room, 6): kind, a, b, c, lowest, highest


@compiled
def listed(
    position: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    buffer: RangeBuffer,
    aside: int,
) -> int:
    """Fill `buffer` with the ranges of a seat, those out of turn if `aside` is 1; their number.

    Ranges beyond the room of `buffer` are counted and not written.
    """
    if seat == NONE:
        return 0
    count = ranges(position, rules, board, seat, buffer)
    if aside != 0:
        count += out_of_turn(position, rules, board, seat, buffer[count:])
    return count


@compiled
def write_rows(buffer: RangeBuffer, count: int, before: int, rows: Rows, number: int) -> None:
    """Write the ranges of one game, and -1 over those that it had before."""
    for i in range(count):
        action = buffer[i, 0]
        rows[number, i, 0] = kind_of(action)
        rows[number, i, 1] = a_of(action)
        rows[number, i, 2] = b_of(action)
        rows[number, i, 3] = c_of(action)
        rows[number, i, 4] = buffer[i, 1]
        rows[number, i, 5] = buffer[i, 2]
    for i in range(count, before):
        for column in range(6):
            rows[number, i, column] = NONE


@unlocked
def list_ranges(
    games: Games,
    progress: ProgressArray,
    rules: Rules,
    board: BoardTables,
    buffer: RangeBuffer,
    aside: int,
    rows: Rows,
    counts: Whole,
) -> int:
    """List the legal ranges of the deciding seat in every game; return the most that one has.

    `counts` has the number of rows that are written in each game, before and after. Where the
    result exceeds the room of `rows` or `buffer`, the lists are not complete.
    """
    most = 0
    for number in range(len(progress)):
        count = listed(games[number], rules, board, progress[number].seat, buffer, aside)
        most = max(most, count)
        written = min(count, len(buffer), rows.shape[1])
        write_rows(buffer, written, counts[number], rows, number)
        counts[number] = written
    return most


@unlocked
def draw_actions(
    games: Games,
    progress: ProgressArray,
    picks: Generators,
    rules: Rules,
    board: BoardTables,
    buffer: RangeBuffer,
    actions: Whole,
) -> None:
    """A random decision for every game: each range equally likely, then each of its numbers."""
    for number in range(len(progress)):
        count = listed(games[number], rules, board, progress[number].seat, buffer, 0)
        count = min(count, len(buffer))
        if count == 0:
            continue
        i = below(picks[number], count)
        low, high = buffer[i, 1], buffer[i, 2]
        actions[number] = (
            buffer[i, 0] | (low + below(picks[number], high - low + 1)) << NUMBER_SHIFT
        )
