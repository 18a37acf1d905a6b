"""Runs the application on a socket until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from rubicon.server.server import Server
from rubicon.web.api.broadcast import Broadcaster
from rubicon.web.app import make_app
from rubicon.web.http.listening import url_of
from rubicon.web.http.protocol import bounded_connections

if sys.platform != "win32":
    import resource

SHUTDOWN_SECONDS = 10  # for requests that are being answered
KEEP_ALIVE_SECONDS = 30
MAX_CONNECTIONS = 20_000
OTHER_FILES = 200  # file descriptors for the database, the bots and the log


def serve(server: Server, listening: socket.socket, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or control-C; `ready` is called with the server's URL."""
    settings, app = server.settings, make_app(server)
    connections = bounded_connections(
        timeout=settings.request_timeout,
        per_address=settings.connections_per_address,
        max_connections=min(MAX_CONNECTIONS, raise_file_limit() - OTHER_FILES),
        proxy=settings.trusted_proxy,
    )
    config = uvicorn.Config(
        app,
        http=connections,
        ws="none",  # a WebSocket would be a connection without limits
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
    )
    server.listening_at(url_of(listening))
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_serve(HttpServer(config, app.state.broadcaster), listening, ready))


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as allowed and useful; returns the limit."""
    if sys.platform == "win32":
        return 2 * MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + OTHER_FILES
    limit = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


class HttpServer(uvicorn.Server):
    """Uvicorn with a clean shutdown: a signal ends the streams first, and the exit status is 0."""

    def __init__(self, config: uvicorn.Config, broadcaster: Broadcaster) -> None:
        super().__init__(config)
        self._broadcaster = broadcaster

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down; open streams would otherwise delay it by SHUTDOWN_SECONDS."""
        self._broadcaster.close()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `_serve`; Uvicorn would raise them again at the end."""
        yield


async def _serve(
    server: HttpServer, listening: socket.socket, ready: Callable[[str], None]
) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    ready(url_of(listening))
    await server.serve(sockets=[listening])
