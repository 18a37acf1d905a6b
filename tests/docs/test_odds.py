"""Every example of `docs/odds.md` is executed."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from rubicon.cli.odds import command
from rubicon.odds.battle import battle
from rubicon.odds.plot import battle_svg
from rubicon.odds.rule import DiceRule

PAGE = Path(__file__).parents[2] / "docs" / "odds.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ rubicon odds ([^\n]*)\n(.*?)```", TEXT, re.DOTALL)
ROWS = re.findall(r"^\| `rubicon odds ([^`]*)`", TEXT, re.MULTILINE)


def run(words: str) -> str:
    result = CliRunner().invoke(command, shlex.split(words))
    assert result.exception is None, result.exception
    return result.output


def test_python_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 10
    assert results.failed == 0


def test_there_are_examples() -> None:
    assert len(re.findall(r"^\$ ", TEXT, re.MULTILINE)) == len(CONSOLE) >= 3
    assert len(ROWS) >= 10


@pytest.mark.parametrize(("words", "output"), CONSOLE)
def test_console_examples(words: str, output: str) -> None:
    assert run(words) == output


@pytest.mark.parametrize("words", ROWS)
def test_commands_of_the_table(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words)


def test_the_picture_is_what_the_tool_draws() -> None:
    drawn = battle_svg(battle(10, 7, DiceRule.of("classic")))
    assert (PAGE.parent / "images" / "odds.svg").read_text("utf-8") == drawn
