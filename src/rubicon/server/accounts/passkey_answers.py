"""Checks what a browser answers for a passkey (WebAuthn, steps of its sections 7.1 and 7.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from webauthn import verify_authentication_response, verify_registration_response
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    RegistrationCredential,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from rubicon.server.accounts.passkey_origin import PasskeyOrigin
from rubicon.table.errors import TableError

Verified = TypeVar("Verified")
MAX_KEY = 2000  # bytes of a public key; those of RSA with 4096 bits have 530


@dataclass(frozen=True, slots=True)
class NewPasskeyAnswer:
    """What `navigator.credentials.create()` returned; `client_data` is JSON as bytes."""

    id: bytes
    client_data: bytes
    attestation: bytes


@dataclass(frozen=True, slots=True)
class SignInAnswer:
    """What `navigator.credentials.get()` returned; `account` is the user handle it is for."""

    id: bytes
    client_data: bytes
    authenticator_data: bytes
    signature: bytes
    account: str


def challenge_of(client_data: bytes, origin: PasskeyOrigin) -> bytes:
    """The challenge that an answer is for, not checked yet.

    TableError `passkey/origin` for an answer that was made at another page, `passkey/refused` for
    one that cannot be read.
    """
    read = _checked(lambda: parse_client_data_json(client_data))
    if read.origin != origin.origin:
        message = f"Passkeys of this server work at {origin.origin} only."
        raise TableError("passkey/origin", message, f"Open {origin.origin} and try again.")
    return read.challenge


def check_new(
    answer: NewPasskeyAnswer, challenge: bytes, origin: PasskeyOrigin
) -> VerifiedRegistration:
    """The new passkey; TableError `passkey/refused` if the answer does not prove it."""
    response = AuthenticatorAttestationResponse(answer.client_data, answer.attestation)
    credential = RegistrationCredential(bytes_to_base64url(answer.id), answer.id, response)
    new = _checked(
        lambda: verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=origin.site,
            expected_origin=origin.origin,
        )
    )
    if new.credential_id != answer.id or len(new.credential_public_key) > MAX_KEY:
        raise refused_passkey()
    return new


def check_sign_in(
    answer: SignInAnswer, challenge: bytes, origin: PasskeyOrigin, key: bytes, counter: int
) -> VerifiedAuthentication:
    """The proof that somebody has a passkey; TableError `passkey/refused` if it is none.

    `key` and `counter` are stored with the passkey. A counter that has not grown means a copy.
    """
    response = AuthenticatorAssertionResponse(
        client_data_json=answer.client_data,
        authenticator_data=answer.authenticator_data,
        signature=answer.signature,
    )
    credential = AuthenticationCredential(bytes_to_base64url(answer.id), answer.id, response)
    return _checked(
        lambda: verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=origin.site,
            expected_origin=origin.origin,
            credential_public_key=key,
            credential_current_sign_count=counter,
        )
    )


def refused_passkey() -> TableError:
    """The error for an answer that proves nothing; it does not tell what is known."""
    message = "This passkey is not known here, or its signature is not right."
    return TableError("passkey/refused", message, "Sign in another way, and add it again.")


def _checked(verify: Callable[[], Verified]) -> Verified:
    try:
        return verify()
    # The library reads bytes of a stranger: keys, certificates and CBOR of any shape.
    except (WebAuthnException, ValueError, TypeError, LookupError, AttributeError) as error:
        raise refused_passkey() from error
