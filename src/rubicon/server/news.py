"""News of awards and dice for those who need not act: who gets it, when, and what it says."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update

from rubicon.rules.events import Awarded, Eliminated, Received, Rolled
from rubicon.server.delivery import Delivery, EmailQueue, fields_of
from rubicon.server.emails import WrittenEmail
from rubicon.server.notifications import (
    ANSWERED,
    HAS_EMAIL,
    News,
    NewsWay,
    NotificationPreferences,
    PendingEmail,
)
from rubicon.server.outbox import (
    NOTIFICATION_ROWS,
    Channel,
    Clock,
    Plan,
    Send,
    Wait,
    WaitingRows,
)
from rubicon.server.unreadable import Unreadable, read_message
from rubicon.server.webhooks import queue_events
from rubicon.table.game.hosted_game import NO_SEAT, present_after
from rubicon.table.game.log_lines import ANSWERS, LineKind, LogLine
from rubicon.table.notices import EMAIL_PENDING, EVENTS, EVERYONE, Fact, read_facts
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

log = logging.getLogger(__name__)

# Who was at the table when something happened, from the log alone.

WINDOW = 100  # answers before a moment: who sent orders longer ago is not present


def present_at(connection: Connection, game: str, index: int) -> str:
    """The seat that was present at a log index; "" for none. See `present_after`."""
    log = schema.log.c
    wanted = (
        select(log.log_index, log.kind, log.seat, log.decision, log.at)
        .where(log.game == game, log.log_index <= index)
        .where(log.kind.in_([kind.value for kind in ANSWERS]))
        .order_by(log.log_index.desc())
        .limit(WINDOW)
    )
    present, ordered = NO_SEAT, dict[str, LogLine]()
    for row in reversed(connection.execute(wanted).all()):
        line = LogLine(
            index=row.log_index,
            kind=LineKind(row.kind),
            seat=row.seat,
            decision=row.decision,
            text="",
            at=row.at,
        )
        if line.kind is LineKind.ORDERS:
            ordered[line.seat] = line
        present = present_after(line, present, ordered)
    return present


# News of awards and dice for those who need not act: who gets it, when, and what it says.
#
# A notification of events that holds an award or a roll is spread into one row of `news` for each
# reader (`spread`). The rows of one reader, game and kind that are due together become one
# e-mail. An e-mail that is tried again has the same rows, so that its Message-ID always means the
# same text.

AWARD, DICE, DIGEST = "award", "dice", "digest"
SPREAD_BATCH = 100  # notifications in one transaction
Facts = Sequence[Fact]


@dataclass(frozen=True, slots=True)
class NewsEmail:
    """News for one e-mail: the ids of its rows, and what the writer is given."""

    rows: tuple[int, ...]
    pending: PendingEmail

    @property
    def at(self) -> int:
        """When the last of it happened."""
        return self.pending.at

    @property
    def account(self) -> str:
        """The reader."""
        return self.pending.account

    @property
    def address(self) -> str:
        """The reader's address."""
        return self.pending.address


def unspread(connection: Connection) -> list[int]:
    """Some notifications of events that no reader has a row of yet, the oldest first."""
    notification = schema.notification.c
    wanted = (
        select(notification.id)
        .where(schema.WAITING, notification.kind == EVENTS, notification.sent == EMAIL_PENDING)
        .order_by(notification.id)
        .limit(SPREAD_BATCH)
    )
    return list(connection.execute(wanted).scalars())


def spread(
    connection: Connection, events: Sequence[int], at: int, delay: int, *, webhooks: bool
) -> None:
    """Make the rows of new events for their readers.

    Immediate news is due `delay` milliseconds after it happened, so that the rolls of
    one attack become one e-mail.
    """
    own = NOTIFICATION_ROWS.claim(connection, dict.fromkeys((event,) for event in events), at)
    notification, game = schema.notification.c, schema.game.c
    wanted = (
        select(schema.notification, game.title)
        .join(schema.game, game.id == notification.game)
        .where(notification.id.in_([event for (event,) in own]))
        .order_by(notification.id)
    )
    rows: list[dict[str, Any]] = []
    for event in connection.execute(wanted).all():
        fields = {"notification": event.id, "game": event.game}
        try:
            facts = read_facts(event.body)
        except Exception as error:  # it has been ended by the claim; the others are spread
            log.error("events could not be read", extra=fields, exc_info=error)
            continue
        # What differs from seat to seat may be a secret from others.
        if webhooks and event.seat == EVERYONE:
            queue_events(connection, event.id, event.game, event.at)
        rows += _rows(connection, event, facts, delay)
    if rows:
        connection.execute(insert(schema.news), rows)


def _rows(connection: Connection, event: Any, facts: Facts, delay: int) -> Iterable[dict[str, Any]]:
    """The rows of one notification of events."""
    receivers = {fact.seat for fact in facts if isinstance(fact, Awarded | Received)}
    rolls = any(isinstance(fact, Rolled) for fact in facts)
    present = present_at(connection, event.game, event.log_index)
    for reader in _readers(connection, event):
        try:
            preferences = NotificationPreferences.read(json.loads(reader.settings or "{}"))
        except Exception as error:  # one account's preferences must not end the news of the others
            fields = {"notification": event.id, "account": reader.account}
            log.error("preferences could not be read", extra=fields, exc_info=error)
            continue
        if not preferences.emails:
            continue
        ways = []
        if receivers and reader.colour not in receivers:
            ways.append((AWARD, preferences.awards))
        if rolls and (way := _way_of_dice(facts, reader.colour, present, preferences)):
            ways.append((DICE, way))
        for kind, way in ways:
            if way is not NewsWay.NEVER:
                digest = way is NewsWay.DIGEST
                due = preferences.next_digest(event.at) if digest else event.at + delay
                yield {
                    "notification": event.id,
                    "game": event.game,
                    "seat": reader.colour,
                    "account": reader.account,
                    "kind": DIGEST if digest else kind,
                    "at": event.at,
                    "due": preferences.quiet_end(due) or due,
                }


def _readers(connection: Connection, event: Any) -> Sequence[Any]:
    """The seats that may know a notification, with accounts that can get e-mails."""
    seat, account = schema.seat.c, schema.account.c
    wanted = (
        select(seat.colour, account.id.label("account"), account.settings)
        .join(schema.account, account.id == seat.account)
        .where(seat.game == event.game, HAS_EMAIL)
    )
    if event.seat != EVERYONE:
        wanted = wanted.where(seat.colour == event.seat)
    return connection.execute(wanted).all()


def _way_of_dice(
    facts: Facts, seat: str, present: str, preferences: NotificationPreferences
) -> NewsWay | None:
    """How a seat gets news of rolls: both sides at once (S002-11), unless it was there itself."""
    if _fights(facts, seat):
        return None if seat == present else NewsWay.AT_ONCE
    return preferences.dice_of_others


def _fights(facts: Facts, seat: str) -> bool:
    return any(
        isinstance(fact, Rolled) and seat in (fact.attacker, fact.defender) for fact in facts
    )


def due_news(connection: Connection, at: int, most: int) -> list[NewsEmail | Unreadable]:
    """The e-mails whose news is due, at most `most`.

    Not for a seat with an e-mail about a decision to come: that e-mail has everything.
    """
    news, asked = schema.news.c, schema.notification.alias().c
    asking = exists().where(
        asked.game == news.game,
        asked.seat == news.seat,
        asked.kind.in_(("decision", "opening")),
        asked.sent <= EMAIL_PENDING,
    )
    wanted = (
        select(news.game, news.seat, news.account, news.kind, news.email)
        .where(news.due <= at, ~asking)
        .group_by(news.game, news.seat, news.account, news.kind, news.email)
        .order_by(func.min(news.due))
        .limit(most)
    )
    return [_email(connection, group, at) for group in connection.execute(wanted).all()]


def _email(connection: Connection, group: Any, at: int) -> NewsEmail | Unreadable:
    news, notification = schema.news.c, schema.notification.c
    same = news.email.is_(None) if group.email is None else news.email == group.email
    wanted = (
        select(news.id, notification.at, notification.body, notification.log_index)
        .add_columns(ANSWERED.label("stale"))
        .select_from(schema.news)
        .join(schema.notification, notification.id == news.notification)
        .where(news.game == group.game, news.seat == group.seat, news.kind == group.kind)
        .where(same, news.account == group.account, news.due <= at)
        .order_by(notification.id)
    )
    found = connection.execute(wanted).all()
    rows = tuple(row.id for row in found)
    reader = _reader(connection, group)
    fields: dict[str, object] = {"notification": -rows[0], "game": group.game, "kind": group.kind}
    last = max(row.at for row in found)

    def read() -> NewsEmail:
        return NewsEmail(rows=rows, pending=_pending(reader, group, found))

    return read_message(rows, last, fields, read)


def _reader(connection: Connection, group: Any) -> Any:
    """The seat that news is for, with its game and its account."""
    seat, account, game = schema.seat.c, schema.account.c, schema.game.c
    wanted = (
        select(game.title, game.head, game.settings.label("table_settings"))
        .add_columns(seat.name, seat.account, account.email, account.settings)
        .add_columns(HAS_EMAIL.label("reachable"))
        .select_from(schema.game)
        .join(schema.seat, seat.game == game.id)
        .outerjoin(schema.account, account.id == seat.account)
        .where(game.id == group.game, seat.colour == group.seat)
    )
    return connection.execute(wanted).one_or_none()


def _pending(row: Any, group: Any, found: Sequence[Any]) -> PendingEmail:
    preferences = NotificationPreferences.read(json.loads(row.settings or "{}"))
    facts = tuple(fact for each in found for fact in read_facts(each.body))
    indexes = [each.log_index for each in found]
    owner = row.account == group.account  # else the seat has another owner since
    return PendingEmail(
        id=-found[0].id,
        game=group.game,
        seat=group.seat,
        kind=group.kind,
        body=News(facts, min(indexes), max(indexes)),
        at=max(each.at for each in found),
        title=row.title,
        settings=row.table_settings,
        head=row.head,
        account=row.account or "",
        name=row.name,
        address=row.email or "",
        wanted=owner and bool(row.reachable) and preferences.emails and not _seen(found, group),
        log_index=max(indexes),
        preferences=preferences,
    )


def takes_part(pending: PendingEmail) -> bool:
    """Whether news is about a seat's own dice, or that it is out of the game."""
    assert isinstance(pending.body, News)
    facts, seat = pending.body.facts, pending.seat
    return _fights(facts, seat) or is_farewell(seat, facts)


def is_farewell(seat: str, facts: Facts) -> bool:
    """Whether facts say that a seat is out of the game."""
    return any(isinstance(fact, Eliminated) and fact.seat == seat for fact in facts)


def wants_digest(pending: PendingEmail) -> bool:
    """Whether news is a daily digest that its reader has chosen.

    The digest of dice alone is what everyone gets who has chosen nothing.
    """
    return pending.kind == DIGEST and pending.preferences.awards is NewsWay.DIGEST


def _seen(found: Sequence[Any], group: Any) -> bool:
    """Whether the reader has decided since, and so has seen it; a digest is sent anyway."""
    return group.kind != DIGEST and all(row.stale for row in found)


def forget_told(connection: Connection, emails: Iterable[PendingEmail]) -> None:
    """Delete news that these e-mails of decisions contain too, unless it is being sent."""
    news, notification = schema.news.c, schema.notification.c
    for pending in emails:
        older = select(notification.id).where(
            notification.game == pending.game, notification.log_index <= pending.head
        )
        own = (news.game == pending.game) & (news.seat == pending.seat) & news.email.is_(None)
        connection.execute(delete(schema.news).where(own, news.notification.in_(older)))


# Sends news of awards and dice, at once or as a daily digest.


class NewsQueue(EmailQueue[NewsEmail]):
    """The e-mails of news; `channels` are those of this server."""

    channel = Channel.NEWS
    rows = WaitingRows(schema.news)
    most_read = EmailQueue.batch

    def __init__(
        self,
        delivery: Delivery,
        channels: Container[Channel],
        *,
        delay: int = 60,
        clock: Clock = now,
    ) -> None:
        super().__init__(delivery, clock)
        self._channels = channels
        self._delay = delay * 1000

    async def prepare(self) -> bool:
        """Spread what has happened to its readers: the transaction of a move has no time for it."""

        def read(connection: Connection) -> tuple[int, list[int]]:
            return self.clock(connection), unspread(connection)

        at, events = await asyncio.to_thread(self.store.read, read)
        if events:
            webhooks = Channel.WEBHOOK in self._channels
            job = partial(spread, events=events, at=at, delay=self._delay, webhooks=webhooks)
            await asyncio.wrap_future(self.store.write(job))
        # Not for a few: on a busy server there are always new ones, and no news would be sent.
        return len(events) == SPREAD_BATCH

    def due(self, connection: Connection, at: int) -> Sequence[NewsEmail | Unreadable]:
        """The e-mails whose news is due."""
        return due_news(connection, at, self.most_read)

    def is_needed(self, message: NewsEmail) -> bool:
        """Whether a seat wants the news: who is out of the game, only the digest they chose."""
        pending = message.pending
        if not pending.wanted or takes_part(pending) or wants_digest(pending):
            return pending.wanted
        return pending.seat in self.delivery.snapshot(pending).voters

    def plan(self, message: NewsEmail, at: int) -> Plan[WrittenEmail]:
        """The e-mail, unless the preferences are newer than the news and it is quiet hours now."""
        pending = message.pending
        quiet_until = pending.preferences.quiet_end(at)
        if quiet_until is not None:
            return Wait(quiet_until)
        return Send(self.delivery.write(pending, self.delivery.snapshot(pending), at))

    def taken(
        self,
        connection: Connection,
        messages: Sequence[tuple[NewsEmail, Plan[WrittenEmail]]],
        at: int,
    ) -> None:
        """Record what answers will need, and which rows stay together if they are tried again."""
        news = schema.news
        for message, plan in messages:
            if isinstance(plan, Send):
                plan.parcel.record(connection)
                together = update(news).where(news.c.id.in_(message.rows))
                connection.execute(together.values(email=message.rows[0]))

    def maybe_claimed(self, at: int) -> ColumnElement[bool]:
        """Rows of an e-mail that was tried: the others wait for their hour."""
        return schema.news.c.email.is_not(None)

    def log_fields(self, message: NewsEmail) -> Mapping[str, object]:
        """The news, its game and its kind."""
        return fields_of(message.pending)
