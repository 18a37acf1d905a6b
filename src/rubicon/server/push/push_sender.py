"""Sends push messages to the push services of browsers (RFC 8030)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

import httpx
from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.mail.messages import DAY, MINUTE, EmailIdentity
from rubicon.server.push.checked_post import checked_client, checked_post
from rubicon.server.push.encryption import encrypt, from_base64
from rubicon.server.push.endpoints import ForbiddenEndpointError, Resolver, public_address
from rubicon.server.push.push_outbox import (
    PushMessage,
    claim_messages,
    due_messages,
    finish_message,
    retry_message,
)
from rubicon.server.push.subscriptions import forget_devices
from rubicon.server.push.vapid import ServerKey
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.database import Store

BATCH = 20  # messages in one sweep
CONNECTIONS = 4  # to push services at the same time
SEND_TIMEOUT = 30.0  # seconds for one message as a whole
TTL = DAY // 1000  # seconds that a push service keeps a message for a device that is off
SHOWN = ("decision", "result")  # of the notification's body
MAX_TITLE = 60  # characters
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PushResult:
    """What became of a message: delivered, refused for good, or to be tried again."""

    delivered: bool = False
    gone: bool = False  # the device has no subscription any more
    final: bool = False
    reason: str = ""


class PushSender:
    """Delivers the queue of push messages; `sweep` is called again and again.

    `resolve` gives the checked address of a host; tests name their own service by it.
    """

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
        self._store = store
        self._key = key
        self._identity = identity
        self._transport = transport
        self._resolve = resolve
        self._clock = clock

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""

        def read(connection: Connection) -> tuple[int, list[PushMessage]]:
            at = self._clock(connection)
            return at, due_messages(connection, at, BATCH)

        at, found = await asyncio.to_thread(self._store.read, read)
        if not found:
            return False
        claim = partial(claim_messages, found=found, at=at)
        own = await asyncio.wrap_future(self._store.write(claim))
        slots = asyncio.Semaphore(CONNECTIONS)
        async with checked_client(self._transport) as http:
            deliver = partial(self._deliver, http, slots, at)
            await asyncio.gather(*(deliver(each) for each in found if each.id in own))
        return len(found) == BATCH

    async def _deliver(
        self, http: httpx.AsyncClient, slots: asyncio.Semaphore, at: int, message: PushMessage
    ) -> None:
        result = PushResult(final=True)
        if not message.stale:
            async with slots:
                result = await self._send(http, message)
        if result.reason:
            fields = {"kind": message.kind, "reason": result.reason, "final": result.final}
            log.warning("push message not delivered", extra={"game": message.game, **fields})

        def record(connection: Connection) -> None:
            if result.gone:
                own = schema.push_subscription.c.id == message.subscription
                forget_devices(connection, own)
            elif result.delivered or result.final or at - message.at >= DAY:
                finish_message(connection, message.id)
            else:
                retry_message(connection, message.id, at + max(MINUTE, at - message.at))

        try:
            await asyncio.wrap_future(self._store.write(record))
        except RubiconError as failure:
            log.warning("push result not stored", exc_info=failure)

    async def _send(self, http: httpx.AsyncClient, message: PushMessage) -> PushResult:
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                return await self._request(http, message)
        except ForbiddenEndpointError:
            return PushResult(gone=True, reason="the push service has no public address")
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            return PushResult(reason=type(error).__name__)

    async def _request(self, http: httpx.AsyncClient, message: PushMessage) -> PushResult:
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
        response = await checked_post(http, self._resolve, message.endpoint, body, headers)
        return result_of(response.status_code)

    def content(self, message: PushMessage) -> dict[str, object]:
        """What the device gets, as JSON: the kind, the game, its title and its address."""
        shown = {
            name: message.body[name] for name in ("decision", "result") if name in message.body
        }
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


def result_of(status: int) -> PushResult:
    """What the status of a push service's answer means."""
    if status in GONE:
        return PushResult(gone=True, reason=str(status))
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return PushResult(delivered=True)
    temporary = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return PushResult(final=not temporary, reason=str(status))
