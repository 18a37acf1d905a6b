"""Connections: the listening socket, and bounds on the time, size and number of requests."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import re
import socket
import time
from asyncio.events import TimerHandle
from collections import Counter
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import httptools
from cachetools import LRUCache
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from rubicon.errors import RubiconError
from rubicon.networks import limited_address

# The socket on which a server listens.

BACKLOG = 2048


def listen(address: str, port: int) -> socket.socket:
    """A listening socket; RubiconError `serve/port` if the port cannot be used."""
    address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Without the protocol asyncio's own loop, as on Windows, sets no TCP_NODELAY: an answer that is
    # sent in two parts then waits 40 ms.
    listening = socket.socket(address_family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        in_use = error.errno == errno.EADDRINUSE
        reason = "the port is already in use" if in_use else error.strerror or "not possible"
        message = f"Rubicon cannot listen on {address}, port {port}: {reason}."
        suggestion = "Choose another port; --port 0 picks a free one."
        raise RubiconError("serve/port", message, suggestion) from None
    listening.listen(BACKLOG)
    return listening


def url_of(listening: socket.socket) -> str:
    """The URL by which a browser on this machine reaches a socket."""
    address, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(address, address)
    return f"http://{shown}:{port}"


# Limits for one client address: requests in a time, and connections or streams at once.

MAX_ADDRESSES = 50_000  # remembered by one limiter; the least recent is forgotten first
LOG_INTERVAL = 60.0  # seconds between two log lines of one limiter: a flood must not fill the disk
log = logging.getLogger(__name__)


class RejectionLog:
    """Logs `rate limit exceeded` with the number of rejections, at most once a minute."""

    def __init__(self, limit: str) -> None:
        self._limit = limit
        self._rejected = 0
        self._logged_at = float("-inf")

    def add(self) -> None:
        """Count a rejection. No line names the address: it is personal data."""
        self._rejected += 1
        now = time.monotonic()
        if now - self._logged_at >= LOG_INTERVAL:
            fields = {"limit": self._limit, "rejected": self._rejected}
            log.warning("rate limit exceeded", extra=fields)
            self._rejected, self._logged_at = 0, now


class RateLimiter:
    """A token bucket for each address: `count` requests in `seconds`, `burst` of them at once.

    A count of 0 means no limit. For use on one thread, the event loop's.
    """

    def __init__(
        self,
        name: str,
        count: int,
        seconds: float,
        *,
        burst: float | None = None,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = count / seconds
        self.burst = max(1.0, count if burst is None else burst)
        self._timer = timer
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_ADDRESSES)
        self._rejections = RejectionLog(name)

    def take(self, address: str) -> float:
        """Take a token; returns 0, or the seconds to wait for one."""
        if not self.rate:
            return 0.0
        now = self._timer()
        # A bucket is filled when it is looked at: no timer runs for addresses that are idle.
        tokens, since = self._buckets.get(address, (self.burst, now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        if tokens >= 1:
            self._buckets[address] = tokens - 1, now
            return 0.0
        self._buckets[address] = tokens, now
        self._rejections.add()
        return (1 - tokens) / self.rate


class ConcurrencyLimiter:
    """How many of something each address has at once; a maximum of 0 means no limit."""

    def __init__(self, name: str, maximum: int) -> None:
        self.maximum = maximum
        self._counts: Counter[str] = Counter()
        self._rejections = RejectionLog(name)

    def acquire(self, address: str) -> bool:
        """Count one more; False if the address is at its maximum."""
        if self.maximum and self._counts[address] >= self.maximum:
            self._rejections.add()
            return False
        self._counts[address] += 1
        return True

    def release(self, address: str) -> None:
        """Count one less."""
        # Addresses without a connection are forgotten: their number must not grow without end.
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]


def client_address(scope: Mapping[str, Any]) -> str:
    """The address that a request counts for.

    Behind the trusted proxy the HTTP server has put the proxy's X-Forwarded-For into the scope.
    """
    client = scope.get("client")
    return limited_address(str(client[0])) if client else ""


# One HTTP connection with bounds on the time and size of requests and responses.
#
# Uvicorn itself has no such bounds: a client that sends a byte now and then, or never reads its
# response, would keep a connection for ever.

MAX_HEAD = 32_768  # bytes of a request before its body
# Bytes that are parsed at once. The shortest request has 18 bytes, so that at most 15 requests
# begin in a piece: no more than that wait for the response of an earlier one.
PIECE = 256
PIPELINE_PAUSE = 0.002  # seconds before a request that has waited: others have their turn first
HOST = re.compile(rb"[\w.~!$&'()*+,;=%:\[\]-]*", re.ASCII)


def error_bytes(
    status: int,
    code: str,
    message: str,
    suggestion: str,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """A whole HTTP response, for a connection that is closed after it."""
    body = json.dumps({"code": code, "message": message, "suggestion": suggestion}).encode()
    more = {"content-type": "application/json", "connection": "close"} | dict(headers or {})
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in more.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


MALFORMED = error_bytes(
    400, "http/400", "This is not an HTTP request.", "See /api/v1/schema/openapi.json."
)
ONE_HOST = error_bytes(
    400,
    "request/host",
    "The request does not name exactly one host.",
    "Send one header Host with the name of the server, such as: Host: risk.example.org",
)
HEAD_TOO_LARGE = error_bytes(
    431,
    "http/431",
    "The headers of the request are too large.",
    f"They may have {MAX_HEAD:,} bytes in all, cookies included.",
)
TOO_MANY = error_bytes(
    429,
    "request/too-many-connections",
    "Your address has too many open connections.",
    "Use one connection for many requests, and one stream for all games.",
    {"retry-after": "1"},
)


class PausableFlow(FlowControl):
    """Uvicorn's flow control; while `held`, nothing makes it read again.

    Uvicorn resumes reading after every response, and whenever the application waits for a body.
    """

    held = False

    def resume_reading(self) -> None:
        """Read from the client again, unless reading is held."""
        if not self.held:
            super().resume_reading()


class BoundedConnection(HttpToolsProtocol):
    """Uvicorn's connection with timeouts and limits; `bounded_connections` sets them.

    Two timers run: `_request_timer` until a request has arrived whole, `_response_timer` while
    the client does not read. Both end in `abort`, below the application: what it has accepted is
    finished all the same.

    Pipelined requests are read only as fast as they are answered: while a request waits for the
    response of an earlier one, what follows stays in `_unread`, and no more is received.
    """

    timeout: float  # seconds, for a request to arrive and for a response to be read
    limiter: ConcurrencyLimiter  # connections of each address
    max_connections: int  # in all
    proxy: str  # the address that may open any number of connections

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._head = 0  # bytes of the head so far
        self._request_timer: TimerHandle | None = None
        self._response_timer: TimerHandle | None = None
        self._counted_address = ""
        self._unread = memoryview(b"")  # received, but not parsed yet
        self._in_request = False  # whether the parser is in the middle of one
        self._answering: RequestResponseCycle | None = None  # not `cycle`, which is the newest
        self._refusal = MALFORMED  # the response to what the parser does not accept

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self.flow: PausableFlow = PausableFlow(transport)
        address = limited_address(self.client[0]) if self.client else ""
        if len(self.connections) > self.max_connections:
            transport.abort()
        elif address == self.proxy or self.limiter.acquire(address):
            self._counted_address = "" if address == self.proxy else address
            self._start_request_timer()
        else:
            transport.write(TOO_MANY)
            transport.close()
            self._start_response_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has disconnected."""
        super().connection_lost(exc)
        self._stop_request_timer()
        if self._response_timer is not None:
            self._response_timer.cancel()
        if self._answering is not None:  # Uvicorn ends only the newest request
            self._answering.disconnected = True
            self._answering.message_event.set()
        self.pipeline.clear()
        self._unread = memoryview(b"")
        if self._counted_address:
            self.limiter.release(self._counted_address)
            self._counted_address = ""

    def data_received(self, data: bytes) -> None:
        """Part of this request, or of the next ones."""
        self._unread = memoryview(bytes(self._unread) + data if self._unread else data)
        self._read_on()

    def _read_on(self) -> None:
        """Parse what was received, until a request must wait for the response of another."""
        while self._unread and not self.pipeline and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            if self._request_timer is None and not self._responding:
                self._start_request_timer()
            piece, self._unread = self._unread[:PIECE], self._unread[PIECE:]
            self._head += len(piece)
            self._parse(piece)
        was_held, self.flow.held = self.flow.held, bool(self.pipeline)
        if self.flow.held:
            self._stop_request_timer()  # the client is not the slow one
            self.flow.pause_reading()
        elif was_held:
            self.flow.resume_reading()
            if self._in_request:
                self._start_request_timer()

    def _parse(self, piece: memoryview) -> None:
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            # No other protocol is spoken here: the request is answered as if it had not asked for
            # one, and what follows is dropped, because it may not be HTTP.
            self.cycle.keep_alive = False
            self._unread = memoryview(b"")
        except httptools.HttpParserError:
            self.send_400_response("")
        if self._head > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """The first byte of a request has arrived."""
        super().on_message_begin()
        self._in_request = True
        if self._request_timer is None:
            self._start_request_timer()

    def on_headers_complete(self) -> None:
        """The head is complete; the body has as much time again."""
        sizes = (len(name) + len(value) for name, value in self.headers)
        if len(self.url) + sum(sizes) > MAX_HEAD:
            self._head = MAX_HEAD + 1
            raise ValueError("the head is too large")
        if not self._names_one_host():
            self._refusal = ONE_HOST
            raise ValueError("not exactly one host")
        self._head = 0
        self._start_request_timer()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Part of the body; its size is limited by the application."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._head = 0
        self._in_request = False
        self._stop_request_timer()
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        has_waited, self._answering = self._answering is not None, cycle
        if has_waited:
            self.loop.call_later(PIPELINE_PAUSE, self._start_waiting, cycle, app)
        else:
            super()._start_asgi_task(cycle, app)

    def _start_waiting(self, cycle: RequestResponseCycle, app: Any) -> None:
        if not cycle.disconnected:
            super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """The response is written, but perhaps not read yet."""
        if not self.pipeline:
            self._answering = None
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_response_timer()
        else:
            self._read_on()

    def timeout_keep_alive_handler(self) -> None:
        """No further request came over this connection."""
        super().timeout_keep_alive_handler()
        self._start_response_timer()

    def pause_writing(self) -> None:
        """The client does not read its response."""
        super().pause_writing()
        self._start_response_timer()

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._response_timer is not None and not self.transport.is_closing():
            self._response_timer.cancel()
            self._response_timer = None

    def send_400_response(self, msg: str) -> None:
        """Send an error in the common shape, and close the connection."""
        self.transport.write(HEAD_TOO_LARGE if self._head > MAX_HEAD else self._refusal)
        self.transport.close()
        self._start_response_timer()

    def _names_one_host(self) -> bool:
        """Whether the request has one valid Host; HTTP 1.0 may leave it out (RFC 9112, 3.2)."""
        hosts = [value for name, value in self.headers if name == b"host"]
        least = 0 if self.parser.get_http_version() == "1.0" else 1
        return least <= len(hosts) <= 1 and all(map(HOST.fullmatch, hosts))

    @property
    def _responding(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _start_request_timer(self) -> None:
        self._stop_request_timer()
        self._request_timer = self.loop.call_later(self.timeout, self._abort)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _start_response_timer(self) -> None:
        if self._response_timer is None:
            self._response_timer = self.loop.call_later(self.timeout, self._abort)

    def _abort(self) -> None:
        """Close without waiting for the client to read."""
        if self.transport is not None:
            self.transport.abort()


def bounded_connections(
    *, timeout: float, per_address: int, max_connections: int, proxy: str
) -> type[BoundedConnection]:
    """The connection class of one server; Uvicorn takes a class, so the limits are class values."""
    values = {
        "timeout": timeout,
        "limiter": ConcurrencyLimiter("connections_per_address", per_address),
        "max_connections": max_connections,
        "proxy": proxy,
    }
    return type("ServerConnection", (BoundedConnection,), values)
