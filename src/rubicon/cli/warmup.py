"""`rubicon warmup`: compile the rules once, so that later starts are quick."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self, TextIO

import click

QUIET = 3.0  # seconds before the first message
ERASE = "\r\x1b[K"
LOADING = "Loading the compiled rules"
COMPILING = "Compiling the rules (only once, 30 to 60 s)"

Warm = Callable[[], None]


class ProgressLine:
    """Says that the rules are being loaded or compiled; nothing at all where that is quick.

    On a terminal it is one line that counts seconds and procedures. Other streams get one line at
    the beginning of loading and one at the beginning of compiling.
    """

    def __init__(self, stream: TextIO, compiled: Sequence[object], quiet: float = QUIET) -> None:
        self.stream = stream
        self.compiled = compiled  # gains an entry where a compilation begins and where it ends
        self.quiet = quiet
        self.terminal = stream.isatty()
        self.shown = ""
        self.began = time.monotonic()
        self.over = threading.Event()
        self.ticker = threading.Thread(target=self.tick, daemon=True)

    def __enter__(self) -> Self:
        self.ticker.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.over.set()
        self.ticker.join()
        if self.shown:
            self.close(succeeded=kind is None)

    def tick(self) -> None:
        """Update the line every second, after the first few, until the work is over."""
        wait = self.quiet
        while not self.over.wait(wait):
            self.show()
            wait = min(self.quiet, 1.0)

    def show(self) -> None:
        """Write the line, if it has changed."""
        text = COMPILING if self.compiled else LOADING
        if self.terminal:
            self.stream.write(f"{ERASE}{text}: {self.procedures()}{self.seconds():.0f} s")
        elif text != self.shown:
            self.stream.write(f"{text} …\n")
        self.shown = text
        self.stream.flush()

    def procedures(self) -> str:
        """How many procedures have begun to be compiled; "" if none has."""
        count = (len(self.compiled) + 1) // 2
        return f"procedure {count}, " if count else ""

    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    def close(self, succeeded: bool) -> None:
        """Erase the line; a compilation leaves one that says how long it took."""
        if self.terminal:
            self.stream.write(ERASE)
        if succeeded and self.compiled:
            self.stream.write(f"Compiled the rules in {self.seconds():.0f} s\n")
        self.stream.flush()


def warm_kernels(
    warm: Warm | None = None, stream: TextIO | None = None, quiet: float = QUIET
) -> None:
    """Load what is compiled and compile the rest, with a line of progress if that takes time.

    An interruption is harmless: each kernel is stored on disk as soon as it is compiled.
    """
    from rubicon.engine.warmup import compilations_heard

    with (
        compilations_heard() as compiled,
        ProgressLine(stream or sys.stderr, compiled, quiet),
    ):
        (warm or warm_everything)()


def warm_everything() -> None:
    """Load or compile the rules, the odds, the bots and the lab."""
    from rubicon.lab.warmup import warm as warm_lab
    from rubicon.odds.warmup import warm as warm_odds
    from rubicon.players.warmup import warm as warm_players

    warm_odds()
    warm_players()
    warm_lab()


@click.command()
def command() -> None:
    """Compile the rules once, so that later starts are quick.

    It takes 30 to 60 seconds after an installation from source or a change of the rules. Otherwise
    it loads what is compiled, in about a second, and prints nothing.
    """
    warm_kernels()
