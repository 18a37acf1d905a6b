"""The pages that e-mails link to.

GET changes nothing, because mail scanners open every link; each page has a button for that.
"""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Request, get, post
from litestar.response import Response

from rubicon.errors import RubiconError
from rubicon.web.http.auth import require_same_site, token_cookie
from rubicon.web.http.errors import status_of
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, PathText
from rubicon.web.http.templates import private_page


class LinkPagesController(Controller):
    """Sign in by a one-time link; unsubscribe from e-mails."""

    path = "/"
    include_in_schema = False

    @get("/sign-in/{token:str}")
    async def show_sign_in(
        self, token: PathText, me: CurrentAccount, server: CurrentServer
    ) -> Response[str]:
        """Shows which account the link signs in to."""
        try:
            link = await asyncio.to_thread(server.magic_links.inspect, token)
        except RubiconError as error:
            return _error_page(error)
        other = me if me is not None and me.id not in (link.account.id, link.requested_by) else None
        return private_page("sign_in.html", link=link, current=other)

    @post("/sign-in/{token:str}", status_code=200)
    async def sign_in(
        self, token: PathText, server: CurrentServer, request: Request[Any, Any, Any]
    ) -> Response[str]:
        """Uses the link and sets the cookie; accepted from this very page only."""
        require_same_site(request)
        try:
            issued = await asyncio.wrap_future(server.magic_links.use(token))
        except RubiconError as error:
            return _error_page(error)
        message = f"You are signed in as {issued.account.name}."
        return private_page(
            "message.html", message=message, cookie=token_cookie(request, issued.token)
        )

    @get("/unsubscribe/{account:str}/{signature:str}")
    async def show_unsubscribe(
        self, account: PathText, signature: PathText, server: CurrentServer
    ) -> Response[str]:
        """Asks for confirmation."""
        try:
            await asyncio.to_thread(server.unsubscribe_links.check, account, signature)
        except RubiconError as error:
            return _error_page(error)
        return private_page("unsubscribe.html")

    @post("/unsubscribe/{account:str}/{signature:str}", status_code=200)
    async def unsubscribe(
        self, account: PathText, signature: PathText, server: CurrentServer
    ) -> Response[str]:
        """Turns e-mails off: for the button, and for the one-click button of mail programs."""
        try:
            await asyncio.wrap_future(server.unsubscribe_links.unsubscribe(account, signature))
        except RubiconError as error:
            return _error_page(error)
        message = "You will get no more e-mails about your games. Your seats stay yours."
        return private_page("message.html", message=message)


def _error_page(error: RubiconError) -> Response[str]:
    message = f"{error.message} {error.suggestion}".strip()
    return private_page("message.html", status=status_of(error), message=message)
