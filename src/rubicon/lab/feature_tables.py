"""What features are computed with: exact odds, logarithms, sums over a position."""

import math
from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import Grid, RecordLayout, compiled, inlined, record_dtype
from rubicon.engine.records.position import SEATS, Position
from rubicon.engine.records.tables import CONTINENTS, BoardTables
from rubicon.lab.records import FloatCells
from rubicon.odds.rule import DiceRule
from rubicon.odds.table import win_table
from rubicon.rules.ruleset.ruleset import Ruleset

MOST = 64  # armies a side in the table of exact odds
LOGARITHMS = 256  # numbers of armies whose logarithm is in a table


class FeatureTables(RecordLayout):
    """What is computed once for a ruleset, and sums over the position that is looked at."""

    chances: Annotated[Grid, np.float32, (MOST + 1, MOST + 1)]  # to capture, by armies
    logarithms: Annotated[FloatCells, np.float32, (LOGARITHMS,)]
    armies: Annotated[FloatCells, np.float32, (SEATS + 1,)]  # seen on the board, by owner
    # territories by continent and owner + 1
    share: Annotated[Grid, np.int16, (CONTINENTS, SEATS + 2)]
    total: Annotated[float, np.float32]  # armies seen on the board


FEATURE_TABLES = record_dtype(FeatureTables)


@inlined
def logarithm(tables: FeatureTables, number: int) -> float:
    """ln(1 + number) / 5, and 0 for what is hidden."""
    if number < 0:
        return 0.0
    if number < LOGARITHMS:
        return tables.logarithms[number]
    return math.log(1.0 + number) / 5.0


@inlined
def chance(tables: FeatureTables, attackers: int, defenders: int) -> float:
    """The exact chance that so many armies capture a territory; more than the table are scaled."""
    attackers, defenders = int(attackers), int(defenders)
    larger = max(attackers, defenders)
    if larger > MOST:
        attackers = max(attackers * MOST // larger, min(attackers, 1))
        defenders = max(defenders * MOST // larger, min(defenders, 1))
    return tables.chances[max(attackers, 0), max(defenders, 0)]


@inlined
def relative(view: Position, seat: int, other: int) -> int:
    """The number of a seat counted from the one that looks."""
    return other - seat if other >= seat else other - seat + view.seats


@compiled
def sum_up(view: Position, board: BoardTables, tables: FeatureTables) -> None:
    """Add up what is seen of armies and continents."""
    for owner in range(SEATS + 1):
        tables.armies[owner] = 0.0
    for continent in range(board.continents):
        for owner in range(SEATS + 2):
            tables.share[continent, owner] = 0
    total = 0
    for t in range(board.territories):
        armies, owner = max(int(view.armies[t]), 0), int(view.owner[t])
        total += armies
        if owner >= 0:
            tables.armies[owner] += armies
        tables.share[board.continent[t], owner + 1] += 1
    tables.total = max(total, 1)


def feature_tables(ruleset: Ruleset) -> FeatureTables:
    """The tables for the features of a ruleset."""
    tables: FeatureTables = np.zeros(1, FEATURE_TABLES)[0]
    np.asarray(tables.chances)[:] = win_table(DiceRule(ruleset), MOST).chances
    np.asarray(tables.logarithms)[:] = np.log1p(np.arange(LOGARITHMS)) / 5
    return tables
