"""The outbox: the one way in which what waits is claimed, sent, tried again, given up and counted.

A message is one or more rows of a table, with the time at which they are due. A server claims the
rows before it sends, by moving that time into the future: of several servers on one database only
one sends, and if it dies the rows are free again when the time has come. So no message is lost, and
one may be sent twice, which its id shows. The inbox of play by e-mail claims in the same way.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select, true, update

from rubicon.errors import RubiconError
from rubicon.server.emails import DAY, HOUR, MINUTE
from rubicon.server.unreadable import Unreadable
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

SWEEP_INTERVAL = 5.0  # seconds
CONNECTIONS = 4  # of one queue to other servers at the same time
log = logging.getLogger(__name__)
Clock = Callable[[Connection], int]
Rows = tuple[int, ...]  # the ids of the rows of one message
ANY: ColumnElement[bool] = true()
Returned = TypeVar("Returned")


class Channel(StrEnum):
    """What waits, and where it goes: a label of the metrics, and in the log."""

    MAIL = "mail"
    NEWS = "news"
    PUSH = "push"
    WEBHOOK = "webhook"
    ANSWERS = "answers"
    INBOX = "inbox"


class Result(StrEnum):
    """What became of a message: a label of the metrics."""

    SENT = "sent"
    RETRIED = "retried"  # the attempt failed; there will be another
    REFUSED = "refused"  # for good
    GONE = "gone"  # so is its receiver
    GIVEN_UP = "given-up"
    UNNEEDED = "unneeded"  # never sent: its reader has acted since, or cannot be reached
    ELSEWHERE = "elsewhere"  # only to the other channels of its reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a message is tried, tried again and given up, in milliseconds."""

    claim: int  # how long no other server touches what was claimed
    shortest: int = MINUTE  # from one attempt to the next
    longest: int
    give_up: int  # the age at which no further attempt is made
    lapses: bool = False  # at that age it is not sent even if it was never tried

    def delay(self, age: int) -> int:
        """The time until the next attempt: each one doubles the age of the message."""
        return max(self.shortest, min(age, self.longest))

    def gives_up(self, age: int) -> bool:
        """Whether a message of this age that has failed is not tried again."""
        return age >= self.give_up


SCHEDULES: Mapping[Channel, Schedule] = {
    # A batch of e-mails is sent or has failed within three minutes: the claim is longer.
    Channel.MAIL: Schedule(claim=10 * MINUTE, longest=4 * HOUR, give_up=DAY, lapses=True),
    # A digest may be a day old before it is tried for the first time.
    Channel.NEWS: Schedule(claim=10 * MINUTE, longest=4 * HOUR, give_up=2 * DAY, lapses=True),
    Channel.PUSH: Schedule(claim=5 * MINUTE, longest=DAY, give_up=DAY),
    Channel.WEBHOOK: Schedule(claim=5 * MINUTE, longest=4 * HOUR, give_up=DAY),
    Channel.ANSWERS: Schedule(claim=5 * MINUTE, longest=4 * HOUR, give_up=DAY),
    # What fails here is our own database, dice or program, and a person waits for the answer.
    Channel.INBOX: Schedule(claim=5 * MINUTE, shortest=2_000, longest=10 * MINUTE, give_up=3 * DAY),
}


class WaitingRows:
    """Rows of a table that wait until a time; a row is deleted when nothing is left to do.

    Times are milliseconds since 1970 of the database's clock. `sign` is -1 for a column that holds
    them below zero.
    """

    def __init__(self, table: Table, column: str = "due", sign: int = 1) -> None:
        self.table = table
        self._due = table.c[column]
        self._sign = sign

    def due_between(self, first: int, last: int) -> ColumnElement[bool]:
        """Which rows wait until a time of this span, both ends included."""
        low, high = sorted((self._sign * first, self._sign * last))
        return self._due.between(low, high)

    def claim(
        self, connection: Connection, wanted: Mapping[Rows, int | None], at: int
    ) -> set[Rows]:
        """Take those messages that are due at a time, on whichever server asks first.

        `wanted` says until when each is kept from all servers; None ends it. A message of several
        rows is taken whole or not at all: the other server has seen another part of it.
        """
        number = self.table.c.id
        every = [row for rows in wanted for row in rows]
        due = select(number).where(number.in_(every), self.due_between(0, at))
        # Ascending: two servers that lock rows in opposite orders would wait for each other.
        # What is locked is skipped: the other server is about to move it.
        locked = due.order_by(number).with_for_update(skip_locked=True)
        free = set(connection.execute(locked).scalars())
        taken = {rows: until for rows, until in wanted.items() if free.issuperset(rows)}
        # One statement for each time instead of one for each message.
        for until in set(taken.values()):
            ids = [row for rows, each in taken.items() if each == until for row in rows]
            self._put(connection, number.in_(ids), until)
        return set(taken)

    def settle(
        self,
        connection: Connection,
        rows: Rows,
        claimed: int,
        until: int | None,
        sent: int | None = None,
    ) -> None:
        """End a message that was claimed until a time, or let it wait until another one.

        Does nothing where the claim was too short, and another server has made its own since.
        """
        own = self.table.c.id.in_(rows) & self.due_between(claimed, claimed)
        self._put(connection, own, until, sent)

    def postpone(self, connection: Connection, rows: Rows, until: int) -> None:
        """Let rows that are not done wait until a time, whoever has claimed them."""
        self._put(connection, self.table.c.id.in_(rows) & self._due.is_not(None), until)

    def release(
        self,
        connection: Connection,
        at: int,
        span: int,
        which: ColumnElement[bool] = ANY,
    ) -> None:
        """Make due what waits for at most a span from now: a server that died may have claimed it.

        Only where no other server can be at work on the database.
        """
        self._put(connection, self.due_between(at + 1, at + span) & which, 0)

    def count(self, connection: Connection) -> int:
        """How many rows wait."""
        waiting = select(func.count()).select_from(self.table).where(self._waiting())
        return int(connection.execute(waiting).scalar_one())

    def _waiting(self) -> ColumnElement[bool]:
        return self._due.is_not(None)

    def _put(
        self,
        connection: Connection,
        which: ColumnElement[bool],
        until: int | None,
        sent: int | None = None,
    ) -> None:
        if until is None:
            self._end(connection, which, sent)
            return
        change = update(self.table).where(which)
        connection.execute(change.values({self._due: self._sign * until}))

    def _end(self, connection: Connection, which: ColumnElement[bool], sent: int | None) -> None:
        """Nothing is left to do for these rows, which were `sent` then, or never."""
        connection.execute(delete(self.table).where(which))


class NotificationRows(WaitingRows):
    """Notifications, which wait in `sent`, below zero, and stay as a part of their game."""

    def __init__(self) -> None:
        super().__init__(schema.notification, "sent", -1)

    def _waiting(self) -> ColumnElement[bool]:
        return and_(schema.WAITING)

    def _end(self, connection: Connection, which: ColumnElement[bool], sent: int | None) -> None:
        connection.execute(update(self.table).where(which).values(sent=sent))


NOTIFICATION_ROWS = NotificationRows()


class Message(Protocol):
    """What the messages of all queues have in common."""

    @property
    def rows(self) -> Rows:
        """The ids of its rows."""

    @property
    def at(self) -> int:
        """When what it says happened, in milliseconds since 1970."""


MessageT = TypeVar("MessageT", bound=Message)
ParcelT = TypeVar("ParcelT")  # a message as it is sent


@dataclass(frozen=True, slots=True)
class Send(Generic[ParcelT]):
    """A plan for a message: claim it, and send this."""

    parcel: ParcelT


@dataclass(frozen=True, slots=True)
class Wait:
    """A plan for a message: look at it again at a time."""

    until: int


@dataclass(frozen=True, slots=True)
class Drop:
    """A plan for a message: end it unsent."""

    result: Result = Result.UNNEEDED


Plan: TypeAlias = Send[ParcelT] | Wait | Drop
Plans: TypeAlias = Sequence[tuple[MessageT | Unreadable, Plan[ParcelT]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an attempt to send led to."""

    delivered: bool = False
    gone: bool = False  # the receiver does not exist any more
    final: bool = False  # another attempt would fail too
    reason: str = ""  # of a failure, for the log


Sender: TypeAlias = Callable[[MessageT, ParcelT], Awaitable[Outcome]]


class Queue(ABC, Generic[MessageT, ParcelT]):
    """The messages of one channel; `sweep` is called again and again.

    `counts` has how many messages ended in which result since the start.
    """

    channel: ClassVar[Channel]
    subject: ClassVar[str]  # of events of the log
    failed: ClassVar[str]  # the event of a failed attempt
    rows: ClassVar[WaitingRows]
    batch: ClassVar[int]  # messages that one sweep sends
    most_read: ClassVar[int]  # rows that one sweep looks at, about

    def __init__(self, store: Store, clock: Clock = now) -> None:
        self.store = store
        self.clock = clock
        self.counts: Counter[str] = Counter(dict.fromkeys(Result, 0))

    @property
    def schedule(self) -> Schedule:
        """When its messages are tried."""
        return SCHEDULES[self.channel]

    @abstractmethod
    def due(self, connection: Connection, at: int) -> Sequence[MessageT | Unreadable]:
        """The messages that are due at a time, each made by `read_message`."""

    @abstractmethod
    def is_needed(self, message: MessageT) -> bool:
        """Whether the message is still news to its reader."""

    @abstractmethod
    def plan(self, message: MessageT, at: int) -> Plan[ParcelT]:
        """What to do with a message that is needed; may take long, and changes nothing."""

    @abstractmethod
    def sender(self) -> AbstractAsyncContextManager[Sender[MessageT, ParcelT]]:
        """What sends the messages of one sweep."""

    @abstractmethod
    def log_fields(self, message: MessageT) -> Mapping[str, object]:
        """What the log says of a message: no name or address, and no URL, it may be secret."""

    async def prepare(self) -> bool:
        """What comes before a sweep; whether it must be repeated before something is sent."""
        return False

    def taken(
        self, connection: Connection, plans: Sequence[tuple[MessageT, Plan[ParcelT]]], at: int
    ) -> None:
        """Store what belongs into the transaction that takes messages."""

    def forget(self, connection: Connection, message: MessageT) -> None:
        """Delete the receiver of a message, which is gone, with all messages to it."""

    def maybe_claimed(self, at: int) -> ColumnElement[bool]:
        """Which of the rows that wait for a while after a restart may have been claimed."""
        return ANY

    def release(self, connection: Connection) -> None:
        """Send at once what a server that died has claimed; see `WaitingRows.release`."""
        at = self.clock(connection)
        self.rows.release(connection, at, self.schedule.claim, self.maybe_claimed(at))

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""
        if await self.prepare():
            return True
        # Read and planned without a lock: writing e-mails takes seconds, in which other servers and
        # the moves of games must not wait. The claim finds out what has changed meanwhile.
        at, found = await asyncio.to_thread(self.store.read, self._read)
        if not found:
            return False
        plans = await asyncio.to_thread(self._plan_all, found, at)
        take = partial(self._take, plans=plans, at=at)
        await self._send_all(await asyncio.wrap_future(self.store.write(take)), at)
        rows = sum(len(message.rows) for message in found)
        return rows >= self.most_read or len(plans) < len(found)

    def _read(self, connection: Connection) -> tuple[int, Sequence[MessageT | Unreadable]]:
        at = self.clock(connection)
        return at, self.due(connection, at)

    def _plan_all(
        self, found: Sequence[MessageT | Unreadable], at: int
    ) -> Plans[MessageT, ParcelT]:
        plans: list[tuple[MessageT | Unreadable, Plan[ParcelT]]] = []
        room = self.batch
        for message in found:
            plan = self._plan(message, at)
            plans.append((message, plan))
            room -= isinstance(plan, Send)
            if not room:  # the rest is planned in the next sweep, on what is true then
                break
        return plans

    def _plan(self, message: MessageT | Unreadable, at: int) -> Plan[ParcelT]:
        age = at - message.at
        over = self.schedule.gives_up(age)
        try:
            if isinstance(message, Unreadable):
                raise message.error
            if not self.is_needed(message):
                return Drop()
            if over and self.schedule.lapses:
                return Drop(Result.GIVEN_UP)
            return self.plan(message, at)
        except Exception as error:  # one broken game must not keep back the others' messages
            fields = self._fields(message)
            log.error(f"{self.subject} could not be written", extra=fields, exc_info=error)
            return Drop(Result.GIVEN_UP) if over else Wait(at + self.schedule.delay(age))

    def _fields(self, message: MessageT | Unreadable) -> dict[str, object]:
        if isinstance(message, Unreadable):
            return dict(message.fields)
        return dict(self.log_fields(message))

    def _take(
        self, connection: Connection, plans: Plans[MessageT, ParcelT], at: int
    ) -> Plans[MessageT, ParcelT]:
        """Carry the plans out, as far as no other server was first; those that were."""
        wanted = {message.rows: self._until(plan, at) for message, plan in plans}
        own = self.rows.claim(connection, wanted, at)
        taken = [(message, plan) for message, plan in plans if message.rows in own]
        readable = [
            (message, plan) for message, plan in taken if not isinstance(message, Unreadable)
        ]
        self.taken(connection, readable, at)
        return taken

    def _until(self, plan: Plan[ParcelT], at: int) -> int | None:
        match plan:
            case Send():
                return at + self.schedule.claim
            case Wait(until):
                return until
            case Drop():
                return None

    async def _send_all(self, taken: Plans[MessageT, ParcelT], at: int) -> None:
        for message, plan in taken:
            if isinstance(plan, Drop):
                self._note(message, plan.result)
        parcels = [
            (message, plan)
            for message, plan in taken
            if isinstance(plan, Send) and not isinstance(message, Unreadable)
        ]
        if not parcels:
            return
        slots = asyncio.Semaphore(CONNECTIONS)
        async with self.sender() as send:

            async def deliver(message: MessageT, parcel: ParcelT) -> None:
                async with slots:
                    outcome = await self._attempt(send, message, parcel)
                await self._store_outcome(message, outcome, at + self.schedule.claim)

            # Each result is stored as soon as it is known: a crash then repeats few messages.
            await asyncio.gather(*(deliver(message, plan.parcel) for message, plan in parcels))

    async def _attempt(
        self, send: Sender[MessageT, ParcelT], message: MessageT, parcel: ParcelT
    ) -> Outcome:
        try:
            return await send(message, parcel)
        except Exception as error:  # of any kind: it must not take the rest of the batch with it
            fields = dict(self.log_fields(message))
            log.error(f"{self.subject} could not be sent", extra=fields, exc_info=error)
            return Outcome(reason=type(error).__name__)

    async def _store_outcome(self, message: MessageT, outcome: Outcome, claimed: int) -> None:
        fields = dict(self.log_fields(message))
        if outcome.reason:
            failure = {"reason": outcome.reason, "final": outcome.final}
            log.warning(self.failed, extra=fields | failure)
        settle = partial(self._settle, message=message, outcome=outcome, claimed=claimed)
        try:
            result = await asyncio.wrap_future(self.store.write(settle))
        except Exception as error:  # it is sent once more, when the claim has passed
            level = _level(error)
            log.log(level, f"{self.subject} result not stored", extra=fields, exc_info=error)
        else:
            self._note(message, result)

    def _settle(
        self, connection: Connection, message: MessageT, outcome: Outcome, claimed: int
    ) -> Result:
        """Store what an attempt led to: the only place that gives a failed message up."""
        if outcome.gone:
            self.forget(connection, message)
            return Result.GONE
        at = self.clock(connection)
        age = at - message.at
        until, result = None, Result.SENT
        if not outcome.delivered:
            if outcome.final:
                result = Result.REFUSED
            elif self.schedule.gives_up(age):
                result = Result.GIVEN_UP
            else:
                until, result = at + self.schedule.delay(age), Result.RETRIED
        sent = at if outcome.delivered else None
        self.rows.settle(connection, message.rows, claimed, until, sent)
        return result

    def _note(self, message: MessageT | Unreadable, result: Result) -> None:
        self.counts[result] += 1
        if result is Result.GIVEN_UP:
            log.warning(f"{self.subject} given up", extra=self._fields(message))


class Outbox:
    """The queues of a server, and the thread that sweeps each of them every few seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.queues: dict[Channel, Queue[Any, Any]] = {}
        self.rows: dict[Channel, WaitingRows] = {}
        self.counts: dict[Channel, Counter[str]] = {}  # of messages, by what became of them
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._woken: list[asyncio.Event] = []  # one for each queue
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def add(self, queue: Queue[Any, Any]) -> None:
        """Sweep a queue too, from `start` on."""
        self.queues[queue.channel] = queue
        self.measure(queue.channel, queue.rows, queue.counts)

    def measure(self, channel: Channel, rows: WaitingRows, counts: Counter[str]) -> None:
        """Have the messages of a channel in the metrics; the inbox is swept by other threads."""
        self.rows[channel] = rows
        self.counts[channel] = counts

    def waiting(self, connection: Connection) -> dict[Channel, int]:
        """How many rows of each channel wait."""
        return {channel: rows.count(connection) for channel, rows in self.rows.items()}

    def start(self) -> None:
        """Start to sweep the queues."""
        self.release()
        self._thread.start()

    def release(self) -> None:
        """Take over at once what a server that died has claimed, where there can be no other."""
        if self._store.shared:
            return

        def job(connection: Connection) -> None:
            for queue in self.queues.values():
                queue.release(connection)

        self._store.write(job).result()

    def close(self) -> None:
        """Stop at once; claimed messages that were not sent are sent at the next start."""
        if self._thread.is_alive():
            # Without waiting for what is being sent: a mail server that hangs must not delay us.
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
        self._loop.close()

    def wake(self) -> None:
        """Look at all queues now, without the wait between two sweeps; from any thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._wake_all)

    def submit(self, work: Coroutine[Any, Any, Returned]) -> Future[Returned]:
        """Let the thread do something else too: an e-mail that is sent without a queue."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _wake_all(self) -> None:
        for woken in self._woken:
            woken.set()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._work())

    async def _work(self) -> None:
        # Each in its own task: a slow push service must not delay e-mails.
        tasks = [asyncio.create_task(self._sweep_forever(each)) for each in self.queues.values()]
        await self._stopped.wait()
        for task in tasks:
            task.cancel()

    async def _sweep_forever(self, queue: Queue[Any, Any]) -> None:
        woken = asyncio.Event()
        self._woken.append(woken)
        while True:
            more = False
            # Before the sweep, not after it: what is queued while it runs must wake the next one.
            woken.clear()
            try:
                more = await queue.sweep()
            except Exception as error:  # of any kind: the thread must survive it
                log.log(_level(error), f"{queue.channel} sweep failed", exc_info=error)
            if not more:
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), SWEEP_INTERVAL)


def _level(error: Exception) -> int:
    """How grave an error is in the log: one of our own is expected, another one is a fault."""
    return logging.WARNING if isinstance(error, RubiconError) else logging.ERROR
