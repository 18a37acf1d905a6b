"""What happens to terminals: stopped and gone on with, closed, other bytes than UTF-8."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.cli.at_terminal import COMMAND
from tests.cli.terminals.screen_terminal import ENTER, ScreenTerminal
from tests.cli.terminals.test_ended import placed_in
from tests.cli.terminals.test_full_screen import arguments, is_asked

STOP = "\x1a"  # control-Z
LONGEST = 30.0  # seconds


class ReplayTerminal(ScreenTerminal):
    """`rubicon replay` on a screen."""

    command = (*COMMAND[:-1], "replay")


def state(terminal: ScreenTerminal) -> str:
    """What the system says of the process: T is stopped."""
    return Path(f"/proc/{terminal.process.pid}/stat").read_text().rpartition(")")[2].split()[0]


def begun(folder: Path) -> ScreenTerminal:
    """A game at its first question."""
    asked = arguments("classic", "me,greedy,greedy", folder / "game.risk")
    return ScreenTerminal(asked, (100, 30))


def test_a_stopped_game_goes_on_with_its_whole_screen(tmp_path: Path) -> None:
    with begun(tmp_path) as terminal:
        before = terminal.wait_until(lambda text: "› deploy" in text)
        terminal.press(STOP)
        end = time.monotonic() + LONGEST
        while state(terminal) != "T":
            assert time.monotonic() < end
            terminal.settle()
        terminal.screen.reset()
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_until(lambda text: text == before)
        # A signal too many begins nothing a second time, and the end is still the end.
        terminal.process.send_signal(signal.SIGCONT)
        terminal.settle()
        terminal.press("\x03")
        assert terminal.ended() == 0


def test_a_terminal_that_is_gone_ends_the_game_and_keeps_it(tmp_path: Path) -> None:
    terminal = begun(tmp_path)
    try:
        terminal.wait_until(lambda text: "› deploy" in text)
        terminal.press(ENTER)
        terminal.wait_until(lambda text: is_asked(text) and "› attack" in text)
        os.close(terminal._ours)
        assert terminal.process.wait(LONGEST) == 128 + signal.SIGHUP
        assert placed_in(tmp_path / "game.risk")
    finally:
        terminal.process.kill()
        terminal.process.wait()


def test_bytes_that_are_not_utf_8_are_dropped(tmp_path: Path) -> None:
    with begun(tmp_path) as terminal:
        terminal.wait_until(lambda text: "› deploy" in text)
        os.write(terminal._ours, b"\xe9\xff\x80")
        terminal.settle()
        terminal.press("egypt")
        terminal.wait_until(lambda text: "› egypt" in text)


def test_a_replay_that_is_ended_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    with ScreenTerminal(arguments("classic", "me,greedy,greedy", file), (100, 30)) as terminal:
        terminal.wait_until(lambda text: "› deploy" in text)
        terminal.press("\x03")
        assert terminal.ended() == 0
    with ReplayTerminal([str(file), "--watch", "--delay", "1"], (100, 30)) as terminal:
        terminal.wait_until(lambda text: "You look on" in text)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
        assert terminal.written.count(b"\x1b[?1049l") == 1  # the other screen is left
