"""Saved games: where they are, how they are written and read."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rubicon import Record
from rubicon.errors import RubiconError
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.game import Game

SUFFIX = ".risk"
UNFINISHED = '[Result "*"]'  # in the head of a record (docs/notation.md)
MOST_HEAD = 64 * 1024  # characters; the head comes first, and own rulesets make it long


def games_folder() -> Path:
    """The folder of saved games: below `$XDG_STATE_HOME`, or `~/.local/state`."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rubicon" / "games"


def new_file(preset: str) -> Path:
    """A file of the folder that does not exist yet, named after the ruleset and the time."""
    stem = f"{preset}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = games_folder()
    file = folder / f"{stem}{SUFFIX}"
    number = 1
    while file.exists():
        number += 1
        file = folder / f"{stem}-{number}{SUFFIX}"
    return file


def latest_file() -> Path:
    """The unfinished game of the folder that was saved last, or the last one if all are finished.

    Raises RubiconError `play/no-saved-game` if there is none.
    """
    files = list(games_folder().glob(f"*{SUFFIX}"))
    if not files:
        raise RubiconError(
            "play/no-saved-game",
            f"There is no saved game in {games_folder()}.",
            "Name the file: rubicon play --resume FILE.",
        )
    # By name too: some file systems keep the time of a file in whole seconds.
    files.sort(key=lambda file: (file.stat().st_mtime_ns, file.name), reverse=True)
    return next(filter(is_unfinished, files), files[0])


def has_unfinished() -> bool:
    """Whether a game of the folder can be continued."""
    return any(map(is_unfinished, games_folder().glob(f"*{SUFFIX}")))


def is_unfinished(file: Path) -> bool:
    """Whether the head of a record says that the game goes on; False if it cannot be read."""
    try:
        with file.open(encoding="utf-8", errors="replace") as stream:
            # Not the whole file: the folder may hold hundreds of long games.
            head = stream.read(MOST_HEAD)
    except OSError:
        return False
    return UNFINISHED in head.splitlines()


def save_game(game: Game, file: Path) -> None:
    """Write the whole game; a reader finds either the old file or the new one.

    Only the default folder is created. Raises RubiconError, `record/cannot-write`.
    """
    if file.parent == games_folder():
        make_folder(file.parent)
    Record.of(game).save(file)


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it; RubiconError `record/cannot-write`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        message = f"The folder {str(folder)[:200]!r} cannot be created: {why}."
        raise RubiconError("record/cannot-write", message, "Name a file with --record.") from None


def named_file(name: str) -> Path:
    """The path of a name that a person typed; `~` is the home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        message = f"{name[:200]!r}: there is no user of that name on this computer."
        raise RubiconError("record/cannot-write", message, "Name another file.") from None


def check_new(file: Path) -> None:
    """Raise RubiconError if a file exists already (`play/file-exists`) or cannot be created."""
    if "\0" in str(file):
        raise unwritable(file, "a file name cannot contain a null character")
    try:
        there, folder = file.exists(), file.parent.is_dir() or file.parent == games_folder()
    except OSError as error:
        raise unwritable(file, error.strerror or type(error).__name__) from None
    if not there and not folder:
        raise unwritable(file, "there is no such folder")
    if there:
        raise RubiconError(
            "play/file-exists",
            f"{str(file)[:200]!r} exists already, and is not overwritten.",
            "Name another file; to continue a saved game: rubicon play --resume FILE.",
        )


def unwritable(file: Path, why: str) -> RubiconError:
    """The error that says why a file cannot be written."""
    message = f"{str(file)[:200]!r} cannot be written: {why}."
    return RubiconError("record/cannot-write", message, "Name another file.")


def same_file(one: Path, other: Path | None) -> bool:
    """Whether two paths name one file."""
    return other is not None and os.path.abspath(one) == os.path.abspath(other)


def shown_path(file: Path) -> str:
    """A file as a shell reads it, whatever the current folder is."""
    home, name = str(Path.home()), shlex.quote(os.path.abspath(file))
    return f"~{name.removeprefix(home)}" if name.startswith(f"{home}/") else name


def resume_command(file: Path) -> str:
    """The command that continues a game, to be pasted into a shell."""
    return f"{program()} play --resume {shown_path(file)}"


def program() -> str:
    """How this program is started: `rubicon` if the shell finds it, else through Python."""
    installed = shutil.which("rubicon")
    # Another installation, of another version, may come first in the path.
    beside = Path(sys.executable).parent / "rubicon"
    if installed and os.path.realpath(installed) == os.path.realpath(beside):
        return "rubicon"
    if beside.exists():
        return shown_path(beside)
    return f"{shown_path(Path(sys.executable))} -m rubicon"


def load_record(file: Path, salvage: bool) -> Record:
    """The record in a file; the error of a damaged one says how the game can continue."""
    try:
        return Record.load(file, salvage=salvage)
    except RubiconError as error:
        raise with_salvage_hint(error, file) from None


def with_salvage_hint(error: RubiconError, file: Path) -> RubiconError:
    """The same error; if a part of the file can be read, the suggestion says how to use it."""
    try:
        record = Record.load(file, salvage=True)
    except RubiconError:
        return error
    hint = (
        f"{len(record.entries):,} entries before it can be read: "
        f"`rubicon play --resume FILE --salvage` continues from there in a new file."
    )
    return RubiconError(error.code, error.message, hint)


def unread_lines(unread: str) -> str:
    """The number of unreadable lines of a damaged record, in words."""
    return numbered(len(unread.splitlines()), "line")
