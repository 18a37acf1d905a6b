"""Links in e-mails that work without signing in: one-time links to an account, and
unsubscribing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from email.message import EmailMessage

from sqlalchemy import ColumnElement, Connection, delete, func, select, text, update

from rubicon.server.accounts import (
    LINK,
    USED,
    Account,
    Accounts,
    IssuedToken,
    account_of_address,
    is_token,
    merge_guest,
    new_token,
    set_emails,
)
from rubicon.server.delivery import mark_reachable, proper_address
from rubicon.server.emails import DAY, HOUR, EmailIdentity, sign_in_email
from rubicon.table.errors import TableError, TableNotFound, TableTooMany
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

# One-time links by e-mail: save an account under an address, or sign in to it again.
#
# A link works once, within a day, for one account and one address; the database has only a digest
# of its token. The answer to a request never reveals whether an address is known.

MAX_PER_ADDRESS = 3  # e-mails an hour
MAX_PER_ACCOUNT = 10  # e-mails an hour
# On PostgreSQL two transactions could both count two e-mails and send the third and fourth.
_LOCK_ADDRESS = text("SELECT pg_advisory_xact_lock(7461032, hashtext(:address))")
_UNUSED = schema.token.c.kind == LINK
SendEmail = Callable[[EmailMessage], object]
Clock = Callable[[Connection], int]


@dataclass(frozen=True, slots=True)
class MagicLink:
    """A valid link: who asked for it, for which address, and the account that it signs in to."""

    requested_by: str
    address: str
    account: Account


class MagicLinks:
    """The one-time links of a server; `send` must queue an e-mail without waiting."""

    def __init__(
        self, accounts: Accounts, identity: EmailIdentity, send: SendEmail, clock: Clock = now
    ) -> None:
        self.accounts = accounts
        self.identity = identity
        self._send = send
        self._clock = clock

    def save_account(self, account: Account, address: str) -> Future[None]:
        """Send a link that saves an account under an address.

        TableError `link/rate-limited` beyond ten an hour for one account.
        """
        proper = proper_address(address)
        if account.admin:
            message = "The administrator's account has no e-mail address."
            raise TableError("email/admin", message, "Play with a guest account, and save that.")

        def job(connection: Connection) -> EmailMessage | None:
            at = self._clock(connection)
            row = select(schema.account.c.id).where(schema.account.c.id == account.id)
            connection.execute(row.with_for_update())  # serialises requests of one account
            own = schema.token.c.account == account.id
            if _count_links(connection, own, at - HOUR) >= MAX_PER_ACCOUNT:
                message = f"You asked for {MAX_PER_ACCOUNT} e-mails within an hour."
                raise TableTooMany("link/rate-limited", message, "Look in your spam folder.")
            return self._new_link(connection, account.id, proper, at)

        return self._send_after(job)

    def request_sign_in(self, address: str) -> Future[None]:
        """Send a sign-in link to an address of an account; to other addresses nothing is sent."""
        proper = proper_address(address)

        def job(connection: Connection) -> EmailMessage | None:
            owner = account_of_address(connection, proper)
            if owner is None:
                return None
            return self._new_link(connection, owner, proper, self._clock(connection))

        return self._send_after(job)

    def inspect(self, token: str) -> MagicLink:
        """What a link would do, without using it; `link/unknown` if it is no longer valid."""
        return self.accounts.store.read(lambda connection: self._find(connection, token))

    def use(self, token: str) -> Future[IssuedToken]:
        """Use a link: sign in to its account with a new cookie token.

        If the address belongs to another account already, the link signs in to that one, and the
        seats of the guest who asked move there. `link/unknown` if the link is no longer valid.
        """

        def job(connection: Connection) -> IssuedToken:
            link = self._find(connection, token)
            unused = (schema.token.c.digest == self.accounts.digest(token)) & _UNUSED
            marked = connection.execute(update(schema.token).where(unused).values(kind=USED))
            if marked.rowcount != 1:
                raise _unknown()  # a concurrent request used it first
            self._assign_address(connection, link)
            mark_reachable(connection, link.account.id, link.address)
            return self.accounts.sign_in(connection, link.account)

        return self.accounts.write_and_invalidate(job)

    def _send_after(self, job: Callable[[Connection], EmailMessage | None]) -> Future[None]:
        """Run a job, and send the e-mail that it returns after the commit."""
        done: Future[None] = Future()

        def committed(written: Future[EmailMessage | None]) -> None:
            error = written.exception()
            if error is not None:
                done.set_exception(error)
                return
            message = written.result()
            if message is not None:
                self._send(message)
            done.set_result(None)

        self.accounts.store.write(job).add_done_callback(committed)
        return done

    def _new_link(
        self, connection: Connection, account: str, address: str, at: int
    ) -> EmailMessage | None:
        """A new link in an e-mail; None if the address has had its three e-mails this hour.

        No error then: it would reveal to the requester that someone else has asked too.
        """
        if connection.dialect.name == "postgresql":
            connection.execute(_LOCK_ADDRESS, {"address": address})
        columns = schema.token.c
        connection.execute(delete(schema.token).where(columns.expires <= at))
        if _count_links(connection, columns.email == address, at - HOUR) >= MAX_PER_ADDRESS:
            return None
        token, known = new_token(), account_of_address(connection, address) is not None
        self.accounts.add_token(
            connection, account, token, LINK, "e-mail", at, expires=at + DAY, email=address
        )
        return sign_in_email(self.identity, address, token, at, known=known)

    def _find(self, connection: Connection, token: str) -> MagicLink:
        if not is_token(token):
            raise _unknown()
        columns = schema.token.c
        wanted = select(columns.account, columns.email).where(
            columns.digest == self.accounts.digest(token),
            columns.expires > self._clock(connection),
            _UNUSED,
        )
        row = connection.execute(wanted).one_or_none()
        if row is None:
            raise _unknown()
        target = account_of_address(connection, row.email) or row.account
        name = select(schema.account.c.name).where(schema.account.c.id == target)
        account = Account(target, connection.execute(name).scalar_one())
        return MagicLink(row.account, row.email, account)

    def _assign_address(self, connection: Connection, link: MagicLink) -> None:
        """Give the account the address; or merge the guest who asked into the address's account."""
        requester = schema.account.c.id == link.requested_by
        if link.account.id == link.requested_by:
            connection.execute(update(schema.account).where(requester).values(email=link.address))
            return
        own = connection.execute(select(schema.account.c.email).where(requester)).scalar_one()
        if own is None:  # a guest; an account with its own address stays as it is
            merge_guest(connection, link.requested_by, link.account.id)


def _count_links(connection: Connection, condition: ColumnElement[bool], since: int) -> int:
    """How many links were sent since a moment."""
    token = schema.token.c
    counted = select(func.count()).where(
        condition, token.kind.in_((LINK, USED)), token.created > since
    )
    return int(connection.execute(counted).scalar_one())


def _unknown() -> TableError:
    message = "This link has been used already, or is older than a day."
    return TableNotFound("link/unknown", message, "Ask for a new link.")


# Unsubscribing from e-mails by a signed link, without signing in.


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
        # In constant time: `==` takes longer the more of the beginning is right.
        matches = secrets.compare_digest(signature.lower().encode(), expected)
        if not (matches and address):
            message = "This link is no longer valid: the account has another e-mail address now."
            raise TableNotFound("unsubscribe/unknown", message, "Use the link in a newer e-mail.")

    def _signature(self, account: str, address: str) -> str:
        # The first part keeps signatures for different purposes apart.
        return self.accounts.sign("unsubscribe", account, address)
