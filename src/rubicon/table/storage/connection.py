"""Connections to a database: how one is opened, its clock, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,
)

from rubicon.table.errors import StoreUnavailable, TableError
from rubicon.table.storage import schema

# The time of the database, in milliseconds since 1970 (UTC).


class SteadyTime:
    """The system's time in milliseconds, which never goes backwards.

    When the system's clock is set back, this one runs at half speed until the two agree again.
    """

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._lock = threading.Lock()
        self._last = wall()
        self._last_steady = steady()

    def __call__(self) -> int:
        with self._lock:  # reads from any thread
            steady = self._steady()
            self._last = max(self._wall(), self._last + (steady - self._last_steady) // 2)
            self._last_steady = steady
            return self._last // 1_000_000


system_time = SteadyTime()


def now(connection: Connection) -> int:
    """The database's time: the server's on PostgreSQL, this machine's on SQLite."""
    if connection.dialect.name == "sqlite":
        return system_time()
    found = connection.execute(text("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
    return int(found.scalar_one())


# Classifies database errors: is the database unavailable, and was anything stored?

# SQLSTATE classes after which PostgreSQL has certainly rolled the transaction back.
_ROLLED_BACK = {"22", "23", "40", "42", "53", "54", "55"}
_STATEMENT_TIMEOUT = "57014"
_CONFLICTS = {"40001", "40P01"}  # serialization failure, deadlock


def is_unavailable(error: BaseException) -> bool:
    """Whether the database has failed, and not the job."""
    if isinstance(error, DBAPIError):
        return isinstance(error, OperationalError | InterfaceError | InternalError)
    return isinstance(error, TimeoutError)  # of the connection pool


def unavailable(error: BaseException) -> StoreUnavailable:
    """The error for clients, with the original as its cause."""
    failure = error if isinstance(error, StoreUnavailable) else StoreUnavailable(reason(error))
    if failure is not error:
        failure.__cause__ = error
    return failure


def is_worth_a_retry(error: BaseException) -> bool:
    """Whether the transaction has lost a race with another server: a retry may succeed."""
    return isinstance(error, IntegrityError) or _state(error) in _CONFLICTS


def was_rolled_back(error: BaseException) -> bool:
    """Whether the transaction has certainly stored nothing."""
    if isinstance(error, TypeError | KeyError | ValueError):
        return True  # rows that cannot be encoded: nothing was sent
    if isinstance(getattr(error, "orig", None), sqlite3.Error):
        return True  # a commit that fails leaves the transaction open, and it is rolled back
    state = _state(error) or ""
    return state[:2] in _ROLLED_BACK or state == _STATEMENT_TIMEOUT


def is_broken(error: BaseException) -> bool:
    """Whether the connection must not be used again."""
    if isinstance(getattr(error, "orig", None), sqlite3.Error):
        return is_unavailable(error)
    return is_unavailable(error) and not was_rolled_back(error)


def reason(error: BaseException) -> str:
    """The first line of an error. Never the statement or its values, which may be secret."""
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__


def _state(error: BaseException) -> str | None:
    return getattr(getattr(error, "orig", None), "sqlstate", None)


# What is checked before a database is used: that it is there, and that it is Rubicon's.

MAGIC = b"SQLite format 3\0"  # the first bytes of every SQLite file
OURS = frozenset(schema.metadata.tables)  # `migrate` looks closer at a database with any of them
GIVE_ANOTHER = "Give Rubicon its own new file: --store sqlite:///rubicon.db"
# What PostgreSQL says, and what to do; the first that fits.
_ADVICE = (
    ("authentication failed", "Check the user and the password in the URL."),
    ("no password supplied", "Write the password into the URL."),
    ("does not exist", "Check the user and the name in the URL, or create the database: createdb."),
)
_OTHERWISE = "Check that PostgreSQL runs, and the host and the port in the URL."


def check_file(path: Path) -> None:
    """TableError where a file exists that is no database, a damaged one, or another program's.

    Nothing is written: not even the journal mode of another program's database is changed.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(len(MAGIC))
    except OSError:
        return  # it does not exist yet, or its opening explains what is wrong
    if not beginning:
        return
    shown = str(path)[:200]
    if beginning != MAGIC:
        message = f"The file {shown!r} is not a SQLite database."
        raise TableError("store/foreign", message, GIVE_ANOTHER)
    try:
        tables = _tables(path)
    except sqlite3.OperationalError:
        return  # it cannot be opened for reading now; its opening explains why
    except sqlite3.DatabaseError as error:
        message = f"The database {shown!r} is damaged: {error}."
        raise TableError("store/damaged", message, "Restore a backup: rubicon table restore") from (
            error
        )
    if tables and not tables & OURS:
        some = ", ".join(sorted(tables)[:5])
        message = f"Another program made the database {shown!r}; its tables are: {some}."
        raise TableError("store/foreign", message, GIVE_ANOTHER)


def _tables(path: Path) -> set[str]:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {str(name) for (name,) in rows if not str(name).startswith("sqlite_")}


def check_reachable(engine: Engine) -> None:
    """TableError where the PostgreSQL server cannot be reached, or refuses the user."""
    try:
        with engine.connect():
            return
    except SQLAlchemyError as error:
        raise cannot_open(engine, error) from error


def cannot_open(engine: Engine, error: SQLAlchemyError) -> TableError:
    """The error for a database that the server cannot be started with."""
    why = reason(error).rstrip(".")
    if engine.dialect.name == "sqlite":
        advice = "Check the permissions of the file, and the room on its disk."
        return TableError("store/cannot-open", f"The database cannot be used: {why}.", advice)
    shown = engine.url.render_as_string(hide_password=True)
    advice = next((hint for words, hint in _ADVICE if words in str(error)), _OTHERWISE)
    return TableError("store/cannot-open", f"The database {shown} cannot be used: {why}.", advice)


# A SQLite database file, with a lock that allows only one process to write to it.

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
        """Use the file for reading, also alongside a writer; TableError where it does not exist."""
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
