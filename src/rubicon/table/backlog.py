"""The jobs that wait to be written: each is done whole or not at all, and its result handed out."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from rubicon.table.errors import StoreAway
from rubicon.table.transactions import changes_of, check_sound, is_sound, run_text

Job = Callable[[Connection], Any]
MOST_WAITING = 20_000  # jobs
LONGEST_WAIT = 15.0  # seconds that a job may wait for its turn
log = logging.getLogger(__name__)
_NOTHING = object()
# What a job may do wrong by itself: SQLITE_ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE.
_OWN_FAULTS = {1, 18, 19, 20, 25}
_SQLITE_PRIMARY = 0xFF


class QueuedJob:
    """A job that waits for its turn, and what became of it."""

    def __init__(self, job: Job, undone: Callable[[], None], game: str | None) -> None:
        self.job = job
        self.game = game  # that it goes on with
        self.apart = False  # whether it is done by itself
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

    @property
    def ended(self) -> bool:
        """Whether it is known what became of it."""
        return self.error is not None or self.result is not _NOTHING

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

    def run_with_others(self, connection: Connection) -> None:
        """Do it in a transaction on PostgreSQL; where it fails and may have changed something it
        raises, and the whole transaction is to be taken back: that is rarer than a savepoint is
        dear."""
        before = changes_of(connection)
        try:
            result = self.job(connection)
        except DBAPIError:
            raise
        except Exception as error:
            if changes_of(connection) != before or not is_sound(connection):
                raise
            self.fail(error)
        else:
            check_sound(connection)
            self.result = result

    def fail(self, error: BaseException) -> None:
        """It failed; the first reason stays."""
        self.error = self.error or error

    def begin_again(self) -> None:
        """Its transaction is over, and nothing of it stays: it is as if it had never been run."""
        self._take_back_in_memory()
        self.result, self.error = _NOTHING, None

    def hand_out(self) -> None:
        """Its transaction is over: tell whoever waits."""
        if self.error is not None:
            self._take_back_in_memory()
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)

    def _take_back_in_memory(self) -> None:
        try:
            self.undone()
        except Exception:  # a writing thread outlives it
            log.exception("what was not stored could not be taken back")


class Backlog:
    """The jobs that wait. Closed, it takes only what the writing threads themselves still add.

    Those that are put apart are taken one by one, and by `most_apart` threads at a time at most:
    they may be long.
    """

    def __init__(self, most_apart: int = 0) -> None:
        self._jobs: deque[QueuedJob] = deque()
        self._apart: deque[QueuedJob] = deque()
        self._free_apart = most_apart
        self._changed = threading.Condition()
        self._working = 0
        self._closed = False
        self._writers: set[int] = set()

    def put(self, job: Job, undone: Callable[[], None], game: str | None) -> Future[Any]:
        """Add a job, or fail it at once; what becomes of it."""
        waiting = QueuedJob(job, undone, game)
        with self._changed:
            closed = self._closed and threading.get_ident() not in self._writers
            full = len(self._jobs) + len(self._apart) >= MOST_WAITING
            if not closed and not full:
                self._jobs.append(waiting)
                self._changed.notify()
                return waiting.future
        waiting.error = StoreAway("it is being closed" if closed else "too much is waiting")
        waiting.hand_out()
        return waiting.future

    def enter(self) -> None:
        """This thread is one of those that write."""
        with self._changed:
            self._writers.add(threading.get_ident())

    def take(self, most: int) -> list[QueuedJob]:
        """The next jobs; nothing when it is closed and all is done."""
        with self._changed:
            while not (self._jobs or self._next_is_apart):
                if self._closed and not self._working and not self._apart:
                    return []
                self._changed.wait()
            self._working += 1
            if self._next_is_apart:
                self._free_apart -= 1
                return [self._apart.popleft()]
            return [self._jobs.popleft() for _ in range(min(most, len(self._jobs)))]

    @property
    def _next_is_apart(self) -> bool:
        return bool(self._apart) and self._free_apart > 0

    def put_back(self, jobs: Sequence[QueuedJob], apart: Sequence[QueuedJob]) -> None:
        """Jobs that were taken are to be taken again: first of all, or each by itself."""
        for waiting in apart:
            waiting.apart = True
        with self._changed:
            self._jobs.extendleft(reversed(jobs))
            self._apart.extend(apart)
            self._changed.notify(len(jobs) + len(apart))

    def done(self, *, apart: bool = False) -> None:
        """What was taken is handed out, or put apart; `apart` where it was taken from there."""
        with self._changed:
            self._working -= 1
            self._free_apart += apart
            if apart or self._closed:
                self._changed.notify_all()

    def drain(self) -> list[QueuedJob]:
        """All that wait: they shall not wait for one failure after another."""
        with self._changed:
            drained = [*self._jobs, *self._apart]
            self._jobs.clear()
            self._apart.clear()
            return drained

    def close(self) -> None:
        """Take nothing new."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def _own_fault(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & _SQLITE_PRIMARY in _OWN_FAULTS
