"""The application without a socket: an ASGI event loop in a thread, and an httpx transport to it.

Unlike httpx's own ASGI transport it is synchronous and streams responses, so that the client and
its event streams run unchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Iterator
from typing import Any

import httpx
from litestar import Litestar

from rubicon.server.server import Server
from rubicon.web.app import make_app

START_TIMEOUT = 60.0  # seconds
DRAIN_TIMEOUT = 10.0  # seconds that open requests get to end when the server closes


class Exchange(httpx.SyncByteStream):
    """One request and its response, between the test's thread and the event loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        self.timeout = timeout  # seconds for each part of the response
        self._loop = loop
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._disconnected = asyncio.Event()

    async def run(self, app: Litestar, scope: dict[str, Any], body: bytes) -> None:
        """Answer the request, on the event loop."""
        pending = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if pending:
                return pending.pop()
            await self._disconnected.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self._messages.put(message)

        try:
            await app(scope, receive, send)  # type: ignore[arg-type]
        except asyncio.CancelledError:
            self._messages.put(httpx.RemoteProtocolError("the server closed"))
            raise
        except BaseException as error:
            self._messages.put(error)
            raise

    def message(self) -> dict[str, Any]:
        """The next message of the application; its error is raised here."""
        try:
            found = self._messages.get(timeout=self.timeout)
        except queue.Empty:
            raise httpx.ReadTimeout("nothing came in time") from None
        if isinstance(found, BaseException):
            raise found
        return dict(found)

    def __iter__(self) -> Iterator[bytes]:
        more = True
        while more:
            message = self.message()
            more = message.get("more_body", False)
            yield message.get("body", b"")

    def close(self) -> None:
        """The client leaves."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server left first
            self._loop.call_soon_threadsafe(self._disconnected.set)


class AsgiTransport(httpx.BaseTransport):
    """Sends requests to an application on another thread's event loop."""

    def __init__(self, app: Litestar, loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._loop = loop
        self._accepting = threading.Lock()
        self._closed = False

    def refuse(self) -> None:
        """Take no more requests: those accepted so far are on the event loop."""
        with self._accepting:
            self._closed = True

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; returns when the response begins."""
        body = request.read()
        url = request.url
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": url.scheme,
            "path": url.path,
            "raw_path": url.raw_path.split(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 50_000),
            "server": (url.host, url.port or 80),
            "state": {},
            "extensions": {},
        }
        exchange = Exchange(self._loop, request.extensions.get("timeout", {}).get("read"))
        with self._accepting:
            if self._closed:
                raise httpx.ConnectError("connection refused")
            asyncio.run_coroutine_threadsafe(exchange.run(self._app, scope, body), self._loop)
        start = exchange.message()
        return httpx.Response(start["status"], headers=start["headers"], stream=exchange)


class AppThread:
    """A running application: `close` shuts it and its server down."""

    def __init__(self, server: Server) -> None:
        self._app = make_app(server)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._events: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        asyncio.run_coroutine_threadsafe(self._lifespan(), self._loop)
        self._say("startup")
        self.transport = AsgiTransport(self._app, self._loop)

    def close(self) -> None:
        """Shut the server down; open requests end first, as with a real server."""
        self.transport.refuse()
        self._say("shutdown")
        asyncio.run_coroutine_threadsafe(_end_open_tasks(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _lifespan(self) -> None:
        async def send(message: Any) -> None:
            self._answers.put(message)

        scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        await self._app(scope, self._events.get, send)  # type: ignore[arg-type]

    def _say(self, what: str) -> None:
        event = {"type": f"lifespan.{what}"}
        self._loop.call_soon_threadsafe(self._events.put_nowait, event)
        answer = self._answers.get(timeout=START_TIMEOUT)
        assert answer["type"] == f"lifespan.{what}.complete", answer


async def _end_open_tasks() -> None:
    """Let the tasks of this loop end by themselves, and cancel those that do not."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    if not tasks:
        return
    _, open_still = await asyncio.wait(tasks, timeout=DRAIN_TIMEOUT)
    for task in open_still:
        task.cancel()
    await asyncio.gather(*open_still, return_exceptions=True)
