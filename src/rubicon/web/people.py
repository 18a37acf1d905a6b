"""Accounts: play at once, tokens, and the way out."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from typing import Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.datastructures import Cookie

from rubicon.host.accounts import Account, Issued
from rubicon.host.host import Host
from rubicon.web.answers import AccountTold, IssuedTold
from rubicon.web.errors import WebError
from rubicon.web.forms import EmailForm, GuestForm, LetterLinkForm, MeForm, TokenForm
from rubicon.web.identity import COOKIE, cookie_of, known
from rubicon.web.limits import address_of

Ask = Request[Any, Any, Any]
log = logging.getLogger(__name__)


class People(Controller):
    """Who one is here."""

    path = "/api/v1"
    tags = ("people",)

    @post("/guest", summary="Play at once, as a guest")
    async def guest(self, data: GuestForm, host: Host, request: Ask) -> Response[IssuedTold]:
        """An account and its token, which is shown once; a browser keeps it as a cookie."""
        issued = await asyncio.wrap_future(host.accounts.guest(data.name))
        return Response(
            _issued(issued), status_code=201, cookies=[cookie_of(request, issued.token)]
        )

    @get("/me", summary="Who I am")
    async def me(self, me: Account | None, host: Host) -> AccountTold:
        """The account of the token; `email` is null for a guest."""
        account = known(me)
        profile = await asyncio.to_thread(host.accounts.profile, account)
        return {
            "account": account.id,
            "name": account.name,
            "admin": account.admin,
            "email": profile.email,
            "letters": profile.letters,
        }

    @patch("/me", summary="Be called otherwise; letters or none")
    async def change(self, me: Account | None, data: MeForm, host: Host) -> dict[str, Any]:
        """Another name, from the next table on; whether letters tell of turns."""
        account = known(me)
        if data.name is not None:
            await asyncio.wrap_future(host.accounts.rename(account, data.name))
        if data.letters is not None:
            await asyncio.wrap_future(host.accounts.want_letters(account, data.letters))
        profile = await asyncio.to_thread(host.accounts.profile, account)
        name = account.name if data.name is None else data.name.strip()
        return {"account": account.id, "name": name, "letters": profile.letters}

    @post("/me/email", summary="Keep my seats by an address", status_code=202)
    async def keep(
        self, me: Account | None, data: EmailForm, host: Host, request: Ask
    ) -> dict[str, Any]:
        """A letter goes there, with a link to a page whose button makes the address mine. At most
        three an hour go to one address."""
        account = known(me)
        _check_often(request)
        await asyncio.wrap_future(host.links.keep(account, data.email))
        return {"letter": "on its way"}

    @post("/link", summary="A link for somebody whose address is known here", status_code=202)
    async def ask(self, data: EmailForm, host: Host, request: Ask) -> dict[str, Any]:
        """The answer is the same where the address is not known: then no letter goes anywhere."""
        _check_often(request)
        host.links.ask(data.email).add_done_callback(_asked)  # nor does its time tell
        return {"letter": "on its way, if the address is known"}

    @post("/link/use", summary="Use the link of a letter", status_code=200)
    async def use(self, data: LetterLinkForm, host: Host) -> IssuedTold:
        """The account that it opens, and a token, shown once. A link works once, for a day. Where
        the address keeps another account, a guest's seats go over to it. For programs: people
        press the button of the page that the link leads to."""
        issued = await asyncio.wrap_future(host.links.use(data.token))
        return _issued(issued)

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


def _issued(issued: Issued) -> IssuedTold:
    account, token = issued.account, issued.token
    return {"account": account.id, "name": account.name, "token": token}


def _check_often(request: Ask) -> None:
    """WebError where somebody lets too many letters be sent."""
    if request.app.state.letters.wait(address_of(request.scope)):
        message = "From here too many letters were asked for."
        raise WebError("link/too-often", message, "Look into the spam, and wait some minutes.")


def _asked(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        log.warning("a link could not be sent: %s", error)
