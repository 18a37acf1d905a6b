"""The application of a server, and the run of it on a socket until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from types import FrameType

import uvicorn
from litestar import Litestar
from litestar.config.app import AppConfig
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute

from rubicon import __version__
from rubicon.server.server import Server
from rubicon.web import operations
from rubicon.web.api import (
    accounts,
    boards,
    event_stream,
    games,
    master,
    notifications,
    odds,
    orders,
    players,
    review,
    rulesets,
    table_lists,
    tables,
)
from rubicon.web.api.bodies import DocumentErrors
from rubicon.web.api.broadcast import MAX_ACCOUNT_STREAMS, Broadcaster, TableFeed
from rubicon.web.api.next_view import NextViews
from rubicon.web.http import auth, connections, pages, static_files
from rubicon.web.http.errors import HANDLERS
from rubicon.web.http.middleware import HOUR, RequestLimits, RequestMiddleware

# The ASGI application: its routes, its middleware, and its start and shutdown.

SIGN_IN_EMAILS_PER_HOUR = 5  # that one address may ask for; all of them may come at once
PASSKEY_REQUESTS_PER_HOUR = 120  # of one address: signing in or adding a passkey takes two
LEAST_COMPRESSED = 1000  # bytes
# The size of a compressed response shows how much of it is alike (the BREACH attack). So a response
# is never compressed that may hold a token or an invite together with a text that others choose.
NEVER_COMPRESSED = [
    "^/api/v1/(guest|me|sign-in|magic-link|tables)(/|$)",
    "^/api/v1/events$",  # a stream, whose events must leave at once
    "^/api/v1/schema(/|$)",  # long, and asked for seldom: each time would cost 5 ms
]
MAX_BODY = 200_000  # bytes: an order text of 64 KiB with every character escaped


def make_app(server: Server) -> Litestar:
    """The application of a server; its lifespan starts and closes the server."""
    settings = server.settings
    broadcaster = Broadcaster(server.table)
    table_feed = TableFeed(server.store, MAX_ACCOUNT_STREAMS if settings.streams_per_address else 0)
    metrics = operations.Metrics(server, broadcaster)
    next_views = NextViews(server)
    server.table.watch(broadcaster.game_changed)
    server.lobby.watch(next_views.table_changed)  # first: the streams ask for new views at once
    server.lobby.watch(broadcaster.table_changed)
    server.lobby.watch(table_feed.table_changed)
    server.chat.watch(broadcaster.chat_line)
    server.peers.subscribe(broadcaster.peer_changed)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        # Before the server starts: the bots of its games move at once, and streams must hear them.
        broadcaster.open(asyncio.get_running_loop())
        table_feed.open(asyncio.get_running_loop())
        next_views.open(asyncio.get_running_loop())
        await asyncio.to_thread(server.start)
        yield
        # First the streams, which would otherwise keep their connections open.
        broadcaster.close()
        await asyncio.to_thread(server.close)

    def set_state(config: AppConfig) -> AppConfig:
        config.state.server = server
        config.state.broadcaster = broadcaster
        config.state.table_feed = table_feed
        config.state.metrics = metrics
        config.state.next_views = next_views
        emails = SIGN_IN_EMAILS_PER_HOUR if settings.requests_per_minute else 0
        config.state.sign_in_emails = connections.RateLimiter(
            "sign_in_emails_per_hour", emails, HOUR
        )
        passkeys = PASSKEY_REQUESTS_PER_HOUR if settings.requests_per_minute else 0
        config.state.passkey_requests = connections.RateLimiter(
            "passkey_requests_per_hour", passkeys, HOUR
        )
        config.state.streams = connections.ConcurrencyLimiter(
            "streams_per_address", settings.streams_per_address
        )
        return config

    app = Litestar(
        route_handlers=[
            static_files.app_page,
            static_files.app_file,
            pages.api_index,
            pages.LinkPagesController,
            accounts.AccountsController,
            accounts.SessionController,
            accounts.PasskeysController,
            accounts.PasskeySignInController,
            notifications.PushController,
            notifications.NotificationsController,
            notifications.WebhooksController,
            players.PlayersController,
            players.ModerationController,
            operations.AdministrationController,
            tables.TablesController,
            table_lists.TableSearchController,
            tables.PeopleController,
            games.GamesController,
            master.MasterController,
            boards.BoardsController,
            rulesets.RulesetsController,
            rulesets.FormsController,
            odds.OddsController,
            orders.OrdersController,
            games.ReasonsController,
            review.ReviewController,
            operations.OperationsController,
            event_stream.events,
        ],
        on_app_init=[set_state],
        before_request=auth.reject_cross_site,
        lifespan=[lifespan],
        dependencies={
            "server": Provide(lambda: server, sync_to_thread=False),
            "me": Provide(auth.provide_account),
            "asker": Provide(auth.provide_asker, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        plugins=[DocumentErrors()],
        compression_config=CompressionConfig(
            "gzip",
            minimum_size=LEAST_COMPRESSED,
            gzip_compress_level=5,
            exclude=NEVER_COMPRESSED,
            exclude_opt_key=static_files.COMPRESSED_ONCE,
        ),
        request_max_body_size=MAX_BODY,
        openapi_config=OpenAPIConfig(
            title="Rubicon",
            version=__version__,
            description="Everything that a person can do at a table, a program can do.",
            path="/api/v1/schema",
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    # Not as Litestar middleware, which runs for matched routes only.
    app.asgi_handler = RequestMiddleware(
        app.asgi_handler,
        RequestLimits(settings),
        metrics.requests,
        methods_of(app),
        access_log=settings.access_log,
    )
    return app


def methods_of(app: Litestar) -> dict[str, str]:
    """The Allow header of each path, by its template: Litestar lists one handler's methods only."""
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            methods[route.path_format] |= {str(method) for method in route.methods}
    return {path: ", ".join(sorted(found)) for path, found in methods.items()}


# The application is run.

if sys.platform != "win32":
    import resource

SHUTDOWN_SECONDS = 10  # for requests that are being answered
KEEP_ALIVE_SECONDS = 30
MAX_CONNECTIONS = 20_000
OTHER_FILES = 200  # file descriptors for the database, the bots and the log


def serve(server: Server, listening: socket.socket, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or control-C; `ready` is called with the server's URL."""
    settings, app = server.settings, make_app(server)
    bounded = connections.bounded_connections(
        timeout=settings.request_timeout,
        per_address=settings.connections_per_address,
        max_connections=min(MAX_CONNECTIONS, raise_file_limit() - OTHER_FILES),
        proxy=settings.trusted_proxy,
    )
    config = uvicorn.Config(
        app,
        http=bounded,
        ws="none",  # a WebSocket would be a connection without limits
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
    )
    server.listening_at(connections.url_of(listening))
    # Not `uvicorn.run`, which installs signal handlers that end the process with a signal's status.
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_serve(HttpServer(config, app.state.broadcaster), listening, ready))


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as allowed and useful; returns the limit."""
    if sys.platform == "win32":
        return 2 * MAX_CONNECTIONS
    # Each stream is a connection, and the usual soft limit of 1,024 is too low for that.
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
    ready(connections.url_of(listening))
    await server.serve(sockets=[listening])
