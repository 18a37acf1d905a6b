"""A SQLite database file: one process writes to it, and it is never made anew by accident."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from pathlib import Path

from rubicon.table.errors import StoreAway, TableError

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


PRAGMAS = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
# Locks of files do not hold inside one process, and a second descriptor would let the first go.
_held: set[Path] = set()
_holding = threading.Lock()


class SqliteFile:
    """The file of a store; `hold` makes this process its only writer until `let_go`."""

    def __init__(self, path: str) -> None:
        self.path = Path(path).absolute()
        self._guard = self.path.with_name(f"{self.path.name}.lock")
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None

    def hold(self) -> None:
        """Make the file if there is none, and become its only writer; TableError if one is."""
        with _holding:
            if self._guard in _held:
                raise self._taken(os.getpid())
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = self._locked_guard()
                _held.add(self._guard)
                self.path.touch(mode=0o600)
            except OSError as error:
                self._release()
                raise self._unopened(error) from error
        self._identity = self._found()

    def look(self) -> None:
        """Only read the file, beside whoever writes; TableError where there is none."""
        if not self.path.is_file():
            message = f"There is no store at {str(self.path)[:200]!r}."
            raise TableError("store/none", message, "rubicon table migrate makes one.")
        self._identity = self._found()

    def let_go(self) -> None:
        """Let another process write."""
        with _holding:
            self._release()

    def check(self) -> None:
        """StoreAway where the file is gone, or another one lies in its place.

        SQLite itself would go on writing to a file that nobody can find any more.
        """
        found = self._found()
        if found is None:
            raise StoreAway(f"{self.path.name} is gone")
        if found != self._identity:
            raise StoreAway(f"{self.path.name} was exchanged; start the server again")

    def connect(self) -> sqlite3.Connection:
        """A connection; never one to a new file."""
        self.check()
        uri = f"{self.path.as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        try:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _found(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _locked_guard(self) -> int:
        """Lock the file beside it, which a crash lets go, and write there who holds it."""
        descriptor = os.open(self._guard, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            written = _written(descriptor)
            os.close(descriptor)
            raise self._taken(int(written) if written.isdigit() else None) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        return descriptor

    def _release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            _held.discard(self._guard)

    def _taken(self, process: int | None) -> TableError:
        who = "This process" if process == os.getpid() else "Another process"
        number = f" ({process})" if process not in (None, os.getpid()) else ""
        message = f"{who}{number} writes to {str(self.path)[:200]!r} already."
        hint = "Stop it first. Several processes at once need PostgreSQL."
        return TableError("store/held", message, hint)

    def _unopened(self, error: OSError) -> TableError:
        why = error.strerror or type(error).__name__
        message = f"The store {str(self.path)[:200]!r} cannot be opened: {why}."
        return TableError("store/cannot-open", message, "Choose another folder, or its owner.")


def _written(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 20)
    except OSError:
        return b""
