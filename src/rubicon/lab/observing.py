"""Observations of many games: the features of what one seat of each may see."""

from rubicon.engine.observe import observe
from rubicon.engine.records.layout import unlocked
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.lab.feature_names import Floats
from rubicon.lab.feature_tables import FeatureTables
from rubicon.lab.feature_values import features
from rubicon.lab.records import Games, Whole


@unlocked
def observe_games(
    games: Games,
    seats: Whole,
    rules: Rules,
    board: BoardTables,
    tables: FeatureTables,
    observations: Floats,
) -> None:
    """Write what a seat of each game sees into its row; zeros where the seat is none."""
    room = len(games) - 1
    for number in range(len(seats)):
        seat = seats[number]
        if seat < 0:
            observations[number, :] = 0.0
            continue
        games[room] = games[number]
        observe(games[number], rules, board, seat, games[room])
        features(games[room], rules, board, tables, seat, observations[number])
