"""POST requests to addresses that people name: for push messages and webhooks."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar, Protocol, TypeVar
from urllib.parse import urlsplit

import httpx
from sqlalchemy import ColumnElement, Connection, Row, Table, insert, literal, select, update

from rubicon.server.emails import EmailIdentity
from rubicon.server.notifications import ANSWERED
from rubicon.server.outbox import Clock, Message, Outcome, Queue, Sender
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

# Which addresses a push message or a webhook may be sent to: people name them, so they are not
# trusted.
#
# Only public addresses: otherwise anyone could make the server send requests into its own
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

    Also if it can be no name of a host; OSError if the name cannot be resolved.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_TIMEOUT):
            found = await loop.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # as in `_is_name`
        raise ForbiddenEndpointError(host) from error
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
        return "." in host and not local and not last.isdigit() and _is_name(host)
    return is_public(host)


def _is_name(host: str) -> bool:
    """Whether each label of a name has 1 to 63 characters."""
    try:
        host.encode("idna")  # as `getaddrinfo` does
    except UnicodeError:
        return False
    return True


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


# Queues whose messages are sent by POST requests: push messages of browsers, and webhooks.

SEND_TIMEOUT = 30.0  # seconds for one message as a whole
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


@dataclass(frozen=True, slots=True)
class QueuedPost:
    """One POST request."""

    url: str
    content: bytes
    headers: Mapping[str, str]


class PostedMessage(Message, Protocol):
    """A message that is sent by a POST request."""

    @property
    def stale(self) -> bool:
        """Whether its seat has decided since, and no longer needs it."""


PostedT = TypeVar("PostedT", bound=PostedMessage)


class PostQueue(Queue[PostedT, QueuedPost]):
    """A queue whose messages are sent by POST requests to the devices or webhooks of accounts.

    `resolve` gives the checked address of a host; tests name their own service by it.
    """

    receivers: ClassVar[Table]
    receiver: ClassVar[str]  # the column of the queue's rows that names one

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Clock = now,
    ) -> None:
        super().__init__(store, clock)
        self._identity = identity
        self._transport = transport
        self._resolve = resolve

    def enqueue(self, connection: Connection, notifications: Sequence[int], at: int) -> None:
        """Queue notifications for the receivers of their accounts, inside an open transaction."""
        if not notifications:
            return
        notification, seat, receiver = schema.notification.c, schema.seat.c, self.receivers.c
        sits = (seat.game == notification.game) & (seat.colour == notification.seat)
        values: dict[str, ColumnElement[Any]] = {
            "notification": notification.id,
            self.receiver: receiver.id,
            "due": literal(at),
        }
        if "seat" in self.rows.table.c:
            values["seat"] = seat.colour
        wanted = (
            select(*values.values())
            .join(schema.seat, sits)
            .join(self.receivers, receiver.account == seat.account)
            .where(notification.id.in_(notifications))
        )
        connection.execute(insert(self.rows.table).from_select(list(values), wanted))
        queued = update(schema.notification).where(notification.id.in_(notifications))
        connection.execute(queued.values(pushed=at))

    def due_rows(
        self, connection: Connection, at: int, *columns: ColumnElement[Any]
    ) -> Sequence[Row[Any]]:
        """The rows that are due with their notifications and games, and more columns."""
        message, notification, game = self.rows.table.c, schema.notification.c, schema.game.c
        wanted = (
            select(message.id, message[self.receiver], *columns)
            .add_columns(notification.at, notification.game, notification.kind, notification.body)
            .add_columns(game.title, ANSWERED.label("stale"))
            .select_from(self.rows.table)
            .join(self.receivers, self.receivers.c.id == message[self.receiver])
            .join(schema.notification, notification.id == message.notification)
            .join(schema.game, game.id == notification.game)
            .where(self.rows.due_between(0, at))
            .order_by(message.id)
            .limit(self.most_read)
        )
        return connection.execute(wanted).all()

    def is_needed(self, message: PostedT) -> bool:
        """Whether the seat has not decided since."""
        return not message.stale

    @asynccontextmanager
    async def sender(self) -> AsyncIterator[Sender[PostedT, QueuedPost]]:
        """One client for all messages of a sweep."""
        async with checked_client(self._transport) as http:

            async def send(_: PostedT, post: QueuedPost) -> Outcome:
                return await self.send(http, post)

            yield send

    async def send(self, http: httpx.AsyncClient, post: QueuedPost) -> Outcome:
        """Try once to send a request."""
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                response = await checked_post(
                    http, self._resolve, post.url, post.content, post.headers
                )
        except ForbiddenEndpointError:
            return Outcome(gone=True, reason="the host has no public address")
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            return Outcome(reason=type(error).__name__)
        return outcome_of_status(response.status_code)


def outcome_of_status(status: int) -> Outcome:
    """What the status of an answer means for its message."""
    if status in GONE:
        return Outcome(gone=True, reason=str(status))
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(delivered=True)
    temporary = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return Outcome(final=not temporary, reason=str(status))
