"""A window that is closed in the middle of a turn loses nothing of it."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from rubicon.rules.record import Record
from tests.cli.terminals.screen_terminal import ENTER, ScreenTerminal
from tests.cli.terminals.test_full_screen import arguments, is_asked
from tests.conftest import FULL

ENDS = [signal.SIGHUP, signal.SIGTERM] if FULL else [signal.SIGHUP]
PLACED = re.compile(r"red: place \w+ \d+")


@pytest.mark.parametrize("end", ENDS)
def test_what_was_played_on_the_full_screen_is_saved(tmp_path: Path, end: signal.Signals) -> None:
    file = tmp_path / "game.risk"
    with ScreenTerminal(arguments("classic", "me,greedy,greedy", file), (120, 40)) as terminal:
        terminal.wait_until(lambda text: "› deploy" in text)
        assert not placed_in(file)
        terminal.press(ENTER)
        terminal.wait_until(lambda text: is_asked(text) and "› attack" in text)
        assert not placed_in(file)
        terminal.process.send_signal(end)
        assert terminal.process.wait(30) == 128 + end
    assert placed_in(file)


@pytest.mark.parametrize("end", ENDS)
def test_what_was_played_line_by_line_is_saved(tmp_path: Path, end: signal.Signals) -> None:
    file = tmp_path / "game.risk"
    asked = [*arguments("classic", "me,greedy,greedy", file), "--line"]
    with ScreenTerminal(asked, (80, 24)) as terminal:
        terminal.wait_until(lambda text: "reinforce 4>" in text)
        terminal.type("deploy 1 egypt")
        terminal.wait_until(lambda text: "reinforce 3>" in text)
        assert not placed_in(file)
        terminal.process.send_signal(end)
        assert terminal.process.wait(30) == 128 + end
    assert placed_in(file)


def placed_in(file: Path) -> bool:
    """Whether the record has a deployment of the person."""
    record = Record.parse(file.read_text("utf-8"))
    assert record.replay().history
    return PLACED.search(file.read_text("utf-8").partition("; Round 1")[2]) is not None
