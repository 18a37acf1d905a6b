"""How letters are ended from within a letter: a path that only this house can write."""

from __future__ import annotations

import secrets
from concurrent.futures import Future

from sqlalchemy import Connection, select

from rubicon.host.accounts import Accounts, want_letters
from rubicon.table import schema
from rubicon.table.errors import TableError


class Stopping:
    """Ends letters for those who have the path; it holds while the account has its address."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts

    def path(self, account: str, email: str) -> str:
        """Where letters to an account are ended."""
        return f"/letters/{account}/{self._mark(account, email)}"

    def stop(self, account: str, mark: str) -> Future[None]:
        """No more letters; `letters/unknown` where the mark is not for the account's address."""

        def job(connection: Connection) -> None:
            self._check(connection, account, mark)
            want_letters(connection, account, False)

        return self.accounts.store.write(job)

    def check(self, account: str, mark: str) -> None:
        """`letters/unknown` where `stop` would refuse."""
        self.accounts.store.read(lambda connection: self._check(connection, account, mark))

    def _check(self, connection: Connection, account: str, mark: str) -> None:
        wanted = select(schema.account.c.email).where(schema.account.c.id == account)
        email = connection.execute(wanted).scalar_one_or_none() or ""
        right = secrets.compare_digest(mark.lower().encode(), self._mark(account, email).encode())
        if not (right and email):
            message = "This page ends no letters any more: the account has another address."
            raise TableError("letters/unknown", message, "Take the link of a newer letter.")

    def _mark(self, account: str, email: str) -> str:
        return self.accounts.signature("no more letters", account, email)
