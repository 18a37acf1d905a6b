"""The jobs that wait to be written: each is done whole or not at all, and its result handed out."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from enum import Enum
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


class Lane(Enum):
    """Where a job waits."""

    TOGETHER = "together"  # with others, for one transaction
    LONG = "long"  # so, too, with others that may take long
    APART = "apart"  # for one of its own: it met a lock, or failed beside others


class QueuedJob:
    """A job that waits for its turn, and what became of it."""

    def __init__(self, job: Job, undone: Callable[[], None], game: str | None, lane: Lane) -> None:
        self.job = job
        self.lane = lane
        self.game = game  # that it goes on with
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
        except BaseException as error:  # whatever it is: the thread outlives it
            self._take_back(connection, error)
        else:
            run_text(connection, "RELEASE job")

    def _take_back(self, connection: Connection, error: BaseException) -> None:
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
        except BaseException as error:  # whatever it is: the thread outlives it
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
    """The jobs that wait, by lane. Closed, it takes only what the writing threads themselves still
    add.

    Of those apart there is one of each game at a time: it may wait for a lock, and what it waits
    for holds up the others of its game alone.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues = {lane: Queue(self._lock) for lane in Lane}
        self._games_apart: set[str] = set()
        self._working = 0
        self._closed = False
        self._writers: set[int] = set()

    def put(
        self,
        job: Job,
        undone: Callable[[], None],
        game: str | None,
        lane: Lane = Lane.TOGETHER,
    ) -> Future[Any]:
        """Add a job, or fail it at once; what becomes of it."""
        queued = QueuedJob(job, undone, game, lane)
        with self._lock:
            closed = self._closed and threading.get_ident() not in self._writers
            full = self._count() >= MOST_WAITING
            if not closed and not full:
                self._queues[lane].put([queued])
                return queued.future
        queued.error = StoreAway("it is being closed" if closed else "too much is waiting")
        queued.hand_out()
        return queued.future

    def enter(self) -> None:
        """This thread is one of those that write."""
        with self._lock:
            self._writers.add(threading.get_ident())

    def take(self, most: int, lane: Lane = Lane.TOGETHER) -> list[QueuedJob]:
        """The next jobs, one of those apart; nothing when it is closed and all is done."""
        with self._lock:
            while not (taken := self._next(lane, most)):
                if self._closed and not self._working and not self._count():
                    return []
                self._queues[lane].filled.wait()
            self._working += 1
            return taken

    def put_back(self, jobs: Sequence[QueuedJob], apart: Sequence[QueuedJob] = ()) -> None:
        """Jobs that were taken are to be taken again: first of all, or each by itself."""
        for queued in apart:
            queued.lane = Lane.APART
        with self._lock:
            for queued in reversed(jobs):
                self._queues[queued.lane].jobs.appendleft(queued)
                self._queues[queued.lane].filled.notify()
            self._queues[Lane.APART].put(apart)

    def done(self, game_apart: str | None = None) -> None:
        """What was taken is handed out, or put back; `game_apart` is that of a job apart."""
        with self._lock:
            self._working -= 1
            if game_apart is not None:
                self._games_apart.discard(game_apart)
                self._queues[Lane.APART].filled.notify()
            if self._closed:
                self._wake_all()

    def drain(self) -> list[QueuedJob]:
        """All that wait: they shall not wait for one failure after another."""
        with self._lock:
            drained = [queued for queue in self._queues.values() for queued in queue.jobs]
            for queue in self._queues.values():
                queue.jobs.clear()
            return drained

    def close(self) -> None:
        """Take nothing new."""
        with self._lock:
            self._closed = True
            self._wake_all()

    def _next(self, lane: Lane, most: int) -> list[QueuedJob]:
        if lane is Lane.APART:
            return self._next_apart()
        jobs = self._queues[lane].jobs
        return [jobs.popleft() for _ in range(min(most, len(jobs)))]

    def _next_apart(self) -> list[QueuedJob]:
        jobs = self._queues[Lane.APART].jobs
        for queued in jobs:
            if queued.game not in self._games_apart:
                jobs.remove(queued)
                if queued.game is not None:
                    self._games_apart.add(queued.game)
                return [queued]
        return []

    def _count(self) -> int:
        return sum(len(queue.jobs) for queue in self._queues.values())

    def _wake_all(self) -> None:
        for queue in self._queues.values():
            queue.filled.notify_all()


class Queue:
    """Jobs in their order, and those who wait for one."""

    def __init__(self, lock: threading.Lock) -> None:
        self.jobs: deque[QueuedJob] = deque()
        self.filled = threading.Condition(lock)

    def put(self, jobs: Sequence[QueuedJob]) -> None:
        """More jobs, by whoever holds the lock."""
        self.jobs.extend(jobs)
        self.filled.notify(len(jobs))


def _own_fault(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & _SQLITE_PRIMARY in _OWN_FAULTS
