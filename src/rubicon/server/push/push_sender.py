"""Sends push messages to the push services of browsers (RFC 8030)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import httpx
from sqlalchemy import Connection

from rubicon.server.mail.messages import DAY, EmailIdentity
from rubicon.server.push.encryption import encrypt, from_base64
from rubicon.server.push.endpoints import Resolver, public_address
from rubicon.server.push.push_outbox import (
    PushMessage,
    claim_messages,
    due_messages,
    finish_message,
    retry_message,
)
from rubicon.server.push.queue_sender import QueuedPost, QueueSender
from rubicon.server.push.subscriptions import forget_devices
from rubicon.server.push.vapid import ServerKey
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.database import Store

TTL = DAY // 1000  # seconds that a push service keeps a message for a device that is off
SHOWN = ("decision", "result")  # of the notification's body
MAX_TITLE = 60  # characters


class PushSender(QueueSender[PushMessage]):
    """Delivers the queue of push messages."""

    subject = "push message"
    batch = 20

    def __init__(
        self,
        store: Store,
        key: ServerKey,
        identity: EmailIdentity,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Callable[[Connection], int] = now,
    ) -> None:
        super().__init__(store, transport=transport, resolve=resolve, clock=clock)
        self._key = key
        self._identity = identity

    def due(self, connection: Connection, at: int) -> list[PushMessage]:
        """The messages that are due at a time, the oldest first."""
        return due_messages(connection, at, self.batch)

    def claim(
        self, connection: Connection, found: Sequence[PushMessage], at: int
    ) -> list[PushMessage]:
        """Claim messages; those that no other server has claimed."""
        claimed = claim_messages(connection, found, at)
        return [each for each in found if each.id in claimed]

    def finish(self, connection: Connection, message: PushMessage) -> None:
        """Delete a message that was delivered, or that nobody needs any more."""
        finish_message(connection, message.id)

    def retry(self, connection: Connection, message: PushMessage, due: int) -> None:
        """Send a message again at a time."""
        retry_message(connection, message.id, due)

    def forget(self, connection: Connection, message: PushMessage) -> None:
        """Delete the subscription of a device, with all of its messages."""
        forget_devices(connection, schema.push_subscription.c.id == message.subscription)

    def log_fields(self, message: PushMessage) -> Mapping[str, object]:
        """The game and the kind of the message."""
        return {"game": message.game, "kind": message.kind}

    def post(self, message: PushMessage, at: int) -> QueuedPost:
        """The encrypted message (RFC 8291), signed by the server's key (RFC 8292)."""
        body = encrypt(
            json.dumps(self.content(message)).encode(),
            from_base64(message.p256dh),
            from_base64(message.auth),
        )
        headers = {
            "Authorization": self._key.authorization(message.endpoint, self._contact),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL),
            "Topic": message.game,  # a newer message of the same game replaces one that waits
            "Urgency": "high" if message.kind == "deadline" else "normal",
        }
        return QueuedPost(message.endpoint, body, headers)

    def content(self, message: PushMessage) -> dict[str, object]:
        """What the device gets, as JSON: the kind, the game, its title and its address."""
        shown = {name: message.body[name] for name in SHOWN if name in message.body}
        return {
            "kind": message.kind,
            "game": message.game,
            "title": message.title[:MAX_TITLE],
            "url": f"{self._identity.url}/games/{message.game}",
            "at": message.at,
            **shown,
        }

    @property
    def _contact(self) -> str:
        """How the operators of a push service reach ours (RFC 8292, section 2.1)."""
        return f"mailto:{self._identity.sender.addr_spec}"
