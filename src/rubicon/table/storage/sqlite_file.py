"""A SQLite database file, with a lock that allows only one process to write to it."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from pathlib import Path

from rubicon.table.errors import StoreUnavailable, TableError
from rubicon.table.storage.opening import check_file

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


PRAGMAS = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
# POSIX file locks belong to the process: they do not stop a second writer in it, and closing a
# second descriptor releases the lock. So the process records its own locks here.
_locked_here: set[Path] = set()
_locked_here_guard = threading.Lock()


class SqliteFile:
    """A database file; `acquire` makes this process its only writer until `release`."""

    def __init__(self, path: str) -> None:
        self.path = Path(path).absolute()
        self._lock_file = self.path.with_name(f"{self.path.name}.lock")
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None

    def acquire(self) -> None:
        """Create the file if needed, and lock it; TableError where another writer has it.

        Also where the file is not a database of Rubicon; then it stays as it is.
        """
        check_file(self.path)
        with _locked_here_guard:
            if self._lock_file in _locked_here:
                raise self._in_use(os.getpid())
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = self._take_lock()
                _locked_here.add(self._lock_file)
                self.path.touch(mode=0o600)
            except OSError as error:
                self._release()
                raise self._cannot_open(error) from error
        self._identity = self._file_id()

    def open_read_only(self) -> None:
        """Use the file for reading, also beside a writer; TableError where it does not exist."""
        if not self.path.is_file():
            message = f"There is no database at {str(self.path)[:200]!r}."
            raise TableError("store/none", message, "rubicon table migrate creates one.")
        check_file(self.path)
        self._identity = self._file_id()

    def release(self) -> None:
        """Unlock the file."""
        with _locked_here_guard:
            self._release()

    def check(self) -> None:
        """StoreUnavailable where the file was deleted or replaced.

        SQLite would go on writing to the deleted file, and every acknowledged row would be lost.
        """
        found = self._file_id()
        if found is None:
            raise StoreUnavailable(f"{self.path.name} was deleted")
        if found != self._identity:
            raise StoreUnavailable(f"{self.path.name} was replaced; restart the server")

    def connect(self) -> sqlite3.Connection:
        """A new connection; never creates a file."""
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

    def _file_id(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _take_lock(self) -> int:
        """Lock the lock file and write the process id to it; a crash releases the lock."""
        descriptor = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            written = _read_pid(descriptor)
            os.close(descriptor)
            raise self._in_use(int(written) if written.isdigit() else None) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        return descriptor

    def _release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            _locked_here.discard(self._lock_file)

    def _in_use(self, process: int | None) -> TableError:
        who = "This process" if process == os.getpid() else "Another process"
        number = f" ({process})" if process not in (None, os.getpid()) else ""
        message = f"{who}{number} writes to {str(self.path)[:200]!r} already."
        hint = "Stop it first. Several processes at once need PostgreSQL."
        return TableError("store/held", message, hint)

    def _cannot_open(self, error: OSError) -> TableError:
        why = error.strerror or type(error).__name__
        message = f"The database {str(self.path)[:200]!r} cannot be opened: {why}."
        return TableError("store/cannot-open", message, "Check the folder and its permissions.")


def _read_pid(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 20)
    except OSError:
        return b""
