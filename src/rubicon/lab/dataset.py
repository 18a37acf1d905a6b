"""Games as Parquet data sets: of a batch, and of a match."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from rubicon.engine.chance import generator
from rubicon.engine.codes import A_SHIFT, B_SHIFT, C_SHIFT, NUMBER_SHIFT
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import POSITION, Seat
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match, StepwiseGame
from rubicon.lab.arena.report import played_again
from rubicon.lab.batch import Batch
from rubicon.lab.feature_names import VERSION
from rubicon.lab.stepping import BEHIND, EPISODE_STEP, LEARNER, bot_action
from rubicon.players.characters import NAMES
from rubicon.players.memory import MEMORY
from rubicon.rules.actions import Action, action_of, code_of
from rubicon.rules.game import Game

# The games of a batch, played again as `Game`, and so as records (`rubicon.rules.record`).
#
# log = GameLog(batch)
# for played in log.step(batch.random_actions()):
#     Record.of(log.replay(played)).save(f"{played.seed}.txt")

WORD = 2**64


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a batch that has ended: all that it takes to play it again."""

    number: int  # its place in the batch
    episode: int
    seed: int  # its dice are those of `generator(seed)`
    policies: tuple[int, ...]  # by seat, the number of a bot, or LEARNER
    actions: tuple[int, ...]  # of the learners, in order


class GameLog:
    """Notes the learners' actions of a batch, which must be stepped through the log from now on.

    Games that are under way when the log begins are left out.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._actions: list[list[int]] = [[] for _ in range(len(batch))]
        self._first = batch.episodes + 1  # by place, the first game that is noted whole
        self._start = batch.start.copy()

    def begin(self) -> None:
        """Start all games anew, so that none is left out."""
        self.batch.start_again()
        self._first = self.batch.episodes.copy()
        self._actions = [[] for _ in range(len(self.batch))]

    def step(self, actions: npt.ArrayLike, *, checked: bool = False) -> list[PlayedGame]:
        """`Batch.step`; returns the games that ended, in the order of their places."""
        taken = np.asarray(actions)
        deciding, episodes = self.batch.seats >= 0, self.batch.episodes.copy()
        self.batch.step(taken, checked=checked)
        for number in np.flatnonzero(deciding):
            self._actions[number].append(int(taken[number]))
        played = []
        for number in np.flatnonzero(self.batch.ended):
            # Of several games that ended in one place, only the first had decisions of learners.
            begun = int(episodes[number]) + int(not deciding[number])
            for episode in range(begun, begun + int(self.batch.ended[number])):
                if episode >= self._first[number]:
                    played.append(self._played(int(number), episode))
                self._actions[number] = []
        return played

    def replay(self, played: PlayedGame) -> Game:
        """Play a game again, every action checked, as far as the batch played it."""
        game = Game(self.batch.ruleset, self._start)
        with np.errstate(over="ignore"):
            self._play(game, played)
        return game

    def _played(self, number: int, episode: int) -> PlayedGame:
        seed = self.batch.seed_of(number) + episode * int(EPISODE_STEP)
        policies = self.batch.policies_of(number)
        return PlayedGame(
            number=number,
            episode=episode,
            seed=seed % WORD,
            policies=policies,
            actions=tuple(self._actions[number]),
        )

    def _play(self, game: Game, played: PlayedGame) -> None:
        dice, luck = generator(played.seed), generator(played.seed ^ (WORD - 1))
        games, buffer = np.zeros(1 + BEHIND, POSITION), range_buffer()
        memories = np.zeros(game.size, MEMORY)
        actions = iter(played.actions)
        learners = [seat for seat, policy in enumerate(played.policies) if policy == LEARNER]
        while not game.over:
            if game.awaits_chance:
                game.settle(game.sample(dice))
                continue
            position = game.position
            if 0 < self.batch.round_cap < position.round_number:
                return
            seat = first_to_act(position)
            if played.policies[seat] == LEARNER:
                game.play(action_of(next(actions), game))
                continue
            if learners and all(position.status[one] != Seat.PLAYING for one in learners):
                return
            games[0] = position
            here = (games, 0, played.policies[seat], game.rules, game.tables)
            game.play(action_of(int(bot_action(*here, seat, memories[seat], buffer, luck)), game))


# A data set of the games of a batch, as two Parquet files.
#
#     with DatasetWriter(batch, "games") as dataset:
#         for _ in range(10_000):
#             dataset.step(batch.random_actions())
#
# `decisions.parquet` has a row for each decision of a learner: what its seat saw, and what it
# did. `games.parquet` has a row for each game that ended: who played, and who won. Both name a
# game by the seed of its dice. It needs the extra `lab` (`pip install rubicon[lab]`).

ROWS = 4096  # rows of decisions that are written together
BOT_NAMES = {number: name for name, number in NAMES.items()} | {LEARNER: None}
ACTION = {  # its parts, as `rubicon.engine.codes` explains
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

    def __exit__(self, *_: object) -> None:
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


# The games of a match as a data set: three Parquet files for research.
#
# `decisions.parquet` has a row for each decision, `positions.parquet` the position before it,
# `outcomes.parquet` a row for each game. The columns `game` (the name of its record) and
# `decision` (from 0 in each game) join them. It needs the extra `lab` (`pip install
# rubicon[lab]`).

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
