"""The pages that letters link to. A look at them changes nothing: mail scanners look at links."""

from __future__ import annotations

import asyncio
from html import escape
from typing import Any

from litestar import Controller, Request, get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.web.errors import status_of
from rubicon.web.identity import check_own_site, cookie_of
from rubicon.web.paper import SECURE, paper

Ask = Request[Any, Any, Any]
POLICY = SECURE["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
PRIVATE = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
BUTTON = '<form method="post"><p><button>{}</button></p></form>'
HOME = '<p><a href="/">To the tables</a></p>'


class LetterPages(Controller):
    """A page with a button for each link of a letter."""

    path = "/"
    include_in_schema = False

    @get("/link/{token:str}")
    async def link(self, token: str, me: Account | None, host: Host) -> Response[str]:
        """Says what the button would do."""
        try:
            link = await asyncio.to_thread(host.links.look, token)
        except RubiconError as error:
            return _refused(error)
        name, email = escape(link.account.name), escape(link.email)
        said = f"<p>In this browser you will be <b>{name}</b>, kept by {email}.</p>"
        if link.account.id != link.asker:
            said += f"<p>The seats that you took as a guest become {name}’s.</p>"
        if me is not None and me.id not in (link.account.id, link.asker):
            said += (
                f"<p>Until now you are {escape(me.name)} here. If that is a guest whose seats you"
                " want to keep, do not press: ask for a letter as that guest.</p>"
            )
        return _page(said + BUTTON.format("That is me"))

    @post("/link/{token:str}", status_code=200)
    async def use(self, token: str, host: Host, request: Ask) -> Response[str]:
        """Uses the link, from this very page alone; the browser is signed in."""
        check_own_site(request)
        try:
            issued = await asyncio.wrap_future(host.links.use(token))
        except RubiconError as error:
            return _refused(error)
        said = f"<p>You are <b>{escape(issued.account.name)}</b> in this browser now.</p>{HOME}"
        return _page(said, cookie=cookie_of(request, issued.token))

    @get("/letters/{account:str}/{mark:str}")
    async def letters(self, account: str, mark: str, host: Host) -> Response[str]:
        """Asks whether letters are to end."""
        try:
            await asyncio.to_thread(host.stopping.check, account, mark)
        except RubiconError as error:
            return _refused(error)
        said = "<p>No letters any more when it is your turn, time runs out or a game ends?</p>"
        return _page(said + BUTTON.format("No more letters"))

    @post("/letters/{account:str}/{mark:str}", status_code=200)
    async def stop(self, account: str, mark: str, host: Host) -> Response[str]:
        """Ends them: for the button, and for that of mail programs (RFC 8058)."""
        try:
            await asyncio.wrap_future(host.stopping.stop(account, mark))
        except RubiconError as error:
            return _refused(error)
        return _page(f"<p>There will be no more letters. Your seats stay yours.</p>{HOME}")


def _page(body: str, status: int = 200, cookie: Cookie | None = None) -> Response[str]:
    return Response(
        paper("Rubicon", f"<header><h1>Rubicon</h1></header>{body}"),
        status_code=status,
        media_type="text/html",
        headers=PRIVATE,
        cookies=[cookie] if cookie is not None else [],
    )


def _refused(error: RubiconError) -> Response[str]:
    said = f"<p>{escape(error.message)} {escape(error.suggestion)}</p>{HOME}"
    return _page(said, status_of(error))
