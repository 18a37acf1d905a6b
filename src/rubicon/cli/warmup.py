"""`rubicon warmup`: compile the rules once, so that later starts are quick."""

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

import click

if TYPE_CHECKING:
    from rubicon.engine.compiler.workers import Compilation

QUIET = 3.0  # seconds before the first message
ERASE = "\r\x1b[K"
LOADING = "Loading the compiled rules"
COMPILING = "Compiling the rules (only once)"

Warm = Callable[[], None]
Left = Callable[[], float | None]  # seconds, or None where nothing is compiled in workers


class ProgressLine:
    """Says that the rules are being loaded or compiled; nothing at all where that is quick.

    On a terminal it is one line that counts down. Other streams get one line at the beginning of
    loading and one at the beginning of compiling.
    """

    def __init__(
        self,
        stream: TextIO,
        compiled: Sequence[object],
        quiet: float = QUIET,
        left: Left = lambda: None,
    ) -> None:
        self.stream = stream
        self.compiled = compiled  # gains an entry for each procedure that this process compiles
        self.quiet = quiet
        self.left = left
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
        left = self.left()
        compiles = bool(self.compiled) or left is not None or self.shown == COMPILING
        text = COMPILING if compiles else LOADING
        if self.terminal:
            self.stream.write(f"{ERASE}{text}: {self.time_of(left)}")
        elif text != self.shown:
            about = "" if left is None else f" about {math.ceil(left)} s"
            self.stream.write(f"{text}{':' if about else ''}{about} …\n")
        self.shown = text
        self.stream.flush()

    def time_of(self, left: float | None) -> str:
        """The seconds that are left where that is known, else those that have passed."""
        return f"{self.seconds():.0f} s" if left is None else f"ready in {math.ceil(left)} s"

    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    def close(self, succeeded: bool) -> None:
        """Erase the line; a compilation leaves one that says how long it took."""
        if self.terminal:
            self.stream.write(ERASE)
        if succeeded and self.shown == COMPILING:
            self.stream.write(f"Compiled the rules in {self.seconds():.0f} s\n")
        self.stream.flush()


def warm_kernels(
    warm: Warm | None = None, stream: TextIO | None = None, quiet: float = QUIET
) -> None:
    """Load what is compiled and compile the rest, with a line of progress if that takes time.

    An interruption is harmless: each kernel is stored on disk as soon as it is compiled.
    """
    from rubicon.engine.compiler.workers import seconds_left
    from rubicon.engine.warmup import compilations_heard

    with (
        compilations_heard() as compiled,
        ProgressLine(stream or sys.stderr, compiled, quiet, seconds_left),
    ):
        (warm or warm_everything)()


def warm_everything() -> None:
    """Load or compile the rules, the odds, the bots and the lab."""
    from rubicon.engine.warmup import KERNELS as ENGINE
    from rubicon.engine.warmup import load_all
    from rubicon.lab.warmup import KERNELS as LAB
    from rubicon.odds.warmup import KERNELS as ODDS
    from rubicon.players.warmup import KERNELS as PLAYERS

    load_all((*ENGINE, *ODDS, *PLAYERS, *LAB))


def compile_to_play() -> "Compilation":
    """What a game with bots needs and is not compiled yet, the rules first; `with` compiles it."""
    from rubicon.engine.compiler.workers import Compilation
    from rubicon.engine.warmup import RULES_KERNEL, compiles
    from rubicon.odds.warmup import ODDS_KERNEL
    from rubicon.players.warmup import BOTS_KERNEL

    kernels = (RULES_KERNEL, BOTS_KERNEL, ODDS_KERNEL)
    return Compilation(kernels if compiles() else ())


@click.command()
def command() -> None:
    """Compile the rules once, so that later starts are quick.

    After an installation from source or a change of the rules it says how long it takes. Otherwise
    it loads what is compiled, in about a second, and prints nothing.
    """
    warm_kernels()
