"""`rubicon warmup`: compile the rules once, so that later starts are quick."""

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

import click

QUIET = 1.0  # seconds that a step may take before anything is said
ERASE = "\r\x1b[K"

Warm = Callable[[Callable[[int, int, str], None]], None]


class ProgressLine:
    """Says what is being compiled and for how long; nothing at all while everything is quick.

    On a terminal it is one line that counts the seconds; elsewhere one line for each slow step.
    """

    def __init__(self, stream: TextIO, quiet: float = QUIET) -> None:
        self.stream = stream
        self.quiet = quiet
        self.terminal = stream.isatty()
        self.text = ""
        self.spoken = ""
        self.began = self.step_began = time.monotonic()
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

    def step(self, number: int, total: int, name: str) -> None:
        """A step begins; the one before it is done."""
        self.text = f"compiling the rules {number}/{total} {name} …"
        self.step_began = time.monotonic()

    def tick(self) -> None:
        """Look every now and then whether there is something to say, until all is over."""
        while not self.over.wait(self.quiet):
            self.show()

    def show(self) -> None:
        """Write the line, if there is anything new to say."""
        text, seconds = self.text, time.monotonic() - self.step_began
        if not self.spoken and seconds < self.quiet:
            return
        if self.terminal:
            self.stream.write(f"{ERASE}{text} {seconds:.0f} s")
        elif text != self.spoken:
            self.stream.write(f"{text}\n")
        self.spoken = text
        self.stream.flush()

    def close(self, succeeded: bool) -> None:
        """Leave one line that says how long it took."""
        seconds = time.monotonic() - self.began
        if self.terminal:
            self.stream.write(ERASE)
        if succeeded:
            self.stream.write(f"compiled the rules in {seconds:.0f} s\n")
        self.stream.flush()


def warm_kernels(warm: Warm | None = None, stream: TextIO | None = None) -> None:
    """Compile what is not compiled yet, with a line of progress if that takes time."""
    with ProgressLine(stream or sys.stderr) as line:
        (warm or warm_everything)(line.step)


def warm_everything(progress: Callable[[int, int, str], None]) -> None:
    """The rules, the bots and the odds."""
    from rubicon.odds.warmup import warm as warm_odds
    from rubicon.players.warmup import warm as warm_players

    warm_players(progress)
    warm_odds(progress)


@click.command()
def command() -> None:
    """Compile the rules once, so that later starts are quick.

    It takes about a minute after an installation or a change of the rules; otherwise it is done
    at once and says nothing.
    """
    warm_kernels()
