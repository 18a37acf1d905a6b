"""The games of a match as a data set: three Parquet files for research.

`decisions.parquet` has a row for each decision, `positions.parquet` the position before it,
`outcomes.parquet` a row for each game. The columns `game` (the name of its record) and `decision`
(from 0 in each game) join them. It needs the extra `lab` (`pip install rubicon[lab]`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.game_files import played_again
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.stepwise import StepwiseGame
from rubicon.lab.dataset import ACTION, action_columns
from rubicon.rules.actions import Action, code_of
from rubicon.rules.game.game import Game

KEY = {"game": pa.string(), "decision": pa.int32()}
COLUMNS = {
    "positions": KEY
    | {
        "round": pa.int32(),
        "turn": pa.int8(),  # the seat whose turn it is
        "phase": pa.string(),
        "owner": pa.list_(pa.int8()),  # by territory: a seat, -1 for none
        "armies": pa.list_(pa.int16()),  # by territory
        "cards": pa.list_(pa.int16()),  # by seat, how many it holds
        "position": pa.string(),  # all of it, as `docs/notation.md` writes it
    },
    "decisions": KEY
    | {"seat": pa.int8(), "player": pa.string()}
    | ACTION
    | {"action": pa.string()},
    "outcomes": {
        "game": pa.string(),
        "seed": pa.int64(),
        "rotation": pa.int8(),
        "players": pa.list_(pa.string()),  # by seat, as the next two
        "shares": pa.list_(pa.float32()),  # of the win; 0 for all where the game was cut off
        "ranks": pa.list_(pa.float32()),  # from 1; equals share their ranks
        "finished": pa.bool_(),
        "rounds": pa.int32(),
        "decisions": pa.int32(),
        "position": pa.string(),  # the last one
    },
}
Rows = list[dict[str, Any]]


class _GameRows:
    """The rows of the game that is being played."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.positions: Rows = []
        self.decisions: Rows = []
        self.codes: list[int] = []

    def note(self, game: Game, seat: int, action: Action) -> None:
        """Note a decision, and the position that it is taken in."""
        position, number = game.position, len(self.codes)
        self.positions.append(
            {
                "decision": number,
                "round": int(position.round_number),
                "turn": int(position.turn),
                "phase": game.phase.name.lower(),
                "owner": position.owner[: len(game.territories)].tolist(),
                "armies": position.armies[: len(game.territories)].tolist(),
                "cards": position.hand[: game.size].tolist(),
                "position": str(game),
            }
        )
        self.decisions.append({"decision": number, "seat": seat, "action": str(action)})
        self.codes.append(code_of(action, game))

    def tables(self, name: str, again: StepwiseGame) -> dict[str, pa.Table]:
        """What the files get of a game that is over; the next one begins."""
        outcome = self._outcome(name, again)
        for row in self.positions:
            row["game"] = name
        for row in self.decisions:
            row |= {"game": name, "player": outcome["players"][row["seat"]]}
        parts = action_columns(np.array(self.codes, np.int64))
        for column, values in parts.items():
            for row, value in zip(self.decisions, values.tolist(), strict=True):
                row[column] = value
        rows = {
            "positions": self.positions,
            "decisions": self.decisions,
            "outcomes": [outcome],
        }
        self.positions, self.decisions, self.codes = [], [], []
        return {
            file: pa.Table.from_pylist(made, pa.schema(list(COLUMNS[file].items())))
            for file, made in rows.items()
        }

    def _outcome(self, name: str, again: StepwiseGame) -> dict[str, Any]:
        result = again.result
        seed, _, rotation = name.rpartition("-")
        places = self.match.seating(int(rotation))
        return {
            "game": name,
            "seed": int(seed),
            "rotation": int(rotation),
            "players": [self.match.players[place] for place in places],
            "shares": [result.shares[place] for place in places],
            "ranks": [result.ranks[place] for place in places],
            "finished": result.finished,
            "rounds": result.rounds,
            "decisions": len(self.codes),
            "position": str(again.game),
        }


def save_dataset(match: Match, blocks: Iterable[Block], folder: Path) -> None:
    """Play the games of blocks again and write the data set; earlier files are replaced.

    Raises RubiconError: `arena/not-repeated`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = _GameRows(match)
    about = {"match": match.text(), "ruleset": repr(match.ruleset())}
    writers = {
        file: pq.ParquetWriter(
            folder / f"{file}.parquet",
            pa.schema(list(columns.items()), metadata=about),
            compression="zstd",
        )
        for file, columns in COLUMNS.items()
    }
    try:
        for name, again in played_again(match, blocks, rows.note):
            for file, table in rows.tables(name, again).items():
                writers[file].write_table(table.replace_schema_metadata(about))
    finally:
        for writer in writers.values():
            writer.close()
