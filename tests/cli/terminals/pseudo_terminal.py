"""A process on a pseudo-terminal of any size: what it writes, and what is typed."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from tests.cli.at_terminal import ANSI, COMMAND

# This terminal does not tell where its cursor is: nobody waits for that.
SILENT = {"PROMPT_TOOLKIT_NO_CPR": "1"}
SIZE = ("COLUMNS", "LINES")  # in the environment they would hide that of the terminal
PATIENCE = 120.0  # seconds for an answer, on a busy machine


class PseudoTerminal:
    """`rubicon play` with arguments; `written` has every byte that the terminal received."""

    command: Sequence[str] = COMMAND

    def __init__(
        self, arguments: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]
    ) -> None:
        self._ours, theirs = pty.openpty()
        self._set_size(theirs, size)
        self.process = subprocess.Popen(
            [*self.command, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={
                **{name: value for name, value in os.environ.items() if name not in SIZE},
                "TERM": "xterm-256color",
                "PYTHONUTF8": "1",
                **SILENT,
                **environment,
            },
            start_new_session=True,
        )
        os.close(theirs)
        self.written = b""
        self._read_to = self._pressed_at = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _set_size(self, terminal: int, size: tuple[int, int]) -> None:
        columns, rows = size
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Press keys, as their signs or sequences."""
        self._pressed_at = len(self.written)
        os.write(self._ours, keys.encode())

    @property
    def answered(self) -> bool:
        """Whether something was written since the last key: before, it is the old screen still."""
        return len(self.written) > self._pressed_at

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self._read_to = len(self.written)
        os.write(self._ours, line.encode() + b"\r")

    def wait_for(self, prompt: str) -> None:
        """Wait until the last thing on the terminal, since something was typed, is a prompt."""
        wanted = "".join(prompt.split())
        end = time.monotonic() + PATIENCE
        while not self._shown().endswith(wanted):
            assert time.monotonic() < end, f"no {prompt!r} in {self.text()[-1500:]!r}"
            assert self._more(), f"the process has ended: {self.text()[-1500:]}"

    def ended(self) -> int:
        """Wait for the end of the process; its exit status."""
        while self._more():
            pass
        return self.process.wait(PATIENCE)

    def text(self) -> str:
        """What was written, without colours and movements."""
        return ANSI.sub("", self.written.decode("utf-8", "replace"))

    def heard(self, new: bytes) -> None:
        """Called with all that is written; for a terminal that has a screen."""

    def _shown(self) -> str:
        new = self.written[self._read_to :].decode("utf-8", "replace")
        return "".join(ANSI.sub("", new).split())

    def _more(self) -> bool:
        """Read what is there, waiting a little; whether the terminal is still open."""
        if select.select([self._ours], [], [], 0.2)[0]:
            try:
                new = os.read(self._ours, 65536)
            except OSError:  # the other end is closed
                return False
            self.written += new
            self.heard(new)
            return bool(new)
        return self.process.poll() is None
