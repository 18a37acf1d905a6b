"""Who might eliminate whom in the next turn: roughly, for the value model."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.phases.cards import next_set_value
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, SEATS, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.planner import columns
from rubicon.players.scripted.battle_odds import (
    chance_to_last,
    defence_rolls,
    loss_of,
    variance_of,
)

Rows = npt.NDArray[Any]
STARS_WORTH = 10.0
# By the number of cards, about the chance that the next turn brings a set.
SOON = np.array([0.0, 0.0, 0.1, 0.5, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


@compiled
def add_kills(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """The chances to eliminate and to be eliminated, and the cards that they bring and cost.

    The rows must be filled otherwise. A seat that does not move before another turn of its victim
    may find it stronger: that is left to the model.
    """
    beside = np.zeros((SEATS + 1, SEATS + 1))  # armies of a seat beside those of another one
    need = np.zeros(SEATS + 1)
    spread = np.zeros(SEATS + 1)
    armies = np.zeros(SEATS + 1)
    met = np.zeros(SEATS + 1, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if owner < 0 or owner == NEUTRAL:
            continue
        rolls = defence_rolls(rules, owner)
        armies[owner] += position.armies[t]
        need[owner] += 1.0 + loss_of(rolls, position.armies[t])
        spread[owner] += variance_of(rolls, position.armies[t])
        for i in range(board.degree[t]):
            foe = position.owner[board.neighbour[t, i]]
            if foe >= 0 and foe != owner and met[foe] != t + 1:
                met[foe] = t + 1
                beside[owner, foe] += position.armies[t] - 1
    average = 1.0
    for seat in range(position.seats):
        average += armies[seat] / max(1.0, 6.0 * rows[seat, columns.PLAYING])
    for seat in range(position.seats):
        if position.status[seat] != Seat.PLAYING:
            continue
        worth = set_worth(position, rules, seat)
        comes = armies_to_come(position, seat)
        soon = SOON[min(10, position.hand[seat])]
        for victim in range(position.seats):
            if victim == seat or position.status[victim] != Seat.PLAYING:
                continue
            spare = beside[seat, victim] + comes - need[victim]
            chance = (1.0 - soon) * chance_to_last(spare, spread[victim])
            chance += soon * chance_to_last(spare + worth, spread[victim])
            row = rows[seat]
            row[columns.KILL] = max(row[columns.KILL], chance)
            spoils = chance * min(3.0, position.hand[victim] * worth / 3.0 / average)
            row[columns.KILL_CARDS] = max(row[columns.KILL_CARDS], spoils)
            row = rows[victim]
            place = columns.DANGER_LATER
            if turns_until(position, seat) < turns_until(position, victim):
                place = columns.DANGER
                risk = chance * row[columns.CARDS_WORTH]
                row[columns.DANGER_CARDS] = max(row[columns.DANGER_CARDS], risk)
            row[place] = max(row[place], chance)


@compiled
def armies_to_come(position: Position, seat: int) -> float:
    """The armies of a seat's next turn, or those it has to place now; continents left out."""
    comes = float(max(0, position.unplaced[seat]))
    if position.turn != seat:
        comes += max(3.0, math.floor(position.territories[seat] / 3.0))
    return comes


@compiled
def set_worth(position: Position, rules: Rules, seat: int) -> float:
    """The armies of the seat's next set, or about those of a trade in stars."""
    if rules.cards_values == SetValues.STARS:
        return STARS_WORTH
    return float(next_set_value(position, rules, seat))


@compiled
def turns_until(position: Position, seat: int) -> int:
    """How many seats that play move before this one, from the one whose turn it is."""
    count = 0
    other = position.turn
    while other != seat:
        count += int(position.status[other] == Seat.PLAYING)
        other = other + 1 if other + 1 < position.seats else 0
    return count
