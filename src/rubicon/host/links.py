"""Links by letter: an account keeps its seats by an address, and is opened again from elsewhere.

A link works once, for a day, for one account and one address; the store has its digest alone.
Whoever asks is told the same, whether an address is known here or not.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from email.message import EmailMessage

from sqlalchemy import ColumnElement, Connection, delete, func, select, text, update

from rubicon.host.accounts import (
    LINK,
    TOKEN_LENGTH,
    USED,
    Account,
    Accounts,
    Issued,
    new_token,
)
from rubicon.host.addresses import proper_address
from rubicon.host.letters import DAY, HOUR, Letterhead, link_letter
from rubicon.host.merging import hand_over
from rubicon.table import schema
from rubicon.table.errors import TableError
from rubicon.table.store import now

MOST_TO_ADDRESS = 3  # an hour
MOST_BY_ACCOUNT = 10  # an hour
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461032, hashtext(:address))")
_UNUSED = schema.token.c.kind == LINK
Post = Callable[[EmailMessage], object]
Clock = Callable[[Connection], int]


@dataclass(frozen=True, slots=True)
class Link:
    """A link that works: who asked for it, for which address, and the account that it opens."""

    asker: str
    email: str
    account: Account


class Links:
    """The links of a house; `post` takes its letters, and never waits for them."""

    def __init__(
        self, accounts: Accounts, head: Letterhead, post: Post, clock: Clock = now
    ) -> None:
        self.accounts = accounts
        self.head = head
        self._post = post
        self._clock = clock

    def keep(self, account: Account, email: str) -> Future[None]:
        """Send a link that makes an address the account's; `link/too-often` beyond ten an hour."""
        address = proper_address(email)
        if account.admin:
            message = "Who runs the house is known by the admin's token alone."
            raise TableError("email/admin", message, "Play as a guest, and keep that.")

        def job(connection: Connection) -> EmailMessage | None:
            at = self._clock(connection)
            mine = schema.token.c.account == account.id
            own = select(schema.account.c.id).where(schema.account.c.id == account.id)
            connection.execute(own.with_for_update())
            if _links_since(connection, mine, at - HOUR) >= MOST_BY_ACCOUNT:
                message = f"{MOST_BY_ACCOUNT} letters were sent for you within an hour."
                raise TableError("link/too-often", message, "Look for them, also in the spam.")
            return self._link(connection, account.id, address, at)

        return self._posted(job)

    def ask(self, email: str) -> Future[None]:
        """Send a link to an address that is known; nothing to others, and nobody is told which."""
        address = proper_address(email)

        def job(connection: Connection) -> EmailMessage | None:
            owner = _owner(connection, address)
            if owner is None:
                return None
            return self._link(connection, owner, address, self._clock(connection))

        return self._posted(job)

    def look(self, token: str) -> Link:
        """What a link would do, without using it; `link/unknown` where it does nothing any more."""
        return self.accounts.store.read(lambda connection: self._found(connection, token))

    def use(self, token: str) -> Future[Issued]:
        """Use a link; the account that it opens, with a token for a browser.

        Where the address keeps another account already, that one is opened, and the seats of the
        guest who asked go over to it. `link/unknown` where the link does nothing any more.
        """

        def job(connection: Connection) -> Issued:
            link = self._found(connection, token)
            this = (schema.token.c.digest == self.accounts.digest(token)) & _UNUSED
            used = connection.execute(update(schema.token).where(this).values(kind=USED))
            if used.rowcount != 1:
                raise _unknown()  # somebody was quicker
            self._keep(connection, link)
            return self.accounts.sign_in(connection, link.account)

        return self.accounts.changing(job)

    def _posted(self, job: Callable[[Connection], EmailMessage | None]) -> Future[None]:
        """Post the letter behind the commit."""
        told: Future[None] = Future()

        def behind(written: Future[EmailMessage | None]) -> None:
            error = written.exception()
            if error is not None:
                told.set_exception(error)
                return
            letter = written.result()
            if letter is not None:
                self._post(letter)
            told.set_result(None)

        self.accounts.store.write(job).add_done_callback(behind)
        return told

    def _link(
        self, connection: Connection, account: str, address: str, at: int
    ) -> EmailMessage | None:
        """A new link in a letter; None where its address has had enough of them."""
        if connection.dialect.name == "postgresql":
            connection.execute(_ONE_AT_A_TIME, {"address": address})
        token = schema.token.c
        connection.execute(delete(schema.token).where(token.expires <= at))
        if _links_since(connection, token.email == address, at - HOUR) >= MOST_TO_ADDRESS:
            return None
        secret, known = new_token(), _owner(connection, address) is not None
        self.accounts.add_token(
            connection, account, secret, LINK, "letter", at, expires=at + DAY, email=address
        )
        return link_letter(self.head, address, secret, at, known=known)

    def _found(self, connection: Connection, token: str) -> Link:
        if len(token) != TOKEN_LENGTH or not token.isascii():
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
        opened = _owner(connection, row.email) or row.account
        name = select(schema.account.c.name).where(schema.account.c.id == opened)
        account = Account(opened, connection.execute(name).scalar_one())
        return Link(row.account, row.email, account)

    def _keep(self, connection: Connection, link: Link) -> None:
        """The address is the account's; a guest who asked for another's is the same person."""
        asker = schema.account.c.id == link.asker
        if link.account.id == link.asker:
            connection.execute(update(schema.account).where(asker).values(email=link.email))
            return
        kept = connection.execute(select(schema.account.c.email).where(asker)).scalar_one()
        if kept is None:
            hand_over(connection, link.asker, link.account.id)


def _owner(connection: Connection, address: str) -> str | None:
    """The account that an address keeps."""
    account = schema.account.c
    wanted = select(account.id).where(account.email == address)
    return connection.execute(wanted).scalar_one_or_none()


def _links_since(connection: Connection, whose: ColumnElement[bool], since: int) -> int:
    """How many links were sent."""
    token = schema.token.c
    counted = select(func.count()).where(whose, token.kind.in_((LINK, USED)), token.created > since)
    return int(connection.execute(counted).scalar_one())


def _unknown() -> TableError:
    message = "This link was used already, or is older than a day."
    return TableError("link/unknown", message, "Ask for another one.")
