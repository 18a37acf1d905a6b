"""Accounts: guests, sessions, tokens, sign-in, export and deletion."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from typing import Annotated, Any, TypedDict

from litestar import Controller, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from rubicon import __version__
from rubicon.errors import TooMany
from rubicon.server.accounts import Account, IssuedToken
from rubicon.server.passkeys import KnownPasskey, NewPasskeyAnswer, SignInAnswer
from rubicon.server.push import from_base64
from rubicon.server.server import Server
from rubicon.table.storage.connection import now
from rubicon.web.api import bodies
from rubicon.web.http import auth
from rubicon.web.http.connections import client_address
from rubicon.web.http.errors import AnyRequest, WebError

# Who is signed in, and what this server offers: the first question of a browser.


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

    account: bodies.AccountView | None
    time: int
    server: ServerOffer


class SignedOut(TypedDict):
    """Whether a browser was signed out, or (false) it was signed in to no account."""

    signed_out: bool


class SessionController(Controller):
    """The session of a browser."""

    path = "/api/v1"
    tags = ("accounts",)

    @get("/session", summary="Get my account, or null, and what this server offers")
    async def session(self, me: auth.CurrentAccount, server: auth.CurrentServer) -> SessionView:
        """Always 200, also without a token and with one that is not valid any more."""
        return await asyncio.to_thread(session_view, server, me)

    @delete("/session", summary="Sign this browser out", status_code=200)
    async def sign_out(
        self, request: AnyRequest, server: auth.CurrentServer
    ) -> Response[SignedOut]:
        """The cookie's token stops working at once, and its event streams end; other browsers and
        programs stay signed in. Without a cookie nothing happens."""
        token = request.cookies.get(auth.COOKIE)
        if token is not None:
            auth.require_same_site(request)
            await asyncio.wrap_future(server.accounts.sign_out(token))
        return Response({"signed_out": token is not None}, cookies=[expired_cookie()])


def expired_cookie() -> Cookie:
    """The cookie that replaces the one of a browser which is signed out."""
    # Browsers delete a cookie only by one of the same name whose time is over.
    return Cookie(auth.COOKIE, value="", max_age=0, httponly=True, samesite="lax")


def session_view(server: Server, me: Account | None) -> SessionView:
    """The session of an account; None for a browser without one."""
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


def account_view(server: Server, account: Account) -> bodies.AccountView:
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


# Passkeys: made and removed by the owner of an account, and the way to sign in with one.
#
# The fields that a browser sends are bounded: they are read before anything is checked.

PasskeyNumber = Annotated[int, QueryParameter(ge=0, le=bodies.MAX_NUMBER)]
CredentialId = Annotated[str, Meta(max_length=1364)]  # 1023 bytes, the most that WebAuthn allows
ClientData = Annotated[str, Meta(max_length=4000)]
Attestation = Annotated[str, Meta(max_length=20_000)]  # it may hold certificates
ShortBytes = Annotated[str, Meta(max_length=2000)]


class AddPasskey(bodies.Body):
    """What `navigator.credentials.create()` returned (base64url), and a name for the passkey."""

    name: bodies.ShortText
    id: CredentialId
    client_data: ClientData
    attestation: Attestation


class UsePasskey(bodies.Body):
    """What `navigator.credentials.get()` returned (base64url)."""

    id: CredentialId
    client_data: ClientData
    authenticator_data: ShortBytes
    signature: ShortBytes
    user_handle: ShortBytes


class PasskeyOptions(TypedDict):
    """`options`: for `PublicKeyCredential.parseCreationOptionsFromJSON` or `…RequestOptions…`."""

    options: dict[str, Any]


class SignedIn(TypedDict):
    """The account that this browser is signed in to now."""

    account: str
    name: str


class PasskeysController(Controller):
    """The passkeys of an account."""

    path = "/api/v1/me/passkeys"
    tags = ("accounts",)

    @get("/", summary="List my passkeys")
    async def passkeys(
        self, me: auth.CurrentAccount, server: auth.CurrentServer
    ) -> list[KnownPasskey]:
        """The oldest first; `used` is the time of the last sign-in with it, or null."""
        return await asyncio.to_thread(server.passkeys.of_account, auth.require_account(me))

    @post("/begin", summary="Begin to add a passkey", status_code=200)
    async def begin(
        self, me: auth.CurrentAccount, server: auth.CurrentServer, request: AnyRequest
    ) -> PasskeyOptions:
        """They can be used once, within five minutes."""
        account = auth.require_account(me)
        _limit(request)
        options = server.passkeys.begin_register
        return {"options": await asyncio.to_thread(options, account, server.passkey_origin)}

    @post("/", summary="Add a passkey")
    async def add(
        self,
        me: auth.CurrentAccount,
        data: JSONBody[AddPasskey],
        server: auth.CurrentServer,
        request: AnyRequest,
    ) -> KnownPasskey:
        """From now on it signs in to my account. An account has at most ten."""
        account = auth.require_account(me)
        _limit(request)
        answer = NewPasskeyAnswer(
            id=_bytes(data.id),
            client_data=_bytes(data.client_data),
            attestation=_bytes(data.attestation),
        )
        register = server.passkeys.register
        # In a thread: reading keys and certificates takes longer than a request may on the loop.
        stored = asyncio.to_thread(register, account, server.passkey_origin, answer, data.name)
        return await asyncio.wrap_future(await stored)

    @delete("/", summary="Remove a passkey", status_code=200)
    async def remove(
        self, me: auth.CurrentAccount, server: auth.CurrentServer, passkey: PasskeyNumber
    ) -> dict[str, bool]:
        """The one with this number. Browsers that are signed in stay so."""
        await asyncio.wrap_future(server.passkeys.remove(auth.require_account(me), passkey))
        return {"removed": True}


class PasskeySignInController(Controller):
    """Signing in with a passkey."""

    path = "/api/v1/sign-in/passkey"
    tags = ("accounts",)

    @post("/begin", summary="Begin to sign in with a passkey", status_code=200)
    async def begin(self, server: auth.CurrentServer, request: AnyRequest) -> PasskeyOptions:
        """They can be used once, within five minutes."""
        _limit(request)
        begin_sign_in = server.passkeys.begin_sign_in
        return {"options": await asyncio.to_thread(begin_sign_in, server.passkey_origin)}

    @post("/", summary="Sign in with a passkey", status_code=200)
    async def sign_in(
        self, data: JSONBody[UsePasskey], server: auth.CurrentServer, request: AnyRequest
    ) -> Response[SignedIn]:
        """The browser gets the cookie of the passkey's account."""
        _limit(request)
        answer = SignInAnswer(
            id=_bytes(data.id),
            client_data=_bytes(data.client_data),
            authenticator_data=_bytes(data.authenticator_data),
            signature=_bytes(data.signature),
            # What is no account's id matches none: it needs no error of its own.
            account=_bytes(data.user_handle).decode("ascii", "replace"),
        )
        signing_in = asyncio.to_thread(server.passkeys.sign_in, server.passkey_origin, answer)
        issued = await asyncio.wrap_future(await signing_in)
        signed_in: SignedIn = {"account": issued.account.id, "name": issued.account.name}
        return Response(signed_in, cookies=[auth.token_cookie(request, issued.token)])


def _bytes(text: str) -> bytes:
    """The bytes of a field; WebError `passkey/unreadable`."""
    try:
        return from_base64(text)
    except ValueError as error:
        message = "A field of the passkey is not base64url."
        raise WebError(
            "passkey/unreadable", message, "Send what the browser returned, by toJSON()."
        ) from error


def _limit(request: AnyRequest) -> None:
    """WebError if the client's address has used passkeys too often."""
    if request.app.state.passkey_requests.take(client_address(request.scope)):
        message = "Passkeys were used too often from your address."
        raise TooMany("passkey/rate-limited", message, "Try again in some minutes.")


# The account: play as a guest, tokens, sign-in by e-mail, export and deletion.

log = logging.getLogger(__name__)


class AccountsController(Controller):
    """The signed-in account, and the ways to sign in."""

    path = "/api/v1"
    tags = ("accounts",)

    @post("/guest", summary="Create a guest account")
    async def create_guest(
        self, data: JSONBody[bodies.CreateGuest], server: auth.CurrentServer, request: AnyRequest
    ) -> Response[bodies.IssuedTokenView]:
        """Returns the account and its token, which is shown only this once; a browser gets it as
        a cookie."""
        issued = await asyncio.wrap_future(server.accounts.create_guest(data.name))
        cookie = auth.token_cookie(request, issued.token)
        return Response(_issued_token(issued), status_code=201, cookies=[cookie])

    @get("/me", summary="Get my account")
    async def me(self, me: auth.CurrentAccount, server: auth.CurrentServer) -> bodies.AccountView:
        """`email` is null for a guest."""
        return await asyncio.to_thread(account_view, server, auth.require_account(me))

    @patch("/me", summary="Change my name and preferences")
    async def update(
        self,
        me: auth.CurrentAccount,
        data: JSONBody[bodies.UpdateAccount],
        server: auth.CurrentServer,
    ) -> bodies.UpdatedAccountView:
        """A new name is used from the next table on. `listed: false` hides the public page."""
        account = auth.require_account(me)
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
        me: auth.CurrentAccount,
        data: JSONBody[bodies.EmailAddress],
        server: auth.CurrentServer,
        request: AnyRequest,
    ) -> dict[str, str]:
        """Sends an e-mail with a link; the address is saved when its button is pressed. One
        address gets at most three such e-mails an hour."""
        account = auth.require_account(me)
        _limit_emails(request)
        await asyncio.wrap_future(server.magic_links.save_account(account, data.email))
        return {"status": "sent"}

    @post("/magic-link", summary="Send a sign-in link by e-mail", status_code=202)
    async def request_sign_in(
        self, data: JSONBody[bodies.EmailAddress], server: auth.CurrentServer, request: AnyRequest
    ) -> dict[str, str]:
        """The answer is the same whether the address is known or not; only known addresses get an
        e-mail."""
        _limit_emails(request)
        # Not awaited: the time of the answer would show whether the address is known.
        server.magic_links.request_sign_in(data.email).add_done_callback(_log_failure)
        return {"status": "sent if the address is known"}

    @post("/sign-in", summary="Sign in with the token of a link", status_code=200)
    async def sign_in(
        self, data: JSONBody[bodies.MagicLinkToken], server: auth.CurrentServer
    ) -> bodies.IssuedTokenView:
        """Returns the account and a token, which is shown only this once. A link works once, within
        a day. If the address already belongs to another account, the guest's seats move there. For
        programs; people press the button on the page of the link."""
        return _issued_token(await asyncio.wrap_future(server.magic_links.use(data.token)))

    @get("/me/export", summary="Export everything that is stored about me")
    async def export(self, me: auth.CurrentAccount, server: auth.CurrentServer) -> dict[str, Any]:
        """The account, the labels of its tokens, its seats and chat lines."""
        return await asyncio.to_thread(server.accounts.export, auth.require_account(me))

    @delete("/me", summary="Delete my account", status_code=200)
    async def erase(
        self, me: auth.CurrentAccount, server: auth.CurrentServer
    ) -> Response[dict[str, Any]]:
        """Deletes name, address, tokens and chat; games keep only the colour of the seat. My seats
        in running games are treated as absent, and my tables in the lobby pass to the next
        person."""
        for table in await asyncio.wrap_future(server.accounts.erase(auth.require_account(me))):
            server.lobby.publish(table)
        return Response({"erased": True}, cookies=[expired_cookie()])

    @get("/me/tokens", summary="List my tokens")
    async def tokens(
        self, me: auth.CurrentAccount, server: auth.CurrentServer
    ) -> list[bodies.TokenView]:
        """Their labels; the tokens themselves are not stored."""
        rows = await asyncio.to_thread(server.accounts.tokens, auth.require_account(me))
        return [
            bodies.TokenView(label=r["label"], kind=r["kind"], created=r["created"]) for r in rows
        ]

    @post("/me/tokens", summary="Create a token for a program")
    async def create_token(
        self,
        me: auth.CurrentAccount,
        data: JSONBody[bodies.CreateToken],
        server: auth.CurrentServer,
    ) -> bodies.ApiTokenView:
        """The token is shown only this once."""
        issuing = server.accounts.issue_token(auth.require_account(me), data.label)
        issued = await asyncio.wrap_future(issuing)
        return {"label": data.label.strip(), "token": issued.token}

    @delete("/me/tokens/{label:str}", summary="Revoke a token", status_code=200)
    async def revoke_token(
        self, me: auth.CurrentAccount, label: auth.PathText, server: auth.CurrentServer
    ) -> dict[str, str]:
        """The token stops working at once, and its event streams end."""
        await asyncio.wrap_future(server.accounts.revoke_token(auth.require_account(me), label))
        return {"revoked": label}


def _issued_token(issued: IssuedToken) -> bodies.IssuedTokenView:
    account, token = issued.account, issued.token
    return {"account": account.id, "name": account.name, "token": token}


def _limit_emails(request: AnyRequest) -> None:
    """WebError if the client's address has asked for too many e-mails."""
    if request.app.state.sign_in_emails.take(client_address(request.scope)):
        message = "Too many e-mails were requested from your address."
        suggestion = "Look in your spam folder, or try again in some minutes."
        raise TooMany("link/rate-limited", message, suggestion)


def _log_failure(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        log.warning("sign-in link not created", exc_info=error)
