"""Who is signed in, and what this server offers: the first question of a browser."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from litestar import Controller, Response, delete, get
from litestar.datastructures import Cookie

from rubicon import __version__
from rubicon.server.accounts.accounts import Account
from rubicon.server.server import Server
from rubicon.table.storage.clock import now
from rubicon.web.api.responses import AccountView
from rubicon.web.http.auth import COOKIE, AnyRequest, require_same_site
from rubicon.web.http.parameters import CurrentAccount, CurrentServer


class ServerOffer(TypedDict):
    """What a server offers besides games.

    `email`: whether it sends e-mails, so that accounts can be saved and signed in to; `push`: the
    public key to which a browser subscribes (base64url), null where the server sends no push
    messages; `passkeys`: the origin of the pages on which passkeys work, null where there are none,
    such as https://risk.example.org; `dice_server`: whether tables can choose `dice = independent`.
    """

    version: str
    email: bool
    push: str | None
    passkeys: str | None
    dice_server: bool


class SessionView(TypedDict):
    """The signed-in account or null, the server's time (ms since 1970), and what it offers."""

    account: AccountView | None
    time: int
    server: ServerOffer


class SignedOut(TypedDict):
    """Whether a browser was signed out, or (false) nobody was signed in."""

    signed_out: bool


class SessionController(Controller):
    """The session of a browser."""

    path = "/api/v1"
    tags = ("accounts",)

    @get("/session", summary="Get my account, or null, and what this server offers")
    async def session(self, me: CurrentAccount, server: CurrentServer) -> SessionView:
        """Always 200, also without a token and with one that is not valid any more."""
        return await asyncio.to_thread(session_view, server, me)

    @delete("/session", summary="Sign this browser out", status_code=200)
    async def sign_out(self, request: AnyRequest, server: CurrentServer) -> Response[SignedOut]:
        """The cookie's token stops working at once, and its event streams end; other browsers and
        programs stay signed in. Without a cookie nothing happens."""
        token = request.cookies.get(COOKIE)
        if token is not None:
            require_same_site(request)
            await asyncio.wrap_future(server.accounts.sign_out(token))
        return Response({"signed_out": token is not None}, cookies=[expired_cookie()])


def expired_cookie() -> Cookie:
    """The cookie that replaces the one of a browser which is signed out."""
    return Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax")


def session_view(server: Server, me: Account | None) -> SessionView:
    """The session of an account, or of nobody."""
    origin = server.passkey_origin
    return {
        "account": None if me is None else account_view(server, me),
        "time": server.store.read(now),
        "server": {
            "version": __version__,
            "email": bool(server.settings.mail_server),
            "push": None if server.push_key is None else server.push_key.public,
            "passkeys": None if origin is None else origin.origin,
            "dice_server": server.dice_server is not None,
        },
    }


def account_view(server: Server, account: Account) -> AccountView:
    """The signed-in account, for itself."""
    profile = server.accounts.profile(account)
    return {
        "account": account.id,
        "name": account.name,
        "admin": account.admin,
        "email": profile.email,
        "emails": profile.emails,
        "listed": profile.listed,
    }
