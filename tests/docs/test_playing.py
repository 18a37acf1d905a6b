"""`docs/first-turn.md` is a real game, and `docs/playing.md` names every option and word."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from rubicon.cli.play import command
from rubicon.cli.terminal.commands import COMMANDS
from rubicon.cli.terminal.options import SETUPS
from rubicon.players.characters import BOTS
from tests.cli.at_terminal import rubicon
from tests.cli.test_picture import GAME

DOCS = Path(__file__).parents[2] / "docs"
FIRST_TURN = (DOCS / "first-turn.md").read_text(encoding="utf-8")
PLAYING = (DOCS / "playing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```game\n(.*?)```", FIRST_TURN, re.DOTALL)
PROMPT = re.compile(r"^red \w+(?: \d+)?> (.*)$", re.MULTILINE)
CONSOLE = re.findall(r"^\$ (rubicon play[^#\n]*)", PLAYING, re.MULTILINE)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the game prints when the lines of the page are typed, one after the other."""
    folder = tmp_path_factory.mktemp("first-turn")
    shutil.copy(GAME, folder / "game.risk")
    typed = [line for block in BLOCKS for line in PROMPT.findall(block)]
    _, printed = rubicon(
        "--resume", str(folder / "game.risk"), "--seed", "2", typed="\n".join(typed) + "\nquit\n"
    )
    return "\n".join(line.rstrip() for line in printed.splitlines())


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 8
    assert all(PROMPT.search(block) for block in BLOCKS)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_first_turn_is_a_real_game(block: str, printed: str) -> None:
    assert "\n".join(line.rstrip() for line in block.splitlines()) in printed


@pytest.mark.parametrize("line", CONSOLE)
def test_the_commands_are_understood(line: str) -> None:
    context = command.make_context("play", shlex.split(line)[2:])
    assert context.command is command


def test_every_option_and_word_is_on_the_page() -> None:
    for option in command.params:
        names = option.opts if isinstance(option, click.Option) else ["PRESET"]
        assert any(f"`{name}" in PLAYING for name in names), names
    for word in (*COMMANDS, *SETUPS):
        assert f"`{word}" in PLAYING or f", `{word}" in PLAYING, word


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_has_a_script_for_each_shell(shell: str) -> None:
    assert f"_RUBICON_COMPLETE={shell}_source rubicon" in PLAYING
    done = subprocess.run(
        [sys.executable, "-m", "rubicon"],
        env={**os.environ, "_RUBICON_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=False,
    )
    if shell == "bash" and "Couldn't detect Bash version" in done.stderr:
        pytest.skip("bash is not installed")
    assert "_RUBICON_COMPLETE" in done.stdout


def test_the_bots_are_introduced_from_the_strongest_on() -> None:
    section = PLAYING.partition("## The bots")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE)
    assert rows == [(bot.name, bot.line) for bot in BOTS]
