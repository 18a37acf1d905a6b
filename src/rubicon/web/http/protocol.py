"""One HTTP connection with bounds on the time and size of requests and responses.

Uvicorn itself has no such bounds: a client that sends a byte now and then, or never reads its
response, would keep a connection for ever.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.events import TimerHandle
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from rubicon.web.http.rate_limits import ConcurrencyLimiter, limited_address

MAX_HEAD = 32_768  # bytes of a request before its body


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


class BoundedConnection(HttpToolsProtocol):
    """Uvicorn's connection with timeouts and limits; `bounded_connections` sets them.

    Two timers run: `_request_timer` until a request has arrived whole, `_response_timer` while
    the client does not read. Both end in `abort`, below the application: what it has accepted is
    finished all the same.
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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
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
        if self._counted_address:
            self.limiter.release(self._counted_address)
            self._counted_address = ""

    def data_received(self, data: bytes) -> None:
        """Part of this request, or of the next one."""
        if self._request_timer is None and not self._responding:
            self._start_request_timer()
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """The first byte of a request has arrived."""
        super().on_message_begin()
        if self._request_timer is None:
            self._start_request_timer()

    def on_headers_complete(self) -> None:
        """The head is complete; the body has as much time again."""
        sizes = (len(name) + len(value) for name, value in self.headers)
        if len(self.url) + sum(sizes) > MAX_HEAD:
            self._head = MAX_HEAD + 1
            raise ValueError("the head is too large")
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
        self._stop_request_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response is written, but perhaps not read yet."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_response_timer()

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
        self.transport.write(HEAD_TOO_LARGE if self._head > MAX_HEAD else MALFORMED)
        self.transport.close()
        self._start_response_timer()

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
