"""When the full screen is chosen, and a game on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from importlib import resources
from pathlib import Path

import pytest

from rubicon.cli.screen import start
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from tests.cli.at_terminal import COMMAND

LONGEST = 120.0  # seconds, on a loaded machine
CONTROL = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]")


@pytest.mark.parametrize(
    ("size", "term", "options", "wanted"),
    [
        ((120, 40), "xterm-256color", {}, True),
        ((60, 20), "xterm-256color", {}, True),
        ((59, 20), "xterm-256color", {}, False),
        ((80, 19), "xterm-256color", {}, False),
        ((80, 24), "dumb", {}, False),
        ((80, 24), "xterm", {"line": True}, False),
        ((80, 24), "xterm", {"plain": True}, False),
        ((80, 24), "xterm", {"watch": True}, True),
    ],
)
def test_the_full_screen_is_for_people_at_a_terminal_of_its_size(
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    term: str,
    options: dict[str, bool],
    wanted: bool,
) -> None:
    monkeypatch.setattr(start, "at_terminal", lambda: True)
    monkeypatch.setattr("os.get_terminal_size", lambda: os.terminal_size(size))
    monkeypatch.setenv("TERM", term)
    assert start.wants_screen(PlayOptions(**options)) is wanted  # type: ignore[arg-type]


def test_between_pipes_there_is_no_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "at_terminal", lambda: False)
    assert not start.wants_screen(PlayOptions())


def test_without_utf_8_there_is_no_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "at_terminal", lambda: True)
    monkeypatch.setattr("os.get_terminal_size", lambda: os.terminal_size((80, 24)))
    monkeypatch.setenv("TERM", "xterm")
    assert start.wants_screen(PlayOptions())
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), "latin-1"))
    assert not start.wants_screen(PlayOptions())


def test_without_a_drawing_the_game_goes_on_line_by_line(tmp_path: Path) -> None:
    board = resources.files("rubicon.rules.board") / "boards" / "skerries.toml"
    (tmp_path / "mine.toml").write_text(board.read_text("utf-8"), "utf-8")
    options = PlayOptions(board=str(tmp_path / "mine.toml"), setup="quick", seed=3)
    session = open_session(options)
    why = start.why_no_screen(session)
    assert "skerries.geometry.json" in why
    assert why.endswith("The game goes on line by line.")
    assert start.why_no_screen(open_session(PlayOptions(setup="quick", seed=3))) == ""


def read_until(descriptor: int, process: subprocess.Popen[bytes], wanted: bytes) -> bytes:
    """The signs from the terminal until a text appears or the program ends."""
    got, latest = b"", time.monotonic() + LONGEST
    while wanted not in CONTROL.sub(b"", got) and time.monotonic() < latest:
        if select.select([descriptor], [], [], 0.1)[0]:
            try:
                got += os.read(descriptor, 65536)
            except OSError:
                break
        elif process.poll() is not None:
            break
    return CONTROL.sub(b"", got)


def test_a_game_begins_on_a_real_terminal_and_is_kept_at_control_c(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    file = tmp_path / "game.risk"
    process = subprocess.Popen(
        [*COMMAND, "--setup", "quick", "--seed", "3", "--record", str(file)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        screen = read_until(ours, process, b"deploy 4 iceland")
        os.write(ours, b"\x03")
        last = read_until(ours, process, b"rubicon play --resume")
        assert b"deploy 4 iceland" in screen
        assert b"The game is saved." in last
        assert process.wait(LONGEST) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert file.exists()
