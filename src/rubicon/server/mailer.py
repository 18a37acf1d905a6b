"""The mailer: a thread that sends pending e-mails and push messages every few seconds.

A notification is claimed in a transaction before its e-mail goes out, so that of several servers
on one database only one sends it. A server that dies in between leaves its claim behind; another
one repeats the e-mail after CLAIM_DURATION, the next one on the same file at once, with the same
Message-ID. Failures are retried with
growing delays for a day."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from email.message import EmailMessage
from enum import Enum, auto
from functools import partial

from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.delivery import (
    CLAIM_DURATION,
    CONNECTIONS,
    Delivery,
    DeliveryError,
    MailTransport,
    fields_of,
)
from rubicon.server.emails import DAY, HOUR, MINUTE, EmailWriter, WrittenEmail
from rubicon.server.news import NewsMailer, forget_told
from rubicon.server.notifications import (
    PendingEmail,
    claim,
    dismiss,
    find_due,
    find_unneeded,
    record_result,
    release_claims,
)
from rubicon.server.push import queue_messages
from rubicon.server.webhooks import queue_notifications
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage.connection import now
from rubicon.table.table_service import TableService

PUSH, WEBHOOK = "push", "webhook"  # names of other queues: without one, nothing is put into it
SWEEP_INTERVAL = 5.0  # seconds
MAX_RETRY_DELAY = 4 * HOUR
READ_BATCH = 500  # notifications read in one transaction
SEND_BATCH = 20  # e-mails in one sweep: all are sent, or have failed, long before the claim ends
TELLS_ALL = frozenset({"decision", "deadline", "over"})  # e-mails that make waiting news needless
Sweep = Callable[[], Awaitable[bool]]  # returns whether there may be more
log = logging.getLogger(__name__)


class SendVerdict(Enum):
    """Why a notification gets no e-mail now."""

    NEVER = auto()
    LATER = auto()
    OTHER = auto()  # its account wants no e-mail, but has a device or a webhook


class Mailer:
    """Sends the e-mails that a writer writes.

    `delay` is the number of seconds that a decision must be pending before an e-mail tells of it.
    `others` are more queues that its thread sweeps, each in a task of its own, by their name: of
    push messages, webhooks, answers to e-mails.
    """

    def __init__(
        self,
        table: TableService,
        transport: MailTransport,
        writer: EmailWriter,
        *,
        delay: int = 60,
        clock: Callable[[Connection], int] = now,
        others: Mapping[str, Sweep] | None = None,
    ) -> None:
        self.table = table
        self.transport = transport
        self._delay = delay * 1000
        self._clock = clock
        self._delivery = Delivery(table, transport, writer)
        self.others = dict(others or {})
        self.news = NewsMailer(
            self._delivery, self._delay, clock, webhooks=lambda: WEBHOOK in self.others
        )
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._woken: list[asyncio.Event] = []  # one for each queue
        self._thread = threading.Thread(target=self._run, name="mailer", daemon=True)

    def start(self) -> None:
        """Start to sweep the outbox."""
        self.release()
        self._thread.start()

    def release(self) -> None:
        """Take over at once what a server that died has claimed, where there can be no other."""
        store = self.table.store
        if store.shared:
            return

        def job(connection: Connection) -> None:
            release_claims(connection, self._clock(connection), CLAIM_DURATION)

        store.write(job).result()

    def close(self) -> None:
        """Stop at once; claimed e-mails that were not sent are sent at the next start."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
        self._loop.close()

    def wake(self) -> None:
        """Look at all queues now, without the wait between two sweeps; from any thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for woken in self._woken:
            woken.set()

    def send_now(self, message: EmailMessage) -> Future[None]:
        """Try once to send an e-mail, without the outbox; a failure is logged."""
        return asyncio.run_coroutine_threadsafe(self._send_once(message), self._loop)

    async def sweep(self) -> bool:
        """Send what is due to those who must act; returns whether there may be more."""
        store = self.table.store
        unneeded, at, found = await asyncio.to_thread(store.read, self._read_outbox)
        if unneeded:
            await asyncio.wrap_future(store.write(partial(dismiss, ids=unneeded)))
            if len(unneeded) == READ_BATCH:
                return True
        changes, messages, others = await asyncio.to_thread(self._plan, found, at)
        if not changes:
            return False

        def claimed_here(connection: Connection) -> set[int]:
            own = claim(connection, changes)
            for id_ in messages.keys() & own:
                messages[id_].record(connection)
            told = [p for p, _ in changes if p.id in messages.keys() & own]
            forget_told(connection, [p for p in told if p.kind in TELLS_ALL])
            mine = [pending for pending in others if pending.id in own]
            if PUSH in self.others:
                queue_messages(connection, [p.id for p in mine if p.push], at)
            if WEBHOOK in self.others:
                queue_notifications(connection, [p.id for p in mine if p.webhook], at)
            return own

        own = await asyncio.wrap_future(store.write(claimed_here))
        claimed = [
            (pending, sent) for pending, sent in changes if pending.id in messages.keys() & own
        ]
        slots = asyncio.Semaphore(CONNECTIONS)
        await asyncio.gather(
            *(
                self._deliver(slots, pending, messages[pending.id].message, sent)
                for pending, sent in claimed
            )
        )
        return len(found) >= READ_BATCH or len(changes) < len(found)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._work())

    async def _work(self) -> None:
        # Each in a task of its own: a slow push service must not delay e-mails.
        sweeps = [
            asyncio.create_task(self._sweep_forever(sweep, f"{name} sweep failed"))
            for name, sweep in self._sweeps().items()
        ]
        await self._stopped.wait()
        for sweep in sweeps:
            sweep.cancel()

    def _sweeps(self) -> dict[str, Sweep]:
        return {"mail": self.sweep, "news": self.news.sweep, **self.others}

    async def _sweep_forever(self, sweep: Sweep, failed: str) -> None:
        woken = asyncio.Event()
        self._woken.append(woken)
        while True:
            more = False
            woken.clear()
            try:
                more = await sweep()
            except Exception as error:  # of any kind: the thread must survive it
                level = logging.WARNING if isinstance(error, RubiconError) else logging.ERROR
                log.log(level, failed, exc_info=error)
            if not more:
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), SWEEP_INTERVAL)

    def _read_outbox(self, connection: Connection) -> tuple[list[int], int, list[PendingEmail]]:
        """Notifications that need no e-mail, the time, and what is due unless there are many."""
        at = self._clock(connection)
        unneeded = find_unneeded(connection, at, self._delay, READ_BATCH)
        if len(unneeded) == READ_BATCH:
            return unneeded, at, []
        return unneeded, at, find_due(connection, at, self._delay, READ_BATCH)

    def _plan(
        self, found: list[PendingEmail], at: int
    ) -> tuple[list[tuple[PendingEmail, int | None]], dict[int, WrittenEmail], list[PendingEmail]]:
        """The new `sent` of each notification, the e-mails to send, by notification, and the
        notifications for devices and webhooks."""
        changes: list[tuple[PendingEmail, int | None]] = []
        messages: dict[int, WrittenEmail] = {}
        others: list[PendingEmail] = []
        for pending in found:
            result = self._message_or_verdict(pending, at)
            if result is SendVerdict.OTHER or isinstance(result, WrittenEmail):
                others.append(pending)
            if isinstance(result, WrittenEmail):
                messages[pending.id] = result
                changes.append((pending, -(at + CLAIM_DURATION)))
            elif isinstance(result, int):
                changes.append((pending, -result))
            elif result is SendVerdict.LATER:
                changes.append((pending, _retry_at(pending, at)))
            else:
                changes.append((pending, None))
            if len(messages) == SEND_BATCH:
                break
        return changes, messages, others

    def _message_or_verdict(
        self, pending: PendingEmail, at: int
    ) -> WrittenEmail | SendVerdict | int:
        """The e-mail; or why there is none; or when the recipient's quiet hours end."""
        if not (pending.wanted or pending.push or pending.webhook):
            return SendVerdict.NEVER
        if at - pending.at >= DAY:
            log.warning("mail delivery given up", extra=fields_of(pending))
            return SendVerdict.NEVER
        try:
            return self._message(pending, at)
        except Exception as error:  # one broken game must not keep back the others' e-mails
            log.error("e-mail could not be written", extra=fields_of(pending), exc_info=error)
            return SendVerdict.LATER

    def _message(self, pending: PendingEmail, at: int) -> WrittenEmail | SendVerdict | int:
        snapshot = self._delivery.snapshot(pending)
        verdict = _verdict(pending, snapshot, at)
        if verdict is not None:
            return verdict
        quiet_until = _quiet_until(pending, snapshot, at)
        if quiet_until is not None:
            return quiet_until
        if not pending.wanted:
            return SendVerdict.OTHER
        return self._delivery.write_with(snapshot, pending, at)

    async def _deliver(
        self,
        slots: asyncio.Semaphore,
        pending: PendingEmail,
        message: EmailMessage,
        claimed: int | None,
    ) -> None:
        error = await self._delivery.send(slots, pending, message)

        def record(connection: Connection) -> None:
            at = self._clock(connection)
            give_up = error is not None and (error.final or at - pending.at >= DAY)
            sent = at if error is None else None if give_up else _retry_at(pending, at)
            record_result(connection, pending.id, claimed, sent)

        try:
            await asyncio.wrap_future(self.table.store.write(record))
        except RubiconError as failure:
            log.warning("mail result not stored", extra=fields_of(pending), exc_info=failure)

    async def _send_once(self, message: EmailMessage) -> None:
        try:
            await self.transport.send(message)
        except DeliveryError as failure:
            fields = {"message_id": message["Message-ID"], "reason": failure.reason}
            log.warning("mail delivery failed", extra=fields)


def _verdict(pending: PendingEmail, snapshot: Snapshot, at: int) -> SendVerdict | None:
    """Why a seat is not told now what it is asked for; None where it is, and for other news."""
    match pending.kind:
        case "opening":
            asked = pending.seat in snapshot.openings
        case _ if "decision" in pending.body:
            asked = snapshot.decisions.get(pending.seat) == pending.body["decision"]
        case _:
            return None
    if not asked or pending.seat in snapshot.bots:
        return SendVerdict.NEVER
    if snapshot.paused:
        return SendVerdict.LATER
    due = snapshot.due.get(pending.seat)
    passed = pending.kind == "deadline" and due is not None and due <= at
    return SendVerdict.NEVER if passed else None


def _quiet_until(pending: PendingEmail, snapshot: Snapshot, at: int) -> int | None:
    """When the recipient's quiet hours end; None outside them, and where the deadline is before."""
    end = pending.preferences.quiet_end(at)
    due = snapshot.due.get(pending.seat)
    return None if end is None or (due is not None and due <= end) else end


def _retry_at(pending: PendingEmail, at: int) -> int:
    """`sent` of a notification that is retried after a delay as long as it is old."""
    return -(at + max(MINUTE, min(at - pending.at, MAX_RETRY_DELAY)))
