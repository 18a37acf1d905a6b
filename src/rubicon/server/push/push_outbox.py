"""The queue of push messages: made when an e-mail would be claimed, deleted when delivered.

A notification gets its messages in the transaction in which the mailer claims it, one for each
device, so that it gets them once. A server claims a message by moving its `due` before it sends;
one that dies in between leaves the message to another, after CLAIM_DURATION.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, literal, select, update

from rubicon.server.mail.outbox import ANSWERED
from rubicon.table.storage import schema

CLAIM_DURATION = 5 * 60_000  # milliseconds during which no other server sends a claimed message


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """A message that is due, and the device it goes to."""

    id: int
    subscription: int
    endpoint: str
    p256dh: str
    auth: str
    due: int
    at: int  # of the notification, in milliseconds since 1970
    game: str
    title: str
    kind: str
    body: Mapping[str, Any]
    stale: bool  # the seat has decided since


def queue_messages(connection: Connection, notifications: Sequence[int], at: int) -> None:
    """Queue each notification for the devices of its account, inside an open transaction."""
    if not notifications:
        return
    notification, seat, device = (
        table.c for table in (schema.notification, schema.seat, schema.push_subscription)
    )
    sits = (seat.game == notification.game) & (seat.colour == notification.seat)
    wanted = (
        select(notification.id, device.id, literal(at))
        .join(schema.seat, sits)
        .join(schema.push_subscription, device.account == seat.account)
        .where(notification.id.in_(notifications))
    )
    names = ["notification", "subscription", "due"]
    connection.execute(insert(schema.push_message).from_select(names, wanted))
    queued = update(schema.notification).where(notification.id.in_(notifications))
    connection.execute(queued.values(pushed=at))


def due_messages(connection: Connection, at: int, most: int) -> list[PushMessage]:
    """The messages that are due at a time, the oldest first."""
    message, device, notification, game = (
        table.c
        for table in (
            schema.push_message,
            schema.push_subscription,
            schema.notification,
            schema.game,
        )
    )
    wanted = (
        select(message.id, message.due, message.subscription)
        .add_columns(device.endpoint, device.p256dh, device.auth)
        .add_columns(
            notification.at, notification.game, notification.kind, notification.body, game.title
        )
        .add_columns(ANSWERED.label("stale"))
        .select_from(schema.push_message)
        .join(schema.push_subscription, device.id == message.subscription)
        .join(schema.notification, notification.id == message.notification)
        .join(schema.game, game.id == notification.game)
        .where(message.due <= at)
        .order_by(message.due, message.id)
        .limit(most)
    )
    return [_message(row._mapping) for row in connection.execute(wanted)]


def claim_messages(connection: Connection, found: Sequence[PushMessage], at: int) -> set[int]:
    """Claim messages that no other server has claimed; their ids."""
    message = schema.push_message.c
    seen = {each.id: each.due for each in found}
    wanted = select(message.id, message.due).where(message.id.in_(seen)).order_by(message.id)
    rows = connection.execute(wanted.with_for_update(skip_locked=True))
    claimed = {row.id for row in rows if row.due == seen[row.id]}
    change = update(schema.push_message).where(message.id.in_(claimed))
    connection.execute(change.values(due=at + CLAIM_DURATION))
    return claimed


def finish_message(connection: Connection, message: int) -> None:
    """Delete a message that was delivered, or that nobody needs any more."""
    connection.execute(delete(schema.push_message).where(schema.push_message.c.id == message))


def retry_message(connection: Connection, message: int, due: int) -> None:
    """Send a message again at a time."""
    change = update(schema.push_message).where(schema.push_message.c.id == message)
    connection.execute(change.values(due=due))


def _message(row: Mapping[Any, Any]) -> PushMessage:
    values = {str(name): value for name, value in row.items()}
    return PushMessage(**values | {"body": json.loads(row["body"]), "stale": bool(row["stale"])})
