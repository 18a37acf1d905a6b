"""News of awards and dice for those who need not act: who gets it, when, and what it says."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from rubicon.errors import RubiconError
from rubicon.server.delivery import CLAIM_DURATION, CONNECTIONS, Delivery, fields_of
from rubicon.server.emails import DAY, HOUR, MINUTE, WrittenEmail
from rubicon.server.notifications import (
    ANSWERED,
    HAS_EMAIL,
    NewsWay,
    NotificationPreferences,
    PendingEmail,
)
from rubicon.server.webhooks import queue_events
from rubicon.table.game.hosted_game import NO_SEAT, present_after
from rubicon.table.notices import EMAIL_PENDING, EVENTS, EVERYONE
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import ANSWERS, LineKind, LogLine

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
# e-mail. A server claims rows by moving their `due`, and deletes them when the e-mail is sent. An
# e-mail that is tried again has the same rows, so that its Message-ID always stands for the same
# text.

AWARD, DICE, DIGEST = "award", "dice", "digest"
SPREAD_BATCH = 100  # notifications in one transaction
_AWARDS = frozenset({"awarded", "received"})
Facts = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class NewsEmail:
    """News for one e-mail: the ids of its rows, and what the writer is given."""

    rows: tuple[int, ...]
    pending: PendingEmail


def has_unspread(connection: Connection) -> bool:
    """Whether there are events that no reader has a row of yet."""
    notification = schema.notification.c
    wanted = select(notification.id).where(schema.WAITING, notification.kind == EVENTS)
    return connection.execute(wanted.limit(1)).first() is not None


def spread(connection: Connection, delay: int, *, webhooks: bool) -> int:
    """Make the rows of new events for their readers; how many events there were.

    News that is told at once is due `delay` milliseconds after it happened, so that the rolls of
    one attack become one e-mail.
    """
    notification, game = schema.notification.c, schema.game.c
    wanted = (
        select(schema.notification, game.title)
        .join(schema.game, game.id == notification.game)
        .where(schema.WAITING, notification.kind == EVENTS, notification.sent == EMAIL_PENDING)
        .order_by(notification.id)
        .limit(SPREAD_BATCH)
        .with_for_update(skip_locked=True, of=schema.notification)
    )
    events = connection.execute(wanted).all()
    for event in events if webhooks else ():
        if event.seat == EVERYONE:  # what differs from seat to seat may be a secret from others
            queue_events(connection, event.id, event.game, event.at)
    rows = [row for event in events for row in _rows(connection, event, delay)]
    if rows:
        connection.execute(insert(schema.news), rows)
    done = update(schema.notification).where(notification.id.in_([event.id for event in events]))
    connection.execute(done.values(sent=None))
    return len(events)


def _rows(connection: Connection, event: Any, delay: int) -> Iterable[dict[str, Any]]:
    """The rows of one notification of events."""
    facts: Facts = json.loads(event.body)
    names = {str(fact.get("event")) for fact in facts}
    present = present_at(connection, event.game, event.log_index)
    for reader in _readers(connection, event):
        preferences = NotificationPreferences.read(json.loads(reader.settings or "{}"))
        if not preferences.emails:
            continue
        ways = []
        if names & _AWARDS and reader.colour not in _seats_of(facts, _AWARDS, "seat"):
            ways.append((AWARD, preferences.awards))
        if "rolled" in names and (way := _way_of_dice(facts, reader.colour, present, preferences)):
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
    """How a seat is told of rolls: both sides at once (S002-11), unless it was there itself."""
    if seat in _seats_of(facts, {"rolled"}, "attacker", "defender"):
        return None if seat == present else NewsWay.AT_ONCE
    return preferences.dice_of_others


def _seats_of(facts: Facts, events: Container[object], *names: str) -> set[Any]:
    return {fact[name] for fact in facts if fact.get("event") in events for name in names}


def due_news(connection: Connection, at: int, most: int) -> list[NewsEmail]:
    """The e-mails whose news is due, at most `most`.

    Not for a seat that is about to be told of a decision: that e-mail tells everything.
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


def _email(connection: Connection, group: Any, at: int) -> NewsEmail:
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
    return NewsEmail(
        rows=tuple(row.id for row in found), pending=_pending(connection, group, found)
    )


def _pending(connection: Connection, group: Any, found: Sequence[Any]) -> PendingEmail:
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
    row = connection.execute(wanted).one()
    preferences = NotificationPreferences.read(json.loads(row.settings or "{}"))
    events = [fact for each in found for fact in json.loads(each.body)]
    indexes = [each.log_index for each in found]
    owner = row.account == group.account  # else the seat has another owner since
    return PendingEmail(
        id=-found[0].id,
        game=group.game,
        seat=group.seat,
        kind=group.kind,
        body={"events": events, "first_index": min(indexes), "last_index": max(indexes)},
        at=max(each.at for each in found),
        sent=0,
        title=row.title,
        settings=row.table_settings,
        head=row.head,
        account=row.account or "",
        name=row.name,
        address=row.email or "",
        wanted=owner and bool(row.reachable) and preferences.emails and not _seen(found, group),
        push=False,
        log_index=max(indexes),
        preferences=preferences,
    )


def takes_part(pending: PendingEmail) -> bool:
    """Whether news tells a seat of its own dice, or that it is out of the game."""
    facts: Facts = pending.body["events"]
    return pending.seat in _seats_of(facts, {"rolled"}, "attacker", "defender") or is_farewell(
        pending.seat, facts
    )


def is_farewell(seat: str, facts: Facts) -> bool:
    """Whether facts tell that a seat is out of the game."""
    return seat in _seats_of(facts, {"eliminated"}, "seat")


def wants_digest(pending: PendingEmail) -> bool:
    """Whether news is a daily digest that its reader has chosen.

    The digest of dice alone is what everybody gets who has chosen nothing.
    """
    return pending.kind == DIGEST and pending.preferences.awards is NewsWay.DIGEST


def _seen(found: Sequence[Any], group: Any) -> bool:
    """Whether the reader has decided since, and so has seen it; a digest is sent anyway."""
    return group.kind != DIGEST and all(row.stale for row in found)


def claim_news(
    connection: Connection, emails: Sequence[NewsEmail], at: int, until: int
) -> list[NewsEmail]:
    """Keep the rows that are due from other servers until a time; the e-mails that were free."""
    news = schema.news.c
    ids = [row for email in emails for row in email.rows]
    wanted = select(news.id).where(news.id.in_(ids), news.due <= at).order_by(news.id)
    free = set(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())
    own = [email for email in emails if free.issuperset(email.rows)]
    for email in own:
        change = update(schema.news).where(news.id.in_(email.rows))
        connection.execute(change.values(due=until, email=email.rows[0]))
    return own


def finish_news(connection: Connection, rows: Sequence[int]) -> None:
    """Delete rows that were sent, or that nobody needs."""
    connection.execute(delete(schema.news).where(schema.news.c.id.in_(rows)))


def retry_news(connection: Connection, rows: Sequence[int], due: int) -> None:
    """Send the e-mail of these rows again at a time."""
    change = update(schema.news).where(schema.news.c.id.in_(rows))
    connection.execute(change.values(due=due))


def forget_told(connection: Connection, emails: Iterable[PendingEmail]) -> None:
    """Delete news that these e-mails of decisions tell too, unless it is being sent."""
    news, notification = schema.news.c, schema.notification.c
    for pending in emails:
        older = select(notification.id).where(
            notification.game == pending.game, notification.log_index <= pending.head
        )
        own = (news.game == pending.game) & (news.seat == pending.seat) & news.email.is_(None)
        connection.execute(delete(schema.news).where(own, news.notification.in_(older)))


# Sends news of awards and dice, at once or as a daily digest.

SEND_BATCH = 20  # e-mails in one sweep
MAX_RETRY_DELAY = 4 * HOUR
log = logging.getLogger(__name__)


class NewsMailer:
    """Spreads events to their readers, and sends what is due; `sweep` is called again and again.

    `webhooks` tells whether webhooks are sent too.
    """

    def __init__(
        self,
        delivery: Delivery,
        delay: int,
        clock: Callable[[Connection], int],
        *,
        webhooks: Callable[[], bool],
    ) -> None:
        self._webhooks = webhooks
        self._delivery = delivery
        self._delay = delay
        self._clock = clock

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""
        store = self._delivery.table.store

        def read(connection: Connection) -> tuple[bool, int, list[NewsEmail]]:
            at = self._clock(connection)
            return has_unspread(connection), at, due_news(connection, at, SEND_BATCH)

        unspread, at, found = await asyncio.to_thread(store.read, read)
        if unspread:
            job = partial(spread, delay=self._delay, webhooks=self._webhooks())
            await asyncio.wrap_future(store.write(job))
        if not found:
            return unspread
        quiet = {e.rows: end for e in found if (end := e.pending.preferences.quiet_end(at))}
        loud = [email for email in found if email.rows not in quiet]
        written = await asyncio.to_thread(self._write_all, loud, at)

        def claim(connection: Connection) -> list[NewsEmail]:
            for rows, end in quiet.items():  # the preferences may be newer than the news
                retry_news(connection, rows, end)
            own = claim_news(connection, loud, at, at + CLAIM_DURATION)
            for email in own:
                if (message := written.get(email.rows[0])) is not None:
                    message.record(connection)
            needed = [email for email in own if email.rows[0] in written]
            finish_news(connection, [r for e in own if e not in needed for r in e.rows])
            return needed

        own = await asyncio.wrap_future(store.write(claim))
        slots = asyncio.Semaphore(CONNECTIONS)
        sent = (self._send(slots, email, written.get(email.rows[0])) for email in own)
        await asyncio.gather(*sent)
        return unspread or len(found) == SEND_BATCH

    def _write_all(self, found: Sequence[NewsEmail], at: int) -> dict[int, WrittenEmail | None]:
        """The e-mails that are wanted, by their first row; None for one to be tried again."""
        written: dict[int, WrittenEmail | None] = {}
        for email in found:
            pending = email.pending
            if pending.wanted and at - pending.at < 2 * DAY and self._concerns(pending):
                written[email.rows[0]] = self._delivery.write(replace(pending, sent=at), at)
        return written

    def _concerns(self, pending: PendingEmail) -> bool:
        """Whether a seat wants news: who is out of the game, only the digest that they chose."""
        if takes_part(pending) or wants_digest(pending):
            return True
        return not self._delivery.is_out(pending)

    async def _send(
        self, slots: asyncio.Semaphore, email: NewsEmail, written: WrittenEmail | None
    ) -> None:
        pending = email.pending
        error = None
        if written is not None:
            error = await self._delivery.send(slots, pending, written.message)

        def record(connection: Connection) -> None:
            at = self._clock(connection)
            if written is not None and (error is None or error.final):
                finish_news(connection, email.rows)
            else:
                delay = max(MINUTE, min(at - pending.at, MAX_RETRY_DELAY))
                retry_news(connection, email.rows, at + delay)

        try:
            await asyncio.wrap_future(self._delivery.table.store.write(record))
        except RubiconError as failure:
            log.warning("mail result not stored", extra=fields_of(pending), exc_info=failure)
