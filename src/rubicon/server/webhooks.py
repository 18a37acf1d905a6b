"""Webhooks of accounts: what they are sent, its signature, and their queue."""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal, select

from rubicon.rules.events import Awarded, Captured, Eliminated, Event, Received, Rolled, Traded, Won
from rubicon.rules.record import board_of
from rubicon.server.emails import one_line
from rubicon.server.outbox import Channel, Send, WaitingRows
from rubicon.server.posts import PostQueue, QueuedPost, host_or_fault
from rubicon.server.unreadable import Unreadable, read_message
from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.notices import EVENTS, Notice, read_facts, read_notice, shown_of
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

# The webhooks of accounts: none until the person adds one.

MAX_WEBHOOKS = 5  # of one account
MAX_LABEL = 40  # characters
KEY_PREFIX = "whsec_"  # of a secret in text, as in the Standard Webhooks specification


class WebhookForm(StrEnum):
    """What a webhook is sent: an object for programs, or a message for a Discord channel."""

    JSON = "json"
    DISCORD = "discord"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhook:
    """A webhook as a person names it."""

    url: str
    form: WebhookForm = WebhookForm.JSON
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWebhook:
    """A webhook without its secret and without its address, which may be a secret too.

    `created` in milliseconds since 1970.
    """

    id: int
    host: str
    form: WebhookForm
    label: str
    created: int


def add_webhook(connection: Connection, account: str, wanted: NewWebhook) -> tuple[int, str]:
    """Send the account's notifications to a URL from now on; its number and its secret.

    TableError `webhook/url`, `webhook/label` or `webhook/too-many`.
    """
    _, fault = host_or_fault(wanted.url)
    if fault:
        message = f"This URL cannot be used: {fault}."
        raise TableError("webhook/url", message, "Write it as https://example.org/path.")
    label = wanted.label.strip()
    if len(label) > MAX_LABEL or not label.isprintable():
        message = f"A webhook's label has at most {MAX_LABEL} printable characters."
        raise TableError("webhook/label", message, "Send a shorter one.")
    columns = schema.webhook.c
    row = select(schema.account.c.id).where(schema.account.c.id == account)
    connection.execute(row.with_for_update())  # serialises requests of one account
    counted = select(func.count()).where(columns.account == account)
    if connection.execute(counted).scalar_one() >= MAX_WEBHOOKS:
        message = f"An account can have at most {MAX_WEBHOOKS} webhooks."
        raise TableError("webhook/too-many", message, "Remove one that is not used.")
    secret = KEY_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
    values: dict[str, object] = {"account": account, "url": wanted.url, "form": wanted.form.value}
    values |= {"secret": secret, "label": label, "created": now(connection)}
    stored = connection.execute(insert(schema.webhook).values(**values)).inserted_primary_key
    assert stored is not None
    return int(stored[0]), secret


def webhooks_of(connection: Connection, account: str) -> list[KnownWebhook]:
    """The webhooks of an account, the oldest first."""
    columns = schema.webhook.c
    wanted = select(schema.webhook).where(columns.account == account).order_by(columns.id)
    return [
        KnownWebhook(
            id=row.id,
            host=host_or_fault(row.url)[0],
            form=WebhookForm(row.form),
            label=row.label,
            created=row.created,
        )
        for row in connection.execute(wanted)
    ]


def remove_webhook(connection: Connection, account: str, webhook: int) -> None:
    """Send nothing more to a webhook; TableError `webhook/unknown` if the account has no such."""
    columns = schema.webhook.c
    if not forget_webhooks(connection, (columns.account == account) & (columns.id == webhook)):
        message = f"You have no webhook with the number {webhook}."
        raise TableNotFound("webhook/unknown", message, "GET /api/v1/me/webhooks lists yours.")


def forget_webhooks(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """Delete webhooks and what waits for them; their ids."""
    columns = schema.webhook.c
    found = connection.execute(select(columns.id).where(which)).scalars().all()
    if found:
        waiting = schema.webhook_message.c.webhook.in_(found)
        connection.execute(delete(schema.webhook_message).where(waiting))
        connection.execute(delete(schema.webhook).where(columns.id.in_(found)))
    return found


# The queue of messages to webhooks. What a seat is asked is one message; the events of a game that
# are due together are one message too: the rolls of one attack.

EVENTS_DELAY = 60_000  # milliseconds in which events are collected for one message
# Events that all see alike. What a seat alone sees, such as its own new card, goes nowhere: a
# webhook may lead to a channel that other players read.
TOLD = Rolled | Captured | Eliminated | Awarded | Received | Traded | Won
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
    notice: Notice | None  # None where it tells of events
    events: tuple[Event, ...]
    ruleset: str  # of the game, as its headers in JSON
    stale: bool  # the seat has decided since

    @property
    def id(self) -> str:
        """The same for every attempt with the same rows, so that a repeat is recognised."""
        return f"message-{self.rows[0]}-{self.rows[-1]}"


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


def _ids(rows: Sequence[Any]) -> tuple[int, ...]:
    return tuple(row.id for row in rows)


def _last(rows: Sequence[Any]) -> int:
    """When the last of their notifications was made."""
    return max(int(row.at) for row in rows)


def _fields(message: Any) -> dict[str, object]:
    """What the log says of a message or of one of its rows."""
    return {"game": message.game, "webhook": message.webhook}


def _message(rows: Sequence[Any]) -> WebhookMessage:
    first = rows[0]
    told = first.kind == EVENTS
    return WebhookMessage(
        rows=_ids(rows),
        webhook=first.webhook,
        url=first.url,
        form=WebhookForm(first.form),
        secret=first.secret,
        at=_last(rows),
        game=first.game,
        title=first.title,
        seat=first.seat,
        kind=first.kind,
        notice=None if told else read_notice(first.kind, first.body),
        events=tuple(_events(rows))[-MAX_EVENTS:] if told else (),
        ruleset=first.ruleset,
        stale=bool(first.stale) and not told,
    )


def _events(rows: Iterable[Any]) -> Iterable[Event]:
    for row in rows:
        yield from (fact for fact in read_facts(row.body) if isinstance(fact, TOLD))


# What a webhook is sent, and its signature.

SHOWN = ("decision", "due", "result", "reason")  # of the notice, where it has them
MAX_DISCORD = 2000  # characters of one message
SENTENCES = {
    "decision": "it is {seat}'s turn",
    "opening": "{seat} is to open the placement",
    "deadline": "{seat}'s time is running out",
    "over": "the game is over",
    "stopped": "the game has stopped: lines of its dice are lost",
    "bounced": "e-mails to a player come back",
}


def content_of(message: WebhookMessage, url: str) -> bytes:
    """The body of the request, as JSON; `url` is the server's."""
    link = f"{url}/games/{message.game}"
    if message.form is WebhookForm.DISCORD:
        # No one is mentioned, whatever the title of the table says.
        silent: dict[str, object] = {"parse": []}
        told = {"content": _sentence(message, link), "allowed_mentions": silent}
        return json.dumps(told, ensure_ascii=False).encode()
    shown = shown_of(message.notice, SHOWN)
    data: dict[str, object] = {
        "game": message.game,
        "title": message.title,
        "seat": message.seat,
        "url": link,
    }
    if message.events:
        data |= {"events": [str(event) for event in message.events]}
    moment = datetime.fromtimestamp(message.at / 1000, UTC).isoformat(timespec="milliseconds")
    body = {"type": message.kind, "timestamp": moment, "data": data | shown}
    return json.dumps(body, ensure_ascii=False).encode()


def headers_of(message: WebhookMessage, content: bytes, at: int) -> dict[str, str]:
    """The headers of the Standard Webhooks specification; `at` in ms since 1970.

    The signature is the HMAC-SHA256 of `id.timestamp.content`, so that a request can be neither
    forged, nor changed, nor repeated later.
    """
    seconds = str(at // 1000)
    key = base64.b64decode(message.secret.removeprefix(KEY_PREFIX))
    signed = b".".join((message.id.encode(), seconds.encode(), content))
    signature = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rubicon",
        "webhook-id": message.id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{signature}",
    }


def _sentence(message: WebhookMessage, link: str) -> str:
    title = one_line(message.title)
    if message.events:
        head, tail = f"**{title}**\n", f"\n<{link}>"
        board = board_of(json.loads(message.ruleset)).territories
        teller = Storyteller(Names(places={place.id: place.name for place in board}))
        lines = "\n".join(map(teller.sentence, message.events))
        room = MAX_DISCORD - len(head) - len(tail)
        return head + (lines if len(lines) <= room else "…" + lines[1 - room :]) + tail
    sentence = SENTENCES.get(message.kind, "there is news").format(seat=message.seat)
    return f"**{title}**: {sentence}. <{link}>"


# Sends the messages to webhooks.


class WebhookQueue(PostQueue[WebhookMessage]):
    """The messages to webhooks of a server."""

    channel = Channel.WEBHOOK
    subject = "webhook"
    failed = "webhook not delivered"
    rows = WaitingRows(schema.webhook_message)
    receivers, receiver = schema.webhook, "webhook"
    batch = most_read = 100

    def due(self, connection: Connection, at: int) -> Sequence[WebhookMessage | Unreadable]:
        """The messages that are due, made of at most `most_read` rows."""
        hook, seat = schema.webhook.c, schema.webhook_message.c.seat
        groups: dict[object, list[Any]] = {}
        for row in self.due_rows(
            connection, at, seat, hook.url, hook.form, hook.secret, schema.game.c.ruleset
        ):
            alone = row.kind != EVENTS
            key = (row.webhook, row.game, row.id if alone else EVENTS)
            groups.setdefault(key, []).append(row)
        return [
            read_message(_ids(rows), _last(rows), _fields(rows[0]), partial(_message, rows))
            for rows in groups.values()
        ]

    def forget(self, connection: Connection, message: WebhookMessage) -> None:
        """Delete a webhook, with all of its messages."""
        forget_webhooks(connection, schema.webhook.c.id == message.webhook)

    def maybe_claimed(self, at: int) -> ColumnElement[bool]:
        """Rows that wait for longer than the time in which events are collected."""
        return schema.webhook_message.c.due > at + EVENTS_DELAY

    def log_fields(self, message: WebhookMessage) -> Mapping[str, object]:
        """The game and the number of the webhook."""
        return _fields(message)

    def plan(self, message: WebhookMessage, at: int) -> Send[QueuedPost]:
        """The message with its signature."""
        content = content_of(message, self._identity.url)
        return Send(QueuedPost(message.url, content, headers_of(message, content, at)))
