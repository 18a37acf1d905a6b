"""A data set of the games of a batch, as two Parquet files.

    with DatasetWriter(batch, "games") as dataset:
        for _ in range(10_000):
            dataset.step(batch.random_actions())

`decisions.parquet` has a row for each decision of a learner: what its seat saw, and what it did.
`games.parquet` has a row for each game that ended: who played, and who won. Both name a game by
the seed of its dice. It needs the extra `lab` (`pip install rubicon[lab]`).
"""

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from rubicon.engine.records.action_codes import A_SHIFT, B_SHIFT, C_SHIFT, NUMBER_SHIFT
from rubicon.lab.batch import Batch
from rubicon.lab.feature_names import VERSION
from rubicon.lab.game_log import GameLog, PlayedGame
from rubicon.lab.records import LEARNER
from rubicon.lab.stepping import EPISODE_STEP
from rubicon.players.registry import NAMES

ROWS = 4096  # rows of decisions that are written together
BOT_NAMES = {number: name for name, number in NAMES.items()} | {LEARNER: None}
ACTION = {  # its parts, as `engine.records.action_codes` explains
    "kind": pa.int8(),
    "a": pa.int16(),
    "b": pa.int16(),
    "c": pa.int16(),
    "number": pa.int32(),
}
DECISION = {
    "game": pa.uint64(),  # the seed of its dice
    "decision": pa.int32(),  # of the learners in this game, from 0
    "seat": pa.int8(),
} | ACTION
GAME = {
    "game": pa.uint64(),
    "decisions": pa.int32(),  # of learners
    "bots": pa.list_(pa.string()),  # by seat; null for a learner
    "winner": pa.int8(),  # a seat; null for a draw, and for a game that was not played to its end
    "finished": pa.bool_(),
    "rounds": pa.int32(),
    "position": pa.string(),  # the last position, as `docs/notation.md` writes it
}


def action_columns(codes: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
    """The columns of `ACTION` for some actions."""
    return {
        "kind": (codes & 31).astype(np.int8),
        "a": (codes >> A_SHIFT & 255).astype(np.int16),
        "b": (codes >> B_SHIFT & 255).astype(np.int16),
        "c": (codes >> C_SHIFT & 255).astype(np.int16),
        "number": (codes >> NUMBER_SHIFT).astype(np.int32),
    }


class DatasetWriter:
    """Writes what a batch plays while it is stepped; all games start anew when it begins."""

    def __init__(self, batch: Batch, folder: str | os.PathLike[str]) -> None:
        """Write into `folder`, which is made; files of an earlier data set are replaced."""
        self.batch = batch
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._log = GameLog(batch)
        self._log.begin()
        self._decided = np.zeros(len(batch), np.int32)
        self._waiting: list[pa.RecordBatch] = []
        seen = pa.list_(pa.float32(), batch.layout.size)
        self._decisions = self._writer("decisions", DECISION | {"observation": seen})
        self._games = self._writer("games", GAME)

    def step(self, actions: npt.ArrayLike, *, checked: bool = False) -> None:
        """`Batch.step`, with a row for each decision and for each game that ends."""
        taken = np.asarray(actions)
        deciding = np.flatnonzero(self.batch.seats >= 0)
        rows = self._rows(taken, deciding)
        played = self._log.step(taken, checked=checked)
        self._waiting.append(rows)
        self._decided[deciding] += 1
        if sum(len(one) for one in self._waiting) >= ROWS:
            self._flush()
        if played:
            columns = [self._game(one) for one in played]
            self._games.write_table(pa.Table.from_pylist(columns, self._games.schema))
        self._decided[self.batch.ended > 0] = 0

    def close(self) -> None:
        """Finish both files."""
        self._flush()
        self._decisions.close()
        self._games.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _writer(self, name: str, columns: Mapping[str, Any]) -> Any:
        about = {
            "ruleset": repr(self.batch.ruleset),
            "observation_version": str(VERSION),
            "features": "\n".join(self.batch.layout.names(self.batch.ruleset)),
        }
        schema = pa.schema(list(columns.items()), metadata=about)
        return pq.ParquetWriter(self.folder / f"{name}.parquet", schema, compression="zstd")

    def _rows(self, actions: npt.NDArray[Any], deciding: npt.NDArray[Any]) -> Any:
        """The decisions that are about to be taken."""
        codes = actions[deciding].astype(np.int64)
        seeds = [self._seed(int(number)) for number in deciding]
        seen = self.batch.observe()[deciding]
        columns: dict[str, Any] = {
            "game": np.array(seeds, np.uint64),
            "decision": self._decided[deciding],
            "seat": self.batch.seats[deciding],
            **action_columns(codes),
            "observation": pa.FixedSizeListArray.from_arrays(seen.ravel(), seen.shape[1]),
        }
        return pa.record_batch(
            [pa.array(column) for column in columns.values()], schema=self._decisions.schema
        )

    def _seed(self, number: int) -> int:
        episode = int(self.batch.episodes[number])
        return (self.batch.seed_of(number) + episode * int(EPISODE_STEP)) % 2**64

    def _game(self, played: PlayedGame) -> dict[str, Any]:
        game = self._log.replay(played)
        winner = game.winner
        return {
            "game": played.seed,
            "decisions": len(played.actions),
            "bots": [BOT_NAMES[policy] for policy in played.policies],
            "winner": None if winner is None else game.seat(winner),
            "finished": game.over,
            "rounds": max(int(game.position.round_number), 0),
            "position": str(game),
        }

    def _flush(self) -> None:
        if self._waiting:
            self._decisions.write_table(pa.Table.from_batches(self._waiting))
        self._waiting = []
