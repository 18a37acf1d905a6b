"""One connection: a request comes over it in bounded time and size, an answer is read or let go.

The server below knows no such bounds: whoever sends a byte now and then, or reads nothing of what
is sent, would keep a connection for ever.
"""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from rubicon.web.errors import refusal_bytes
from rubicon.web.limits import Crowd, neighbourhood

LARGEST_HEAD = 32_768  # bytes of a request before its body
MALFORMED = refusal_bytes(
    400, "http/400", "That is no HTTP request.", "See /api/v1/schema/openapi.json."
)
HEAD_TOO_LARGE = refusal_bytes(
    431,
    "http/431",
    "The head of the request is too large.",
    f"It may have {LARGEST_HEAD:,} bytes, cookies included.",
)
TOO_MANY = refusal_bytes(
    429,
    "request/too-many-connections",
    "Your address has too many connections open.",
    "Use one for many requests, and one stream for all games.",
    {"retry-after": "1"},
)


class Connection(HttpToolsProtocol):
    """Uvicorn's connection, with patience that ends; `bounded` says how much there is of it."""

    patience: float  # seconds for a request to come, or for an answer to be taken
    crowd: Crowd  # the connections of each address
    most: int  # connections in all
    proxy: str  # the address that may have any number

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head = 0
        self._coming: TimerHandle | None = None
        self._going: TimerHandle | None = None
        self._counted = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there: a request is expected."""
        super().connection_made(transport)
        address = neighbourhood(self.client[0]) if self.client else ""
        if len(self.connections) > self.most:
            transport.abort()
        elif address == self.proxy or self.crowd.enter(address):
            self._counted = "" if address == self.proxy else address
            self._expect()
        else:
            transport.write(TOO_MANY)
            transport.close()
            self._let_go_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever it was is gone."""
        super().connection_lost(exc)
        self._came()
        if self._going is not None:
            self._going.cancel()
        if self._counted:
            self.crowd.leave(self._counted)
            self._counted = ""

    def data_received(self, data: bytes) -> None:
        """Some of a request, or of the next one."""
        if self._coming is None and not self._answering:
            self._expect()
        self._head += len(data)
        super().data_received(data)
        if self._head > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        if self._coming is None:
            self._expect()

    def on_headers_complete(self) -> None:
        """The head is whole; the body, if there is one, has its own time."""
        sizes = (len(name) + len(value) for name, value in self.headers)
        if len(self.url) + sum(sizes) > LARGEST_HEAD:
            self._head = LARGEST_HEAD + 1
            raise ValueError("the head is too large")
        self._in_body()
        self._expect()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Some of the body: its size is the application's to judge."""
        self._in_body()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._in_body()
        self._came()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is written, if not yet taken."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._let_go_later()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked."""
        super().timeout_keep_alive_handler()
        self._let_go_later()

    def pause_writing(self) -> None:
        """The client does not read what is sent to it."""
        super().pause_writing()
        self._let_go_later()

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        if self._going is not None and not self.transport.is_closing():
            self._going.cancel()
            self._going = None

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong in the common shape, and hang up."""
        self.transport.write(HEAD_TOO_LARGE if self._head > LARGEST_HEAD else MALFORMED)
        self.transport.close()
        self._let_go_later()

    @property
    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None until something was asked
        return cycle is not None and not cycle.response_complete

    def _in_body(self) -> None:
        self._head = 0

    def _expect(self) -> None:
        """From here on the rest must come in time."""
        self._came()
        self._coming = self.loop.call_later(self.patience, self._let_go)

    def _came(self) -> None:
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None

    def _let_go_later(self) -> None:
        if self._going is None:
            self._going = self.loop.call_later(self.patience, self._let_go)

    def _let_go(self) -> None:
        """Without waiting for anybody; what was accepted is done all the same."""
        if self.transport is not None:
            self.transport.abort()


def bounded(patience: float, per_address: int, most: int, proxy: str) -> type[Connection]:
    """Connections of one server: how patient it is, and how many it takes."""
    values = {"patience": patience, "crowd": Crowd(per_address), "most": most, "proxy": proxy}
    return type("BoundedConnection", (Connection,), values)
