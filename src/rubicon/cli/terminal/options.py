"""The command line of `rubicon play` as one value."""

from dataclasses import dataclass
from pathlib import Path

LATEST = Path()  # the value of --resume without a file
QUICK, CHOOSE, BOOK = "quick", "choose", "book"
SETUPS = (QUICK, CHOOSE, BOOK)
DARK, LIGHT = "dark", "light"  # the ground of the full screen


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """What the command line asks for; the defaults are those of `rubicon play` alone."""

    preset: str | None = None
    seats: str | None = None
    board: str | None = None
    overrides: tuple[str, ...] = ()
    setup: str | None = None
    seed: int | None = None
    watch: bool = False
    why: bool = False
    save: bool = False
    record: Path | None = None
    resume: Path | None = None
    salvage: bool = False
    delay: float = 0.0
    bot_seconds: float = 30.0
    ask_defence: bool = False
    pieces: bool = False
    plain: bool = False
    line: bool = False
    server: str | None = None
    game: str | None = None
    invite: str | None = None
    name: str | None = None
    theme: str | None = None

    @property
    def resume_latest(self) -> bool:
        """Whether the latest saved game is to be continued."""
        return self.resume == LATEST

    @property
    def way_of_setup(self) -> str:
        """How the game is set up: quick unless stated, but by the book where only bots play."""
        return self.setup or (BOOK if self.watch else QUICK)
