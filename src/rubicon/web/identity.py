"""Who asks: a token in a header, or a cookie that no other site can use."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.web.errors import WebError

COOKIE = "rubicon"
YEAR = 365 * 24 * 3600
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE = frozenset({"same-origin", "none"})
Connection = ASGIConnection  # a request, or the start of a stream


async def provide_me(request: Connection, host: Host) -> Account | None:  # type: ignore[type-arg]
    """The account behind a request; None for nobody known."""
    token, by_cookie = token_of(request)
    if token is None:
        return None
    if by_cookie:
        check_own_site(request)
    known = host.accounts.remembered(token)
    return known or await asyncio.to_thread(host.accounts.of_token, token)


def token_of(request: Connection) -> tuple[str | None, bool]:  # type: ignore[type-arg]
    """The token that came along, and whether a browser sent it by itself."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip(), False
    cookie = request.cookies.get(COOKIE)
    return cookie, cookie is not None


async def check_browser(request: Connection) -> None:  # type: ignore[type-arg]
    """WebError where another site's page lets a browser act here, with a cookie or without.

    Else such a page could make somebody a guest, and the new cookie would replace their own.
    """
    sent_by_browser = "origin" in request.headers or "sec-fetch-site" in request.headers
    if sent_by_browser and "authorization" not in request.headers:
        check_own_site(request)


def check_own_site(request: Connection) -> None:  # type: ignore[type-arg]
    """WebError where another site lets a browser change something here."""
    if request.scope.get("method", "GET") in SAFE_METHODS:
        return
    origin = request.headers.get("origin")
    fetched = request.headers.get("sec-fetch-site")
    same = origin is not None and urlsplit(origin).netloc == request.headers.get("host")
    if not same and fetched not in OWN_SITE:
        message = "The request comes from a page of another site."
        raise WebError("request/foreign", message, "Programs send a token: Authorization: Bearer …")


def cookie_of(request: Connection, token: str) -> Cookie:  # type: ignore[type-arg]
    """What a browser keeps; it sends it over https alone where it came so."""
    return Cookie(
        COOKIE,
        value=token,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def known(me: Account | None) -> Account:
    """The account; WebError where there is none."""
    if me is None:
        message = "Nobody is signed in here, or the token is not known."
        raise WebError("account/needed", message, "POST /api/v1/guest with a name gives a token.")
    return me
