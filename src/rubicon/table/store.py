"""The store: a database by its URL, one way to write to it and one way to read.

What waits is committed together by one thread: on SQLite each job in a savepoint of its own, on
PostgreSQL with other threads for what would hold it up. A job's result is handed out only when it
is on the disk.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from rubicon.table.errors import StoreAway, TableError
from rubicon.table.figures import StoreFigures
from rubicon.table.sqlite_file import SqliteFile
from rubicon.table.transactions import about_to_run
from rubicon.table.writers import LANES, GroupWriter, PooledWriter, Writer, away, is_away

Result = TypeVar("Result")
POSTGRESQL = "postgresql+psycopg"
WORKER = "rubicon_worker"  # the option of a connection that says whose it is
# Nobody waits for ever: for the server, for a row, for a worker that died in the middle.
_PATIENCE: dict[str, str | int] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_WRITING = (
    "-c synchronous_commit=on -c lock_timeout=5s -c statement_timeout=30s "
    "-c idle_in_transaction_session_timeout=30s"
)


class Store:
    """A database that holds tables; `write` and `read` are the doors of whoever hosts."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer | None,
        url: str,
        file: SqliteFile | None = None,
        worker: str = "",
        figures: StoreFigures | None = None,
    ) -> None:
        self.engine = engine
        self.worker = worker  # this one, among those that share the database
        self.url = url
        self.shared = engine.dialect.name != "sqlite"  # other processes may write to it
        self.figures = figures or StoreFigures()
        self._writer = writer
        self._file = file

    @property
    def shown(self) -> str:
        """Where it is: the file, or the URL without a password."""
        if self._file is not None:
            return str(self._file.path)
        return self.engine.url.render_as_string(hide_password=True)

    @classmethod
    def open(cls, url: str) -> Store:
        """The store of a URL: `sqlite:///file.db`, the file alone, or `postgresql://…`.

        TableError where it cannot be one, or where another process writes to the same file.
        """
        proper, figures = _proper_url(url), StoreFigures()
        if proper.drivername == POSTGRESQL:
            worker = secrets.token_hex(6)
            writing = _postgresql(proper, len(LANES), 0, {"options": _WRITING})
            writing = writing.execution_options(**{WORKER: worker})
            event.listen(
                writing, "before_cursor_execute", lambda c, _, sql, *__: about_to_run(c, sql)
            )
            reading = _postgresql(proper, 4, 12)
            writer = PooledWriter(writing, figures)
            return cls(reading, writer, _said(proper), worker=worker, figures=figures)
        file = SqliteFile(str(proper.database))
        file.hold()
        engine = create_engine(
            "sqlite://", creator=file.connect, poolclass=NullPool, hide_parameters=True
        )
        event.listen(engine, "begin", _begin_immediately)
        grouped = GroupWriter(engine, file.check, figures)
        return cls(_sqlite_readers(file), grouped, _said(proper), file, figures=figures)

    @classmethod
    def look(cls, url: str) -> Store:
        """The store of a URL, only to be read, beside whoever writes to it."""
        proper = _proper_url(url)
        if proper.drivername == POSTGRESQL:
            return cls(_postgresql(proper, 4, 12), None, _said(proper))
        file = SqliteFile(str(proper.database))
        file.look()
        return cls(_sqlite_readers(file), None, _said(proper), file)

    def write(
        self,
        job: Callable[[Connection], Result],
        undone: Callable[[], None] = lambda: None,
        game: str | None = None,
        *,
        long: bool = False,
    ) -> Future[Result]:
        """Run a job in a transaction, maybe beside others; behind it `undone` is called where
        nothing of the job stays, or nobody knows.

        A `game` that it goes on with is locked beforehand, with those of others, where it is free.
        Jobs are begun in their order, but those that may be `long` hold up no others on PostgreSQL.
        The job may run more than once, each time behind `undone`: where another worker was
        quicker, a job beside it failed, or the database cut it off. Callbacks of the future run in
        the writing thread, after the commit; it cannot be called off. StoreAway comes within a
        bounded time where the database does not take it.
        """
        if self._writer is None:
            refused: Future[Result] = Future()
            refused.set_exception(StoreAway("it was opened to be read only"))
            return refused
        return self._writer.submit(job, undone, game, long=long)

    def read(self, job: Callable[[Connection], Result], *, frozen: bool = False) -> Result:
        """Run a job that only reads, in this thread; `frozen` shows it all as of one moment."""
        try:
            if self._file is not None:
                self._file.check()
            with self.engine.connect() as connection:
                if frozen and self.shared:  # SQLite always reads so
                    connection.execution_options(isolation_level="REPEATABLE READ")
                return job(connection)
        except SQLAlchemyError as error:
            if is_away(error):
                self.figures.failures["read"] += 1
                raise away(error) from error
            raise

    def close(self) -> None:
        """Finish what is being written, and let go of the database."""
        if self._writer is not None:
            self._writer.close()
        self.engine.dispose()
        if self._file is not None:
            self._file.let_go()


class SteadyTime:
    """The system's time in milliseconds, which never goes backwards.

    Where the system's clock is set back, this one goes on at half its speed until it is met again.
    """

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._lock = threading.Lock()
        self._told = wall()
        self._told_at = steady()

    def __call__(self) -> int:
        with self._lock:
            at = self._steady()
            self._told = max(self._wall(), self._told + (at - self._told_at) // 2)
            self._told_at = at
            return self._told // 1_000_000


_steady_time = SteadyTime()


def now(connection: Connection) -> int:
    """The database's time, in milliseconds since 1970 (UTC)."""
    if connection.dialect.name == "sqlite":
        return _steady_time()
    found = connection.execute(text("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
    return int(found.scalar_one())


def _proper_url(url: str) -> URL:
    """A URL with its driver; TableError where it names no database that can be used."""
    written = url if "://" in url else f"sqlite:///{url}"
    try:
        proper = make_url(written)
        backend = proper.get_backend_name()
    except (ArgumentError, ValueError, SQLAlchemyError) as error:
        raise _bad_url("It is no URL of a database.") from error
    if backend in ("postgresql", "postgres"):
        return proper.set(drivername=POSTGRESQL)
    if backend != "sqlite":
        raise _bad_url(f"{backend[:40]!r} is not supported.")
    if proper.database in (None, "", ":memory:") or Path(str(proper.database)).is_dir():
        raise _bad_url("SQLite needs the name of a file.")
    return proper


def _bad_url(why: str) -> TableError:  # quotes nothing: a URL may hold a password
    hint = "Write sqlite:///games.db, or postgresql://user:password@host/database."
    return TableError("store/bad-url", f"The store cannot be opened. {why}", hint)


def _said(url: URL) -> str:
    return url.render_as_string(hide_password=False)


def _postgresql(url: URL, size: int, more: int, extra: dict[str, str] | None = None) -> Engine:
    arguments = {k: v for k, v in (_PATIENCE | (extra or {})).items() if k not in url.query}
    return create_engine(
        url,
        pool_size=size,
        max_overflow=more,
        pool_timeout=10,
        hide_parameters=True,  # what people write is in no error
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
        hide_parameters=True,  # what people write is in no error
    )
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_immediately(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
