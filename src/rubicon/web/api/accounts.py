"""Accounts: play as a guest, tokens, sign-in by e-mail, export and deletion."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from typing import Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.params import JSONBody

from rubicon.server.accounts.accounts import IssuedToken
from rubicon.web.api.account.session import account_view, expired_cookie
from rubicon.web.api.requests import (
    CreateGuest,
    CreateToken,
    EmailAddress,
    MagicLinkToken,
    UpdateAccount,
)
from rubicon.web.api.responses import (
    AccountView,
    ApiTokenView,
    IssuedTokenView,
    TokenView,
    UpdatedAccountView,
)
from rubicon.web.http.auth import require_account, token_cookie
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, PathText
from rubicon.web.http.rate_limits import client_address

AnyRequest = Request[Any, Any, Any]
log = logging.getLogger(__name__)


class AccountsController(Controller):
    """The signed-in account, and the ways to sign in."""

    path = "/api/v1"
    tags = ("accounts",)

    @post("/guest", summary="Create a guest account")
    async def create_guest(
        self, data: JSONBody[CreateGuest], server: CurrentServer, request: AnyRequest
    ) -> Response[IssuedTokenView]:
        """Returns the account and its token, which is shown only this once; a browser gets it as
        a cookie."""
        issued = await asyncio.wrap_future(server.accounts.create_guest(data.name))
        cookie = token_cookie(request, issued.token)
        return Response(_issued_token(issued), status_code=201, cookies=[cookie])

    @get("/me", summary="Get my account")
    async def me(self, me: CurrentAccount, server: CurrentServer) -> AccountView:
        """`email` is null for a guest."""
        return await asyncio.to_thread(account_view, server, require_account(me))

    @patch("/me", summary="Change my name and preferences")
    async def update(
        self, me: CurrentAccount, data: JSONBody[UpdateAccount], server: CurrentServer
    ) -> UpdatedAccountView:
        """A new name is used from the next table on. `listed: false` hides the public page."""
        account = require_account(me)
        if data.name is not None:
            await asyncio.wrap_future(server.accounts.rename(account, data.name))
        if data.emails is not None:
            await asyncio.wrap_future(server.accounts.set_emails(account, data.emails))
        if data.listed is not None:
            await asyncio.wrap_future(server.accounts.set_listed(account, data.listed))
        profile = await asyncio.to_thread(server.accounts.profile, account)
        name = account.name if data.name is None else data.name.strip()
        return {
            "account": account.id,
            "name": name,
            "emails": profile.emails,
            "listed": profile.listed,
        }

    @post("/me/email", summary="Save my account under an e-mail address", status_code=202)
    async def save_account(
        self,
        me: CurrentAccount,
        data: JSONBody[EmailAddress],
        server: CurrentServer,
        request: AnyRequest,
    ) -> dict[str, str]:
        """Sends an e-mail with a link; the address is saved when its button is pressed. One
        address gets at most three such e-mails an hour."""
        account = require_account(me)
        _limit_emails(request)
        await asyncio.wrap_future(server.magic_links.save_account(account, data.email))
        return {"status": "sent"}

    @post("/magic-link", summary="Send a sign-in link by e-mail", status_code=202)
    async def request_sign_in(
        self, data: JSONBody[EmailAddress], server: CurrentServer, request: AnyRequest
    ) -> dict[str, str]:
        """The answer is the same whether the address is known or not; only known addresses get an
        e-mail."""
        _limit_emails(request)
        # Not awaited: the time of the answer would tell whether the address is known.
        server.magic_links.request_sign_in(data.email).add_done_callback(_log_failure)
        return {"status": "sent if the address is known"}

    @post("/sign-in", summary="Sign in with the token of a link", status_code=200)
    async def sign_in(
        self, data: JSONBody[MagicLinkToken], server: CurrentServer
    ) -> IssuedTokenView:
        """Returns the account and a token, which is shown only this once. A link works once, within
        a day. If the address already belongs to another account, the guest's seats move there. For
        programs; people press the button on the page of the link."""
        return _issued_token(await asyncio.wrap_future(server.magic_links.use(data.token)))

    @get("/me/export", summary="Export everything that is stored about me")
    async def export(self, me: CurrentAccount, server: CurrentServer) -> dict[str, Any]:
        """The account, the labels of its tokens, its seats and chat lines."""
        return await asyncio.to_thread(server.accounts.export, require_account(me))

    @delete("/me", summary="Delete my account", status_code=200)
    async def erase(self, me: CurrentAccount, server: CurrentServer) -> Response[dict[str, Any]]:
        """Deletes name, address, tokens and chat; games keep only the colour of the seat. My seats
        in running games are treated as absent, and my tables in the lobby pass to the next
        person."""
        for table in await asyncio.wrap_future(server.accounts.erase(require_account(me))):
            server.lobby.publish(table)
        return Response({"erased": True}, cookies=[expired_cookie()])

    @get("/me/tokens", summary="List my tokens")
    async def tokens(self, me: CurrentAccount, server: CurrentServer) -> list[TokenView]:
        """Their labels; the tokens themselves are not stored."""
        rows = await asyncio.to_thread(server.accounts.tokens, require_account(me))
        return [TokenView(label=r["label"], kind=r["kind"], created=r["created"]) for r in rows]

    @post("/me/tokens", summary="Create a token for a program")
    async def create_token(
        self, me: CurrentAccount, data: JSONBody[CreateToken], server: CurrentServer
    ) -> ApiTokenView:
        """The token is shown only this once."""
        issuing = server.accounts.issue_token(require_account(me), data.label)
        issued = await asyncio.wrap_future(issuing)
        return {"label": data.label.strip(), "token": issued.token}

    @delete("/me/tokens/{label:str}", summary="Revoke a token", status_code=200)
    async def revoke_token(
        self, me: CurrentAccount, label: PathText, server: CurrentServer
    ) -> dict[str, str]:
        """The token stops working at once, and its event streams end."""
        await asyncio.wrap_future(server.accounts.revoke_token(require_account(me), label))
        return {"revoked": label}


def _issued_token(issued: IssuedToken) -> IssuedTokenView:
    account, token = issued.account, issued.token
    return {"account": account.id, "name": account.name, "token": token}


def _limit_emails(request: AnyRequest) -> None:
    """WebError if the client's address has asked for too many e-mails."""
    if request.app.state.sign_in_emails.take(client_address(request.scope)):
        message = "Too many e-mails were requested from your address."
        suggestion = "Look in your spam folder, or try again in some minutes."
        raise WebError("link/rate-limited", message, suggestion)


def _log_failure(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        log.warning("sign-in link not created", exc_info=error)
