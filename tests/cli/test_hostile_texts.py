"""Whatever a saved game, a message or a server says, a terminal is sent nothing that it obeys."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.text import Text

from rubicon.cli.main import explain
from rubicon.cli.replay import command
from rubicon.cli.terminal.console import STRONG, make_output
from rubicon.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.cli.at_terminal import Printed, rubicon

ESCAPES = "\x1b]0;title\x07\x1b[31m[red]\u202e\x9b2J"


def harmless(text: str) -> bool:
    """Whether a text of several lines can be printed as it is."""
    return text.replace("\n", "").replace("\r", "").isprintable()


def hostile_game(folder: Path) -> Path:
    """A saved game whose players have names that no terminal should be sent."""
    file = folder / "game.risk"
    names = [f"{ESCAPES}{number}" for number in range(3)]
    Record.of(Game.new(Ruleset.load(), names=names)).save(file)
    assert "\x1b]0" in file.read_text("utf-8")
    return file


@pytest.mark.parametrize(
    "options", [(), ("--watch", "--plain"), ("--watch", "--line"), ("--json",)]
)
def test_a_replay_is_harmless(tmp_path: Path, options: tuple[str, ...]) -> None:
    told = CliRunner().invoke(command, [str(hostile_game(tmp_path)), *options], color=True)
    assert told.exit_code == 0, told.output
    assert harmless(told.output)


def test_a_resumed_game_is_harmless(tmp_path: Path) -> None:
    file = hostile_game(tmp_path)
    code, told = rubicon("--resume", str(file), "--plain", typed="map\nlegal\nlog\nhand\nquit\n")
    assert code == 0
    assert "Pass the keyboard to" in told
    assert harmless(told)


def test_lines_of_an_output_keep_their_styles_and_nothing_else() -> None:
    stream = Printed()
    make_output(plain=True, stream=stream).line((ESCAPES, STRONG), Text(ESCAPES), ESCAPES)
    assert harmless(stream.getvalue())
    assert stream.getvalue().count("[red]") == 3


def test_an_error_at_the_end_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(RubiconError("a/b", f"{ESCAPES}\nsecond", ESCAPES)) == 2
    told = capsys.readouterr().err
    assert "second" in told
    assert harmless(told.replace("\x1b[2m[a/b]\x1b[0m", ""))
