"""A pseudo-terminal with a screen: what a person would see of the full screen."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence

import pyte

from tests.cli.terminals.pseudo_terminal import PATIENCE, PseudoTerminal

COLOURS = {"COLORTERM": "truecolor"}
QUIET = 0.25  # seconds without a word, behind which a screen is complete
DEAF = 1.0  # seconds without a word, behind which a key had nothing to change
ENTER, ESCAPE = "\r", "\x1b"
NO_ENVIRONMENT: Mapping[str, str] = {}
Shown = list[list[tuple[str, str, str, bool, bool]]]  # sign, ink, ground, bold, reverse


class ScreenTerminal(PseudoTerminal):
    """`rubicon play` on the full screen; `look` is called with each screen that was to be seen."""

    def __init__(
        self,
        arguments: Sequence[str],
        size: tuple[int, int],
        environment: Mapping[str, str] = NO_ENVIRONMENT,
        look: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._look = look
        super().__init__(arguments, size, {**COLOURS, **environment})

    def heard(self, new: bytes) -> None:
        """Draw what is written."""
        self._stream.feed(new)
        self._look(self.shown())

    def shown(self) -> str:
        """The signs on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def cells(self) -> Shown:
        """Each cell with its colours."""
        return [
            [
                (cell.data, cell.fg, cell.bg, cell.bold, cell.reverse)
                for cell in (self.screen.buffer[y][x] for x in range(self.screen.columns))
            ]
            for y in range(self.screen.lines)
        ]

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size: the whole screen is drawn again."""
        self.screen.resize(size[1], size[0])
        self._set_size(self._ours, size)
        self._pressed_at = len(self.written)
        self.process.send_signal(signal.SIGWINCH)  # the terminal is not the one of its session
        self.settle()

    def settle(self) -> None:
        """Wait until the last key is answered, and nothing more is written for a while."""
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < (QUIET if self.answered else DEAF):
            before = len(self.written)
            assert self._more() or self.process.poll() is not None
            if len(self.written) > before:
                quiet_since = time.monotonic()
            if self.process.poll() is not None:
                return

    def wait_until(self, there: Callable[[str], bool]) -> str:
        """Wait until the screen shows something, and nothing more comes; the screen."""
        end = time.monotonic() + PATIENCE
        while True:
            self.settle()
            text = self.shown()
            if there(text):
                return text
            assert time.monotonic() < end, text
            assert self.process.poll() is None, text
