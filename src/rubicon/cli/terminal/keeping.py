"""Keeping a game on disk, and taking it up again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rubicon.rules.errors import RubiconError
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
    """Write the whole game; whoever reads meanwhile finds the old one or the new one.

    Only the usual folder of games is made. Raises RubiconError, `record/cannot-write`.
    """
    if file.parent == games_folder():
        make_folder(file.parent)
    Record.of(game).save(file)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        message = f"{str(folder)[:200]!r} cannot be made: {why}."
        raise RubiconError("record/cannot-write", message, "Name a file with --record.") from None


def named_file(name: str) -> Path:
    """The file that somebody names, `~` for the home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        message = f"{name[:200]!r}: nobody of that name has a home folder here."
        raise RubiconError("record/cannot-write", message, "Name another file.") from None


def check_new(file: Path) -> None:
    """Refuse to write over what is there already, or where nothing can be written."""
    if "\0" in str(file):
        raise unwritable(file, "no file can have such a name")
    try:
        there, folder = file.exists(), file.parent.is_dir() or file.parent == games_folder()
    except OSError as error:
        raise unwritable(file, error.strerror or type(error).__name__) from None
    if not there and not folder:
        raise unwritable(file, "there is no such folder")
    if there:
        raise RubiconError(
            "play/file-exists",
            f"{str(file)[:200]!r} exists already, and is not written over.",
            "Name another file; a kept game goes on with `rubicon play --resume FILE`.",
        )


def unwritable(file: Path, why: str) -> RubiconError:
    """The error that says why a file cannot be written."""
    message = f"{str(file)[:200]!r} cannot be written: {why}."
    return RubiconError("record/cannot-write", message, "Name another file.")


def same_file(one: Path, other: Path | None) -> bool:
    """Whether two names are of one file."""
    return other is not None and os.path.abspath(one) == os.path.abspath(other)


def kept_record(file: Path, salvage: bool) -> Record:
    """The record that a file holds; the error of a damaged one says how it can go on."""
    try:
        return Record.load(file, salvage=salvage)
    except RubiconError as error:
        raise with_a_way_out(error, file) from None


def with_a_way_out(error: RubiconError, file: Path) -> RubiconError:
    """The same error; where a part of the file can be read it says what can be done with that."""
    try:
        record = Record.load(file, salvage=True)
    except RubiconError:
        return error
    hint = (
        f"{len(record.entries):,} entries before it can be read; add --salvage to play those: "
        "`rubicon play --resume FILE --salvage` goes on from there in a new file."
    )
    return RubiconError(error.code, error.message, hint)
