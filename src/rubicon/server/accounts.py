"""Accounts of people, guests included: tokens that sign in, names, merging, export and
deletion.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from cachetools import TTLCache
from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from rubicon.server.notifications import NotificationPreferences
from rubicon.server.push import forget_devices
from rubicon.server.webhooks import forget_webhooks
from rubicon.table.chat import account_settings
from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.lobby.seats import depart
from rubicon.table.lobby.table_request import checked_name
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import seal_seats
from rubicon.table.storage.notifications import Change, ChangeKind, announce

# Random tokens, and the kinds of them that the database keeps a digest of.

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"  # 32 characters, so each carries 5 random bits
TOKEN_LENGTH = 26  # characters, that is 130 bits
COOKIE, API, ADMIN = "cookie", "api", "admin"
LINK, USED = "link", "used"  # one-time links; they authenticate no request
SIGNED_IN = (COOKIE, API, ADMIN)


def random_text(length: int) -> str:
    """Random lower-case letters and digits, 5 bits each, from the system's secure generator."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_token() -> str:
    """A token of 130 random bits."""
    return random_text(TOKEN_LENGTH)


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token; cheap, so that garbage costs no database query."""
    return len(text) == TOKEN_LENGTH and text.isascii()


# Everything that is stored about a person: exported to them, or erased for them.

ERASED_NAME = "gone"


def export_account(connection: Connection, account: str) -> dict[str, Any]:
    """The account's row, its tokens without secrets, seats, chat, hosted games, devices and
    passkeys."""

    def rows(condition: Any, *columns: Any) -> list[dict[str, Any]]:
        found = connection.execute(select(*columns).where(condition))
        return [dict(row._mapping) for row in found]

    seat, chat, token, game = schema.seat.c, schema.chat.c, schema.token.c, schema.game.c
    device, passkey = schema.push_subscription.c, schema.passkey.c
    hook = schema.webhook.c
    (own,) = rows(schema.account.c.id == account, *schema.account.c)
    return {
        "account": own | {"settings": json.loads(own["settings"])},
        "tokens": rows(
            token.account == account, token.label, token.kind, token.created, token.email
        ),
        "seats": rows(seat.account == account, seat.game, seat.colour, seat.name),
        "chat": rows(chat.account == account, chat.game, chat.to, chat.text, chat.at),
        "hosted": rows(game.host == account, game.id),
        "devices": rows(device.account == account, device.endpoint, device.label, device.created),
        "webhooks": rows(hook.account == account, hook.url, hook.form, hook.label, hook.created),
        "passkeys": rows(passkey.account == account, passkey.name, passkey.created, passkey.used),
    }


def erase_account(connection: Connection, account: str) -> list[str]:
    """Erase a person inside an open transaction: name, address, tokens, chat, devices and
    passkeys.

    The account departs from its tables: lobbies pass to the next person, and its seats in running
    games are treated as absent. Seats stay in games under the name of their colour. Returns the
    tables in the lobby that have changed.
    """
    tables = depart(connection, account)
    chat = schema.chat
    connection.execute(delete(chat).where(chat.c.account == account))
    connection.execute(delete(schema.kicked).where(schema.kicked.c.account == account))
    connection.execute(delete(schema.token).where(schema.token.c.account == account))
    forget_webhooks(connection, schema.webhook.c.account == account)
    connection.execute(delete(schema.news).where(schema.news.c.account == account))
    for table in (schema.mail_token, schema.mail_code, schema.mail_answer):
        connection.execute(delete(table).where(table.c.account == account))
    own = select(schema.account.c.email).where(schema.account.c.id == account).scalar_subquery()
    connection.execute(delete(schema.mail_join).where(schema.mail_join.c.address == own))
    forget_devices(connection, schema.push_subscription.c.account == account)
    connection.execute(delete(schema.passkey).where(schema.passkey.c.account == account))
    blank = {"name": ERASED_NAME, "email": None, "settings": "{}", "unreachable": None}
    connection.execute(update(schema.account).where(schema.account.c.id == account).values(**blank))
    return tables


# Merging a guest into the account of the same person.


def merge_guest(connection: Connection, guest: str, account: str) -> None:
    """Give an account the guest's seats, chat, hosted games and devices, then erase the guest.

    In a game where both have a seat, the guest's seat loses its owner instead, as when a guest is
    erased: one person must not play two seats. The guest's tokens and passkeys are deleted: the
    person who asked for the link need not own the address, and must not get into that account.
    """
    seat, kicked = schema.seat, schema.kicked
    own_games = select(seat.c.game).where(seat.c.account == account).scalar_subquery()
    movable = select(seat.c.game).where(seat.c.account == guest, seat.c.game.not_in(own_games))
    games = list(connection.execute(movable).scalars())
    for table, owner, game in (
        (seat, seat.c.account, seat.c.game),
        (schema.chat, schema.chat.c.account, schema.chat.c.game),
        (schema.game, schema.game.c.host, schema.game.c.id),
        (schema.game, schema.game.c.master, schema.game.c.id),
    ):
        moved = update(table).where(owner == guest, game.in_(games))
        connection.execute(moved.values({owner: account}))
    seal_seats(connection, games)
    already = select(kicked.c.game).where(kicked.c.account == account).scalar_subquery()
    also = update(kicked).where(kicked.c.account == guest, kicked.c.game.not_in(already))
    connection.execute(also.values(account=account))
    for told in (schema.push_subscription, schema.news):
        moved = update(told).where(told.c.account == guest)
        connection.execute(moved.values(account=account))
    erase_account(connection, guest)


# Accounts: created with one click, authenticated by tokens, without passwords.
#
# The database stores only a keyed digest of each token. Names and addresses are stored here and
# at seats, never in a game's log.

CACHE_SECONDS = 5.0  # a lost invalidation is repaired after that time
CACHE_SIZE = 20_000
SEEN_INTERVAL = 60_000  # milliseconds between two updates of an account's `seen`
MAX_TOKENS = 20  # API tokens of one account
MAX_BROWSERS = 10  # cookies of one account; a new one signs the oldest out
TOKEN_KEY = "token key"
Result = TypeVar("Result")
Key = TypeVar("Key")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Account:
    """A signed-in person or program."""

    id: str
    name: str
    admin: bool = False


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token and its account; the token is shown once and stored nowhere."""

    account: Account
    token: str


@dataclass(frozen=True, slots=True)
class Profile:
    """An account's e-mail address (None for a guest), and its preferences.

    `emails`: whether it wants e-mails; `listed`: whether it has a public page, once it is saved.
    """

    email: str | None
    emails: bool
    listed: bool


class LookupCache(Generic[Key, Found]):
    """What queries have found, kept for some seconds: requests ask the same again and again.

    Safe for threads. A query that began before `forget` may have read what is no longer true, and
    must not enter the cache after it: read `generation` before the query.
    """

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._found: TTLCache[Key, Found] = TTLCache(CACHE_SIZE, CACHE_SECONDS, timer)
        self._lock = threading.Lock()
        self.generation = 0

    def get(self, key: Key) -> Found | None:
        """What the query has found, if that is not too old."""
        with self._lock:  # a look-up deletes what is too old
            return self._found.get(key)

    def keep(self, key: Key, found: Found, generation: int) -> None:
        """Keep what a query has found that began in a generation."""
        with self._lock:
            if generation == self.generation:
                self._found[key] = found

    def forget(self, which: Callable[[Key], bool] = lambda key: True) -> None:
        """Forget some keys or all, and keep out what is being looked up at this moment."""
        with self._lock:
            self.generation += 1
            for key in [key for key in self._found if which(key)]:
                del self._found[key]


class Accounts:
    """The accounts of a database; `bots` are names that no person may take.

    Methods that write return a future, which is done after the commit.
    """

    def __init__(self, store: Store, bots: tuple[str, ...]) -> None:
        self.store = store
        self.bots = bots
        self._key: bytes = store.write(_token_key).result()
        self._cache = LookupCache[bytes, Account]()

    def create_guest(self, name: str) -> Future[IssuedToken]:
        """Create an account without an address, signed in with a cookie token."""
        proper = checked_name(name, (), self.bots)
        account = Account(random_text(16), proper)

        def job(connection: Connection) -> IssuedToken:
            at = now(connection)
            row = {"id": account.id, "name": proper, "created": at, "seen": at, "settings": "{}"}
            connection.execute(insert(schema.account), row)
            return self.sign_in(connection, account)

        return self.store.write(job)

    def of_address(self, connection: Connection, address: str, name: str) -> Account:
        """The account of someone who has proved that an address is theirs, in an open transaction.

        A new one with this name where there is none; TableError `lobby/name` for a bad name.
        """
        proper = checked_name(name, (), self.bots)
        known = account_of_address(connection, address)
        if known is not None:
            wanted = select(schema.account.c.name).where(schema.account.c.id == known)
            return Account(known, connection.execute(wanted).scalar_one())
        account, at = Account(random_text(16), proper), now(connection)
        row = {"id": account.id, "name": proper, "created": at, "seen": at, "settings": "{}"}
        connection.execute(insert(schema.account), row | {"email": address})
        return account

    def sign_in(self, connection: Connection, account: Account) -> IssuedToken:
        """Issue a cookie token inside an open transaction; the oldest beyond ten are revoked."""
        columns = schema.token.c
        cookies = select(columns.digest).where(
            columns.account == account.id, columns.kind == COOKIE
        )
        surplus = cookies.order_by(columns.created.desc()).offset(MAX_BROWSERS - 1)
        old = [row.digest for row in connection.execute(surplus)]
        connection.execute(delete(schema.token).where(columns.digest.in_(old)))
        token = new_token()
        self.add_token(connection, account.id, token, COOKIE, "browser", now(connection))
        return IssuedToken(account, token)

    def issue_token(self, account: Account, label: str) -> Future[IssuedToken]:
        """Issue an API token; `token/label` for a bad or repeated label, `token/too-many`."""
        proper = label.strip()
        if not (1 <= len(proper) <= 40 and proper.isprintable()):
            raise TableError("token/label", "A token needs a label of 1 to 40 characters.", "")
        token = new_token()

        def job(connection: Connection) -> IssuedToken:
            labels = [row.label for row in _tokens(connection, account.id)]
            if len(labels) >= MAX_TOKENS:
                message = f"An account can have at most {MAX_TOKENS} tokens."
                raise TableError("token/too-many", message, "Revoke a token that is not used.")
            if proper in labels:
                message = f"You already have a token with the label {proper!r}."
                raise TableError("token/label", message, "Choose another label.")
            self.add_token(connection, account.id, token, API, proper, now(connection))
            return IssuedToken(account, token)

        return self.store.write(job)

    def revoke_token(self, account: Account, label: str) -> Future[None]:
        """Revoke a token of the account; `token/unknown` if no token has this label."""
        columns = schema.token.c

        def job(connection: Connection) -> None:
            own = (columns.account == account.id) & (columns.label == label)
            revocable = own & columns.kind.in_(SIGNED_IN)
            if connection.execute(delete(schema.token).where(revocable)).rowcount == 0:
                message = f"You have no token with the label {label[:40]!r}."
                raise TableNotFound("token/unknown", message, "GET /api/v1/me/tokens lists them.")

        return self.write_and_invalidate(job)

    def sign_out(self, token: str) -> Future[None]:
        """Revoke the cookie token of one browser; other tokens are left alone."""
        columns = schema.token.c
        own = (columns.digest == self.digest(token)) & (columns.kind == COOKIE)

        def job(connection: Connection) -> None:
            connection.execute(delete(schema.token).where(own))

        return self.write_and_invalidate(job)

    def tokens(self, account: Account) -> list[dict[str, Any]]:
        """The label, kind and creation time (ms since 1970) of an account's tokens."""
        rows = self.store.read(lambda connection: _tokens(connection, account.id))
        return [{"label": row.label, "kind": row.kind, "created": row.created} for row in rows]

    def cached(self, token: str) -> Account | None:
        """The account of a token if the cache has it; no database query."""
        if not is_token(token):
            return None
        return self._cache.get(self.digest(token))

    def authenticate(self, token: str) -> Account | None:
        """The account of a token from the database; None for an unknown token."""
        if not is_token(token):
            return None
        digest, generation = self.digest(token), self._cache.generation
        found = self.store.read(lambda connection: _account_of(connection, digest))
        if found is None:
            return None
        account, unseen = found
        if unseen >= SEEN_INTERVAL:
            self.store.write(lambda connection: _update_seen(connection, account.id))
        self._cache.keep(digest, account, generation)
        return account

    def rename(self, account: Account, name: str) -> Future[None]:
        """Change the name; seats taken before keep the old one."""
        proper = checked_name(name, (), self.bots)
        own = schema.account.c.id == account.id

        def job(connection: Connection) -> None:
            connection.execute(update(schema.account).where(own).values(name=proper))

        return self.write_and_invalidate(job)

    def profile(self, account: Account) -> Profile:
        """The address and preferences of an account."""
        columns = schema.account.c
        wanted = select(columns.email, columns.settings).where(columns.id == account.id)
        row = self.store.read(lambda connection: connection.execute(wanted).one())
        settings = json.loads(row.settings or "{}")
        return Profile(row.email, settings.get("emails", True), settings.get("listed", True))

    def set_emails(self, account: Account, wanted: bool) -> Future[None]:
        """Turn notification e-mails on or off."""
        return self.store.write(lambda connection: set_emails(connection, account.id, wanted))

    def set_listed(self, account: Account, wanted: bool) -> Future[None]:
        """Show or hide the public page of an account."""
        return self.store.write(
            lambda connection: set_preference(connection, account.id, "listed", wanted)
        )

    def export(self, account: Account) -> dict[str, Any]:
        """Everything that is stored about the person."""
        return self.store.read(lambda connection: export_account(connection, account.id))

    def erase(self, account: Account) -> Future[list[str]]:
        """Erase the person's name, address, tokens and chat; see `erase_account`."""
        return self.write_and_invalidate(lambda connection: erase_account(connection, account.id))

    def invalidate(self) -> None:
        """Empty the token cache, and keep out answers of queries that run at this moment."""
        self._cache.forget()

    def create_admin_token(self) -> str | None:
        """Create the administrator's token; None if there is one already."""
        token = new_token()

        def job(connection: Connection) -> bool:
            existing = select(schema.token.c.digest).where(schema.token.c.kind == ADMIN)
            if connection.execute(existing).first() is not None:
                return False
            self._add_admin(connection, token)
            return True

        return token if self.store.write(job).result() else None

    def renew_admin_token(self) -> str:
        """Create a new administrator's token and revoke every older one."""
        token = new_token()

        def job(connection: Connection) -> None:
            connection.execute(delete(schema.token).where(schema.token.c.kind == ADMIN))
            self._add_admin(connection, token)

        self.write_and_invalidate(job).result()
        return token

    def _add_admin(self, connection: Connection, token: str) -> None:
        at = now(connection)
        existing = select(schema.account.c.id).where(schema.account.c.id == ADMIN)
        if connection.execute(existing).first() is None:
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
        """Store the digest of a token inside an open transaction; `at` is in ms since 1970."""
        row = {"digest": self.digest(token), "account": account, "kind": kind, "label": label}
        connection.execute(insert(schema.token), row | {"created": at} | more)

    def digest(self, token: str) -> bytes:
        """The stored form of a token: keyed, so that a leaked table cannot be searched offline."""
        return self._hmac(token.lower())

    def _hmac(self, message: str) -> bytes:
        # Not `hmac.digest`: it releases the interpreter lock, which costs the event loop more
        # time than the hash itself.
        return hmac.new(self._key, message.encode(), "sha256").digest()

    def sign(self, *parts: str) -> str:
        """A signature of 130 bits over parts without line breaks, for links in e-mails."""
        signed = self._hmac("\n".join(("signed", *parts)))
        return base64.b32encode(signed).decode().lower()[:TOKEN_LENGTH]

    def write_and_invalidate(self, job: Callable[[Connection], Result]) -> Future[Result]:
        """Run a job that changes who may sign in, and empty the token cache of every server."""

        def announced(connection: Connection) -> Result:
            result = job(connection)
            announce(connection, Change(ChangeKind.ACCOUNTS))
            return result

        # Before and after: the cache may be filled again while the job waits for its turn.
        self.invalidate()
        done = self.store.write(announced)
        done.add_done_callback(lambda _: self.invalidate())
        return done


def set_emails(connection: Connection, account: str, wanted: bool) -> None:
    """Store whether an account wants notification e-mails, inside an open transaction."""
    set_preference(connection, account, "emails", wanted)


def set_preference(connection: Connection, account: str, name: str, wanted: bool) -> None:
    """Store one preference of an account, inside an open transaction."""
    set_preferences(connection, account, {name: wanted})


def set_preferences(connection: Connection, account: str, wanted: Mapping[str, Any]) -> None:
    """Store preferences of an account, inside an open transaction; others stay as they are."""
    settings = {**account_settings(connection, account, lock=True), **wanted}
    own = schema.account.c.id == account
    text = json.dumps(settings, sort_keys=True)
    connection.execute(update(schema.account).where(own).values(settings=text))


def change_preferences(
    connection: Connection, account: str, given: Mapping[str, Any]
) -> NotificationPreferences:
    """Change an account's notifications, inside an open transaction; others stay as they are.

    TableError where a value is none: nothing is stored then.
    """
    known = account_settings(connection, account, lock=True)
    wanted = replace(NotificationPreferences.read(known), **given)
    wanted.check()
    set_preferences(connection, account, wanted.as_dict())
    return wanted


def _token_key(connection: Connection) -> bytes:
    """The key of all digests and signatures of this database, made at the first start."""
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == TOKEN_KEY)
    key = connection.execute(wanted).scalar_one_or_none()
    if key is None:
        key = secrets.token_bytes(32)
        connection.execute(insert(schema.secret), {"name": TOKEN_KEY, "value": key})
    return bytes(key)


def _account_of(connection: Connection, digest: bytes) -> tuple[Account, int] | None:
    """The account, and the milliseconds since it was last seen.

    The lookup need not run in constant time: the digest is keyed, so its timing reveals nothing
    about the token.
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


def _update_seen(connection: Connection, account: str) -> None:
    own = schema.account.c.id == account
    connection.execute(update(schema.account).where(own).values(seen=now(connection)))


def _tokens(connection: Connection, account: str) -> list[Any]:
    token = schema.token.c
    wanted = select(schema.token).where(token.account == account, token.kind.in_(SIGNED_IN))
    return list(connection.execute(wanted.order_by(token.created)))


def account_of_address(connection: Connection, address: str) -> str | None:
    """The account that has an address; None where no one has it."""
    account = schema.account.c
    wanted = select(account.id).where(account.email == address)
    return connection.execute(wanted).scalar_one_or_none()


# Deleting guest accounts that were never used.

UNUSED = 30 * 24 * 3600 * 1000  # milliseconds since the guest was last seen
BATCH = 500  # accounts deleted in one transaction


def prune_guests(connection: Connection) -> int:
    """Delete unused guests and their tokens; returns how many were deleted.

    A guest is unused who has no address, was not seen for 30 days, and has no seat, no hosted
    table, no chat line and no passkey, so that nothing but the name is lost.
    """
    account, token, host = schema.account.c, schema.token.c, schema.game.c.host
    used = or_(
        exists().where(schema.seat.c.account == account.id),
        exists().where(schema.chat.c.account == account.id),
        exists().where(schema.passkey.c.account == account.id),
        # These columns have no index: an uncorrelated subquery reads each table once.
        account.id.in_(select(host).where(host.is_not(None))),
        account.id.in_(select(schema.kicked.c.account)),
    )
    wanted = (
        select(account.id)
        .where(account.id != ADMIN, account.email.is_(None))
        .where(account.seen < now(connection) - UNUSED, ~used)
        .limit(BATCH)
    )
    unused = list(connection.execute(wanted).scalars())
    if unused:
        connection.execute(delete(schema.token).where(token.account.in_(unused)))
        forget_webhooks(connection, schema.webhook.c.account.in_(unused))
        forget_devices(connection, schema.push_subscription.c.account.in_(unused))
        connection.execute(delete(schema.account).where(account.id.in_(unused)))
    return len(unused)
