"""Runs a dice server on a socket until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

from rubicon.dice.keys import public_key
from rubicon.dice_server.application import DiceServerApplication
from rubicon.dice_server.games import OpenedGames
from rubicon.dice_server.key_file import private_key_of
from rubicon.dice_server.settings import DiceServerSettings
from rubicon.dice_server.store import DiceStore
from rubicon.web.http.listening import listen, url_of
from rubicon.web.http.protocol import bounded_connections

MAX_CONNECTIONS = 800  # in all; most systems allow 1,024 open files
SHUTDOWN_SECONDS = 5
log = logging.getLogger(__name__)


class DiceHttpServer(uvicorn.Server):
    """Uvicorn, which leaves signals to `serve` and ends with status 0."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


def serve(settings: DiceServerSettings, ready: Callable[[str, bytes], None]) -> None:
    """Serve until SIGTERM or control-C; `ready` is called with the URL and the public key."""
    with contextlib.closing(listen(settings.address, settings.port)) as listening:
        private_key = private_key_of(settings.key_file)
        store = DiceStore(settings.store, public_key(private_key))
        games = OpenedGames(store, private_key, settings)
        try:
            ready(url_of(listening), games.key)
            asyncio.run(_serve(_server(games, settings), listening))
        finally:
            store.close()
        log.info("clean shutdown")


def _server(games: OpenedGames, settings: DiceServerSettings) -> DiceHttpServer:
    connections = bounded_connections(
        timeout=settings.request_timeout,
        per_address=settings.connections_per_address,
        max_connections=MAX_CONNECTIONS,
        proxy=settings.trusted_proxy,
    )
    config = uvicorn.Config(
        DiceServerApplication(games, settings).asgi(),
        http=connections,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
    )
    return DiceHttpServer(config)


async def _serve(server: DiceHttpServer, listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    await server.serve(sockets=[listening])
