"""Passkeys (WebAuthn): keys on a person's devices that sign in to an account."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import bytes_to_base64url, options_to_json_dict, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from rubicon.server.accounts import Account, Accounts, IssuedToken, new_token
from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

# Where passkeys work: the server's own public address, never one that a client names.
#
# A browser ties a passkey to the name of a site (WebAuthn: *RP id*) and signs the page's origin.

DEFAULT_PORTS = {"https": 443, "http": 80}
LOCALHOST = "localhost"


@dataclass(frozen=True, slots=True)
class PasskeyOrigin:
    """The `origin` of the server's pages (https://risk.example.org), and its name `site`."""

    origin: str
    site: str


def passkey_origin(public_url: str, listening_url: str) -> PasskeyOrigin | None:
    """The origin at which a server offers passkeys; None where browsers would refuse them.

    `public_url` is the setting. Without it, passkeys work at http://localhost with the port of
    `listening_url`: the Host header of a request is the client's choice, and is not asked.
    """
    if not public_url:
        return _localhost(urlsplit(listening_url))
    url = urlsplit(public_url)
    try:
        name, port = url.hostname or "", url.port
    except ValueError:  # a port that is no number
        return None
    secure = url.scheme == "https" or is_localhost(name)
    if not name or not secure or _is_address(name):
        return None
    return PasskeyOrigin(_origin(url.scheme, name, port), name)


def is_localhost(name: str) -> bool:
    """Whether browsers trust a name without https: it never leaves the machine."""
    return name == LOCALHOST or name.endswith(f".{LOCALHOST}")


def _localhost(listening: SplitResult) -> PasskeyOrigin:
    return PasskeyOrigin(_origin("http", LOCALHOST, listening.port), LOCALHOST)


def _origin(scheme: str, name: str, port: int | None) -> str:
    shown = "" if port in (None, DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{name}{shown}"


def _is_address(name: str) -> bool:
    """Whether it is an IP address: browsers tie passkeys to names only."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


# Challenges for passkeys: texts that an authenticator signs, each for one use within five
# minutes.
#
# The server keeps nothing for a challenge that was not used, however many are asked for, and
# several servers on one database accept each other's: a challenge carries its time, and a
# signature of the server for its purpose and its account. Used ones are stored until they expire.

VALID = 5 * 60 * 1000  # milliseconds
PARTS = 3


class Purpose(StrEnum):
    """What a challenge may be used for."""

    REGISTER = "register"
    SIGN_IN = "sign in"


class PasskeyChallenges:
    """The challenges of a database."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def new(self, purpose: Purpose, account: str, at: int) -> bytes:
        """A challenge for an account, or "" for a person who signs in; `at` in ms since 1970."""
        nonce = new_token()
        return f"{nonce}.{at}.{self._signature(purpose, account, nonce, at)}".encode()

    def use(
        self, connection: Connection, challenge: bytes, purpose: Purpose, account: str, at: int
    ) -> None:
        """Use a challenge inside an open transaction: it is used only if that is committed.

        TableError `passkey/challenge` if it is not this server's, not for this purpose and account,
        older than five minutes, or used. Two uses at the same time: the database refuses one.
        """
        nonce, made = self._read(challenge, purpose, account)
        if not 0 <= at - made < VALID:
            raise refused_challenge()
        columns = schema.used_challenge.c
        connection.execute(delete(schema.used_challenge).where(columns.expires <= at))
        digest = self._accounts.digest(nonce)
        if connection.execute(select(columns.digest).where(columns.digest == digest)).first():
            raise refused_challenge()
        row = {"digest": digest, "expires": made + VALID}
        connection.execute(insert(schema.used_challenge), row)

    def check(self, challenge: bytes, purpose: Purpose, account: str) -> None:
        """TableError `passkey/challenge` if this server has not made it; no database query."""
        self._read(challenge, purpose, account)

    def _read(self, challenge: bytes, purpose: Purpose, account: str) -> tuple[str, int]:
        parts = challenge.decode("ascii", "replace").split(".")
        if len(parts) != PARTS or not parts[1].isascii() or not parts[1].isdigit():
            raise refused_challenge()
        # Fifteen digits hold every moment; `int` raises for some thousands of them.
        nonce, made, signature = parts[0], int(parts[1][:15]), parts[2]
        expected = self._signature(purpose, account, nonce, made)
        if not hmac.compare_digest(expected.encode(), signature.encode()):
            raise refused_challenge()
        return nonce, made

    def _signature(self, purpose: Purpose, account: str, nonce: str, at: int) -> str:
        return self._accounts.sign("passkey", purpose, account, nonce, str(at))


def refused_challenge() -> TableError:
    """The error for a challenge that cannot be used, whatever the reason is."""
    message = "This request has expired, was used already, or is not of this server."
    return TableError("passkey/challenge", message, "Begin again.")


# Checks what a browser answers for a passkey (WebAuthn, steps of its sections 7.1 and 7.2).

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
    """The proof that someone has a passkey; TableError `passkey/refused` if it is none.

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
    """The error for an answer that proves nothing; it does not reveal what is known."""
    message = "This passkey is not known here, or its signature is not right."
    return TableError("passkey/refused", message, "Sign in another way, and add it again.")


def _checked(verify: Callable[[], Verified]) -> Verified:
    try:
        return verify()
    # The library reads bytes of a stranger: keys, certificates and CBOR of any shape.
    except (WebAuthnException, ValueError, TypeError, LookupError, AttributeError) as error:
        raise refused_passkey() from error


MAX_PASSKEYS = 10  # of one account
MAX_NAME = 40  # characters
Clock = Callable[[Connection], int]
Options = dict[str, Any]  # JSON for PublicKeyCredential.parse…OptionsFromJSON


@dataclass(frozen=True, slots=True)
class KnownPasskey:
    """A passkey without its key; times in ms since 1970, `used` is None before its first use."""

    id: int
    name: str
    created: int
    used: int | None


class Passkeys:
    """The passkeys of a database; each call takes the server's origin (None: not offered).

    Methods that write return a future, which is done after the commit. All that take an origin
    raise TableError `passkey/off` without one.
    """

    def __init__(self, accounts: Accounts, clock: Clock = now) -> None:
        self.accounts = accounts
        self._clock = clock
        self._challenges = PasskeyChallenges(accounts)

    def begin_register(self, account: Account, where: PasskeyOrigin | None) -> Options:
        """What a browser needs to make a passkey; `passkey/too-many` beyond ten of an account."""
        origin = _offered(where)
        if account.admin:
            message = "The administrator's account has no passkeys."
            raise TableError("passkey/admin", message, "Play with another account.")

        def read(connection: Connection) -> tuple[int, list[bytes]]:
            own = schema.passkey.c.account == account.id
            known = connection.execute(select(schema.passkey.c.credential).where(own)).scalars()
            return self._clock(connection), list(known)

        at, known = self.accounts.store.read(read)
        _check_room(len(known))
        options = generate_registration_options(
            rp_id=origin.site,
            rp_name="Rubicon",
            user_id=account.id.encode(),
            user_name=account.name,
            challenge=self._challenges.new(Purpose.REGISTER, account.id, at),
            timeout=VALID,
            authenticator_selection=AuthenticatorSelectionCriteria(
                # The device knows whose passkey it is, so that signing in needs no name.
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            # A device that has one already makes no second.
            exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
        )
        return options_to_json_dict(options)

    def register(
        self, account: Account, where: PasskeyOrigin | None, answer: NewPasskeyAnswer, name: str
    ) -> Future[KnownPasskey]:
        """Store a new passkey under a name.

        TableError `passkey/name`, `passkey/too-many`, `passkey/known`, or one of the answer.
        """
        origin, label = _offered(where), _checked_name(name)
        challenge = challenge_of(answer.client_data, origin)
        # Without a query: what is no answer to this server must not reach the writer thread.
        self._challenges.check(challenge, Purpose.REGISTER, account.id)
        new = check_new(answer, challenge, origin)

        def job(connection: Connection) -> KnownPasskey:
            columns, at = schema.passkey.c, self._clock(connection)
            own_row = select(schema.account.c.id).where(schema.account.c.id == account.id)
            connection.execute(own_row.with_for_update())  # serialises requests of one account
            self._challenges.use(connection, challenge, Purpose.REGISTER, account.id, at)
            counted = select(func.count()).where(columns.account == account.id)
            _check_room(connection.execute(counted).scalar_one())
            same = select(columns.id).where(columns.credential == new.credential_id)
            if connection.execute(same).first() is not None:
                message = "This passkey belongs to an account already."
                raise TableError("passkey/known", message, "Sign in with it.")
            row: dict[str, object] = {
                "account": account.id,
                "credential": new.credential_id,
                "name": label,
            }
            row |= {"key": new.credential_public_key, "counter": new.sign_count, "created": at}
            stored = connection.execute(insert(schema.passkey).values(**row)).inserted_primary_key
            assert stored is not None
            return KnownPasskey(int(stored[0]), label, at, None)

        return self.accounts.store.write(job)

    def begin_sign_in(self, where: PasskeyOrigin | None) -> Options:
        """What a browser needs to ask which passkey of this site to sign in with."""
        origin = _offered(where)
        at = self.accounts.store.read(self._clock)
        options = generate_authentication_options(
            rp_id=origin.site,
            challenge=self._challenges.new(Purpose.SIGN_IN, "", at),
            timeout=VALID,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return options_to_json_dict(options)

    def sign_in(self, where: PasskeyOrigin | None, answer: SignInAnswer) -> Future[IssuedToken]:
        """Sign in to the account of a passkey with a new cookie token."""
        origin = _offered(where)
        challenge = challenge_of(answer.client_data, origin)
        self._challenges.check(challenge, Purpose.SIGN_IN, "")

        def job(connection: Connection) -> IssuedToken:
            found, at = _found(connection, answer), self._clock(connection)
            proof = check_sign_in(answer, challenge, origin, bytes(found.key), found.counter)
            self._challenges.use(connection, challenge, Purpose.SIGN_IN, "", at)
            used = {"counter": proof.new_sign_count, "used": at}
            row = schema.passkey.c.id == found.id
            connection.execute(update(schema.passkey).where(row).values(**used))
            return self.accounts.sign_in(connection, Account(found.account, found.owner))

        return self.accounts.store.write(job)

    def of_account(self, account: Account) -> list[KnownPasskey]:
        """The passkeys of an account, the oldest first."""
        columns = schema.passkey.c
        wanted = select(columns.id, columns.name, columns.created, columns.used)
        own = wanted.where(columns.account == account.id).order_by(columns.id)
        return self.accounts.store.read(
            lambda connection: [KnownPasskey(*row) for row in connection.execute(own)]
        )

    def remove(self, account: Account, passkey: int) -> Future[None]:
        """Stop signing in with it; `passkey/unknown` if it is not the account's."""
        own = (schema.passkey.c.account == account.id) & (schema.passkey.c.id == passkey)

        def job(connection: Connection) -> None:
            if connection.execute(delete(schema.passkey).where(own)).rowcount == 0:
                message = f"You have no passkey with the number {passkey}."
                raise TableNotFound(
                    "passkey/unknown", message, "GET /api/v1/me/passkeys lists them."
                )

        return self.accounts.store.write(job)


def _found(connection: Connection, answer: SignInAnswer) -> Row[Any]:
    """The passkey of an answer, locked; it must be the passkey of the account that is named."""
    passkey, account = schema.passkey, schema.account
    wanted = select(passkey, account.c.name.label("owner"))
    joined = wanted.join(account, account.c.id == passkey.c.account)
    named: ColumnElement[bool] = passkey.c.credential == answer.id
    # Two sign-ins with the same counter must not both pass: the second one may be a copy's.
    locked = joined.where(named).with_for_update(of=passkey)
    row = connection.execute(locked).one_or_none()
    if row is None or row.account != answer.account:
        raise refused_passkey()
    return row


def _offered(where: PasskeyOrigin | None) -> PasskeyOrigin:
    if where is None:
        message = "This server has no passkeys: its public address is neither https nor localhost."
        suggestion = "Its operator can set RUBICON_PUBLIC_URL=https://…"
        raise TableError("passkey/off", message, suggestion)
    return where


def _check_room(count: int) -> None:
    if count >= MAX_PASSKEYS:
        message = f"An account can have at most {MAX_PASSKEYS} passkeys."
        raise TableError("passkey/too-many", message, "Remove one that is not used.")


def _checked_name(name: str) -> str:
    proper = name.strip()
    if not (1 <= len(proper) <= MAX_NAME and proper.isprintable()):
        message = f"A passkey needs a name of 1 to {MAX_NAME} characters."
        raise TableError("passkey/name", message, "Name the device that it is on.")
    return proper
