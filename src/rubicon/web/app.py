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
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from sqlalchemy.exc import DataError

from rubicon import __version__
from rubicon.errors import RubiconError
from rubicon.server.server import Server
from rubicon.web.api.accounts import (
    AccountsController,
    PasskeysController,
    PasskeySignInController,
    SessionController,
)
from rubicon.web.api.boards import BoardsController
from rubicon.web.api.bodies import DocumentErrors
from rubicon.web.api.broadcast import MAX_ACCOUNT_STREAMS, Broadcaster, TableFeed
from rubicon.web.api.event_stream import events
from rubicon.web.api.games import GamesController, ReasonsController
from rubicon.web.api.master import MasterController
from rubicon.web.api.next_view import NextViews
from rubicon.web.api.notifications import (
    NotificationsController,
    PushController,
    WebhooksController,
)
from rubicon.web.api.odds import OddsController
from rubicon.web.api.orders import OrdersController
from rubicon.web.api.players import ModerationController, PlayersController
from rubicon.web.api.review import ReviewController
from rubicon.web.api.rulesets import FormsController, RulesetsController
from rubicon.web.api.table_lists import TableSearchController
from rubicon.web.api.tables import PeopleController, TablesController
from rubicon.web.http.auth import provide_account, provide_asker, reject_cross_site
from rubicon.web.http.connections import (
    ConcurrencyLimiter,
    RateLimiter,
    bounded_connections,
    url_of,
)
from rubicon.web.http.errors import (
    handle_data_error,
    handle_error,
    handle_http_exception,
    handle_internal_error,
    handle_unreadable,
)
from rubicon.web.http.middleware import HOUR, RequestLimits, RequestMiddleware
from rubicon.web.http.pages import LinkPagesController, api_index
from rubicon.web.http.static_files import COMPRESSED_ONCE, app_file, app_page
from rubicon.web.operations import AdministrationController, Metrics, OperationsController

# The ASGI application: its routes, its middleware, and its start and shutdown.

SIGN_IN_EMAILS_PER_HOUR = 5  # that one address may ask for; all of them may come at once
PASSKEY_REQUESTS_PER_HOUR = 120  # of one address: signing in or adding a passkey takes two
LEAST_COMPRESSED = 1000  # bytes
# The size of a compressed response tells how much of it is alike (the BREACH attack). So a response
# is never compressed that may hold a token or an invite beside a text that others choose.
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
    metrics = Metrics(server, broadcaster)
    next_views = NextViews(server)
    server.table.watch(broadcaster.game_changed)
    server.lobby.watch(broadcaster.table_changed)
    server.lobby.watch(table_feed.table_changed)
    server.chat.watch(broadcaster.chat_line)
    server.peers.subscribe(broadcaster.peer_changed)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        broadcaster.open(asyncio.get_running_loop())
        table_feed.open(asyncio.get_running_loop())
        await asyncio.to_thread(server.start)
        yield
        broadcaster.close()
        await asyncio.to_thread(server.close)

    def set_state(config: AppConfig) -> AppConfig:
        config.state.server = server
        config.state.broadcaster = broadcaster
        config.state.table_feed = table_feed
        config.state.metrics = metrics
        config.state.next_views = next_views
        emails = SIGN_IN_EMAILS_PER_HOUR if settings.requests_per_minute else 0
        config.state.sign_in_emails = RateLimiter("sign_in_emails_per_hour", emails, HOUR)
        passkeys = PASSKEY_REQUESTS_PER_HOUR if settings.requests_per_minute else 0
        config.state.passkey_requests = RateLimiter("passkey_requests_per_hour", passkeys, HOUR)
        config.state.streams = ConcurrencyLimiter(
            "streams_per_address", settings.streams_per_address
        )
        return config

    app = Litestar(
        route_handlers=[
            app_page,
            app_file,
            api_index,
            LinkPagesController,
            AccountsController,
            SessionController,
            PasskeysController,
            PasskeySignInController,
            PushController,
            NotificationsController,
            WebhooksController,
            PlayersController,
            ModerationController,
            AdministrationController,
            TablesController,
            TableSearchController,
            PeopleController,
            GamesController,
            MasterController,
            BoardsController,
            RulesetsController,
            FormsController,
            OddsController,
            OrdersController,
            ReasonsController,
            ReviewController,
            OperationsController,
            events,
        ],
        on_app_init=[set_state],
        before_request=reject_cross_site,
        lifespan=[lifespan],
        dependencies={
            "server": Provide(lambda: server, sync_to_thread=False),
            "me": Provide(provide_account),
            "asker": Provide(provide_asker),
            "views": Provide(lambda: next_views, sync_to_thread=False),
        },
        exception_handlers={
            RubiconError: handle_error,
            HTTPException: handle_http_exception,
            DataError: handle_data_error,
            RecursionError: handle_unreadable,
            UnicodeDecodeError: handle_unreadable,
            Exception: handle_internal_error,
        },
        plugins=[DocumentErrors()],
        compression_config=CompressionConfig(
            "gzip",
            minimum_size=LEAST_COMPRESSED,
            gzip_compress_level=5,
            exclude=NEVER_COMPRESSED,
            exclude_opt_key=COMPRESSED_ONCE,
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


# Runs the application on a socket until a signal stops it.

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
