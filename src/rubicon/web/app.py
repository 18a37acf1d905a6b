"""The application: routes, what stands before them, and its life."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from litestar import Litestar
from litestar.config.app import AppConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Receive, Send
from sqlalchemy.exc import DataError

from rubicon import __version__
from rubicon.host.host import Host
from rubicon.host.settings import HostSettings
from rubicon.rules.errors import RubiconError
from rubicon.web.answers import RefusalsDocumented
from rubicon.web.counting import Counting
from rubicon.web.described import described
from rubicon.web.errors import (
    WebError,
    misunderstood,
    refuse,
    refused,
    unforeseen,
    unreadable,
    unstorable,
)
from rubicon.web.events import events
from rubicon.web.front import front
from rubicon.web.games import Games
from rubicon.web.house import House
from rubicon.web.hub import Hub
from rubicon.web.identity import check_browser, provide_me
from rubicon.web.letter_pages import LetterPages
from rubicon.web.limits import Crowd, Limiter, address_of
from rubicon.web.operation import Metrics, Operation
from rubicon.web.people import People
from rubicon.web.tables import Tables

LETTERS_AN_HOUR = 5  # that one client may let be sent; as many may come at once
LARGEST_BODY = 200_000  # a text of orders of 64 KiB, escaped
SECURE = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
MINUTE, HOUR = 60, 3600  # seconds
BURST = 1 / 6  # the share of a minute's requests that may come at once


def make_app(host: Host) -> Litestar:
    """The application of a host that has been made; it starts and closes the host."""
    hub = Hub(host.table)
    metrics = Metrics(host, hub)
    host.table.watch(hub.hear)
    host.lobby.watch(hub.hear_table)
    host.talk.watch(hub.hear_said)
    host.elsewhere.watch(hub.hear_elsewhere)

    @asynccontextmanager
    async def life(_: Litestar) -> AsyncIterator[None]:
        hub.open(asyncio.get_running_loop())
        await asyncio.to_thread(host.start)
        yield
        hub.close()
        await asyncio.to_thread(host.close)

    def before(config: AppConfig) -> AppConfig:
        config.state.host, config.state.hub, config.state.metrics = host, hub, metrics
        letters = LETTERS_AN_HOUR if host.settings.requests_per_minute else 0
        config.state.letters = Limiter(letters, HOUR)
        config.state.streams = Crowd(host.settings.streams_per_address)
        return config

    gates = Gates.of(host.settings)
    app = Litestar(
        route_handlers=[
            front,
            described,
            LetterPages,
            People,
            Tables,
            Games,
            House,
            Operation,
            events,
        ],
        on_app_init=[before],
        before_request=check_browser,
        lifespan=[life],
        dependencies={
            "host": Provide(lambda: host, sync_to_thread=False),
            "me": Provide(provide_me),
        },
        exception_handlers={
            RubiconError: refused,
            HTTPException: misunderstood,
            DataError: unstorable,
            RecursionError: unreadable,
            UnicodeDecodeError: unreadable,
            Exception: unforeseen,
        },
        plugins=[RefusalsDocumented()],
        middleware=[lambda app: Gate(app, gates)],
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="Rubicon",
            version=__version__,
            description="Everything that a person can do at a hosted table, a program can do.",
            path="/api/v1/schema",
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    app.asgi_handler = Counting(app.asgi_handler, metrics, written=host.settings.log_requests)
    return app


@dataclass(frozen=True)
class Gates:
    """How often one address may ask: for anything, and for what stays."""

    requests: Limiter
    by_path: dict[str, Limiter]

    @classmethod
    def of(cls, settings: HostSettings) -> Gates:
        """As the house wishes it."""
        often = settings.requests_per_minute
        by_path = {
            "/api/v1/guest": Limiter(settings.guests_per_hour, HOUR),
            "/api/v1/tables": Limiter(settings.tables_per_hour, HOUR),
        }
        return cls(Limiter(often, MINUTE, often * BURST), by_path)

    def wait(self, scope: Any) -> float:
        """Seconds until a request may come; 0 where it may come now."""
        address = address_of(scope)
        wait = self.requests.wait(address)
        if wait or scope["method"] != "POST":
            return wait
        path = scope["path"].rstrip("/")
        kept = self.by_path.get("/api/v1/tables" if path.endswith("/rematch") else path)
        return 0.0 if kept is None else kept.wait(address)


class Gate:
    """Stands before every request: how often, and what browsers are told."""

    def __init__(self, app: ASGIApp, gates: Gates) -> None:
        self.app = app
        self.gates = gates

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Let it pass, or not."""

        async def answered(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *SECURE]
            await send(message)

        wait = self.gates.wait(scope)
        if wait:
            await refuse(answered, too_often(wait), {"retry-after": str(math.ceil(wait))})
        else:
            await self.app(scope, receive, answered)


def too_often(wait: float) -> WebError:
    """What whoever asks too often is told."""
    seconds = math.ceil(wait)
    suggestion = f"Wait {seconds} second{'s' * (seconds > 1)}."
    return WebError("request/too-often", "That was too much for one address.", suggestion)
