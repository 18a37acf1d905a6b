"""Who asks: the account by token or cookie, the seat in a game, and the parameters that
handlers share.
"""

from __future__ import annotations

import asyncio
from functools import partial
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from rubicon.errors import NotAllowed, SignInRequired
from rubicon.server.accounts import Account
from rubicon.server.server import Server
from rubicon.table.notices import SPECTATORS
from rubicon.web.http.connections import client_address

# The parameters of handlers that many routes share: what is injected, and what the URL holds.

CurrentServer = NamedDependency[Server]
CurrentAccount = NamedDependency[Account | None]  # None for a client that is not signed in
Asker = NamedDependency[str]  # for whom costly work is done: an account, or an address
PathText = FromPath[str]
GameId = FromPath[str]
Invite = FromQuery[str | None]  # the table's, for clients without a seat


# Authentication: a token in the Authorization header, or the cookie of a browser.

COOKIE = "rubicon"
COOKIE_MAX_AGE = 365 * 24 * 3600  # seconds
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SAME_SITE = frozenset({"same-origin", "none"})
Connection = ASGIConnection  # a request, or the start of a stream


async def provide_account(request: Connection, server: CurrentServer) -> Account | None:  # type: ignore[type-arg]
    """The signed-in account; None without a token or with an unknown one."""
    token = bearer_token(request)
    if token is None:
        token = request.cookies.get(COOKIE)
        if token is None:
            return None
        require_same_site(request)  # browsers send cookies by themselves
    cached = server.accounts.cached(token)
    return cached or await asyncio.to_thread(server.accounts.authenticate, token)


def provide_asker(request: Connection, me: CurrentAccount) -> str:  # type: ignore[type-arg]
    """For whom costly work is done: the account's id, or the address of a client without one."""
    return client_address(request.scope) if me is None else me.id


def bearer_token(request: Connection) -> str | None:  # type: ignore[type-arg]
    """The token of the Authorization header."""
    # Not by `request.headers`, which reads all of them into a mapping first.
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


async def reject_cross_site(request: Connection) -> None:  # type: ignore[type-arg]
    """WebError if a page of another site makes a browser change something here.

    Requests without a cookie are checked too: otherwise such a page could sign a person in as a
    new guest, and the new cookie would replace their own. A bearer token needs no check, because
    browsers never send one by themselves.
    """
    if bearer_token(request) is not None:
        return
    headers = request.headers
    if "origin" in headers or "sec-fetch-site" in headers:
        require_same_site(request)


def require_same_site(request: Connection) -> None:  # type: ignore[type-arg]
    """WebError unless the request is safe, or its headers prove that it comes from an own page."""
    if request.scope.get("method", "GET") in SAFE_METHODS:
        return
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    # The browser's own word counts more: the same host over http is another site, which anyone in
    # the network can forge.
    own = origin is not None and urlsplit(origin).netloc == request.headers.get("host")
    if not (own if site is None else site in SAME_SITE):
        message = "The request comes from a page of another site."
        suggestion = "Programs send a token: Authorization: Bearer …"
        raise NotAllowed("request/cross-site", message, suggestion)


def token_cookie(request: Connection, token: str) -> Cookie:  # type: ignore[type-arg]
    """The cookie that signs a browser in; sent over https only if it was set over https."""
    return Cookie(
        COOKIE,
        value=token,
        max_age=COOKIE_MAX_AGE,
        httponly=True,
        # Not strict: a link in an e-mail must lead to a page that knows its reader.
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def require_account(me: Account | None) -> Account:
    """The account; WebError `account/required` without one."""
    if me is None:
        message = "You are not signed in, or your token is not valid."
        suggestion = "POST /api/v1/guest with a name creates an account and its token."
        raise SignInRequired("account/required", message, suggestion)
    return me


# Which seat of a game a client has, and so what it may see and do.


async def seat_of(me: Account | None, game: str, server: Server) -> str:
    """The client's seat; WebError `seat/required` for a spectator."""
    seat = await view_of(require_account(me), game, server)
    if seat == SPECTATORS:
        message = "You have no seat in this game."
        raise NotAllowed("seat/required", message, "Spectators can only watch.")
    server.table.seen(game, seat)
    return seat


async def player_of(me: Account | None, game: str, server: Server) -> str:
    """The client's seat in a game that is in memory, for what needs the game itself."""
    account = require_account(me)
    seat = await seat_of(account, game, server)
    if server.table.cached_snapshot(game) is None:  # rebuilding it from its log is costly work
        await server.costly.in_thread(account.id, partial(server.table.snapshot, game))
    return seat


async def view_of(me: Account | None, game: str, server: Server, invite: str | None = None) -> str:
    """The seat whose view the client gets; "" for a spectator's."""
    # A known seat needs no invite, and no query.
    account = None if me is None else me.id
    seat = None if account is None else server.seat_cache.cached(game, account)
    if seat is None:
        seat = await asyncio.to_thread(server.seat_cache.find, game, account, invite)
    return seat
