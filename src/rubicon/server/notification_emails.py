"""E-mails of notifications: what a seat is asked, a deadline that is near, the end of a game.

A row of `notification` is its e-mail's place in the outbox too: the column `sent` says how far the
e-mail is (see `rubicon.table.notices`). In the transaction that takes a notification for
the first time its messages for devices and webhooks are queued: so each gets it once, whatever
becomes of the e-mail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection

from rubicon.server.delivery import Delivery, EmailQueue, fields_of
from rubicon.server.emails import WrittenEmail
from rubicon.server.news import forget_told
from rubicon.server.notifications import PendingEmail, find_due, find_unneeded
from rubicon.server.outbox import (
    NOTIFICATION_ROWS,
    Channel,
    Clock,
    Drop,
    Plan,
    Queue,
    Result,
    Rows,
    Send,
    Wait,
)
from rubicon.server.posts import PostQueue
from rubicon.server.unreadable import Unreadable
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.notices import DeadlineNear, DecisionDue, OpeningDue
from rubicon.table.storage.connection import now

TELLS_ALL = frozenset({"decision", "deadline", "over"})  # e-mails that make waiting news needless


class NotificationQueue(EmailQueue[PendingEmail]):
    """The e-mails of notifications.

    `queues` are all of this server. `delay` is the number of seconds for which a decision must be
    pending before an e-mail is sent: a player who is at the table needs none.
    """

    channel = Channel.MAIL
    rows = NOTIFICATION_ROWS
    most_read = 500

    def __init__(
        self,
        delivery: Delivery,
        queues: Mapping[Channel, Queue[Any, Any]],
        *,
        delay: int = 60,
        clock: Clock = now,
    ) -> None:
        super().__init__(delivery, clock)
        self._queues = queues
        self._delay = delay * 1000

    async def prepare(self) -> bool:
        """Drop what needs no e-mail in few statements: most notifications are of this kind."""

        def read(connection: Connection) -> tuple[int, list[int]]:
            at = self.clock(connection)
            return at, find_unneeded(connection, at, self._delay, self.most_read)

        at, unneeded = await asyncio.to_thread(self.store.read, read)
        if unneeded:
            never: dict[Rows, None] = {(number,): None for number in unneeded}
            drop = partial(self.rows.claim, wanted=never, at=at)
            self.counts[Result.UNNEEDED] += len(await asyncio.wrap_future(self.store.write(drop)))
        return len(unneeded) == self.most_read

    def due(self, connection: Connection, at: int) -> Sequence[PendingEmail | Unreadable]:
        """New notifications, and those whose e-mail is tried again."""
        return find_due(connection, at, self._delay, self.most_read)

    def is_needed(self, message: PendingEmail) -> bool:
        """Whether the recipient can be reached and has not decided yet."""
        return message.wanted or message.elsewhere

    def plan(self, message: PendingEmail, at: int) -> Plan[WrittenEmail]:
        """The e-mail, unless the game asks nothing now or the recipient has quiet hours."""
        snapshot = self.delivery.snapshot(message)
        if _asks(message):
            if not _is_asked(message, snapshot, at):
                return Drop()
            if snapshot.paused:
                return Wait(at + self.schedule.delay(at - message.at))
        # For devices and webhooks too: a push message wakes people as an e-mail does.
        quiet_until = _quiet_until(message, snapshot, at)
        if quiet_until is not None:
            return Wait(quiet_until)
        if not message.wanted:
            return Drop(Result.ELSEWHERE)
        return Send(self.delivery.write(message, snapshot, at))

    def taken(
        self,
        connection: Connection,
        messages: Sequence[tuple[PendingEmail, Plan[WrittenEmail]]],
        at: int,
    ) -> None:
        """Record what answers will need, and queue the messages for devices and webhooks."""
        told: list[PendingEmail] = []
        others: list[PendingEmail] = []
        for message, plan in messages:
            if isinstance(plan, Send):
                plan.parcel.record(connection)
                told.append(message)
            if isinstance(plan, Send) or plan == Drop(Result.ELSEWHERE):
                others.append(message)
        # In the transaction of the claim: exactly one of the news and this e-mail reports it.
        forget_told(connection, [each for each in told if each.kind in TELLS_ALL])
        for queue in self._queues.values():
            if isinstance(queue, PostQueue):
                queue.enqueue(connection, [each.id for each in others if each.elsewhere], at)

    def log_fields(self, message: PendingEmail) -> Mapping[str, object]:
        """The notification, its game and its kind."""
        return fields_of(message)


def _asks(pending: PendingEmail) -> bool:
    """Whether a notification asks its seat for something."""
    return isinstance(pending.body, DecisionDue | DeadlineNear | OpeningDue)


def _is_asked(pending: PendingEmail, snapshot: Snapshot, at: int) -> bool:
    """Whether a person is still asked for it, and a warning comes before the deadline."""
    seat = pending.seat
    match pending.body:
        case DecisionDue(decision) | DeadlineNear(decision):
            asked = snapshot.decisions.get(seat) == decision
        case _:
            asked = seat in snapshot.openings
    due = snapshot.due.get(seat)
    # A pause stops the clock: the deadline that has passed is not the one that will be.
    late = (
        isinstance(pending.body, DeadlineNear)
        and due is not None
        and due <= at
        and not snapshot.paused
    )
    return asked and seat not in snapshot.bots and not late


def _quiet_until(pending: PendingEmail, snapshot: Snapshot, at: int) -> int | None:
    """When the recipient's quiet hours end; None outside them, and where the deadline is before."""
    end = pending.preferences.quiet_end(at)
    due = snapshot.due.get(pending.seat)
    return None if end is None or (due is not None and due <= end) else end
