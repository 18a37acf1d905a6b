"""The full screen in a real terminal: every preset, at three sizes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.rules.record import Record
from tests.cli.terminals.screen_terminal import ENTER, ScreenTerminal
from tests.cli.terminals.test_whole_games import PRESETS, SIZES
from tests.conftest import FULL

OVER = "play again with the same players"  # on the screen behind a game
OTHERS = re.compile("The others play|is to move")  # while nobody here is asked
MOST_KEYS = 5_000 if FULL else 8  # of a game


def arguments(preset: str, seats: str, file: Path) -> list[str]:
    """A game with dice of a seed, kept in a file."""
    chosen = [preset, "--seats", seats, "--seed", "3", "--setup", "quick", "--theme", "dark"]
    return [*chosen, "--delay", "0", "--record", str(file)]


def is_asked(text: str) -> bool:
    """Whether the screen waits for a person."""
    return OVER in text or (not OTHERS.search(text) and "Enter" in text)


@pytest.mark.parametrize("number", range(len(PRESETS)), ids=list(PRESETS))
def test_a_game_is_played_by_enter_alone(tmp_path: Path, number: int) -> None:
    preset, seats = list(PRESETS.items())[number]
    file = tmp_path / "game.risk"
    size = SIZES[number % len(SIZES)]
    with ScreenTerminal(arguments(preset, seats, file), size) as terminal:
        for _ in range(MOST_KEYS):
            if OVER in terminal.wait_until(is_asked):
                break
            terminal.press(ENTER)
        terminal.settle()
        before = terminal.cells()
        terminal.resize((size[0] + 1, size[1]))
        terminal.resize(size)
        after = terminal.cells()
    # What was sent bit by bit is what a whole drawing shows.
    assert after == before
    assert len(Record.parse(file.read_text("utf-8")).entries) >= 8


def test_another_size_is_drawn_at_once_and_keeps_the_line(tmp_path: Path) -> None:
    heads = {(60, 20): "enemy over the border", (120, 40): " Log ", (80, 24): "Iceland"}
    asked = arguments("classic", "me,medium,easy", tmp_path / "game.risk")
    with ScreenTerminal(asked, (80, 24)) as terminal:
        terminal.wait_until(is_asked)
        terminal.press("dep 2")
        for size, head in heads.items():
            terminal.resize(size)
            text = terminal.wait_until(lambda text, head=head: head in text)  # type: ignore[misc]
            assert "› dep 2" in text
            assert len(text.splitlines()) == size[1]
            assert text.splitlines()[-1].startswith(" Enter do it")
