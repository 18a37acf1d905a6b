"""The data set of a match says what the records of its games say."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rubicon.engine.codes import encode
from rubicon.lab.arena.blocks import Block, play_block
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.report import save_records
from rubicon.lab.dataset import COLUMNS, save_dataset
from rubicon.rules.actions import action_of
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position
from rubicon.rules.record import Record

MATCH = Match(players=("hunter", "random", "random"), board="skerries", seed=8, rounds=4)
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def blocks() -> list[Block]:
    return [play_block(MATCH, number) for number in range(2)]


@pytest.fixture(scope="module")
def rows(blocks: list[Block], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    folder = tmp_path_factory.mktemp("set")
    save_dataset(MATCH, blocks, folder)
    assert {file.stem for file in folder.iterdir()} == set(COLUMNS)
    return {name: pq.read_table(folder / f"{name}.parquet").to_pylist() for name in COLUMNS}


def of_game(rows: Rows, file: str, name: str) -> list[dict[str, Any]]:
    return [row for row in rows[file] if row["game"] == name]


def test_positions_and_decisions_are_those_of_the_records(
    rows: Rows, blocks: list[Block], tmp_path: Path
) -> None:
    compared = 0
    for path in save_records(MATCH, blocks, tmp_path):
        game = Record.load(path).verify()
        decisions = of_game(rows, "decisions", path.stem)
        positions = of_game(rows, "positions", path.stem)
        record = Record.load(path)
        actions = [str(line) for line in record.lines if str(line)[0] not in "=;"]
        assert len(decisions) == len(positions) == len(actions)
        for line, row in zip(actions, decisions, strict=True):
            assert str(row["action"]) in line
        (outcome,) = of_game(rows, "outcomes", path.stem)
        assert outcome["position"] == str(game)
        compared += len(actions)
    assert compared == len(rows["decisions"]) > 100


def test_a_decision_is_legal_in_its_position(rows: Rows) -> None:
    ruleset = MATCH.ruleset()
    for row, before in list(zip(rows["decisions"], rows["positions"], strict=True))[::7]:
        _, position = parse_position(str(before["position"]))
        assert position.owner[: len(before["owner"])].tolist() == before["owner"]
        assert position.armies[: len(before["armies"])].tolist() == before["armies"]
        code = int(encode(*(row[part] for part in ("kind", "a", "b", "c", "number"))))
        game = Game(ruleset, position)
        assert str(action_of(code, game)) == row["action"]
        game.play(action_of(code, game))


def test_outcomes_are_those_of_the_blocks(rows: Rows, blocks: list[Block]) -> None:
    played = [game for block in blocks for game in block.games]
    assert [row["game"] for row in rows["outcomes"]] == [
        f"{seed}-{rotation}" for seed in (8, 9) for rotation in range(3)
    ]
    for row, result in zip(rows["outcomes"], played, strict=True):
        assert [row["players"][seat] for seat in result.seats] == list(MATCH.players)
        assert [row["ranks"][seat] for seat in result.seats] == list(result.ranks)
        assert [row["shares"][seat] for seat in result.seats] == list(result.shares)
        assert (row["finished"], row["rounds"]) == (result.finished, result.rounds)
        assert row["decisions"] == sum(result.decisions)


def test_the_files_name_the_match(blocks: list[Block], tmp_path: Path) -> None:
    save_dataset(MATCH, [], tmp_path)
    about = pq.read_schema(tmp_path / "outcomes.parquet").metadata
    assert about[b"match"].decode() == MATCH.text()
    assert about[b"ruleset"].decode() == repr(MATCH.ruleset())
