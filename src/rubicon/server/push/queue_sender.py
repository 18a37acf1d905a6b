"""Delivers the rows of a queue by POST requests: push messages of browsers, and webhooks."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import ClassVar, Generic, Protocol, TypeVar

import httpx
from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.mail.messages import DAY, MINUTE
from rubicon.server.push.checked_post import checked_client, checked_post
from rubicon.server.push.endpoints import ForbiddenEndpointError, Resolver, public_address
from rubicon.table.storage.clock import now
from rubicon.table.storage.database import Store

CONNECTIONS = 4  # to other servers at the same time
SEND_TIMEOUT = 30.0  # seconds for one message as a whole
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
log = logging.getLogger(__name__)


class QueuedMessage(Protocol):
    """What the queues have in common."""

    @property
    def at(self) -> int:
        """The time of the notification, in milliseconds since 1970."""

    @property
    def stale(self) -> bool:
        """Whether nobody needs the message any more."""


MessageT = TypeVar("MessageT", bound=QueuedMessage)


@dataclass(frozen=True, slots=True)
class PostResult:
    """What became of a message: delivered, refused for good, or to be tried again."""

    delivered: bool = False
    gone: bool = False  # nobody listens there any more
    final: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class QueuedPost:
    """One POST request."""

    url: str
    content: bytes
    headers: Mapping[str, str]


class QueueSender(ABC, Generic[MessageT]):
    """Delivers a queue; `sweep` is called again and again.

    A server claims rows by moving their `due` before it sends, so that a row is sent again where
    the server dies in between. `resolve` gives the checked address of a host; tests name their
    own service by it.
    """

    subject: ClassVar[str]  # of the log's messages
    batch: ClassVar[int]  # rows in one sweep
    max_delay: ClassVar[int] = DAY  # milliseconds from one attempt to the next

    def __init__(
        self,
        store: Store,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Callable[[Connection], int] = now,
    ) -> None:
        self._store = store
        self._transport = transport
        self._resolve = resolve
        self._clock = clock

    @abstractmethod
    def due(self, connection: Connection, at: int) -> list[MessageT]:
        """The messages that are due, made of at most `batch` rows."""

    @abstractmethod
    def claim(self, connection: Connection, found: Sequence[MessageT], at: int) -> list[MessageT]:
        """Claim messages; those that no other server has claimed."""

    @abstractmethod
    def post(self, message: MessageT, at: int) -> QueuedPost:
        """The request that delivers a message."""

    @abstractmethod
    def finish(self, connection: Connection, message: MessageT) -> None:
        """Delete a message that was delivered, or that nobody needs any more."""

    @abstractmethod
    def retry(self, connection: Connection, message: MessageT, due: int) -> None:
        """Send a message again at a time."""

    @abstractmethod
    def forget(self, connection: Connection, message: MessageT) -> None:
        """Delete the receiver of a message, with all of its messages."""

    @abstractmethod
    def log_fields(self, message: MessageT) -> Mapping[str, object]:
        """What the log says of a message. It must hold no secret, and a URL may be one."""

    def rows(self, message: MessageT) -> int:
        """How many rows of the queue a message is made of."""
        return 1

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""

        def read(connection: Connection) -> tuple[int, list[MessageT]]:
            at = self._clock(connection)
            return at, self.due(connection, at)

        at, found = await asyncio.to_thread(self._store.read, read)
        if not found:
            return False
        claim = partial(self.claim, found=found, at=at)
        own = await asyncio.wrap_future(self._store.write(claim))
        slots = asyncio.Semaphore(CONNECTIONS)
        async with checked_client(self._transport) as http:
            await asyncio.gather(*(self._deliver(http, slots, at, each) for each in own))
        return sum(map(self.rows, found)) == self.batch

    async def _deliver(
        self, http: httpx.AsyncClient, slots: asyncio.Semaphore, at: int, message: MessageT
    ) -> None:
        result = PostResult(final=True)
        if not message.stale:
            async with slots:
                result = await self.send(http, message, at)
        if result.reason:
            fields = {**self.log_fields(message), "reason": result.reason, "final": result.final}
            log.warning("%s not delivered", self.subject, extra=fields)
        try:
            await asyncio.wrap_future(
                self._store.write(partial(self._settle, message=message, result=result, at=at))
            )
        except RubiconError as failure:
            log.warning("%s result not stored", self.subject, exc_info=failure)

    def _settle(
        self, connection: Connection, message: MessageT, result: PostResult, at: int
    ) -> None:
        """Each attempt doubles the age of the message, until it is a day old."""
        if result.gone:
            self.forget(connection, message)
        elif result.delivered or result.final or at - message.at >= DAY:
            self.finish(connection, message)
        else:
            delay = max(MINUTE, min(at - message.at, self.max_delay))
            self.retry(connection, message, at + delay)

    async def send(self, http: httpx.AsyncClient, message: MessageT, at: int) -> PostResult:
        """Try once to deliver a message."""
        post = self.post(message, at)
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                response = await checked_post(
                    http, self._resolve, post.url, post.content, post.headers
                )
        except ForbiddenEndpointError:
            return PostResult(gone=True, reason="the host has no public address")
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            return PostResult(reason=type(error).__name__)
        return result_of_status(response.status_code)


def result_of_status(status: int) -> PostResult:
    """What the status of an answer means for its message."""
    if status in GONE:
        return PostResult(gone=True, reason=str(status))
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return PostResult(delivered=True)
    temporary = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return PostResult(final=not temporary, reason=str(status))
