"""Passkeys: made and removed by whom is signed in, and the way to sign in with one."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypedDict

from litestar import Controller, Response, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from rubicon.server.accounts.passkey_answers import NewPasskeyAnswer, SignInAnswer
from rubicon.server.accounts.passkeys import KnownPasskey
from rubicon.server.push.encryption import from_base64
from rubicon.web.api.requests import MAX_NUMBER, Body, ShortText
from rubicon.web.http.auth import AnyRequest, require_account, token_cookie
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import CurrentAccount, CurrentServer
from rubicon.web.http.rate_limits import client_address

PasskeyNumber = Annotated[int, QueryParameter(ge=0, le=MAX_NUMBER)]
CredentialId = Annotated[str, Meta(max_length=1364)]  # 1023 bytes, the most that WebAuthn allows
ClientData = Annotated[str, Meta(max_length=4000)]
Attestation = Annotated[str, Meta(max_length=20_000)]  # it may hold certificates
ShortBytes = Annotated[str, Meta(max_length=2000)]


class AddPasskey(Body):
    """What `navigator.credentials.create()` returned (base64url), and a name for the passkey."""

    name: ShortText
    id: CredentialId
    client_data: ClientData
    attestation: Attestation


class UsePasskey(Body):
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
    async def passkeys(self, me: CurrentAccount, server: CurrentServer) -> list[KnownPasskey]:
        """The oldest first; `used` is when somebody last signed in with it, or null."""
        return await asyncio.to_thread(server.passkeys.of_account, require_account(me))

    @post("/begin", summary="Begin to add a passkey", status_code=200)
    async def begin(
        self, me: CurrentAccount, server: CurrentServer, request: AnyRequest
    ) -> PasskeyOptions:
        """They can be used once, within five minutes."""
        account = require_account(me)
        _limit(request)
        options = server.passkeys.begin_register
        return {"options": await asyncio.to_thread(options, account, server.passkey_origin)}

    @post("/", summary="Add a passkey")
    async def add(
        self,
        me: CurrentAccount,
        data: JSONBody[AddPasskey],
        server: CurrentServer,
        request: AnyRequest,
    ) -> KnownPasskey:
        """From now on it signs in to my account. An account has at most ten."""
        account = require_account(me)
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
        self, me: CurrentAccount, server: CurrentServer, passkey: PasskeyNumber
    ) -> dict[str, bool]:
        """The one with this number. Browsers that are signed in stay so."""
        await asyncio.wrap_future(server.passkeys.remove(require_account(me), passkey))
        return {"removed": True}


class PasskeySignInController(Controller):
    """Signing in with a passkey."""

    path = "/api/v1/sign-in/passkey"
    tags = ("accounts",)

    @post("/begin", summary="Begin to sign in with a passkey", status_code=200)
    async def begin(self, server: CurrentServer, request: AnyRequest) -> PasskeyOptions:
        """They can be used once, within five minutes."""
        _limit(request)
        begin_sign_in = server.passkeys.begin_sign_in
        return {"options": await asyncio.to_thread(begin_sign_in, server.passkey_origin)}

    @post("/", summary="Sign in with a passkey", status_code=200)
    async def sign_in(
        self, data: JSONBody[UsePasskey], server: CurrentServer, request: AnyRequest
    ) -> Response[SignedIn]:
        """The browser gets the cookie of the passkey's account."""
        _limit(request)
        answer = SignInAnswer(
            id=_bytes(data.id),
            client_data=_bytes(data.client_data),
            authenticator_data=_bytes(data.authenticator_data),
            signature=_bytes(data.signature),
            account=_bytes(data.user_handle).decode("ascii", "replace"),
        )
        signing_in = asyncio.to_thread(server.passkeys.sign_in, server.passkey_origin, answer)
        issued = await asyncio.wrap_future(await signing_in)
        signed_in: SignedIn = {"account": issued.account.id, "name": issued.account.name}
        return Response(signed_in, cookies=[token_cookie(request, issued.token)])


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
        raise WebError("passkey/rate-limited", message, "Try again in some minutes.")
