"""Which continents change hands in the next turn: roughly, for the value model."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, SEATS, Position, Seat
from rubicon.engine.records.tables import CONTINENTS, BoardTables, Rules
from rubicon.players.planner import columns
from rubicon.players.planner.kills import armies_to_come
from rubicon.players.scripted.battle_odds import (
    chance_of,
    chance_to_last,
    defence_rolls,
    loss_of,
    variance_of,
)

Rows = npt.NDArray[Any]
NOBODY, MIXED = -1, -2


@compiled
def add_continent_chances(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Add the chances to complete, to break and to lose continents to rows that are zero there.

    The armies of a seat's next turn count as if all were placed where they are needed.
    """
    need = np.zeros((CONTINENTS, SEATS + 1))  # by owner: what their territories cost
    spread = np.zeros((CONTINENTS, SEATS + 1))
    force = np.zeros((CONTINENTS, SEATS + 1))  # armies that may attack there
    breaks = np.zeros((CONTINENTS, SEATS + 1))
    holder = np.full(CONTINENTS, NOBODY)
    comes = np.zeros(SEATS + 1)
    total = 0.0
    for seat in range(position.seats):
        comes[seat] = armies_to_come(position, seat)
    for c in range(board.continents):
        total += board.continent_bonus[c]
    if total == 0.0:
        return
    for t in range(board.territories):
        owner, c = position.owner[t], board.continent[t]
        if owner < 0:
            holder[c] = MIXED
            continue
        if holder[c] == NOBODY:
            holder[c] = owner
        elif holder[c] != owner:
            holder[c] = MIXED
        rolls = defence_rolls(rules, owner)
        need[c, owner] += 1.0 + loss_of(rolls, position.armies[t])
        spread[c, owner] += variance_of(rolls, position.armies[t])
        add_force(position, board, t, force)
    for t in range(board.territories):
        c = board.continent[t]
        if 0 <= holder[c] < NEUTRAL:
            add_breaks(position, rules, board, t, comes, breaks)
    for c in range(board.continents):
        bonus = board.continent_bonus[c] / total
        if 0 <= holder[c] < NEUTRAL:
            for seat in range(position.seats):
                risk = bonus * breaks[c, seat]
                rows[seat, columns.BREAKS] += risk
                row = rows[holder[c]]
                row[columns.LOSES] = max(row[columns.LOSES], risk)
        whole = need[c].sum()
        doubt = spread[c].sum()
        for seat in range(position.seats):
            if holder[c] == seat or position.status[seat] != Seat.PLAYING or force[c, seat] == 0.0:
                continue
            spare = force[c, seat] + comes[seat] - (whole - need[c, seat])
            chance = chance_to_last(spare, doubt - spread[c, seat])
            rows[seat, columns.COMPLETES] += bonus * chance


@compiled
def add_force(position: Position, board: BoardTables, t: int, force: Rows) -> None:
    """Add a territory's armies to the continents that they may attack."""
    owner, own = position.owner[t], int(board.continent[t])
    armies = position.armies[t] - 1
    force[own, owner] += armies
    counted = 1 << own
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        c = int(board.continent[other])
        if counted >> c & 1 == 0 and position.owner[other] != owner:
            counted |= 1 << c
            force[c, owner] += armies


@compiled
def add_breaks(
    position: Position, rules: Rules, board: BoardTables, t: int, comes: Rows, breaks: Rows
) -> None:
    """Note for each seat beside a territory of a whole continent the chance to capture it."""
    owner, c = position.owner[t], board.continent[t]
    rolls = defence_rolls(rules, owner)
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        foe = position.owner[other]
        is_foe = foe >= 0 and foe != NEUTRAL and foe != owner  # noqa: PLR1714  compiled code
        if not is_foe:
            continue
        armies = position.armies[other] - 1 + int(comes[foe])
        chance = chance_of(rolls, armies, position.armies[t])
        breaks[c, foe] = max(breaks[c, foe], chance)
