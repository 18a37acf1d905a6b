"""POST requests to addresses that people name, for push messages and webhooks: which are
allowed, and how a queue of them is delivered.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import ClassVar, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import httpx
from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.emails import DAY, MINUTE
from rubicon.table.errors import TableError
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

# Which addresses a push message or a webhook may be sent to: people name them, so they are not
# trusted.
#
# Only public addresses: otherwise anybody could make the server send requests into its own
# network. The name is resolved once, every address is checked, and the connection goes to a
# checked one, so that a name cannot resolve to another address afterwards.

HTTPS_PORT = 443
MAX_ENDPOINT = 1000  # characters
RESOLVE_TIMEOUT = 5.0  # seconds
Resolver = Callable[[str], Awaitable[str]]


class ForbiddenEndpointError(Exception):
    """An endpoint whose host is not public."""


def check_endpoint(endpoint: str) -> str:
    """The host of an endpoint; TableError `push/endpoint` unless it is https and may be public."""
    host, fault = host_or_fault(endpoint)
    if fault:
        message = f"This endpoint cannot be used: {fault}."
        hint = "Send the endpoint of the browser's subscription."
        raise TableError("push/endpoint", message, hint)
    return host


def host_or_fault(endpoint: str) -> tuple[str, str]:
    """The host of a URL, and why no request may go to it ("" where one may)."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        return "", "it is not a URL"
    if len(endpoint) > MAX_ENDPOINT or not (endpoint.isascii() and endpoint.isprintable()):
        return host, f"it is not a URL of at most {MAX_ENDPOINT} characters"
    if parts.scheme != "https" or port != HTTPS_PORT or parts.username is not None:
        return host, "it must begin with https:// and have no port and no password"
    if not _may_be_public(host):
        return host, "its host is not a public one"
    return host, ""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    # An IPv6 address can carry an IPv4 address, to which a gateway would pass the request on.
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner is not None or parsed.teredo is not None or parsed in _NAT64:
            return inner is not None and inner == parsed.ipv4_mapped and _is_global(inner)
    return _is_global(parsed)


async def public_address(host: str) -> str:
    """An address of a host; ForbiddenEndpointError if any of them is not public.

    OSError if the name cannot be resolved.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(RESOLVE_TIMEOUT):
        found = await loop.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(map(is_public, addresses)):
        raise ForbiddenEndpointError(host)
    return addresses[0]


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def _is_global(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _may_be_public(host: str) -> bool:
    """Whether a host is a public address, or a name that is not obviously a local one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        local = last.lower() in ("localhost", "local", "internal", "lan", "home", "arpa")
        return "." in host and not local and not last.isdigit()
    return is_public(host)


# One POST request to a checked address: for push messages and webhooks.

TIMEOUT = 10.0  # seconds for each step of one request


def checked_client(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """A client without redirects and without the proxies of the environment.

    Otherwise the checked address would not be the one that is connected to.
    """
    return httpx.AsyncClient(
        transport=transport, timeout=TIMEOUT, trust_env=False, follow_redirects=False
    )


async def checked_post(
    http: httpx.AsyncClient,
    resolve: Resolver,
    url: str,
    content: bytes,
    headers: Mapping[str, str],
) -> httpx.Response:
    """The head of the answer; ForbiddenEndpointError, OSError or httpx.HTTPError."""
    host = urlsplit(url).hostname or ""
    address = await resolve(host)
    request = http.build_request(
        "POST",
        httpx.URL(url).copy_with(host=address),
        content=content,
        headers={"Host": host, **headers},
        extensions={"sni_hostname": host},
    )
    # As a stream that is not read: the other side could answer without an end.
    response = await http.send(request, stream=True)
    await response.aclose()
    return response


# Delivers the rows of a queue by POST requests: push messages of browsers, and webhooks.

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
