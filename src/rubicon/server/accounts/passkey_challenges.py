"""Challenges for passkeys: texts that an authenticator signs, each for one use within five minutes.

The server keeps nothing for a challenge that was not used, however many are asked for, and several
servers on one database accept each other's: a challenge carries its time, and a signature of the
server for its purpose and its account. Used ones are stored until they expire.
"""

from __future__ import annotations

import hmac
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, select

from rubicon.server.accounts.accounts import Accounts
from rubicon.server.accounts.tokens import new_token
from rubicon.table.errors import TableError
from rubicon.table.storage import schema

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
