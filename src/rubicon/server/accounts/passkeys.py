"""Passkeys (WebAuthn): keys on a person's devices that sign in to an account."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from webauthn import generate_authentication_options, generate_registration_options
from webauthn.helpers import options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from rubicon.server.accounts.accounts import Account, Accounts, IssuedToken
from rubicon.server.accounts.passkey_answers import (
    NewPasskeyAnswer,
    SignInAnswer,
    challenge_of,
    check_new,
    check_sign_in,
    refused_passkey,
)
from rubicon.server.accounts.passkey_challenges import VALID, PasskeyChallenges, Purpose
from rubicon.server.accounts.passkey_origin import PasskeyOrigin
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

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
    """The passkeys of a database; each call is told the server's origin (None: not offered).

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
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
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
        """Sign in with it no more; `passkey/unknown` if it is not the account's."""
        own = (schema.passkey.c.account == account.id) & (schema.passkey.c.id == passkey)

        def job(connection: Connection) -> None:
            if connection.execute(delete(schema.passkey).where(own)).rowcount == 0:
                message = f"You have no passkey with the number {passkey}."
                raise TableError("passkey/unknown", message, "GET /api/v1/me/passkeys lists them.")

        return self.accounts.store.write(job)


def _found(connection: Connection, answer: SignInAnswer) -> Row[Any]:
    """The passkey of an answer, locked; it must be the passkey of the account that is named."""
    passkey, account = schema.passkey, schema.account
    wanted = select(passkey, account.c.name.label("owner"))
    joined = wanted.join(account, account.c.id == passkey.c.account)
    named: ColumnElement[bool] = passkey.c.credential == answer.id
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
