"""The value model: the chance of each seat to win, from the features of all seats.

A small network judges each seat by its row of features and by what it finds in all rows (Zaheer et
al. 2017: deep sets); the chances are the softmax of these judgements over the seats that play.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import SEATS, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.planner.features import FEATURES, features
from rubicon.players.planner.weights import FIRST_UNITS, SECOND_UNITS, Weights

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
    if position.phase == Phase.OVER:
        for seat in range(SEATS):
            chances[seat] = float(int(position.winner == seat))
        return
    features(position, rules, board, rows)
    judge(position, weights, rows, chances)
    highest = -1.0e9
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(SEATS):
        if seat < position.seats and position.status[seat] == Seat.PLAYING:
            chances[seat] = math.exp(chances[seat] - highest)
            total += chances[seat]
        else:
            chances[seat] = 0.0
    for seat in range(SEATS):
        chances[seat] /= total


@compiled
def judge(position: Position, weights: Weights, rows: Values, chances: Values) -> None:
    """Write the network's judgement of each seat that plays into `chances`."""
    signals = np.zeros((SEATS, FIRST_UNITS), np.float32)
    mean = np.zeros(FIRST_UNITS, np.float32)
    shared = np.zeros(SECOND_UNITS, np.float32)
    own = np.zeros(SECOND_UNITS, np.float32)
    first, second = weights.first, weights.second
    playing = 0
    for seat in range(position.seats):
        if position.status[seat] != Seat.PLAYING:
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
        if position.status[seat] != Seat.PLAYING:
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
