"""The library's driver for a terminal, made to bear what terminals do."""

from __future__ import annotations

import os
import signal
import sys

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Writes to standard output, so that standard error may be a file; reads any bytes."""

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = sys.__stdout__

    def run_input_thread(self) -> None:
        """Read keys until the end; bytes that are not UTF-8 are dropped."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue
            except OSError:
                hang_up()
                return

    @property
    def is_gone(self) -> bool:
        """Whether the window is closed: then every reading is answered at once, with nothing."""
        return not os.isatty(self.fileno)


def hang_up() -> None:
    """End as when the window is closed: not every system says so by itself."""
    os.kill(os.getpid(), signal.SIGHUP)
