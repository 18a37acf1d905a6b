"""The one thread that writes to a database, and its metrics."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from prometheus_client import Counter, Histogram
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from rubicon.table.errors import StoreOutcomeUnknown, StoreUnavailable
from rubicon.table.storage.connection import (
    is_broken,
    is_unavailable,
    is_worth_a_retry,
    reason,
    was_rolled_back,
)
from rubicon.table.storage.statements import (
    LockedGame,
    OpenTransaction,
    driver_of,
    exists,
    lock_games,
    transaction,
)

# Metrics of the database: counted while a server runs, exported by `/metrics`, never stored.

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
JOBS = (1, 2, 4, 8, 16, 32, 64, 128)


class StorageMetrics:
    """The metrics of one store. They belong to no registry: several stores may be open at once."""

    def __init__(self) -> None:
        self.write_failed_at = float("-inf")  # the last failure, by time.monotonic()
        self.commit_seconds = Histogram(
            "rubicon_database_commit_duration_seconds",
            "Duration of a database transaction, commit included.",
            buckets=SECONDS,
            registry=None,
        )
        self.commit_jobs = Histogram(
            "rubicon_database_commit_jobs",
            "Jobs that one database transaction committed.",
            buckets=JOBS,
            registry=None,
        )
        self.errors = Counter(
            "rubicon_database_errors",
            "Reads and writes that failed because the database was unavailable.",
            ["operation"],
            registry=None,
        )
        for operation in ("read", "write"):  # so that both are exported before the first error
            self.errors.labels(operation)

    def committed(self, seconds: float, jobs: int) -> None:
        """Count a commit of so many jobs."""
        self.commit_seconds.observe(seconds)
        self.commit_jobs.observe(jobs)

    def failed(self, operation: Literal["read", "write"]) -> None:
        """Count a read or write that failed because the database was unavailable."""
        self.errors.labels(operation).inc()
        if operation == "write":
            self.write_failed_at = time.monotonic()


# The only thread that writes to a database: it commits all waiting jobs in one transaction.
#
# A commit waits for the disk, so the jobs that arrive meanwhile share the next one (group
# commit). The thread runs an asyncio loop: `await transaction(work)` returns when the rows are
# durable.

Result = TypeVar("Result")
Work = Callable[[Connection, LockedGame | None], Any]
JOBS_PER_COMMIT = 128
SECONDS_PER_COMMIT = 0.2  # after that no further job starts in a transaction
MAX_WAITING = 20_000  # jobs
MAX_WAIT = 15.0  # seconds until a job that could not start fails
LOCK_RETRY = 0.01  # seconds until a job is retried whose game another server has locked
ATTEMPTS = 3
_NOTHING = object()
log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Job:
    """Work for a transaction, and its result."""

    work: Work
    game: str | None
    rolled_back: Callable[[], None]
    done: asyncio.Future[Any]
    since: float = field(default_factory=time.monotonic)
    result: Any = _NOTHING
    error: BaseException | None = None

    def run(self, open_: OpenTransaction, locked: LockedGame | None) -> None:
        """Run it in a transaction; raises where the whole transaction must be rolled back.

        A job that fails before it has changed a row, such as a refused action, fails alone: its
        buffered rows are dropped, and the other jobs of the batch are committed.
        """
        changes, rows = open_.changes, open_.rows.mark()
        try:
            self.result = self.work(open_.connection, locked)
        except Exception as error:
            if is_database_error(error) or open_.changes != changes or not open_.is_sound:
                raise
            open_.rows.truncate(rows)
            self.error = error
        else:
            open_.check_sound()

    def reset(self) -> None:
        """Its transaction was rolled back: it may run again."""
        self.result, self.error = _NOTHING, None
        try:
            self.rolled_back()
        except Exception:
            log.exception("rollback handler failed")

    def finish(self) -> None:
        """Set the future to the result or the error."""
        if self.done.done():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


def is_database_error(error: BaseException) -> bool:
    """Whether the database or its driver raised the error."""
    return isinstance(error, SQLAlchemyError)


class Writer:
    """Runs jobs on one thread and commits them together; `check` raises to prevent a commit."""

    def __init__(
        self, engine: Engine, metrics: StorageMetrics, check: Callable[[], None] = lambda: None
    ) -> None:
        self._engine = engine
        self._metrics = metrics
        self._check = check
        self._connection: Connection | None = None
        self._waiting: deque[Job] = deque()
        self._scheduled = False
        self._closing = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self.loop = asyncio.new_event_loop()
        self.closing = asyncio.Event()  # tells coroutines to stop waiting
        self._thread = threading.Thread(target=self._run_loop, name="writer", daemon=True)
        self._thread.start()

    def start(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run a coroutine on the writer thread, from any thread.

        The future cannot be cancelled: a client that disconnects does not undo its request.
        """
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        inside = threading.get_ident() == self._thread.ident
        if self._closing and not inside:
            coroutine.close()
            future.set_exception(StoreUnavailable("the server is stopping"))
        elif inside:
            self._begin(coroutine, future)
        else:
            self.loop.call_soon_threadsafe(self._begin, coroutine, future)
        return future

    async def transaction(
        self,
        work: Work,
        game: str | None = None,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> Any:
        """Run `work` in a transaction and return its result when it is durable.

        The row of `game` is locked before, and `work` gets its head. `work` may run more than once:
        `rolled_back` is called after each run that was not committed, or perhaps was not. Fails
        with StoreUnavailable where the database does not answer within a bounded time, and with
        StoreOutcomeUnknown where the connection was lost during the commit.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise StoreUnavailable("too many requests are waiting")
        job = Job(work, game, rolled_back, self.loop.create_future())
        self._waiting.append(job)
        self._schedule()
        return await job.done

    def close(self) -> None:
        """Finish all coroutines that have started, and disconnect."""
        if self._closing:
            return
        self._closing = True
        asyncio.run_coroutine_threadsafe(self._drain(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
        self._engine.dispose()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def _begin(self, coroutine: Coroutine[Any, Any, Any], future: Future[Any]) -> None:
        def finish(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if task.cancelled():
                future.set_exception(StoreUnavailable("the server is stopping"))
            elif (error := task.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(task.result())

        task = self.loop.create_task(coroutine)
        self._tasks.add(task)  # the loop itself keeps only a weak reference
        task.add_done_callback(finish)

    async def _drain(self) -> None:
        self.closing.set()
        while self._tasks:
            await asyncio.wait(self._tasks)
        self._disconnect()
        await self.loop.shutdown_default_executor()

    def _schedule(self, delay: float = 0.0) -> None:
        if self._scheduled:  # one batch at a time: jobs that arrive meanwhile join the next one
            return
        self._scheduled = True
        if delay:
            self.loop.call_later(delay, self._write_waiting)
        else:
            self.loop.call_soon(self._write_waiting)

    def _write_waiting(self) -> None:
        self._scheduled = False
        batch, skipped = self._next_batch()
        locked_by_other = self._write(batch) if batch else []
        self._waiting.extendleft(reversed([*locked_by_other, *skipped]))
        if self._waiting:
            # Rows that another server has locked are free within milliseconds: do not spin.
            only_locked = len(self._waiting) == len(locked_by_other)
            self._schedule(LOCK_RETRY if only_locked else 0.0)

    def _next_batch(self) -> tuple[list[Job], list[Job]]:
        """The next batch, with at most one job per game, and the jobs that were skipped for that.

        So no two jobs of a batch concern the same rows, which can be written in any order. Jobs of
        one game keep their order, because skipped jobs return to the front of the queue.
        """
        batch: list[Job] = []
        skipped: list[Job] = []
        games: set[str | None] = set()
        while self._waiting and len(batch) < JOBS_PER_COMMIT:
            job = self._waiting.popleft()
            if time.monotonic() - job.since > MAX_WAIT:
                self._fail([job], StoreUnavailable("too many requests are waiting"))
            elif job.game is not None and job.game in games:
                skipped.append(job)
            else:
                games.add(job.game)
                batch.append(job)
        return batch, skipped

    def _write(self, jobs: list[Job], attempt: int = 1) -> list[Job]:
        """Run jobs in one transaction, or each alone if that fails; returns those not started."""
        try:
            connection = self._connected()
        except Exception as error:
            self._fail_all(jobs, error)
            return []
        began, committing = time.perf_counter(), False
        begun: list[Job] = []
        left: list[Job] = []
        try:
            with transaction(connection) as open_:
                locked = lock_games(connection, [job.game for job in jobs if job.game])
                for job in jobs:
                    late = time.perf_counter() - began > SECONDS_PER_COMMIT
                    if (begun and late) or _locked_by_other(connection, job, locked):
                        left.append(job)
                    else:
                        begun.append(job)
                        job.run(open_, locked.get(job.game or ""))
                self._check()
                committing = True
        except BaseException as error:
            if not begun:
                return self._reconnect(jobs, error, attempt)
            left = [job for job in jobs if job not in begun]
            return left + self._recover(begun, error, attempt, committing=committing)
        self._metrics.committed(time.perf_counter() - began, len(begun))
        for job in begun:
            job.finish()
        return left

    def _reconnect(self, jobs: list[Job], error: BaseException, attempt: int) -> list[Job]:
        """Retry on a new connection: the transaction could not begin."""
        self._disconnect()
        if attempt < ATTEMPTS and not was_rolled_back(error):
            return self._write(jobs, attempt + 1)
        self._fail_all(jobs, error)
        return []

    def _recover(
        self, jobs: list[Job], error: BaseException, attempt: int, *, committing: bool
    ) -> list[Job]:
        """Retry or fail the jobs of a transaction that failed; returns those not started.

        A job runs again only where it has certainly stored nothing: the database has rolled back,
        or the connection was lost before the commit was sent. Otherwise it could be done twice.
        """
        unsure = committing and not was_rolled_back(error)
        refused = [
            job for job in jobs if unsure and job.error is not None
        ]  # their refusal is valid all the same
        jobs = [job for job in jobs if job not in refused]
        for job in refused:
            job.finish()
        for job in jobs:
            job.reset()
        lost = is_broken(error) or self._is_lost()
        if lost:
            self._disconnect()
        if unsure:
            self._fail(jobs, StoreOutcomeUnknown(reason(error)))
        elif lost and not was_rolled_back(error) and attempt < ATTEMPTS:
            return self._write(jobs, attempt + 1)
        elif len(jobs) > 1:  # any of them may be the cause: each gets its own transaction
            return [left for job in jobs for left in self._write([job])]
        elif is_worth_a_retry(error) and attempt < ATTEMPTS:
            return self._write(jobs, attempt + 1)
        else:
            self._fail(jobs, error)
        return []

    def _fail_all(self, jobs: list[Job], error: BaseException) -> None:
        """Fail these jobs and all waiting ones, which would fail too, each after a timeout."""
        self._fail([*jobs, *self._waiting], error)
        self._waiting.clear()

    def _fail(self, jobs: Iterable[Job], error: BaseException) -> None:
        failure = StoreUnavailable(reason(error)) if is_unavailable(error) else error
        if failure is not error:
            failure.__cause__ = error
        elif not isinstance(error, Exception):  # SystemExit would end the loop
            failure = RuntimeError(f"a job raised {type(error).__name__}")
        if isinstance(failure, StoreUnavailable):
            self._metrics.failed("write")
        for job in jobs:
            job.error = failure
            job.finish()

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _is_lost(self) -> bool:
        connection = self._connection
        if connection is None or connection.closed or connection.invalidated:
            return connection is not None
        return self._engine.dialect.name != "sqlite" and bool(driver_of(connection).closed)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()


def _locked_by_other(connection: Connection, job: Job, locked: dict[str, LockedGame]) -> bool:
    """Whether another server has locked the row of the job's game; False where there is none."""
    return job.game is not None and job.game not in locked and exists(connection, job.game)
