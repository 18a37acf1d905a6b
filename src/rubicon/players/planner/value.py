"""The value model: the chance of each seat to win, from the features of all seats.

A small network judges each seat by its row of features and by the mean row of the other seats; the
chances are the softmax of these judgements over the seats that still play.
"""

import math

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import SEATS, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.planner.features import FEATURES, features

Weights = npt.NDArray[np.float64]
HIDDEN_UNITS = 48


@compiled
def win_chances(
    position: Position,
    rules: Rules,
    board: BoardTables,
    first: Weights,
    bias: Weights,
    second: Weights,
    rows: Weights,
    chances: Weights,
) -> None:
    """Write the chance of each seat into `chances`; `rows` is room for the features."""
    if position.phase == Phase.OVER:
        for seat in range(SEATS):
            chances[seat] = float(int(position.winner == seat))
        return
    features(position, rules, board, rows)
    highest = -1.0e9
    for seat in range(position.seats):
        if position.status[seat] != Seat.PLAYING:
            continue
        judged = 0.0
        for unit in range(HIDDEN_UNITS):
            signal = bias[unit]
            for i in range(FEATURES):
                signal += first[unit, i] * rows[seat, i]
            if signal > 0.0:
                judged += second[unit] * signal
        chances[seat] = judged
        highest = max(highest, judged)
    total = 0.0
    for seat in range(SEATS):
        if seat < position.seats and position.status[seat] == Seat.PLAYING:
            chances[seat] = math.exp(chances[seat] - highest)
            total += chances[seat]
        else:
            chances[seat] = 0.0
    for seat in range(SEATS):
        chances[seat] /= total
