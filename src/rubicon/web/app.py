"""The application: routes, what stands before them, and its life."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.config.app import AppConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Receive, Send

from rubicon import __version__
from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.web.counting import Counting
from rubicon.web.described import described
from rubicon.web.errors import misunderstood, refused, unforeseen
from rubicon.web.events import events
from rubicon.web.front import front
from rubicon.web.games import Games
from rubicon.web.house import House
from rubicon.web.hub import Hub
from rubicon.web.identity import provide_me
from rubicon.web.letter_pages import LetterPages
from rubicon.web.limits import Limiter
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
TOO_OFTEN = (
    b'{"code":"request/too-often","message":"That was too much at once.",'
    b'"suggestion":"Wait a second."}'
)


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
        hourly = LETTERS_AN_HOUR / 60 if host.settings.requests_per_minute else 0
        config.state.letters = Limiter(hourly, burst=3600)
        return config

    limiter = Limiter(host.settings.requests_per_minute)
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
        lifespan=[life],
        dependencies={
            "host": Provide(lambda: host, sync_to_thread=False),
            "me": Provide(provide_me),
        },
        exception_handlers={
            RubiconError: refused,
            HTTPException: misunderstood,
            Exception: unforeseen,
        },
        middleware=[lambda app: Gate(app, limiter, host.settings.trusted_proxy)],
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


class Gate:
    """Stands before every request: how often, what browsers are told."""

    def __init__(self, app: ASGIApp, limiter: Limiter, proxy: str) -> None:
        self.app = app
        self.limiter = limiter
        self.proxy = proxy

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Let it pass, or not."""
        if not self.limiter.allows(self._address(scope)):
            await _too_often(send)
            return

        async def answered(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *SECURE]
            await send(message)

        await self.app(scope, receive, answered)

    def _address(self, scope: Any) -> str:
        """Of the client; behind the proxy that is trusted, what the proxy says."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if self.proxy and address == self.proxy:
            forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1")
            return forwarded.rpartition(",")[2].strip() or address
        return address


async def _too_often(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    start: Any = {"type": "http.response.start", "status": 429, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": TOO_OFTEN, "more_body": False})
