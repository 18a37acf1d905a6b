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

from rubicon.table.backlog import Backlog, Job, QueuedJob
from rubicon.table.errors import StoreAway, StoreUnsure, TableError
from rubicon.table.figures import StoreFigures
from rubicon.table.heads import lock_heads
from rubicon.table.kept_connection import KeptConnection
from rubicon.table.transactions import check_sound, one_transaction, run_later

JOBS_TOGETHER = 128  # in one commit, at most
LONGEST_TOGETHER = 0.2  # seconds after which no other job is begun in a transaction
WRITERS_APART = 2  # threads that write one job at a time to PostgreSQL
WRITERS = 1 + WRITERS_APART
ATTEMPTS = 3  # where another worker was quicker
_AGAIN = {"40001", "40P01"}  # serialization failure, deadlock
_REFUSED = {"22", "23", "40", "42", "53", "54", "55"}  # classes of what a server refuses
_CANCELLED = "57014"  # it took too long
_IMPATIENT = "SET LOCAL lock_timeout = '100ms'"


class Writer(Protocol):
    """Runs jobs that write, each whole or not at all."""

    def submit(
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, apart: bool = False
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
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, apart: bool = False
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
    time for in that transaction is in the next. The others take jobs apart, each in a transaction
    of its own, in which it may wait: those that are said to be long, that meet another worker's
    lock, or that failed in the middle.
    """

    def __init__(self, engine: Engine, figures: StoreFigures | None = None) -> None:
        self._engine = engine
        self._figures = figures or StoreFigures()
        self._backlog = Backlog()
        self._threads = [
            threading.Thread(
                target=self._run, args=(number > 0,), name=f"writer-{number}", daemon=True
            )
            for number in range(WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, job: Job, undone: Callable[[], None], game: str | None = None, *, apart: bool = False
    ) -> Future[Any]:
        """Queue a job, maybe one that goes on with a game, maybe one for a transaction alone."""
        return self._backlog.put(job, undone, game, apart=apart)

    def close(self) -> None:
        """Finish what is queued, and what follows from it."""
        self._backlog.close()
        for thread in self._threads:
            thread.join()
        self._engine.dispose()

    def _run(self, apart: bool) -> None:
        self._backlog.enter()
        kept = KeptConnection(self._engine)
        while taken := self._backlog.take(1 if apart else JOBS_TOGETHER, apart=apart):
            try:
                self._write(taken, kept, apart)
            except Exception as error:  # whatever it is: nobody waits for ever
                self._fail([each for each in taken if not each.ended], error)
                hand_out(each for each in taken if not each.future.done())
            finally:
                self._backlog.done()
        kept.forget()

    def _write(self, taken: list[QueuedJob], kept: KeptConnection, apart: bool) -> None:
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
            if apart:
                for waiting in batch:
                    self._write_alone(waiting, kept)
            elif batch:
                left = self._write_together(batch, kept)
        hand_out(waiting for waiting in taken if waiting.ended)
        self._backlog.put_back(left.again, left.apart)

    def _write_together(self, batch: list[QueuedJob], kept: KeptConnection) -> Left:
        """As many as there is time for, in one transaction; where that fails nothing is left of
        it, or nobody knows."""
        began, committing = time.perf_counter(), False
        begun: list[QueuedJob] = []
        try:
            with one_transaction(kept.connection()) as connection:
                run_later(connection, _IMPATIENT)
                free = lock_heads(connection, {each.game for each in batch if each.game})
                held = [each for each in batch if each.game is not None and each.game not in free]
                for waiting in batch:
                    if begun and time.perf_counter() - began > LONGEST_TOGETHER:
                        break
                    if waiting not in held:
                        begun.append(waiting)
                        waiting.run_with_others(connection)
                committing = True
        except Exception as error:
            if _broken(error):
                kept.forget()
            for waiting in begun:
                waiting.begin_again()
            if committing and not _taken_back(error):
                self._fail(begun, StoreUnsure(_reason(error)))
                return Left(again=[each for each in batch if each not in begun])
            to_blame = begun if committing else begun[-1:] or batch
            return Left([each for each in batch if each not in to_blame], to_blame)
        self._count(began, len(begun))
        return Left([each for each in batch if each not in [*begun, *held]], held)

    def _write_alone(self, waiting: QueuedJob, kept: KeptConnection) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            began, committing = time.perf_counter(), False
            try:
                with one_transaction(kept.connection()) as connection:
                    result = waiting.job(connection)
                    check_sound(connection)
                    committing = True
            except Exception as error:
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

    def _fail(self, batch: list[QueuedJob], error: Exception) -> None:
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


def _another_was_quicker(error: Exception) -> bool:
    return isinstance(error, IntegrityError) or _state(error) in _AGAIN


def _taken_back(error: Exception) -> bool:
    """Whether the server has said that nothing of a transaction stays."""
    state = _state(error) or ""
    return state[:2] in _REFUSED or state == _CANCELLED


def _broken(error: Exception) -> bool:
    """Whether a connection is not to be used again."""
    return is_away(error) and not _taken_back(error)


def _state(error: Exception) -> str | None:
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def _reason(error: BaseException) -> str:
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__
