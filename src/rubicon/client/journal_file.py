"""The file in which a client keeps its part in the dice of one game, locked while it is used."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rubicon.dice.errors import DiceError
from rubicon.dice.journal import Journal
from rubicon.files import file_fault, lock
from rubicon.wording import quoted

SUFFIX = ".jsonl"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a game or a seat


def journals_folder() -> Path:
    """The folder of the journals: below `$XDG_STATE_HOME`, or `~/.local/state`."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rubicon" / "dice"


def default_file(game: str, seat: str) -> Path:
    """Where the journal of a seat stands if the program names no file.

    DiceError `dice/bad-name` for names that a server must not choose: they would lead elsewhere.
    """
    if not (NAME.fullmatch(game) and NAME.fullmatch(seat)):
        message = f"A game {quoted(game)} with a seat {quoted(seat)} cannot have a journal."
        raise DiceError("dice/bad-name", message, "Do not trust this server.")
    return journals_folder() / f"{game}-{seat}{SUFFIX}"


class JournalFile:
    """A journal that only this object writes, until `close`; lines are only ever added.

    DiceError `dice/journal-locked` where another program uses it, `dice/cannot-write` where it
    cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise self._fault(error) from error
        try:
            lock(self._descriptor)
        except OSError as error:
            self.close()
            message = f"Another program takes part with the journal {str(path)[:200]!r}."
            hint = "End it first, or name another file: two programs must not use one hash chain."
            raise DiceError("dice/journal-locked", message, hint) from error

    def read(self) -> Journal | None:
        """What was kept before; None for a new file."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):  # written while the machine went down: nothing was sent for it
            os.ftruncate(self._descriptor, whole)
        return Journal.read(data[:whole].decode("utf-8", "replace")) if whole else None

    def add(self, lines: Sequence[dict[str, Any]], *, durable: bool = False) -> None:
        """Add lines; with `durable` they are on the disk when this returns."""
        text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        try:
            while text:
                text = text[os.write(self._descriptor, text) :]
            if durable:
                os.fsync(self._descriptor)
        except OSError as error:
            raise self._fault(error) from error

    def close(self) -> None:
        """Let others use it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _fault(self, error: OSError) -> DiceError:
        message = f"The journal {str(self.path)[:200]!r} cannot be written: {file_fault(error)}."
        return DiceError("dice/cannot-write", message, "Name a file that may be written.")
