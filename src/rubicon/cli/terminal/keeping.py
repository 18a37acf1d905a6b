"""Keeping a game on disk, and taking it up again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rubicon.rules.record import Record

if TYPE_CHECKING:
    from rubicon.rules.game import Game

SUFFIX = ".risk"


def games_folder() -> Path:
    """Where games are kept that nobody named a file for."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rubicon" / "games"


def new_file(preset: str) -> Path:
    """A file that does not exist yet, named after the ruleset and the time."""
    stem = f"{preset}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = games_folder()
    file = folder / f"{stem}{SUFFIX}"
    number = 1
    while file.exists():
        number += 1
        file = folder / f"{stem}-{number}{SUFFIX}"
    return file


def keep(game: Game, file: Path) -> None:
    """Write the whole game; whoever reads meanwhile finds the old one or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    Record.of(game).save(file)


def take_up(file: Path) -> Game:
    """The game that a file holds, where it stopped."""
    return Record.load(file).replay()
