"""The library's driver for a terminal, made to bear what terminals do."""

from __future__ import annotations

import asyncio
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

    def _sigcont_application(self, *_: object) -> None:
        """Go on behind a stop; the library would begin a second time where there was none."""
        if self._must_signal_resume:
            super()._sigcont_application()
        else:
            resumed = self._app._post_message(self.SignalResume())
            asyncio.run_coroutine_threadsafe(resumed, self._loop)

    @property
    def is_gone(self) -> bool:
        """Whether the window is closed: then every reading is answered at once, with nothing."""
        return not os.isatty(self.fileno)


def hang_up() -> None:
    """End as when the window is closed: not every system says so by itself."""
    os.kill(os.getpid(), signal.SIGHUP)
