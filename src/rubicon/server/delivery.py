"""Delivery of e-mails: proper addresses, SMTP or the console, and addresses that refuse."""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from functools import partial
from ipaddress import ip_address
from typing import Protocol, TextIO, TypeVar
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import aiosmtplib
from sqlalchemy import ColumnElement, Connection, and_, select, update

from rubicon.errors import RubiconError
from rubicon.server.emails import EmailWriter, WrittenEmail
from rubicon.server.notifications import PendingEmail
from rubicon.server.outbox import Clock, Message, Outcome, Queue, Sender
from rubicon.table.deadlines import extend_unreachable
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.snapshot import Snapshot, snapshot_of
from rubicon.table.lobby.lifecycle import notify
from rubicon.table.lobby.people import master_place
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.notices import EMAIL_PENDING, EmailBounced
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.table_service import TableService

# E-mail addresses in one exact form, which cannot inject headers or a second recipient.

MAX_LENGTH = 254  # RFC 5321
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf"(?=.{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


def proper_address(text: str) -> str:
    """The address in lower case; RubiconError `email/address` if it is not a valid one.

    The standard allows case-sensitive local parts, but no mail server in use distinguishes them.
    """
    proper = text.strip().lower()
    if len(proper) <= MAX_LENGTH and _ADDRESS.fullmatch(proper):
        return proper
    message = f"{text[:60]!a} is not a valid e-mail address."
    hint = "Write it as ann@example.org. A domain with other letters is written xn--…"
    raise RubiconError("email/address", message, hint)


def sender_address(text: str) -> Address:
    """The From address, `Name <address>` or the address alone; RubiconError otherwise."""
    name, address = parseaddr(text)
    if not name.isprintable() or len(name) > 60:
        name, address = "", ""
    try:
        return Address(name, addr_spec=proper_address(address))
    except RubiconError as error:
        message = f"The setting mail_from is not an e-mail address: {text[:80]!a}."
        raise RubiconError(
            "serve/settings", message, "Write: Rubicon <rubicon@risk.example.org>"
        ) from error


# The transport: SMTP, or the console of a server without mail.

SUBMISSION_PORT, SUBMISSIONS_PORT = 587, 465
REPLY_TIMEOUT = 10.0  # seconds for each reply of the mail server
DELIVERY_TIMEOUT = 30.0  # seconds for one e-mail as a whole
PERMANENT_FAILURES = range(550, 560)  # SMTP replies that no later attempt changes
UNKNOWN_ADDRESS = frozenset({550, 551, 553})  # of these, those that refuse a recipient
URL_HINT = "Write: smtp://user:password@mail.example.org:587, or smtps://…:465."


class DeliveryError(RubiconError):
    """An e-mail was not delivered.

    `final` if another attempt would fail too; `unknown_address` if that is so for every e-mail to
    this address, whatever it says.
    """

    def __init__(self, reason: str, *, final: bool = False, unknown_address: bool = False) -> None:
        self.reason = reason
        self.final = final
        self.unknown_address = unknown_address
        super().__init__("email/not-delivered", f"The e-mail was not delivered: {reason}.", "")


class MailTransport(Protocol):
    """Delivers e-mails."""

    async def send(self, message: EmailMessage) -> None:
        """Deliver one e-mail; DeliveryError on failure, within DELIVERY_TIMEOUT."""


class ConsoleTransport:
    """Prints e-mails, so that the operator can pass them on by hand."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream

    async def send(self, message: EmailMessage) -> None:
        """Print an e-mail."""
        head = f"--- e-mail to {message['To']}: {message['Subject']}"
        text = message.get_body(("plain",))
        try:
            self._stream.write(f"{head}\n{text.get_content() if text else ''}---\n")
            self._stream.flush()
        except (OSError, ValueError) as error:
            raise DeliveryError("the console is closed") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The address, credentials and encryption of a mail server."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False  # from the first byte (smtps)
    starttls: bool = True

    @staticmethod
    def parse(url: str) -> MailServer:
        """From `smtp://user:password@host:587?starttls=1` or `smtps://…`; RubiconError otherwise.

        The error quotes nothing of the URL, which may hold a password.
        """
        try:
            return _parse(urlsplit(url))
        except (ValueError, KeyError) as error:
            reason = str(error) if isinstance(error, _BadUrl) else "It is not a mail server's URL."
            message = f"The setting mail_server is not valid. {reason}"
            raise RubiconError("serve/settings", message, URL_HINT) from None


class _BadUrl(ValueError):
    pass


class SmtpTransport:
    """Delivers e-mails to a mail server, each over its own connection."""

    def __init__(self, server: MailServer, trusted: ssl.SSLContext | None = None) -> None:
        self.server = server
        self._trusted = trusted

    async def greet(self) -> None:
        """Connect, encrypt and sign in as for an e-mail, and send none; DeliveryError."""
        client = self._client()
        try:
            async with asyncio.timeout(DELIVERY_TIMEOUT):
                await client.connect()
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryError(_reason(error)) from error
        finally:
            client.close()

    async def send(self, message: EmailMessage) -> None:
        """Deliver an e-mail; DeliveryError with the server's reply."""
        client = self._client()
        try:
            async with asyncio.timeout(DELIVERY_TIMEOUT):
                await client.connect()
                await client.sendmail(
                    str(message["From"].addresses[0].addr_spec),
                    [str(message["To"].addresses[0].addr_spec)],
                    message.as_bytes(),  # as bytes: the client would fold it, and break long links
                )
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryError(
                _reason(error),
                final=_is_final(error),
                unknown_address=_is_unknown(error),
            ) from error
        finally:
            client.close()

    def _client(self) -> aiosmtplib.SMTP:
        server = self.server
        return aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user,
            password=server.password,
            use_tls=server.tls,
            start_tls=server.starttls,
            tls_context=self._trusted,
            local_hostname="localhost" if is_local(server.host) else None,
            timeout=REPLY_TIMEOUT,
        )


def transport_for(mail_server: str) -> MailTransport:
    """The transport that the setting `mail_server` asks for; the console if it is empty."""
    return SmtpTransport(MailServer.parse(mail_server)) if mail_server else ConsoleTransport()


def _parse(url: SplitResult) -> MailServer:
    host, tls = url.hostname, url.scheme == "smtps"
    if url.scheme not in ("smtp", "smtps") or not host or url.path not in ("", "/"):
        raise _BadUrl("It is not a mail server's URL.")
    options = parse_qs(url.query, strict_parsing=True) if url.query else {}
    default = ["0" if is_local(host) else "1"]
    starttls = {"0": False, "1": True}[options.pop("starttls", default)[0]]
    if options:
        raise _BadUrl("The only option is starttls.")
    user = unquote(url.username) if url.username else None
    password = unquote(url.password) if url.password is not None else None
    if password is not None and not (tls or starttls or is_local(host)):
        raise _BadUrl("A password is not sent without encryption.")
    return MailServer(
        host=host,
        port=url.port or (SUBMISSIONS_PORT if tls else SUBMISSION_PORT),
        user=user,
        password=password,
        tls=tls,
        starttls=starttls and not tls,
    )


def is_local(host: str) -> bool:
    """Whether a host is this machine: what goes there leaves it on no wire."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _reason(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return "; ".join(f"{reply.code} {_one_line(reply.message)}" for reply in error.recipients)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {_one_line(error.message)}"
    return _one_line(str(error)) or type(error).__name__


def _is_final(error: Exception) -> bool:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(refused.code in PERMANENT_FAILURES for refused in error.recipients)
    return isinstance(error, aiosmtplib.SMTPDataError) and error.code in PERMANENT_FAILURES


def _is_unknown(error: Exception) -> bool:
    """Whether the recipient was refused, and not for a policy (5.7, RFC 3463) that may change."""
    if not isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return False
    return all(
        refused.code in UNKNOWN_ADDRESS and not refused.message.lstrip().startswith("5.7.")
        for refused in error.recipients
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".")


# Accounts whose address refuses e-mails for good: no further e-mails, and the others are notified.

log = logging.getLogger(__name__)


def mark_dead(table: TableService, account: str, address: str) -> bool:
    """Stop e-mails to an address that refused one for good (RFC 3463, class 5).

    In each running game of the account its pending decision gets more time, once, and its own seat
    (by push message or webhook) and the host's are told. Idempotent; returns whether the address
    was the account's and was alive. Waits for the writer thread, so it must not run on it.
    """
    if not table.store.read(partial(_is_alive, account=account, address=address)):
        return False
    seats = table.store.read(partial(_running_seats, account=account))
    # The time first: a server that dies in between would not find the account again.
    for change in [
        table.change(game, partial(extend_unreachable, seat=seat)) for game, seat, _ in seats
    ]:
        change.result()
    marked = table.store.write(partial(_mark, account=account, address=address)).result()
    if marked:
        log.warning("address refuses e-mails", extra={"account": account})
    return marked


def mark_reachable(connection: Connection, account: str, address: str) -> None:
    """Send e-mails to an account again: what went to its address was used or answered."""
    columns = schema.account.c
    own = (columns.id == account) & (columns.email == address) & columns.unreachable.is_not(None)
    connection.execute(update(schema.account).where(own).values(unreachable=None))


def _is_alive(connection: Connection, account: str, address: str) -> bool:
    columns = schema.account.c
    wanted = select(columns.id).where(_alive(account, address))
    return connection.execute(wanted).first() is not None


def _alive(account: str, address: str) -> ColumnElement[bool]:
    columns = schema.account.c
    return and_(columns.id == account, columns.email == address, columns.unreachable.is_(None))


def _mark(connection: Connection, account: str, address: str) -> bool:
    change = (
        update(schema.account).where(_alive(account, address)).values(unreachable=now(connection))
    )
    if connection.execute(change).rowcount == 0:
        return False
    for game, seat, host in _running_seats(connection, account):
        # The digest of the game's row is changed, so the row is locked.
        locked = select(schema.game.c.id).where(schema.game.c.id == game).with_for_update()
        connection.execute(locked)
        for reader in {seat, host, master_place(connection, game)} - {""}:
            notify(connection, game, reader, EmailBounced(seat), EMAIL_PENDING)
    return True


def _running_seats(connection: Connection, account: str) -> list[tuple[str, str, str]]:
    """Game, seat and the host's seat ("" for none) of each running game."""
    game, own, host = schema.game.c, schema.seat.alias(), schema.seat.alias()
    hosts = (host.c.game == game.id) & (host.c.account == game.host)
    wanted = (
        select(game.id, own.c.colour, host.c.colour.label("host"))
        .select_from(schema.game)
        .join(own, own.c.game == game.id)
        .outerjoin(host, hosts)
        .where(own.c.account == account, game.state == RUNNING)
        .order_by(game.id)
    )
    return [(row.id, row.colour, row.host or "") for row in connection.execute(wanted)]


# Queues of e-mails: what notifications, news and answers share.


class Delivery:
    """A writer of e-mails and a mail server."""

    def __init__(self, table: TableService, transport: MailTransport, writer: EmailWriter) -> None:
        self.table = table
        self.transport = transport
        self._writer = writer

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification."""
        return self._writer.write(pending, snapshot, at)

    def snapshot(self, pending: PendingEmail) -> Snapshot:
        """The game's state; rebuilt in this thread if needed, so that the writer need not wait."""
        cached = self.table.cached_snapshot(pending.game)
        if cached is not None and cached.head == pending.head:
            return cached
        return self.table.store.read(lambda c: snapshot_of(rebuilt(c, pending.game)))

    async def deliver(self, account: str, address: str, message: EmailMessage) -> Outcome:
        """Try once to send an e-mail to an account ("" for a stranger).

        An address that does not exist is marked as one that takes no e-mails.
        """
        try:
            await self.transport.send(message)
        except DeliveryError as failure:
            if failure.unknown_address and account:
                await asyncio.to_thread(mark_dead, self.table, account, address)
            return Outcome(final=failure.final, reason=failure.reason)
        return Outcome(delivered=True)

    async def send_once(self, message: EmailMessage) -> None:
        """Try once to send an e-mail that is in no queue; a failure is logged."""
        try:
            await self.transport.send(message)
        except DeliveryError as failure:
            fields = {"message_id": message["Message-ID"], "reason": failure.reason}
            log.warning("mail delivery failed", extra=fields)


class EmailToAccount(Message, Protocol):
    """A message that is sent by e-mail."""

    @property
    def account(self) -> str:
        """Whose it is; "" for a stranger."""

    @property
    def address(self) -> str:
        """Where it is sent."""


EmailT = TypeVar("EmailT", bound=EmailToAccount)


class EmailQueue(Queue[EmailT, WrittenEmail]):
    """A queue whose messages are sent by e-mail."""

    subject = "e-mail"
    failed = "mail delivery failed"
    batch = 20

    def __init__(self, delivery: Delivery, clock: Clock = now) -> None:
        super().__init__(delivery.table.store, clock)
        self.delivery = delivery

    def sender(self) -> AbstractAsyncContextManager[Sender[EmailT, WrittenEmail]]:
        """One connection for each e-mail: see `SmtpTransport`."""
        return nullcontext(self._send)

    async def _send(self, message: EmailT, parcel: WrittenEmail) -> Outcome:
        return await self.delivery.deliver(message.account, message.address, parcel.message)


def fields_of(pending: PendingEmail) -> dict[str, object]:
    """What the log may say of a notification: no name and no address."""
    return {"notification": pending.id, "game": pending.game, "kind": pending.kind}
