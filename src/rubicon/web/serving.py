"""Runs the application until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.web.app import make_app
from rubicon.web.hub import Hub

BACKLOG = 2048
GRACEFUL_SECONDS = 10
IDLE_SECONDS = 30


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
    app = make_app(host)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        proxy_headers=bool(host.settings.trusted_proxy),
        forwarded_allow_ips=host.settings.trusted_proxy or None,
        h11_max_incomplete_event_size=65_536,
        limit_concurrency=20_000,
    )
    host.reached_at(address_of(listening))
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_answer(Server(config, app.state.hub), listening, ready))


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
