"""Sends the queue of messages to webhooks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

import httpx
from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.mail.messages import DAY, HOUR, MINUTE, EmailIdentity
from rubicon.server.push.checked_post import checked_client, checked_post
from rubicon.server.push.endpoints import ForbiddenEndpointError, Resolver, public_address
from rubicon.server.push.push_sender import CONNECTIONS, SEND_TIMEOUT, PushResult, result_of
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

BATCH = 100  # rows in one sweep
MAX_RETRY_DELAY = 4 * HOUR
log = logging.getLogger(__name__)


class WebhookSender:
    """Delivers the queue; `sweep` is called again and again.

    `resolve` gives the checked address of a host; tests name their own service by it.
    """

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Callable[[Connection], int] = now,
    ) -> None:
        self._store = store
        self._identity = identity
        self._transport = transport
        self._resolve = resolve
        self._clock = clock

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""

        def read(connection: Connection) -> tuple[int, list[WebhookMessage]]:
            at = self._clock(connection)
            return at, due_messages(connection, at, BATCH)

        at, found = await asyncio.to_thread(self._store.read, read)
        if not found:
            return False
        claim = partial(claim_messages, found=found, at=at)
        own = await asyncio.wrap_future(self._store.write(claim))
        slots = asyncio.Semaphore(CONNECTIONS)
        async with checked_client(self._transport) as http:
            await asyncio.gather(*(self._deliver(http, slots, at, each) for each in own))
        return sum(len(each.rows) for each in found) == BATCH

    async def _deliver(
        self, http: httpx.AsyncClient, slots: asyncio.Semaphore, at: int, message: WebhookMessage
    ) -> None:
        result = PushResult(final=True)
        if not message.stale:
            async with slots:
                result = await self._send(http, message, at)
        if result.reason:  # the URL may be a secret
            fields = {"webhook": message.webhook, "reason": result.reason, "final": result.final}
            log.warning("webhook not delivered", extra={"game": message.game, **fields})

        def record(connection: Connection) -> None:
            if result.gone:
                forget_webhooks(connection, schema.webhook.c.id == message.webhook)
            elif result.delivered or result.final or at - message.at >= DAY:
                finish_messages(connection, message.rows)
            else:
                delay = max(MINUTE, min(at - message.at, MAX_RETRY_DELAY))
                retry_messages(connection, message.rows, at + delay)

        try:
            await asyncio.wrap_future(self._store.write(record))
        except RubiconError as failure:
            log.warning("webhook result not stored", exc_info=failure)

    async def _send(self, http: httpx.AsyncClient, message: WebhookMessage, at: int) -> PushResult:
        content = content_of(message, self._identity.url)
        headers = headers_of(message, content, at)
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                response = await checked_post(http, self._resolve, message.url, content, headers)
        except ForbiddenEndpointError:
            return PushResult(gone=True, reason="the host has no public address")
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            return PushResult(reason=type(error).__name__)
        return result_of(response.status_code)
