"""The queue of messages to webhooks: made when an e-mail would be claimed, deleted when delivered.

What a seat is asked is one message. The events of a game that are due together are one message:
the rolls of one attack. A server claims rows by moving their `due` before it sends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, literal, select, update

from rubicon.server.mail.outbox import ANSWERED
from rubicon.server.webhooks.registry import WebhookForm
from rubicon.table.game.mail_policy import EVENTS
from rubicon.table.storage import schema

CLAIM_DURATION = 5 * 60_000  # milliseconds during which no other server sends a claimed message
EVENTS_DELAY = 60_000  # milliseconds in which events are collected for one message
# Events that all see alike. What a seat alone sees, such as its own new card, goes nowhere: a
# webhook may lead to a channel that other players read.
TOLD = frozenset({"rolled", "captured", "eliminated", "awarded", "received", "traded", "won"})
MAX_EVENTS = 100  # in one message


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookMessage:
    """A message that is due, and where it goes; `rows` are the ids of its rows in the queue."""

    rows: tuple[int, ...]
    webhook: int
    url: str
    form: WebhookForm
    secret: str
    at: int  # of the notification, in milliseconds since 1970
    game: str
    title: str
    seat: str
    kind: str
    body: Mapping[str, Any]
    events: tuple[str, ...]
    stale: bool  # the seat has decided since

    @property
    def id(self) -> str:
        """The same for every attempt with the same rows, so that a repeat is recognised."""
        return f"message-{self.rows[0]}-{self.rows[-1]}"


def queue_notifications(connection: Connection, notifications: Sequence[int], at: int) -> None:
    """Queue each notification for the webhooks of its account, inside an open transaction."""
    if not notifications:
        return
    notification, seat, hook = schema.notification.c, schema.seat.c, schema.webhook.c
    sits = (seat.game == notification.game) & (seat.colour == notification.seat)
    wanted = (
        select(notification.id, hook.id, seat.colour, literal(at))
        .join(schema.seat, sits)
        .join(schema.webhook, hook.account == seat.account)
        .where(notification.id.in_(notifications))
    )
    names = ["notification", "webhook", "seat", "due"]
    connection.execute(insert(schema.webhook_message).from_select(names, wanted))
    queued = update(schema.notification).where(notification.id.in_(notifications))
    connection.execute(queued.values(pushed=at))


def queue_events(connection: Connection, notification: int, game: str, at: int) -> None:
    """Queue events that all know for the webhooks of a game's players."""
    seat, hook = schema.seat.c, schema.webhook.c
    wanted = (
        select(literal(notification), hook.id, seat.colour, literal(at + EVENTS_DELAY))
        .join(schema.seat, hook.account == seat.account)
        .where(seat.game == game)
    )
    names = ["notification", "webhook", "seat", "due"]
    connection.execute(insert(schema.webhook_message).from_select(names, wanted))


def due_messages(connection: Connection, at: int, most: int) -> list[WebhookMessage]:
    """The messages that are due at a time, made of at most `most` rows."""
    message, hook, notification, game = (
        table.c
        for table in (schema.webhook_message, schema.webhook, schema.notification, schema.game)
    )
    wanted = (
        select(message.id, message.webhook, message.seat, hook.url, hook.form, hook.secret)
        .add_columns(
            notification.at, notification.game, notification.kind, notification.body, game.title
        )
        .add_columns(ANSWERED.label("stale"))
        .select_from(schema.webhook_message)
        .join(schema.webhook, hook.id == message.webhook)
        .join(schema.notification, notification.id == message.notification)
        .join(schema.game, game.id == notification.game)
        .where(message.due <= at)
        .order_by(message.id)
        .limit(most)
    )
    groups: dict[object, list[Any]] = {}
    for row in connection.execute(wanted).all():
        alone = row.kind != EVENTS
        groups.setdefault((row.webhook, row.game, row.id if alone else EVENTS), []).append(row)
    return [_message(rows) for rows in groups.values()]


def _message(rows: Sequence[Any]) -> WebhookMessage:
    first = rows[0]
    told = first.kind == EVENTS
    return WebhookMessage(
        rows=tuple(row.id for row in rows),
        webhook=first.webhook,
        url=first.url,
        form=WebhookForm(first.form),
        secret=first.secret,
        at=max(row.at for row in rows),
        game=first.game,
        title=first.title,
        seat=first.seat,
        kind=first.kind,
        body={} if told else json.loads(first.body),
        events=tuple(_texts(rows))[-MAX_EVENTS:] if told else (),
        stale=bool(first.stale) and not told,
    )


def _texts(rows: Iterable[Any]) -> Iterable[str]:
    for row in rows:
        for fact in json.loads(row.body):
            if fact.get("event") in TOLD:
                yield fact["text"]


def claim_messages(
    connection: Connection, found: Sequence[WebhookMessage], at: int
) -> list[WebhookMessage]:
    """Claim messages; those that no other server has claimed."""
    message = schema.webhook_message.c
    ids = [row for each in found for row in each.rows]
    wanted = select(message.id).where(message.id.in_(ids), message.due <= at).order_by(message.id)
    free = set(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())
    own = [each for each in found if free.issuperset(each.rows)]
    retry_messages(connection, [row for each in own for row in each.rows], at + CLAIM_DURATION)
    return own


def finish_messages(connection: Connection, rows: Sequence[int]) -> None:
    """Delete messages that were delivered, or that nobody needs any more."""
    message = schema.webhook_message
    connection.execute(delete(message).where(message.c.id.in_(rows)))


def retry_messages(connection: Connection, rows: Sequence[int], due: int) -> None:
    """Send messages again at a time."""
    change = update(schema.webhook_message).where(schema.webhook_message.c.id.in_(rows))
    connection.execute(change.values(due=due))
