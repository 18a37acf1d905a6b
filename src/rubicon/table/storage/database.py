"""The database: reading and writing, its schema version, and a probe of whether it can be
written to.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from rubicon.table.errors import StoreUnavailable, TableError
from rubicon.table.storage import schema
from rubicon.table.storage.connection import (
    SqliteFile,
    cannot_open,
    check_reachable,
    is_unavailable,
    unavailable,
)
from rubicon.table.storage.statements import LockedGame, flush_before_statements
from rubicon.table.storage.writer import StorageMetrics, Writer

# Opens a database by its URL, SQLite or PostgreSQL, for reading and for writing.

Result = TypeVar("Result")
POSTGRESQL = "postgresql+psycopg"
WORKER = "rubicon_worker"  # the execution option with the id of the server
# Every wait is bounded: for a connection, for a row lock, and for a server that has died in a
# transaction.
_TIMEOUTS: dict[str, str | int] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_WRITING = (
    "-c synchronous_commit=on -c lock_timeout=1s -c statement_timeout=30s "
    "-c idle_in_transaction_session_timeout=30s"
)


class Store:
    """A database that holds hosted games."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer | None,
        url: str,
        file: SqliteFile | None = None,
        worker: str = "",
        metrics: StorageMetrics | None = None,
    ) -> None:
        self.engine = engine
        self.worker = worker  # the id of this server among those that share a database
        self.url = url
        self.shared = engine.dialect.name != "sqlite"  # other processes may write to it
        self.metrics = metrics or StorageMetrics()
        self._writer = writer
        self._file = file

    @property
    def display_name(self) -> str:
        """The file, or the URL without its password."""
        if self._file is not None:
            return str(self._file.path)
        return self.engine.url.render_as_string(hide_password=True)

    @classmethod
    def open(cls, url: str) -> Store:
        """Open `sqlite:///file.db`, the file name alone, or `postgresql://…` for writing.

        TableError where the URL is invalid, or another process writes to the same file.
        """
        proper, metrics = _proper_url(url), StorageMetrics()
        if proper.drivername == POSTGRESQL:
            reading = _postgresql(proper, 4, 12)
            check_reachable(reading)
            worker = secrets.token_hex(6)
            writing = _postgresql(proper, 1, 0, {"options": _WRITING})
            writing = writing.execution_options(**{WORKER: worker})
            flush_before_statements(writing)
            writer = Writer(writing, metrics)
            return cls(reading, writer, _full(proper), worker=worker, metrics=metrics)
        file = SqliteFile(str(proper.database))
        file.acquire()
        writing = create_engine(
            "sqlite://", creator=file.connect, poolclass=NullPool, hide_parameters=True
        )
        event.listen(writing, "begin", _begin_immediately)
        flush_before_statements(writing)
        writer = Writer(writing, metrics, file.check)
        return cls(_sqlite_readers(file), writer, _full(proper), file, metrics=metrics)

    @classmethod
    def open_read_only(cls, url: str) -> Store:
        """Open a database for reading, also alongside a running server."""
        proper = _proper_url(url)
        if proper.drivername == POSTGRESQL:
            reading = _postgresql(proper, 4, 12)
            check_reachable(reading)
            return cls(reading, None, _full(proper))
        file = SqliteFile(str(proper.database))
        file.open_read_only()
        return cls(_sqlite_readers(file), None, _full(proper), file)

    def write(
        self, job: Callable[[Connection], Result], *, game: str | None = None
    ) -> Future[Result]:
        """Run a job in a transaction, from any thread; the row of `game` is locked before.

        The job may run more than once, if its transaction is rolled back. Callbacks of the future
        run on the writer thread, when the rows are durable. It fails with StoreUnavailable within
        a bounded time where the database does not answer.
        """
        return self.run(lambda: self.transaction(lambda connection, _: job(connection), game))

    async def transaction(
        self,
        work: Callable[[Connection, LockedGame | None], Result],
        game: str | None = None,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> Result:
        """Run `work` in a transaction, from the writer thread; see `Writer.transaction`."""
        assert self._writer is not None
        result: Result = await self._writer.transaction(work, game, rolled_back)
        return result

    def run(self, begin: Callable[[], Coroutine[Any, Any, Result]]) -> Future[Result]:
        """Run a coroutine on the writer thread, from any thread."""
        if self._writer is None:
            refused: Future[Result] = Future()
            refused.set_exception(StoreUnavailable("it is open for reading only"))
            return refused
        return self._writer.start(begin())

    async def read_in_background(self, job: Callable[[Connection], Result]) -> Result:
        """Run a slow job that only reads in another thread, so that the writer thread can go on."""
        assert self._writer is not None
        return await self._writer.loop.run_in_executor(None, self.read, job)

    @property
    def closing(self) -> bool:
        """Whether the writer is shutting down: coroutines must no longer wait for clients."""
        return self._writer is None or self._writer.closing.is_set()

    def read(self, job: Callable[[Connection], Result], *, frozen: bool = False) -> Result:
        """Run a job that only reads, in this thread; `frozen` gives it one consistent snapshot."""
        try:
            if self._file is not None:
                self._file.check()
            with self.engine.connect() as connection:
                if frozen and self.shared:  # SQLite readers always have a snapshot
                    connection.execution_options(isolation_level="REPEATABLE READ")
                return job(connection)
        except SQLAlchemyError as error:
            if is_unavailable(error):
                self.metrics.failed("read")
                raise unavailable(error) from error
            raise

    def close(self) -> None:
        """Finish pending writes, and disconnect."""
        if self._writer is not None:
            self._writer.close()
        self.engine.dispose()
        if self._file is not None:
            self._file.release()


def _proper_url(url: str) -> URL:
    """The URL with its driver; TableError where it names no supported database."""
    written = url if "://" in url else f"sqlite:///{url}"
    try:
        proper = make_url(written)
        backend = proper.get_backend_name()
    except (ArgumentError, ValueError, SQLAlchemyError) as error:
        raise _bad_url("This is not the URL of a database.") from error
    if backend in ("postgresql", "postgres"):
        return proper.set(drivername=POSTGRESQL)
    if backend != "sqlite":
        raise _bad_url(f"{backend[:40]!r} is not supported.")
    if proper.database in (None, "", ":memory:") or Path(str(proper.database)).is_dir():
        raise _bad_url("SQLite needs the name of a file.")
    return proper


def _bad_url(why: str) -> TableError:  # quotes nothing: a URL may hold a password
    hint = "Write sqlite:///games.db, or postgresql://user:password@host/database."
    return TableError("store/bad-url", f"The database cannot be opened. {why}", hint)


def _full(url: URL) -> str:
    return url.render_as_string(hide_password=False)


def _postgresql(url: URL, size: int, more: int, extra: dict[str, str] | None = None) -> Engine:
    arguments = {k: v for k, v in (_TIMEOUTS | (extra or {})).items() if k not in url.query}
    return create_engine(
        url,
        pool_size=size,
        max_overflow=more,
        pool_timeout=10,
        hide_parameters=True,  # chat lines and addresses must not appear in errors
        pool_pre_ping=True,
        connect_args=arguments,
    )


def _sqlite_readers(file: SqliteFile) -> Engine:
    engine = create_engine(
        "sqlite://",
        creator=file.connect,
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=12,
        pool_timeout=10,
        hide_parameters=True,  # chat lines and addresses must not appear in errors
    )
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_immediately(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


# Migrates a database to the schema version of this program.

FORMER = frozenset({"0001", "0002", "0003"})  # before the baseline: cannot be migrated
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461031)")
_HERE = Path(__file__).with_name("migrations")


def migrate(store: Store, to: str = "head") -> str:
    """Migrate a database to version `to`, and return its version.

    Several servers may do so at the same time. TableError `store/newer` where a newer version of
    Rubicon made the database, `store/foreign` where another program did; then nothing is changed.
    """
    with _altering(store) as connection:
        if store.shared:
            connection.execute(_ONE_AT_A_TIME)  # servers that start together wait here
        if version_of(connection) is None:
            _check_empty(connection)
        command.upgrade(alembic_config(connection), to)
        return str(version_of(connection))


def check_version(connection: Connection) -> None:
    """TableError where the schema version is not that of this program."""
    found = version_of(connection)
    if found != newest():
        version = "no version" if found is None else f"version {found}"
        message = f"The database has {version} of the schema; this program needs {newest()}."
        raise TableError("store/older", message, "Run: rubicon table migrate")


def version_of(connection: Connection) -> str | None:
    """The schema version of a database; None for one without tables of Rubicon."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found in FORMER:
        message = "An earlier version of Rubicon made this database; it cannot be upgraded."
        hint = (
            "Export its games with that version (rubicon table export GAME), then give Rubicon a"
            " new database."
        )
        raise TableError("store/older", message, hint)
    if found is not None and found not in versions():
        message = (
            f"A newer Rubicon made this database: version {found} of the schema is unknown here."
        )
        hint = f"Install that Rubicon, or restore a backup; this one knows {newest()}."
        raise TableError("store/newer", message, hint)
    return found


def versions() -> list[str]:
    """All schema versions that this program knows, the newest first."""
    return [script.revision for script in _scripts().walk_revisions()]


def newest() -> str:
    """The schema version of this program."""
    return str(_scripts().get_current_head())


def alembic_config(connection: Connection | None = None) -> Config:
    """The settings of Alembic: its scripts are in this package, and there is no alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


@contextmanager
def _altering(store: Store) -> Iterator[Connection]:
    """A transaction that may alter tables. SQLite copies them, which foreign keys would prevent."""
    try:
        with store.engine.connect() as connection:
            if not store.shared:
                connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                connection.invalidate()
    except DBAPIError as error:
        raise cannot_open(store.engine, error) from error


def _check_empty(connection: Connection) -> None:
    ours = set(schema.metadata.tables) & set(inspect(connection).get_table_names())
    if ours:
        message = f"Another program made tables in this database: {', '.join(sorted(ours)[:5])}."
        raise TableError("store/foreign", message, "Give Rubicon its own database.")


# Finds out whether a database stores what is written to it: a full disk can still be read.

INTERVAL = 1.0  # seconds for which a result holds
WAIT = 3.0  # seconds after which a write has failed
SIZE = 4096  # bytes that are written: a page


class WriteProbe:
    """Writes a row and deletes it again, at most once in INTERVAL; any thread may ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._at = float("-inf")
        self._works = True

    def works(self) -> bool:
        """Whether the last write was stored; a new one is tried where that is too long ago."""
        failed_since = self._store.metrics.write_failed_at >= self._at
        is_old = time.monotonic() - self._at >= INTERVAL
        if (is_old or failed_since) and self._lock.acquire(blocking=False):
            try:
                self._at, self._works = time.monotonic(), self._write()
            finally:
                self._lock.release()
        return self._works

    def _write(self) -> bool:
        try:
            self._store.write(_write_and_delete).result(WAIT)
        except (StoreUnavailable, TimeoutError):
            return False
        return True


def _write_and_delete(connection: Connection) -> None:
    name = f"probe {secrets.token_hex(8)}"
    connection.execute(insert(schema.secret), {"name": name, "value": bytes(SIZE)})
    connection.execute(delete(schema.secret).where(schema.secret.c.name == name))
