"""The value model: the chance of each seat to win, from the features of all seats; its
learned weights.
"""

import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.players.planner.features import COUNT, FEATURES, features

# The value model's numbers, as they were learned: `weights.npz` next to this file.
#
# `docs/internals/bots.md` says how they were made.

Numbers = npt.NDArray[np.float32]
FIRST_UNITS, SECOND_UNITS = 64, 32


class Weights(records.RecordLayout):
    """Two layers and a sum; the second one sees a seat's units of the first, and their means."""

    first: Annotated[Numbers, np.float32, (COUNT, FIRST_UNITS)]
    first_bias: Annotated[Numbers, np.float32, (FIRST_UNITS,)]
    second: Annotated[Numbers, np.float32, (2 * FIRST_UNITS, SECOND_UNITS)]
    second_bias: Annotated[Numbers, np.float32, (SECOND_UNITS,)]
    last: Annotated[Numbers, np.float32, (SECOND_UNITS,)]


WEIGHTS = records.record_dtype(Weights)


def load_weights(path: Path) -> npt.NDArray[Any]:
    """An array of one record; `path` is an `.npz` with an array by the name of each field."""
    made = np.zeros(1, WEIGHTS)
    with np.load(path) as found:
        for name in WEIGHTS.names or ():
            made[name][0] = found[name]
    return made


LEARNED = load_weights(Path(__file__).with_name("weights.npz"))


# The value model: the chance of each seat to win, from the features of all seats.
#
# A small network judges each seat by its row of features and by what it finds in all rows (Zaheer
# et al. 2017: deep sets); the chances are the softmax of these judgements over the seats that
# play.

Values = npt.NDArray[Any]


@compiled
def win_chances(
    position: Position,
    rules: Rules,
    board: BoardTables,
    weights: Weights,
    rows: Values,
    chances: Values,
) -> None:
    """Write the chance of each seat into `chances`, shape (6,); `rows` is room for the features."""
    if position.phase == records.Phase.OVER:
        for seat in range(records.SEATS):
            chances[seat] = float(int(position.winner == seat))
        return
    features(position, rules, board, rows)
    judge(position, weights, rows, chances)
    highest = -1.0e9
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(records.SEATS):
        if seat < position.seats and position.status[seat] == records.Seat.PLAYING:
            chances[seat] = math.exp(chances[seat] - highest)
            total += chances[seat]
        else:
            chances[seat] = 0.0
    for seat in range(records.SEATS):
        chances[seat] /= total


@compiled
def judge(position: Position, weights: Weights, rows: Values, chances: Values) -> None:
    """Write the network's judgement of each seat that plays into `chances`."""
    signals = np.zeros((records.SEATS, FIRST_UNITS), np.float32)
    mean = np.zeros(FIRST_UNITS, np.float32)
    shared = np.zeros(SECOND_UNITS, np.float32)
    own = np.zeros(SECOND_UNITS, np.float32)
    first, second = weights.first, weights.second
    playing = 0
    for seat in range(position.seats):
        if position.status[seat] != records.Seat.PLAYING:
            continue
        playing += 1
        for unit in range(FIRST_UNITS):
            signals[seat, unit] = weights.first_bias[unit]
        for i in range(FEATURES):
            value = np.float32(rows[seat, i])
            if value != 0.0:
                for unit in range(FIRST_UNITS):
                    signals[seat, unit] += value * first[i, unit]
        for unit in range(FIRST_UNITS):
            signals[seat, unit] = max(signals[seat, unit], np.float32(0.0))
            mean[unit] += signals[seat, unit]
    for unit in range(SECOND_UNITS):
        shared[unit] = weights.second_bias[unit]
    for i in range(FIRST_UNITS):
        value = mean[i] / np.float32(playing)
        for unit in range(SECOND_UNITS):
            shared[unit] += value * second[FIRST_UNITS + i, unit]
    for seat in range(position.seats):
        if position.status[seat] != records.Seat.PLAYING:
            continue
        for unit in range(SECOND_UNITS):
            own[unit] = shared[unit]
        for i in range(FIRST_UNITS):
            value = signals[seat, i]
            if value != 0.0:
                for unit in range(SECOND_UNITS):
                    own[unit] += value * second[i, unit]
        chances[seat] = 0.0
        for unit in range(SECOND_UNITS):
            if own[unit] > 0.0:
                chances[seat] += own[unit] * weights.last[unit]
