"""People: an account from the first click, tokens that are never stored, and the way out again.

No passwords. A token is 26 letters that only its holder knows; the store has a keyed digest of it.
Names and addresses stand here and at seats, never in a game's log.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, insert, select, update

from rubicon.host.remembering import Remembered
from rubicon.table import schema
from rubicon.table.chat import account_settings
from rubicon.table.errors import TableError
from rubicon.table.listening import Change, What, announce
from rubicon.table.lobby_wish import proper_name
from rubicon.table.store import Store, now

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
TOKEN_LENGTH = 26  # 130 bits
MOST_KEPT = 10_000
SEEN_EVERY = 60_000  # milliseconds until it is noted again that somebody was here
MOST_TOKENS = 20  # of one account
Result = TypeVar("Result")
GONE = "gone"  # the name of an erased account
COOKIE, API, ADMIN = "cookie", "api", "admin"
LINK, USED = "link", "used"  # these open no account by themselves
SIGNED_IN = (COOKIE, API, ADMIN)
MOST_BROWSERS = 10  # of one account: a further one signs the oldest out
HOUSE_KEY = "token key"


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody, by what they may do."""

    id: str
    name: str
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Issued:
    """An account and a token that was just made: it is shown once."""

    account: Account
    token: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What somebody has said of themselves: an address (None for a guest), and about letters."""

    email: str | None
    letters: bool


class Accounts:
    """The accounts of a store; `bots` are names that nobody may take."""

    def __init__(self, store: Store, bots: tuple[str, ...]) -> None:
        self.store = store
        self.bots = bots
        self._key: bytes = store.write(_house_key).result()
        self._kept: Remembered[bytes, Account] = Remembered(MOST_KEPT)

    def guest(self, name: str) -> Future[Issued]:
        """Somebody new, who plays at once."""
        proper = proper_name(name, (), self.bots)
        account = Account(_letters(16), proper)

        def job(connection: Connection) -> Issued:
            at = now(connection)
            row = {"id": account.id, "name": proper, "created": at, "seen": at, "settings": "{}"}
            connection.execute(insert(schema.account), row)
            return self.sign_in(connection, account)

        return self.store.write(job)

    def sign_in(self, connection: Connection, account: Account) -> Issued:
        """A token for a browser, in a transaction that is under way."""
        columns = schema.token.c
        mine = select(columns.digest).where(columns.account == account.id, columns.kind == COOKIE)
        latest = mine.order_by(columns.created.desc()).offset(MOST_BROWSERS - 1)
        old = [row.digest for row in connection.execute(latest)]
        connection.execute(delete(schema.token).where(columns.digest.in_(old)))
        token = new_token()
        self.add_token(connection, account.id, token, COOKIE, "browser", now(connection))
        return Issued(account, token)

    def issue(self, account: Account, label: str) -> Future[Issued]:
        """Another token for a program of the account's."""
        proper = label.strip()
        if not (1 <= len(proper) <= 40 and proper.isprintable()):
            raise TableError("token/label", "A token needs a label of 1 to 40 characters.", "")
        token = new_token()

        def job(connection: Connection) -> Issued:
            labels = [row.label for row in _tokens(connection, account.id)]
            if len(labels) >= MOST_TOKENS:
                message = f"An account has at most {MOST_TOKENS} tokens."
                raise TableError("token/too-many", message, "Revoke one that is not used.")
            if proper in labels:
                message = f"There is a token {proper!r} already."
                raise TableError("token/label", message, "Take another label.")
            self.add_token(connection, account.id, token, API, proper, now(connection))
            return Issued(account, token)

        return self.store.write(job)

    def revoke(self, account: Account, label: str) -> Future[None]:
        """Make a token of the account's useless."""
        columns = schema.token.c

        def job(connection: Connection) -> None:
            mine = (columns.account == account.id) & (columns.label == label)
            known = mine & columns.kind.in_(SIGNED_IN)
            if connection.execute(delete(schema.token).where(known)).rowcount == 0:
                raise TableError("token/unknown", f"There is no token {label[:40]!r}.", "")

        return self.changing(job)

    def labels(self, account: Account) -> list[dict[str, Any]]:
        """The tokens of an account, without what is secret."""
        rows = self.store.read(lambda connection: _tokens(connection, account.id))
        return [{"label": row.label, "kind": row.kind, "created": row.created} for row in rows]

    def remembered(self, token: str) -> Account | None:
        """Whose token this is, without a look into the store; None where it is not remembered."""
        return self._kept.get(self.digest(token)) if is_token(token) else None

    def of_token(self, token: str) -> Account | None:
        """Whose token this is; None for nobody's."""
        if not is_token(token):
            return None
        digest, asked_at = self.digest(token), self._kept.now()
        found = self.store.read(lambda connection: _account_of(connection, digest))
        if found is None:
            return None
        account, unseen = found
        if unseen >= SEEN_EVERY:
            self.store.write(lambda connection: _see(connection, account.id))
        self._kept.keep(digest, account, asked_at)
        return account

    def rename(self, account: Account, name: str) -> Future[None]:
        """Another name, from the next table on."""
        proper = proper_name(name, (), self.bots)
        mine = schema.account.c.id == account.id

        def job(connection: Connection) -> None:
            connection.execute(update(schema.account).where(mine).values(name=proper))

        return self.changing(job)

    def profile(self, account: Account) -> Profile:
        """The address that keeps an account, and whether letters are sent there."""
        columns = schema.account.c
        wanted = select(columns.email, columns.settings).where(columns.id == account.id)
        row = self.store.read(lambda connection: connection.execute(wanted).one())
        return Profile(row.email, json.loads(row.settings or "{}").get("letters", True))

    def want_letters(self, account: Account, wanted: bool) -> Future[None]:
        """Whether letters tell somebody of turns."""
        return self.store.write(lambda connection: want_letters(connection, account.id, wanted))

    def export(self, account: Account) -> dict[str, Any]:
        """Everything that is stored about somebody."""
        return self.store.read(lambda connection: _export(connection, account.id))

    def erase(self, account: Account) -> Future[None]:
        """Forget somebody: names and address go, seats stay under their colour."""
        return self.changing(lambda connection: erase(connection, account.id))

    def forget(self) -> None:
        """Believe no token that was looked up before."""
        self._kept.forget()

    def admin_token(self) -> str | None:
        """The token of whoever runs the house, made at the first start; None at later ones."""
        token = new_token()

        def job(connection: Connection) -> bool:
            known = schema.token.c.kind == ADMIN
            if connection.execute(select(schema.token.c.digest).where(known)).first() is not None:
                return False
            self._add_admin(connection, token)
            return True

        return token if self.store.write(job).result() else None

    def renew_admin_token(self) -> str:
        """A new token for whoever runs the house; every older one is void from here on."""
        token = _letters(TOKEN_LENGTH)

        def job(connection: Connection) -> None:
            connection.execute(delete(schema.token).where(schema.token.c.kind == ADMIN))
            self._add_admin(connection, token)

        self.changing(job).result()
        return token

    def _add_admin(self, connection: Connection, token: str) -> None:
        at = now(connection)
        known = select(schema.account.c.id).where(schema.account.c.id == ADMIN)
        if connection.execute(known).first() is None:
            row = {"id": ADMIN, "name": ADMIN, "created": at, "seen": at, "settings": "{}"}
            connection.execute(insert(schema.account), row)
        self.add_token(connection, ADMIN, token, ADMIN, ADMIN, at)

    def add_token(
        self,
        connection: Connection,
        account: str,
        token: str,
        kind: str,
        label: str,
        at: int,
        **more: object,
    ) -> None:
        """Store the digest of a token."""
        row = {"digest": self.digest(token), "account": account, "kind": kind, "label": label}
        connection.execute(insert(schema.token), row | {"created": at} | more)

    def digest(self, token: str) -> bytes:
        """Keyed, so that a stolen store does not help to try tokens."""
        return self._keyed(token.lower())

    def _keyed(self, message: str) -> bytes:
        # not by `hmac.digest`: that lets the interpreter's lock go, in the loop's thread
        return hmac.new(self._key, message.encode(), "sha256").digest()

    def signature(self, *parts: str) -> str:
        """Letters that only this house can add to words, none of which has a line break."""
        signed = self._keyed("\n".join(("signed", *parts)))
        return base64.b32encode(signed).decode().lower()[:TOKEN_LENGTH]

    def changing(self, job: Callable[[Connection], Result]) -> Future[Result]:
        """Write what makes kept answers wrong, here and at other hosts."""

        def announced(connection: Connection) -> Result:
            result = job(connection)
            announce(connection, Change(What.ACCOUNTS))
            return result

        self.forget()
        done = self.store.write(announced)
        done.add_done_callback(lambda _: self.forget())
        return done


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token."""
    return len(text) == TOKEN_LENGTH and text.isascii()


def new_token() -> str:
    """Something that nobody guesses: 26 letters and digits."""
    return _letters(TOKEN_LENGTH)


def _letters(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))


def want_letters(connection: Connection, account: str, wanted: bool) -> None:
    """Note whether letters tell an account of turns, in a transaction that is under way."""
    settings = account_settings(connection, account, lock=True)
    settings["letters"] = wanted
    mine = schema.account.c.id == account
    written = json.dumps(settings, sort_keys=True)
    connection.execute(update(schema.account).where(mine).values(settings=written))


def _house_key(connection: Connection) -> bytes:
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == HOUSE_KEY)
    key = connection.execute(wanted).scalar_one_or_none()
    if key is None:
        key = secrets.token_bytes(32)
        connection.execute(insert(schema.secret), {"name": HOUSE_KEY, "value": key})
    return bytes(key)


def _account_of(connection: Connection, digest: bytes) -> tuple[Account, int] | None:
    """The account, and how long it was not seen, in milliseconds.

    The digest is of 256 keyed bits: looking it up tells nothing of how near a guess was.
    """
    token, account = schema.token, schema.account
    wanted = (
        select(account.c.id, account.c.name, account.c.seen, token.c.kind)
        .join(account, token.c.account == account.c.id)
        .where(token.c.digest == digest, token.c.kind.in_(SIGNED_IN))
    )
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return None
    return Account(row.id, row.name, row.kind == ADMIN), now(connection) - row.seen


def _see(connection: Connection, account: str) -> None:
    mine = schema.account.c.id == account
    connection.execute(update(schema.account).where(mine).values(seen=now(connection)))


def _tokens(connection: Connection, account: str) -> list[Any]:
    token = schema.token.c
    wanted = select(schema.token).where(token.account == account, token.kind.in_(SIGNED_IN))
    return list(connection.execute(wanted.order_by(token.created)))


def _export(connection: Connection, account: str) -> dict[str, Any]:
    def rows(mine: Any, *columns: Any) -> list[dict[str, Any]]:
        found = connection.execute(select(*columns).where(mine))
        return [dict(row._mapping) for row in found]

    seat, chat, token, game = schema.seat.c, schema.chat.c, schema.token.c, schema.game.c
    (own,) = rows(schema.account.c.id == account, *schema.account.c)
    return {
        "account": own | {"settings": json.loads(own["settings"])},
        "tokens": rows(
            token.account == account, token.label, token.kind, token.created, token.email
        ),
        "seats": rows(seat.account == account, seat.game, seat.colour, seat.name),
        "chat": rows(chat.account == account, chat.game, chat.to, chat.text, chat.at),
        "hosted": rows(game.host == account, game.id),
    }


def erase(connection: Connection, account: str) -> None:
    """Take somebody out of everything, in a transaction that is under way."""
    seat, chat, game = schema.seat, schema.chat, schema.game
    mine = seat.c.account == account
    connection.execute(update(seat).where(mine).values(name=seat.c.colour, account=None))
    connection.execute(delete(chat).where(chat.c.account == account))
    connection.execute(delete(schema.kicked).where(schema.kicked.c.account == account))
    connection.execute(update(game).where(game.c.host == account).values(host=None))
    connection.execute(delete(schema.token).where(schema.token.c.account == account))
    gone = {"name": GONE, "email": None, "settings": "{}"}
    connection.execute(update(schema.account).where(schema.account.c.id == account).values(**gone))
