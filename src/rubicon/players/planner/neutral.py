"""The neutral owner's territories, for the value model: what they hold back, and what they open."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, SEATS, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.planner import columns
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls

Rows = npt.NDArray[Any]


@compiled
def add_neutral(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Add what there is of the neutral owner to rows that are zero there."""
    neutral, everywhere = 0, 0
    for t in range(board.territories):
        armies = max(0, position.armies[t])
        everywhere += armies
        if position.owner[t] == NEUTRAL:
            neutral += armies
    if neutral == 0:
        return
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            rows[seat, columns.NEUTRAL_ARMIES] = neutral / everywhere
    rolls = defence_rolls(rules, NEUTRAL)
    strongest = np.zeros(SEATS + 1, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if owner == NEUTRAL:
            strongest[:] = 0
            for i in range(board.degree[t]):
                other = board.neighbour[t, i]
                foe = position.owner[other]
                if foe >= 0:
                    strongest[foe] = max(strongest[foe], position.armies[other])
            for seat in range(position.seats):
                chance = chance_of(rolls, strongest[seat] - 1, position.armies[t])
                rows[seat, columns.NEUTRAL_OPENINGS] += chance / board.territories
        elif owner >= 0 and is_behind_neutral(position, board, t):
            land = max(1, position.territories[owner])
            rows[owner, columns.BEHIND_NEUTRAL] += 1.0 / land


@compiled
def is_behind_neutral(position: Position, board: BoardTables, t: int) -> bool:
    """Whether a territory has foreign neighbours, all of them neutral."""
    found = False
    for i in range(board.degree[t]):
        foe = position.owner[board.neighbour[t, i]]
        if foe == NEUTRAL:
            found = True
        elif foe != position.owner[t]:
            return False
    return found
