"""The home page: open tables, public games, and how to play."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from litestar import Request, get
from litestar.response import Response

from rubicon.table.lobby.listing import open_tables, watchable_games
from rubicon.web.http.parameters import CurrentServer
from rubicon.web.http.templates import html_page

MAX_TABLES = 20  # in each list
PROPER_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?")


@get("/", include_in_schema=False)
async def home(server: CurrentServer, request: Request[Any, Any, Any]) -> Response[str]:
    """The page."""
    joinable = await asyncio.to_thread(server.store.read, open_tables)
    running = await asyncio.to_thread(server.store.read, watchable_games)
    url = server.settings.public_url or _url_of(request, server)
    return html_page(
        "home.html",
        joinable=joinable[:MAX_TABLES],
        running=running[:MAX_TABLES],
        url=url.rstrip("/"),
    )


def _url_of(request: Request[Any, Any, Any], server: CurrentServer) -> str:
    """The URL that the client used. The Host header is repeated only if it looks like a host."""
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if PROPER_HOST.fullmatch(host) else server.url
