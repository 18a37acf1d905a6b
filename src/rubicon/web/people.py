"""Accounts: play at once, tokens, and the way out."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.datastructures import Cookie

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.web.answers import AccountTold, IssuedTold
from rubicon.web.forms import GuestForm, NameForm, TokenForm
from rubicon.web.identity import COOKIE, known

YEAR = 365 * 24 * 3600
Ask = Request[Any, Any, Any]


class People(Controller):
    """Who one is here."""

    path = "/api/v1"
    tags = ("people",)

    @post("/guest", summary="Play at once, as a guest")
    async def guest(self, data: GuestForm, host: Host, request: Ask) -> Response[IssuedTold]:
        """An account and its token, which is shown once; a browser keeps it as a cookie."""
        issued = await asyncio.wrap_future(host.accounts.guest(data.name))
        account, token = issued.account, issued.token
        told: IssuedTold = {"account": account.id, "name": account.name, "token": token}
        cookie = Cookie(
            COOKIE,
            value=issued.token,
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return Response(told, status_code=201, cookies=[cookie])

    @get("/me", summary="Who I am")
    async def me(self, me: Account | None) -> AccountTold:
        """The account of the token."""
        account = known(me)
        return {"account": account.id, "name": account.name, "admin": account.admin}

    @patch("/me", summary="Be called otherwise")
    async def rename(self, me: Account | None, data: NameForm, host: Host) -> dict[str, Any]:
        """Another name, from the next table on."""
        account = known(me)
        await asyncio.wrap_future(host.accounts.rename(account, data.name))
        return {"account": account.id, "name": data.name.strip()}

    @get("/me/export", summary="Everything that is stored about me")
    async def export(self, me: Account | None, host: Host) -> dict[str, Any]:
        """The account, its tokens' labels, seats and what was said."""
        return await asyncio.to_thread(host.accounts.export, known(me))

    @delete("/me", summary="Erase my account", status_code=200)
    async def erase(self, me: Account | None, host: Host) -> Response[dict[str, Any]]:
        """Name, address, tokens and chat go; games keep their colours."""
        await asyncio.wrap_future(host.accounts.erase(known(me)))
        gone = Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax")
        return Response({"erased": True}, cookies=[gone])

    @get("/me/tokens", summary="My tokens")
    async def tokens(self, me: Account | None, host: Host) -> list[dict[str, Any]]:
        """Their labels; the tokens themselves are stored nowhere."""
        return await asyncio.to_thread(host.accounts.labels, known(me))

    @post("/me/tokens", summary="A token for a program")
    async def issue(self, me: Account | None, data: TokenForm, host: Host) -> dict[str, Any]:
        """It is shown once."""
        issued = await asyncio.wrap_future(host.accounts.issue(known(me), data.label))
        return {"label": data.label.strip(), "token": issued.token}

    @delete("/me/tokens/{label:str}", summary="Revoke a token", status_code=200)
    async def revoke(self, me: Account | None, label: str, host: Host) -> dict[str, Any]:
        """It is useless from now on."""
        await asyncio.wrap_future(host.accounts.revoke(known(me), label))
        return {"revoked": label}
