"""The lobby of a server in a real terminal: a table is opened, its game left, and found again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminals.screen_terminal import ENTER, ESCAPE, ScreenTerminal
from tests.web.conftest import ServerProcess, start, stop


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server in a process of its own."""
    running = start(tmp_path)
    try:
        yield running
    finally:
        stop(running)


def test_a_game_is_opened_left_and_found_again(server: ServerProcess, tmp_path: Path) -> None:
    arguments = ["--server", server.url, "--name", "Ann", "--theme", "dark"]
    own = {"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with ScreenTerminal(arguments, (80, 24), own) as terminal:
        terminal.wait_until(lambda text: "none yet" in text and "N new" in text)
        terminal.press("new classic 3 bots board=skerries")
        terminal.press(ENTER)
        text = terminal.wait_until(lambda text: "Enter start" in text)
        assert f"Invite others: {server.url}" in text
        terminal.press(ENTER)
        terminal.wait_until(lambda text: "Enter claim" in text)
        terminal.press(ESCAPE)
        terminal.settle()
        terminal.press(ESCAPE)
        text = terminal.wait_until(lambda text: "Your games" in text and "set-up" in text)
        assert "your turn, claim" in text
        assert text.splitlines()[-1].startswith(" Enter open")
        terminal.press("q")
        assert terminal.process.wait(60) == 0
