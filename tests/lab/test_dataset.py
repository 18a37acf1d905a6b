"""The data set of a batch: every decision with what was seen, every game with its outcome."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from rubicon.engine.codes import encode
from rubicon.lab.batch import Batch
from rubicon.lab.dataset import DatasetWriter
from rubicon.lab.feature_names import VERSION
from rubicon.rules.notation.positions import parse_position
from tests.lab.games import small_game

SEATINGS = [(), (None, "greedy", "random")]


def new_batch(bots: Any) -> Batch:
    return Batch(small_game(**{"game.round_limit": "4"}), 3, games=6, seed=40, bots=bots)


@pytest.mark.parametrize("bots", SEATINGS)
def test_what_is_written_is_what_was_played(tmp_path: Path, bots: Any) -> None:
    batch = new_batch(bots)
    seen, codes, wins = [], [], np.zeros(3)
    with DatasetWriter(batch, tmp_path / "new" / "set") as dataset:
        for _ in range(500):
            seen.append(batch.observe().copy())
            codes.append(batch.random_actions())
            dataset.step(codes[-1])
            wins += batch.rewards[:, :3].sum(axis=0)
    table = pq.read_table(tmp_path / "new" / "set" / "decisions.parquet")
    assert table.num_rows == 500 * 6
    written = np.array(table["observation"].combine_chunks().flatten()).reshape(3000, -1)
    assert np.array_equal(written, np.concatenate(seen))
    parts = [table[name].to_pylist() for name in ("kind", "a", "b", "c", "number")]
    again = [int(encode(*each)) for each in zip(*parts, strict=True)]
    assert again == np.concatenate(codes).tolist()
    games = pq.read_table(tmp_path / "new" / "set" / "games.parquet").to_pylist()
    winners = [game["winner"] for game in games if game["winner"] is not None]
    assert len(games) > 3
    assert [winners.count(seat) for seat in range(3)] == [int(share) for share in wins]


def test_games_are_named_by_the_seeds_of_their_dice(tmp_path: Path) -> None:
    batch = new_batch((None, "greedy", "random"))
    with DatasetWriter(batch, tmp_path) as dataset:
        for _ in range(300):
            dataset.step(batch.random_actions())
    decisions = pq.read_table(tmp_path / "decisions.parquet", columns=["game", "decision", "seat"])
    rows = decisions.to_pylist()
    games = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert {row["seat"] for row in rows} == {0}
    for game in games:
        own = [row["decision"] for row in rows if row["game"] == game["game"]]
        assert own == list(range(game["decisions"]))
        assert game["bots"] == [None, "greedy", "random"]
        _, position = parse_position(game["position"])
        assert game["finished"] == (position.winner >= 0)
        assert 1 <= game["rounds"] <= 5
    assert {row["game"] % 2**40 for row in rows} == set(range(40, 46))


def test_the_files_say_what_the_columns_mean(tmp_path: Path) -> None:
    batch = new_batch(())
    with DatasetWriter(batch, tmp_path):
        pass
    about = pq.read_schema(tmp_path / "decisions.parquet").metadata
    assert about[b"observation_version"] == str(VERSION).encode()
    assert about[b"ruleset"].decode() == repr(batch.ruleset)
    assert len(about[b"features"].splitlines()) == batch.layout.size
