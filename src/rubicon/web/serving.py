"""Runs the application until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.web.app import make_app
from rubicon.web.connection import bounded
from rubicon.web.hub import Hub

if sys.platform != "win32":
    import resource

BACKLOG = 2048
GRACEFUL_SECONDS = 10
IDLE_SECONDS = 30
MOST_CONNECTIONS = 20_000
OTHER_FILES = 200  # that the store, the bots and the log need beside connections


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens; RubiconError `serve/port` where it cannot."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        taken = error.errno == errno.EADDRINUSE
        why = "something listens there already" if taken else error.strerror or "it is not possible"
        message = f"Rubicon cannot listen on {address}, port {port}: {why}."
        raise RubiconError(
            "serve/port", message, "Choose another: --port 0 takes a free one."
        ) from None
    listening.listen(BACKLOG)
    return listening


def serve(host: Host, listening: socket.socket, ready: Callable[[str], None]) -> None:
    """Answer until SIGTERM or control-C; `ready` is told the address."""
    settings, app = host.settings, make_app(host)
    connections = bounded(
        settings.patience,
        settings.connections_per_address,
        min(MOST_CONNECTIONS, open_files() - OTHER_FILES),
        settings.trusted_proxy,
    )
    config = uvicorn.Config(
        app,
        http=connections,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
    )
    host.reached_at(address_of(listening))
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_answer(Server(config, app.state.hub), listening, ready))


def open_files() -> int:
    """How many files this process may have open, connections among them: all that it may."""
    if sys.platform == "win32":
        return 2 * MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Server(uvicorn.Server):
    """One that is told to stop by us: a signal ends it in good order, with status 0."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; streams end at once, so that nothing waits for them."""
        self._hub.close()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `_answer`."""
        yield


async def _answer(server: Server, listening: socket.socket, ready: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    ready(address_of(listening))
    await server.serve(sockets=[listening])


def address_of(listening: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    address, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(address, address)
    return f"http://{shown}:{port}"
