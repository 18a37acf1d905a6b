"""`rubicon warmup`: compile the rules once, so that later starts are quick."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self, TextIO

import click

QUIET = 3.0  # seconds that it may take before anything is said
ERASE = "\r\x1b[K"
LOADING = "loading the compiled rules …"
COMPILING = "compiling the rules, this once: one to two and a half minutes …"

Warm = Callable[[Callable[[int, int, str], None]], None]


class ProgressLine:
    """Says that the rules are being loaded or compiled; nothing at all where that is quick.

    On a terminal it is one line that counts the seconds; elsewhere it is said once.
    """

    def __init__(self, stream: TextIO, compiled: Sequence[object], quiet: float = QUIET) -> None:
        self.stream = stream
        self.compiled = compiled  # empty as long as everything is only loaded
        self.quiet = quiet
        self.terminal = stream.isatty()
        self.spoken = ""
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
        if self.spoken:
            self.close(succeeded=kind is None)

    def tick(self) -> None:
        """Say what is going on, every second after the first few, until all is over."""
        wait = self.quiet
        while not self.over.wait(wait):
            self.show()
            wait = min(self.quiet, 1.0)

    def show(self) -> None:
        """Write the line, if there is anything new to say."""
        text = COMPILING if self.compiled else LOADING
        if self.terminal:
            self.stream.write(f"{ERASE}{text} {self.seconds():.0f} s")
        elif text != self.spoken:
            self.stream.write(f"{text}\n")
        self.spoken = text
        self.stream.flush()

    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.began

    def close(self, succeeded: bool) -> None:
        """Wipe the line away; what was compiled leaves one that says how long it took."""
        if self.terminal:
            self.stream.write(ERASE)
        if succeeded and self.compiled:
            self.stream.write(f"compiled the rules in {self.seconds():.0f} s\n")
        self.stream.flush()


def warm_kernels(
    warm: Warm | None = None, stream: TextIO | None = None, quiet: float = QUIET
) -> None:
    """Load what is compiled, compile what is not, with a line of progress if that takes time."""
    from rubicon.rules.warmup import compilations_heard

    with (
        compilations_heard() as compiled,
        ProgressLine(stream or sys.stderr, compiled, quiet),
    ):
        (warm or warm_everything)(unheard)


def unheard(number: int, total: int, name: str) -> None:
    """Steps are not told: they take too unequally long to say how much is left."""


def warm_everything(progress: Callable[[int, int, str], None]) -> None:
    """The rules, the bots and the odds."""
    from rubicon.odds.warmup import warm as warm_odds
    from rubicon.players.warmup import warm as warm_players

    warm_players(progress)
    warm_odds(progress)


@click.command()
def command() -> None:
    """Compile the rules once, so that later starts are quick.

    It takes one to two and a half minutes after an installation or a change of the rules; otherwise
    it is done at once and says nothing.
    """
    warm_kernels()
