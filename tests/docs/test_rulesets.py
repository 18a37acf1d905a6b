"""The examples of `docs/rulesets.md` and `docs/boards.md` are files that can be played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset

DOCS = Path(__file__).parents[2] / "docs"


def example(page: str, language: str) -> str:
    """The first example in a language on a page."""
    found = re.search(rf"```{language}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of both pages, in which commands are given."""
    (tmp_path / "house.toml").write_text(example("rulesets.md", "toml"), "utf-8")
    (tmp_path / "my").mkdir()
    (tmp_path / "my" / "island.toml").write_text(example("boards.md", "toml"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_ruleset_says_what_the_page_says(folder: Path) -> None:
    scope: dict[str, object] = {}
    exec(example("rulesets.md", "python"), scope)
    house = scope["house"]
    assert isinstance(house, Ruleset)
    assert (house.name, house.title) == ("house", "House rules")
    assert house.option_text("setup.armies") == "3:30 4:25 5:20 6:18"
    assert house.option_text("cards.forced") == "none"
    assert scope["on_the_skerries"] == Ruleset.load("revised", board="skerries")


def test_the_ruleset_can_be_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "house.toml", "--watch", "--seed", "1", "--record", "game.risk"]) == 0
    played = Record.load("game.risk").verify().ruleset
    assert played.options == Ruleset.load("house.toml").options
    assert main(["rules", "house.toml"]) == 0
    assert "House rules" in capsys.readouterr().out
    assert main(["odds", "10", "7", "--rules", "house.toml"]) == 0


def test_the_board_can_be_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = ["--board", "my/island.toml"]
    assert main(["play", *board, "--watch", "--seed", "1", "--record", "game.risk"]) == 0
    assert Record.load("game.risk").verify().ruleset.board.name == "The Straits"
    assert main(["rules", "classic", *board]) == 0
    assert "The Straits" in capsys.readouterr().out
