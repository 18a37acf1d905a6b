"""Those who write to a store: each job whole or not at all, its result handed out when it is kept.

A job waits for a bounded time. Where the database is away, all that wait are told so, and the next
job tries again.
"""

from __future__ import annotations

import selectors
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,
)

from rubicon.table.errors import StoreAway, TableError
from rubicon.table.figures import StoreFigures
from rubicon.table.statements import driver_of, run_text

Job = Callable[[Connection], Any]
MOST_TOGETHER = 128  # jobs in one commit
WRITERS = 4  # threads that write to PostgreSQL
ATTEMPTS = 3  # where another worker was quicker
MOST_WAITING = 20_000  # jobs
LONGEST_WAIT = 15.0  # seconds that a job may wait for its turn
_NOTHING = object()
# What a job may do wrong by itself: SQLITE_ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE.
_OWN_FAULTS = {1, 18, 19, 20, 25}
_SQLITE_PRIMARY = 0xFF
_AGAIN = {"40001", "40P01"}  # serialization failure, deadlock


class Writer(Protocol):
    """Runs jobs that write, each whole or not at all."""

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]: ...

    def close(self) -> None: ...


class Waiting:
    """A job that waits, and what became of it."""

    def __init__(self, job: Job, undone: Callable[[], None]) -> None:
        self.job = job
        self.undone = undone
        self.future: Future[Any] = Future()
        self.future.set_running_or_notify_cancel()  # whoever waits cannot call it off
        self.since = time.monotonic()
        self.result: Any = _NOTHING
        self.error: BaseException | None = None

    @property
    def too_late(self) -> bool:
        """Whether it has waited too long to be begun."""
        return time.monotonic() - self.since > LONGEST_WAIT

    def run_in_savepoint(self, connection: Connection) -> None:
        """Do it; where it fails nothing of it stays, and the others go on."""
        run_text(connection, "SAVEPOINT job")
        try:
            self.result = self.job(connection)
        except DBAPIError as error:
            if not _own_fault(error):
                raise  # no room, no database: the whole batch falls
            self._take_back(connection, error)
        except Exception as error:
            self._take_back(connection, error)
        else:
            run_text(connection, "RELEASE job")

    def _take_back(self, connection: Connection, error: Exception) -> None:
        run_text(connection, "ROLLBACK TO job")
        run_text(connection, "RELEASE job")
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


class Backlog:
    """The jobs that wait. Closed, it takes only what the writing threads themselves still add."""

    def __init__(self) -> None:
        self._jobs: deque[Waiting] = deque()
        self._changed = threading.Condition()
        self._working = 0
        self._closed = False
        self._writers: set[int] = set()

    def put(self, waiting: Waiting) -> None:
        """Add a job, or fail it at once."""
        with self._changed:
            closed = self._closed and threading.get_ident() not in self._writers
            full = len(self._jobs) >= MOST_WAITING
            if not closed and not full:
                self._jobs.append(waiting)
                self._changed.notify()
                return
        waiting.error = StoreAway("it is being closed" if closed else "too much is waiting")
        waiting.hand_out()

    def enter(self) -> None:
        """This thread is one of those that write."""
        with self._changed:
            self._writers.add(threading.get_ident())

    def take(self, most: int) -> list[Waiting]:
        """The next jobs; nothing when it is closed and all is done."""
        with self._changed:
            while not self._jobs:
                if self._closed and not self._working:
                    return []
                self._changed.wait()
            self._working += 1
            return [self._jobs.popleft() for _ in range(min(most, len(self._jobs)))]

    def done(self) -> None:
        """What was taken is handed out."""
        with self._changed:
            self._working -= 1
            if self._closed:
                self._changed.notify_all()

    def drain(self) -> list[Waiting]:
        """All that wait: they shall not wait for one failure after another."""
        with self._changed:
            drained = list(self._jobs)
            self._jobs.clear()
            return drained

    def close(self) -> None:
        """Take nothing new."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class GroupWriter:
    """One thread that commits as many waiting jobs as there are together (SQLite).

    `check` raises where a commit would not be kept, although the database takes it.
    """

    def __init__(
        self, engine: Engine, check: Callable[[], None], figures: StoreFigures | None = None
    ) -> None:
        self._engine = engine
        self._check = check
        self._figures = figures or StoreFigures()
        self._backlog = Backlog()
        self._kept = KeptConnection(engine)
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]:
        """Queue a job."""
        waiting = Waiting(job, undone)
        self._backlog.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Finish what is queued, and what follows from it."""
        self._backlog.close()
        self._thread.join()
        self._kept.forget()
        self._engine.dispose()

    def _run(self) -> None:
        self._backlog.enter()
        while batch := self._backlog.take(MOST_TOGETHER):
            self._write(batch)
            self._backlog.done()

    def _write(self, batch: list[Waiting]) -> None:
        try:
            self._commit(batch)
        except Exception as error:  # the whole batch: no room, no database
            failure = away(error)
            self._figures.failures["write"] += 1
            batch += self._backlog.drain()
            for waiting in batch:
                waiting.error = None
                waiting.fail(failure)
            self._kept.forget()
        for waiting in batch:
            waiting.hand_out()

    def _commit(self, batch: list[Waiting]) -> None:
        connection = self._kept.connection()
        began = time.perf_counter()
        with connection.begin():
            for waiting in batch:
                waiting.run_in_savepoint(connection)
            self._check()
        self._figures.commits.add(time.perf_counter() - began)
        self._figures.together.add(len(batch))


class KeptConnection:
    """A thread's own connection, made anew where the server has ended it meanwhile."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def connection(self) -> Connection:
        """The connection; OperationalError where there is none to be had."""
        if self._connection is not None and _has_news(self._connection):
            self.forget()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    @property
    def lost(self) -> bool:
        """Whether the server has ended it."""
        kept = self._connection
        if kept is None or kept.closed or kept.invalidated:  # to look at it would connect anew
            return False
        return bool(driver_of(kept).closed)

    def forget(self) -> None:
        """Let go of it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
                connection.close()
            except SQLAlchemyError:
                pass


def _has_news(connection: Connection) -> bool:
    """Whether the server has said something unasked: that is how it says good-bye."""
    if connection.dialect.name == "sqlite":
        return False
    driver = driver_of(connection)
    if driver.closed:
        return True
    with selectors.DefaultSelector() as selector:  # select() itself knows no file beyond 1024
        selector.register(driver, selectors.EVENT_READ)
        return bool(selector.select(0))


class PooledWriter:
    """A few threads, each with a transaction of its own (PostgreSQL)."""

    def __init__(self, engine: Engine, figures: StoreFigures | None = None) -> None:
        self._engine = engine
        self._figures = figures or StoreFigures()
        self._backlog = Backlog()
        self._threads = [
            threading.Thread(target=self._run, name=f"writer-{number}", daemon=True)
            for number in range(WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job, undone: Callable[[], None]) -> Future[Any]:
        """Queue a job."""
        waiting = Waiting(job, undone)
        self._backlog.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Finish what is queued, and what follows from it."""
        self._backlog.close()
        for thread in self._threads:
            thread.join()
        self._engine.dispose()

    def _run(self) -> None:
        self._backlog.enter()
        kept = KeptConnection(self._engine)
        while taken := self._backlog.take(1):
            self._write(taken[0], kept)
            self._backlog.done()
        kept.forget()

    def _write(self, waiting: Waiting, kept: KeptConnection) -> None:
        if waiting.too_late:
            waiting.fail(StoreAway("too much is waiting"))
        for attempt in range(1, ATTEMPTS + 1):
            if waiting.error is not None or waiting.result is not _NOTHING:
                break
            began, done = time.perf_counter(), False
            try:
                connection = kept.connection()
                with connection.begin():
                    result = waiting.job(connection)
                    done = True  # from here on it may be on the disk
                waiting.result = result
                self._figures.commits.add(time.perf_counter() - began)
                self._figures.together.add(1)
            except Exception as error:
                cut_off = not done and kept.lost
                if is_away(error):
                    kept.forget()
                if attempt < ATTEMPTS and (cut_off or _another_was_quicker(error)):
                    waiting.undone()
                else:
                    self._figures.failures["write"] += is_away(error)
                    waiting.fail(away(error) if is_away(error) else error)
        waiting.hand_out()


def is_away(error: Exception) -> bool:
    """Whether the database is to blame, not the job."""
    if isinstance(error, DBAPIError):
        return isinstance(error, OperationalError | InterfaceError | InternalError)
    return isinstance(error, TimeoutError)  # no connection is free


def away(error: Exception) -> StoreAway:
    """What whoever waits is told of it."""
    failure = error if isinstance(error, StoreAway) else StoreAway(_reason(error))
    if failure is not error:
        failure.__cause__ = error
    return failure


def _own_fault(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & _SQLITE_PRIMARY in _OWN_FAULTS


def _another_was_quicker(error: Exception) -> bool:
    if isinstance(error, IntegrityError):
        return True
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _AGAIN


def _reason(error: BaseException) -> str:
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__
