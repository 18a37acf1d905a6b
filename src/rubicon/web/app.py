"""The ASGI application: its routes, its middleware, and its start and shutdown."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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
from rubicon.web.api.account.administration import AdministrationController
from rubicon.web.api.account.moderation import ModerationController
from rubicon.web.api.account.notifications import NotificationsController
from rubicon.web.api.account.passkeys import PasskeysController, PasskeySignInController
from rubicon.web.api.account.players import PlayersController
from rubicon.web.api.account.push import PushController
from rubicon.web.api.account.session import SessionController
from rubicon.web.api.account.webhooks import WebhooksController
from rubicon.web.api.accounts import AccountsController
from rubicon.web.api.api_index import api_index
from rubicon.web.api.broadcast import Broadcaster
from rubicon.web.api.catalog.boards import BoardsController
from rubicon.web.api.catalog.forms import FormsController
from rubicon.web.api.catalog.odds import OddsController
from rubicon.web.api.catalog.rulesets import RulesetsController
from rubicon.web.api.games import GamesController
from rubicon.web.api.link_pages import LinkPagesController
from rubicon.web.api.lobby import TablesController
from rubicon.web.api.master import MasterController
from rubicon.web.api.orders import OrdersController
from rubicon.web.api.reasons import ReasonsController
from rubicon.web.api.responses import DocumentErrors
from rubicon.web.api.review import ReviewController
from rubicon.web.api.sse import events
from rubicon.web.api.tables.feed import MAX_ACCOUNT_STREAMS, TableFeed
from rubicon.web.api.tables.people import PeopleController
from rubicon.web.api.tables.search import TableSearchController
from rubicon.web.http.app_files import COMPRESSED_ONCE, app_file, app_page
from rubicon.web.http.auth import provide_account, provide_asker, reject_cross_site
from rubicon.web.http.errors import (
    handle_data_error,
    handle_error,
    handle_http_exception,
    handle_internal_error,
    handle_unreadable,
)
from rubicon.web.http.middleware import HOUR, RequestLimits, RequestMiddleware
from rubicon.web.http.rate_limits import ConcurrencyLimiter, RateLimiter
from rubicon.web.ops.endpoints import OperationsController
from rubicon.web.ops.metrics import Metrics

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
