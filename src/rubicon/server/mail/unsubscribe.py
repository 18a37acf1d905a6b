"""Unsubscribing from e-mails by a signed link, without signing in."""

from __future__ import annotations

import secrets
from concurrent.futures import Future

from sqlalchemy import Connection, select

from rubicon.server.accounts.accounts import Accounts, set_emails
from rubicon.table.errors import TableError
from rubicon.table.storage import schema


class UnsubscribeLinks:
    """Signed links that turn an account's e-mails off.

    A link is valid while the account keeps the address that the e-mail went to.
    """

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts

    def path(self, account: str, address: str) -> str:
        """The path of an account's link."""
        return f"/unsubscribe/{account}/{self._signature(account, address)}"

    def unsubscribe(self, account: str, signature: str) -> Future[None]:
        """Turn the e-mails off; `unsubscribe/unknown` if the signature is not valid."""

        def job(connection: Connection) -> None:
            self._check(connection, account, signature)
            set_emails(connection, account, False)

        return self.accounts.store.write(job)

    def check(self, account: str, signature: str) -> None:
        """`unsubscribe/unknown` if `unsubscribe` would refuse; changes nothing."""
        self.accounts.store.read(lambda connection: self._check(connection, account, signature))

    def _check(self, connection: Connection, account: str, signature: str) -> None:
        wanted = select(schema.account.c.email).where(schema.account.c.id == account)
        address = connection.execute(wanted).scalar_one_or_none() or ""
        expected = self._signature(account, address).encode()
        matches = secrets.compare_digest(signature.lower().encode(), expected)
        if not (matches and address):
            message = "This link is no longer valid: the account has another e-mail address now."
            raise TableError("unsubscribe/unknown", message, "Use the link in a newer e-mail.")

    def _signature(self, account: str, address: str) -> str:
        # The first part keeps signatures for different purposes apart.
        return self.accounts.sign("unsubscribe", account, address)
