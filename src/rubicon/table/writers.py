"""Those who write to a store: each job whole or not at all, its result handed out when it is kept.

A job waits for a bounded time. Where the database is away, all that wait are told so, and the next
job tries again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    TimeoutError,
)

from rubicon.table.backlog import Backlog, Job, Lane, QueuedJob
from rubicon.table.errors import StoreAway, StoreUnsure, TableError
from rubicon.table.figures import StoreFigures
from rubicon.table.heads import lock_heads
from rubicon.table.kept_connection import KeptConnection
from rubicon.table.transactions import check_sound, one_transaction, rows_wait, run_later

JOBS_TOGETHER = 128  # in one commit, at most
LONGEST_TOGETHER = 0.2  # seconds after which no other job is begun in a transaction
LANES = (Lane.TOGETHER, Lane.LONG, Lane.APART, Lane.APART)  # of the threads of PostgreSQL
ATTEMPTS = 3  # where another worker was quicker
_AGAIN = {"40001", "40P01"}  # serialization failure, deadlock
_REFUSED = {"22", "23", "40", "42", "53", "54", "55"}  # classes of what a server refuses
_BAD_ROWS = {"22", "23"}  # what they hold, or that they are there already
_CANCELLED = "57014"  # it took too long
_IMPATIENT = "SET LOCAL lock_timeout = '100ms'"


class Writer(Protocol):
    """Runs jobs that write, each whole or not at all."""

    def submit(
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, long: bool = False
    ) -> Future[Any]: ...

    def close(self) -> None: ...


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

    def submit(
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, long: bool = False
    ) -> Future[Any]:
        """Queue a job; all are written by one thread."""
        return self._backlog.put(job, undone, game)

    def close(self) -> None:
        """Finish what is queued, and what follows from it."""
        self._backlog.close()
        self._thread.join()
        self._kept.forget()
        self._engine.dispose()

    def _run(self) -> None:
        self._backlog.enter()
        while batch := self._backlog.take(JOBS_TOGETHER):
            self._write(batch)
            self._backlog.done()

    def _write(self, batch: list[QueuedJob]) -> None:
        try:
            self._commit(batch)
        except Exception as error:  # the whole batch: no room, no database
            failure = away(error)
            self._figures.failures["write"] += 1
            batch += self._backlog.drain()
            for waiting in batch:
                waiting.error = failure
            self._kept.forget()
        hand_out(batch)

    def _commit(self, batch: list[QueuedJob]) -> None:
        connection = self._kept.connection()
        began = time.perf_counter()
        with connection.begin():
            for begun, waiting in enumerate(batch):
                if begun and time.perf_counter() - began > LONGEST_TOGETHER:
                    self._backlog.put_back(batch[begun:])
                    del batch[begun:]
                    break
                waiting.run_in_savepoint(connection)
            self._check()
        self._figures.commits.add(time.perf_counter() - began)
        self._figures.together.add(len(batch))


@dataclass(frozen=True, slots=True)
class Left:
    """Jobs that are to be taken again: first of all, or each by itself."""

    again: Sequence[QueuedJob] = ()
    apart: Sequence[QueuedJob] = ()


class PooledWriter:
    """A few threads, each with a connection of its own and a transaction at a time (PostgreSQL).

    One takes all that waits together, so that all wait for the disk but once; what there is no
    time for in that transaction is in the next. Another does the same for what may take long. The
    others take jobs apart, each in a transaction of its own, in which it may wait: those that met
    another worker's lock, or failed in the middle.
    """

    def __init__(self, engine: Engine, figures: StoreFigures | None = None) -> None:
        self._engine = engine
        self._figures = figures or StoreFigures()
        self._backlog = Backlog()
        self._threads = [
            threading.Thread(target=self._run, args=(lane,), name=f"writer-{n}", daemon=True)
            for n, lane in enumerate(LANES)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, long: bool = False
    ) -> Future[Any]:
        """Queue a job, maybe one that goes on with a game, maybe one that takes long."""
        return self._backlog.put(job, undone, game, Lane.LONG if long else Lane.TOGETHER)

    def close(self) -> None:
        """Finish what is queued, and what follows from it."""
        self._backlog.close()
        for thread in self._threads:
            thread.join()
        self._engine.dispose()

    def _run(self, lane: Lane) -> None:
        self._backlog.enter()
        kept = KeptConnection(self._engine)
        while taken := self._backlog.take(JOBS_TOGETHER, lane):
            try:
                self._write(taken, kept, lane)
            except BaseException as error:  # whatever it is: nobody waits for ever
                self._fail([each for each in taken if not each.ended], error)
                hand_out(each for each in taken if not each.future.done())
            finally:
                self._backlog.done(taken[0].game if lane is Lane.APART else None)
        kept.forget()

    def _write(self, taken: list[QueuedJob], kept: KeptConnection, lane: Lane) -> None:
        for waiting in taken:
            if waiting.too_late:
                waiting.fail(StoreAway("too much is waiting"))
        batch = [waiting for waiting in taken if not waiting.ended]
        left = Left()
        try:
            kept.connection()
        except Exception as error:  # it is away, for all that wait
            drained = self._backlog.drain()
            self._fail([*batch, *drained], away(error))
            hand_out(drained)
        else:
            if batch and lane is Lane.APART:
                self._write_alone(batch[0], kept)
            elif batch:
                left = self._write_together(batch, kept)
        hand_out(waiting for waiting in taken if waiting.ended)
        self._backlog.put_back(left.again, left.apart)

    def _write_together(self, batch: list[QueuedJob], kept: KeptConnection) -> Left:
        """As many as there is time for, in one transaction; where that fails nothing is left of
        it, or nobody knows."""
        began, committing, others_wait = time.perf_counter(), False, False
        begun: list[QueuedJob] = []
        try:
            with one_transaction(kept.connection()) as connection:
                run_later(connection, _IMPATIENT)
                free = lock_heads(connection, {each.game for each in batch if each.game})
                held = [each for each in batch if each.game is not None and each.game not in free]
                for waiting in (each for each in batch if each not in held):
                    if begun and time.perf_counter() - began > LONGEST_TOGETHER:
                        break
                    others_wait = rows_wait(connection)
                    begun.append(waiting)
                    waiting.run_with_others(connection)
                committing = True
        except BaseException as error:
            if _broken(error):
                kept.forget()
            again = [each for each in batch if each not in begun]
            if committing and not _taken_back(error):
                unsure = [each for each in begun if each.error is None]
                for waiting in unsure:
                    waiting.begin_again()
                self._fail(unsure, StoreUnsure(_reason(error)))
                return Left(again)
            for waiting in begun:
                waiting.begin_again()
            if committing or (others_wait and _refuses_rows(error)):
                return Left(again, begun)  # any of them may be to blame
            return Left([*begun[:-1], *again], begun[-1:]) if begun else Left(apart=batch)
        self._count(began, len(begun))
        done = {*begun, *held}
        return Left([each for each in batch if each not in done], held)

    def _write_alone(self, waiting: QueuedJob, kept: KeptConnection) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            began, committing = time.perf_counter(), False
            try:
                with one_transaction(kept.connection()) as connection:
                    result = waiting.job(connection)
                    check_sound(connection)
                    committing = True
            except BaseException as error:  # whatever it is: the thread outlives it
                cut_off = not committing and kept.lost
                if cut_off or _broken(error):
                    kept.forget()
                if attempt < ATTEMPTS and (cut_off or _another_was_quicker(error)):
                    waiting.begin_again()
                    continue
                unsure = committing and not _taken_back(error)
                self._fail([waiting], StoreUnsure(_reason(error)) if unsure else error)
            else:
                waiting.result = result
                self._count(began, 1)
            return

    def _fail(self, batch: list[QueuedJob], error: BaseException) -> None:
        failure = away(error) if is_away(error) else error
        self._figures.failures["write"] += isinstance(failure, StoreAway)
        for waiting in batch:
            waiting.fail(failure)

    def _count(self, began: float, jobs: int) -> None:
        self._figures.commits.add(time.perf_counter() - began)
        self._figures.together.add(jobs)


def hand_out(ended: Iterable[QueuedJob]) -> None:
    """Tell whoever waits for them."""
    for waiting in ended:
        waiting.hand_out()


def is_away(error: BaseException) -> bool:
    """Whether the database is to blame, not the job."""
    if isinstance(error, DBAPIError):
        return isinstance(error, OperationalError | InterfaceError | InternalError)
    return isinstance(error, TimeoutError)  # no connection is free


def away(error: BaseException) -> StoreAway:
    """What whoever waits is told of it."""
    failure = error if isinstance(error, StoreAway) else StoreAway(_reason(error))
    if failure is not error:
        failure.__cause__ = error
    return failure


def _another_was_quicker(error: BaseException) -> bool:
    return isinstance(error, IntegrityError) or _state(error) in _AGAIN


def _taken_back(error: BaseException) -> bool:
    """Whether the server has said that nothing of a transaction stays."""
    state = _state(error) or ""
    return state[:2] in _REFUSED or state == _CANCELLED


def _refuses_rows(error: BaseException) -> bool:
    """Whether rows were refused for what they are, which may be those of an earlier job."""
    return (_state(error) or "")[:2] in _BAD_ROWS


def _broken(error: BaseException) -> bool:
    """Whether a connection is not to be used again."""
    return is_away(error) and not _taken_back(error)


def _state(error: BaseException) -> str | None:
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def _reason(error: BaseException) -> str:
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__
