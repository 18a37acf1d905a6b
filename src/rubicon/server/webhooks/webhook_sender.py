"""Sends the queue of messages to webhooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import httpx
from sqlalchemy import Connection

from rubicon.server.mail.messages import HOUR, EmailIdentity
from rubicon.server.push.endpoints import Resolver, public_address
from rubicon.server.push.queue_sender import QueuedPost, QueueSender
from rubicon.server.webhooks.content import content_of, headers_of
from rubicon.server.webhooks.registry import forget_webhooks
from rubicon.server.webhooks.webhook_outbox import (
    WebhookMessage,
    claim_messages,
    due_messages,
    finish_messages,
    retry_messages,
)
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.database import Store


class WebhookSender(QueueSender[WebhookMessage]):
    """Delivers the queue of messages to webhooks."""

    subject = "webhook"
    batch = 100
    max_delay = 4 * HOUR

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Callable[[Connection], int] = now,
    ) -> None:
        super().__init__(store, transport=transport, resolve=resolve, clock=clock)
        self._identity = identity

    def due(self, connection: Connection, at: int) -> list[WebhookMessage]:
        """The messages that are due at a time, made of at most `batch` rows."""
        return due_messages(connection, at, self.batch)

    def claim(
        self, connection: Connection, found: Sequence[WebhookMessage], at: int
    ) -> list[WebhookMessage]:
        """Claim messages; those that no other server has claimed."""
        return claim_messages(connection, found, at)

    def finish(self, connection: Connection, message: WebhookMessage) -> None:
        """Delete a message that was delivered, or that nobody needs any more."""
        finish_messages(connection, message.rows)

    def retry(self, connection: Connection, message: WebhookMessage, due: int) -> None:
        """Send a message again at a time."""
        retry_messages(connection, message.rows, due)

    def forget(self, connection: Connection, message: WebhookMessage) -> None:
        """Delete a webhook, with all of its messages."""
        forget_webhooks(connection, schema.webhook.c.id == message.webhook)

    def log_fields(self, message: WebhookMessage) -> Mapping[str, object]:
        """The game and the number of the webhook."""
        return {"game": message.game, "webhook": message.webhook}

    def rows(self, message: WebhookMessage) -> int:
        """How many rows of the queue a message is made of."""
        return len(message.rows)

    def post(self, message: WebhookMessage, at: int) -> QueuedPost:
        """The message with its signature."""
        content = content_of(message, self._identity.url)
        return QueuedPost(message.url, content, headers_of(message, content, at))
