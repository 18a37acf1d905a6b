"""The store: a database by its URL, one way to write to it and one way to read.

SQLite has one writer thread that commits many jobs together, each in a savepoint of its own;
PostgreSQL has a few threads, each with a transaction of its own. A job's result is handed out
only when it is on the disk.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import NullPool, QueuePool

from rubicon.table.errors import StoreAway, TableError

Result = TypeVar("Result")
Job = Callable[[Connection], Any]
MOST_TOGETHER = 128  # jobs in one commit
WRITERS = 6  # threads that write to PostgreSQL
ATTEMPTS = 5  # where another worker was quicker
_NOTHING = object()


class Writer(Protocol):
    """Runs jobs that write, each whole or not at all."""

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]: ...

    def close(self) -> None: ...


class Store:
    """A database that holds tables; `write` and `read` are its only doors."""

    def __init__(self, engine: Engine, writer: Writer, url: str) -> None:
        self.engine = engine
        self.url = url
        self.shared = engine.dialect.name != "sqlite"  # other processes may write to it
        self._writer = writer

    @property
    def shown(self) -> str:
        """The URL, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    @classmethod
    def open(cls, url: str) -> Store:
        """The store of a URL: `sqlite:///file.db` or `postgresql+psycopg://…`."""
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            if parsed.database:
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = create_engine(url, poolclass=QueuePool, pool_size=4, max_overflow=12)
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin)
            return cls(engine, GroupWriter(url), url)
        engine = create_engine(url, pool_size=WRITERS + 4, max_overflow=8, pool_pre_ping=True)
        return cls(engine, PooledWriter(engine), url)

    def write(
        self, job: Callable[[Connection], Result], undone: Callable[[], None] = lambda: None
    ) -> Future[Result]:
        """Run a job in a transaction; `undone` is called where it, or its commit, failed.

        The job may run more than once where another worker was quicker. Callbacks of the future run
        in the writing thread, after the commit.
        """
        return self._writer.submit(job, undone)

    def read(self, job: Callable[[Connection], Result]) -> Result:
        """Run a job that only reads, in this thread."""
        try:
            with self.engine.connect() as connection:
                return job(connection)
        except DBAPIError as error:
            raise StoreAway(_reason(error)) from error

    def close(self) -> None:
        """Finish what is being written, and let go of the database."""
        self._writer.close()
        self.engine.dispose()


def now(connection: Connection) -> int:
    """The database's time, in milliseconds since 1970 (UTC)."""
    if connection.dialect.name == "sqlite":
        return time.time_ns() // 1_000_000
    found = connection.execute(text("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
    return int(found.scalar_one())


class GroupWriter:
    """One thread that commits as many waiting jobs as there are together (SQLite)."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url, poolclass=NullPool)
        event.listen(self._engine, "connect", _prepare_sqlite)
        event.listen(self._engine, "begin", _begin_immediately)
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]:
        """Queue a job."""
        waiting = _Waiting(job, undone)
        if self._closed:
            waiting.future.set_exception(StoreAway("it is closed"))
        else:
            self._waiting.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Finish what is queued."""
        self._closed = True
        self._waiting.put(None)
        self._thread.join()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()

    def _run(self) -> None:
        while (batch := self._batch()) is not None:
            self._write(batch)

    def _batch(self) -> list[_Waiting] | None:
        first = self._waiting.get()
        if first is None:
            return None
        batch = [first]
        while len(batch) < MOST_TOGETHER and not self._waiting.empty():
            waiting = self._waiting.get()
            if waiting is None:
                self._waiting.put(None)
                break
            batch.append(waiting)
        return batch

    def _write(self, batch: list[_Waiting]) -> None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            connection = self._connection
            with connection.begin():
                for waiting in batch:
                    waiting.run_in_savepoint(connection)
        except Exception as error:  # the whole batch: no room, no database
            failure = StoreAway(_reason(error))
            failure.__cause__ = error
            for waiting in batch:
                waiting.fail(failure)
            self._forget_connection()
        for waiting in batch:
            waiting.hand_out()

    def _forget_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
                connection.close()
            except DBAPIError:
                pass


class _Waiting:
    """A job that waits, and what became of it."""

    def __init__(self, job: Job, undone: Callable[[], None]) -> None:
        self.job = job
        self.undone = undone
        self.future: Future[Any] = Future()
        self.result: Any = _NOTHING
        self.error: BaseException | None = None

    def run_in_savepoint(self, connection: Connection) -> None:
        """Do it; where it fails nothing of it stays, and the others go on."""
        connection.exec_driver_sql("SAVEPOINT job")
        try:
            self.result = self.job(connection)
        except DBAPIError as error:
            if not isinstance(error, IntegrityError):
                raise  # no room, no database: the whole batch falls
            self._take_back(connection, error)
        except Exception as error:
            self._take_back(connection, error)
        else:
            connection.exec_driver_sql("RELEASE job")

    def _take_back(self, connection: Connection, error: Exception) -> None:
        connection.exec_driver_sql("ROLLBACK TO job")
        connection.exec_driver_sql("RELEASE job")
        self.fail(error)

    def fail(self, error: BaseException) -> None:
        """It failed; the first reason stays."""
        if self.error is None:
            self.error = error
            self.undone()

    def hand_out(self) -> None:
        """Tell whoever waits."""
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class PooledWriter:
    """A few threads, each with a transaction of its own (PostgreSQL)."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(WRITERS, thread_name_prefix="writer")

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]:
        """Queue a job."""
        return self._threads.submit(self._run, job, undone)

    def close(self) -> None:
        """Finish what is queued."""
        self._threads.shutdown()

    def _run(self, job: Job, undone: Callable[[], None]) -> Any:
        for attempt in range(ATTEMPTS):
            try:
                with self._engine.begin() as connection:
                    return job(connection)
            except IntegrityError as error:  # another worker wrote the same entry
                undone()
                if attempt == ATTEMPTS - 1:
                    raise StoreAway("others were quicker, again and again") from error
            except DBAPIError as error:
                undone()
                raise StoreAway(_reason(error)) from error
            except Exception:
                undone()
                raise
        raise AssertionError("unreachable")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_immediately(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _reason(error: BaseException) -> str:
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__
