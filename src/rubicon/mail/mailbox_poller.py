"""Fetches e-mails from a mailbox by IMAP (RFC 3501, IDLE: RFC 2177), within bounds."""

from __future__ import annotations

import logging
import math
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from imaplib import IMAP4
from ssl import SSLContext

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, UnexpectedCommandStatusError

from rubicon.errors import RubiconError
from rubicon.mail.reading.bounded_message import ReadingLimits
from rubicon.mail.reading.incoming_mail import Inbox, MailEnvelope, ReceivedMail, SenderMustWait
from rubicon.server.delivery import is_local

# A connection to a mailbox whose answers are bounded, whatever its server sends (RFC 3501).
#
# `imaplib` keeps all that a server says, and reads a literal of any size that the server
# announces.

# Of all that a server says between two calls of `renew`: the largest message, and as much again
# for lists of messages and for what a server sends without being asked.
MOST_ANSWER_BYTES = 2 * ReadingLimits().bytes + 4 * 1024 * 1024


class ReplyBudget:
    """How many more bytes a server may say; IMAP4.abort where it says more, and then for good."""

    def __init__(self, client: IMAP4) -> None:
        self._left = MOST_ANSWER_BYTES
        self._read: Callable[[int], bytes] = client.read
        self._readline: Callable[[], bytes] = client.readline
        client.read = self.read  # type: ignore[method-assign]
        client.readline = self.readline  # type: ignore[method-assign]

    @property
    def spent(self) -> bool:
        """Whether the server has said too much."""
        return self._left < 0

    def renew(self) -> None:
        """Allow as much again."""
        if not self.spent:
            self._left = MOST_ANSWER_BYTES

    def read(self, size: int) -> bytes:
        """A literal."""
        self._spend(size)
        return self._read(size)

    def readline(self) -> bytes:
        """A line; the library bounds its length."""
        line = self._readline()
        self._spend(len(line))
        return line

    def _spend(self, size: int) -> None:
        self._left -= size
        if self.spent:
            raise IMAP4.abort("the mailbox server says too much")


def open_mailbox(
    host: str, port: int, *, tls: SSLContext | None, timeout: float
) -> tuple[BaseMailBox, ReplyBudget]:
    """A connection that is not signed in yet, and its budget; `tls` is for TLS from the start."""
    mailbox: BaseMailBox
    if tls is not None:
        mailbox = MailBox(host, port, timeout=timeout, ssl_context=tls)
    else:
        mailbox = MailBoxUnencrypted(host, port, timeout=timeout)
    return mailbox, ReplyBudget(mailbox.client)


# Fetches e-mails from an ordinary mailbox by IMAP (RFC 3501, IDLE: RFC 2177).
#
# A message is kept, then moved to the folder Rubicon. A server that dies in between fetches it
# again; the inbox recognises it. The password leaves this machine encrypted alone, to a server
# whose certificate is trusted.

MOST_BYTES = ReadingLimits().bytes
HEADER_BYTES = ReadingLimits().header_bytes
FOLDER = "Rubicon"  # for what has been kept
BATCH = 50  # messages of one look
REPLY_SECONDS = 30.0
SHORTEST_DELAY, LONGEST_DELAY = 5.0, 300.0  # seconds before another attempt to connect
LONGEST_IDLE = 1_500.0  # seconds: servers sign out after half an hour (RFC 2177)
MOST_REMEMBERED = 10_000
LEFT_ALONE = 600.0  # seconds in which a message is left where it is: its sender must wait
MOST_LOOKS = 5  # again where a message came in while the mailbox was searched
_PERSONAL = re.compile(rb'^\(\("((?:[^"\\]|\\.)*)"')  # the first namespace (RFC 2342)
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
ERRORS = (OSError, IMAP4.error, ImapToolsError, RubiconError, UnicodeError, ValueError)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxAccount:
    """A mailbox, and who may read it.

    `tls` from the first byte. Without it a connection to another machine begins with STARTTLS.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str
    tls: bool


class MailboxPoller:
    """Fetches from a mailbox in its own thread; `poll` is the longest wait in seconds.

    `errors` are those that `look` and `try_out` raise where the mailbox does not answer as wanted.
    """

    errors = ERRORS

    def __init__(self, account: MailboxAccount, inbox: Inbox, *, poll: int) -> None:
        self._account = account
        self._inbox = inbox
        self._poll = min(float(poll), LONGEST_IDLE)
        self._stopping = threading.Event()
        self._mailbox: BaseMailBox | None = None
        # Numbers of messages that are left alone: those that could not be moved for ever, and those
        # of a sender who must wait until a moment.
        self._left: dict[str, float] = {}
        self._validity: object = None  # of these numbers: UIDVALIDITY
        self._thread = threading.Thread(target=self._run, name="mailbox", daemon=True)

    def start(self) -> None:
        """Begin to fetch; a mailbox that cannot be reached is tried again and again."""
        self._thread.start()

    def close(self) -> None:
        """Stop at once; messages that were not kept stay in the mailbox."""
        self._stopping.set()
        mailbox = self._mailbox
        if mailbox is not None:
            _cut_off(mailbox)  # it may wait for the server
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> int:
        """Connect, fetch what is there and disconnect; how many messages were kept."""
        with self._connected() as (mailbox, budget):
            return self._fetch_all(mailbox, budget)

    def try_out(self) -> int:
        """Connect, and leave all as it is; how many messages wait."""
        with self._connected() as (mailbox, _):
            return len(mailbox.uids("ALL"))

    def _run(self) -> None:
        delay, told = SHORTEST_DELAY, ""
        while not self._stopping.is_set():
            try:
                self._work()
                delay, told = SHORTEST_DELAY, ""
            except ERRORS as error:
                reason = f"{type(error).__name__}: {mailbox_reason(error)}"
                if not self._stopping.is_set() and reason != told:  # once, not at every attempt
                    log.warning("mailbox not read", extra={"mailbox": self.name, "reason": reason})
                told = reason
                self._stopping.wait(delay)
                delay = min(2 * delay, LONGEST_DELAY)

    @property
    def name(self) -> str:
        """The mailbox in words, without its password."""
        return f"{self._account.user} at {self._account.host}"

    def _work(self) -> None:
        """Fetch and wait, over one connection; returns where it should be made anew."""
        with self._connected() as (mailbox, budget):
            self._mailbox = mailbox
            try:
                idles = "IDLE" in mailbox.client.capabilities
                while not self._stopping.is_set():
                    self._fetch_all(mailbox, budget)
                    if self._stopping.is_set():
                        return
                    budget.renew()
                    if idles:
                        _wait_for_news(mailbox, self._poll)
                    else:
                        self._stopping.wait(self._poll)
            finally:
                self._mailbox = None

    @contextmanager
    def _connected(self) -> Iterator[tuple[BaseMailBox, ReplyBudget]]:
        """A connection that is signed in; it is closed whatever happens."""
        mailbox, budget = self._signed_in()
        try:
            yield mailbox, budget
            mailbox.logout()
        finally:
            _cut_off(mailbox)

    def _signed_in(self) -> tuple[BaseMailBox, ReplyBudget]:
        account = self._account
        # The context of the standard library for IMAP trusts every certificate.
        trusted = ssl.create_default_context()
        tls = trusted if account.tls else None
        mailbox, budget = open_mailbox(account.host, account.port, tls=tls, timeout=REPLY_SECONDS)
        try:
            if not account.tls and not is_local(account.host):
                mailbox.client.starttls(trusted)
            ascii_only = f"{account.user}{account.password}".isascii()
            login = mailbox.login if ascii_only else mailbox.login_utf8
            login(account.user, account.password, account.folder)
            self._note_validity(mailbox)
            _ask_capabilities(mailbox)
        except ERRORS:
            _cut_off(mailbox)
            raise
        return mailbox, budget

    def _note_validity(self, mailbox: BaseMailBox) -> None:
        """Forget the numbers of messages where the mailbox was made anew (RFC 3501, 2.3.1.1)."""
        _, found = mailbox.client.response("UIDVALIDITY")
        if found != self._validity:
            self._left.clear()
        self._validity = found

    def _fetch_all(self, mailbox: BaseMailBox, budget: ReplyBudget) -> int:
        seen: set[str] = set()  # a server may go on to list what was moved
        for _ in range(MOST_LOOKS):
            self._fetch_found(mailbox, budget, seen)
            # Where a message came in after the search, its server has said so, and IDLE does not
            # tell of it again.
            _, arrived = mailbox.client.response("EXISTS")
            if arrived == [None] or self._stopping.is_set():
                break
        return len(seen)

    def _fetch_found(self, mailbox: BaseMailBox, budget: ReplyBudget, seen: set[str]) -> None:
        """Fetch until a search finds nothing that is not `seen`."""
        while not self._stopping.is_set():
            budget.renew()
            at = time.monotonic()
            mailbox.client.response("EXISTS")  # forget what was said before the search
            numbers = [
                number
                for number in mailbox.uids("ALL")
                if number not in seen and self._left.get(number, 0.0) < at
            ][:BATCH]
            if not numbers:
                return
            folder = _folder_for_kept(mailbox)
            for number in numbers:
                budget.renew()
                self._fetch(mailbox, number, folder, budget)
            seen.update(numbers)

    def _leave(self, number: str, seconds: float) -> None:
        """Do not look at a message for a time; for ever is as long as this server runs."""
        if len(self._left) >= MOST_REMEMBERED:
            self._left.clear()
        self._left[number] = time.monotonic() + seconds

    def _fetch(self, mailbox: BaseMailBox, number: str, folder: str, budget: ReplyBudget) -> None:
        """Keep a message and move it."""
        try:
            received = _received(mailbox, number)
        except IMAP4.abort:
            if budget.spent:
                self._leave(number, math.inf)  # the next connection goes on with the others
            raise
        if received is None:  # gone, or told in a way that is not understood
            self._leave(number, LEFT_ALONE)
            return
        try:
            self._inbox.keep(received)
        except SenderMustWait:
            self._leave(number, LEFT_ALONE)  # it must not delay the messages of others
            return
        self._move(mailbox, number, folder)

    def _move(self, mailbox: BaseMailBox, number: str, folder: str) -> None:
        try:
            mailbox.move(number, folder)
        except ImapToolsError as error:
            # Not again as long as this server runs; the inbox knows it after a restart.
            extra = {"mailbox": self.name, "reason": mailbox_reason(error)}
            log.warning("e-mail not moved", extra=extra)
            self._leave(number, math.inf)


def _wait_for_news(mailbox: BaseMailBox, seconds: float) -> None:
    """Wait until the server says something, by IDLE."""
    with mailbox.idle as idle:
        if not _has_more(mailbox.client):
            idle.poll(timeout=seconds)


def _has_more(client: IMAP4) -> bool:
    """Whether a line came in together with the last answer.

    It lies in the buffer of the connection then, and the socket shows nothing to wait for.
    """
    socket = client.socket()
    timeout = socket.gettimeout()
    socket.settimeout(0)
    try:
        return bool(client.readline())
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        socket.settimeout(timeout)


def mailbox_reason(error: Exception) -> str:
    """Why a mailbox does not answer as wanted, as its server says it; at most 200 characters."""
    if isinstance(error, UnexpectedCommandStatusError):
        said = error.command_result[1]
        texts = [each.decode(errors="replace") for each in said if isinstance(each, bytes)]
        return (" ".join(texts).strip() or type(error).__name__)[:200]
    return str(error)[:200]


def _ask_capabilities(mailbox: BaseMailBox) -> None:
    """Note what the server can do for who is signed in; some say less before."""
    status, data = mailbox.client.capability()
    if status == "OK" and data and isinstance(data[-1], bytes):
        mailbox.client.capabilities = tuple(data[-1].decode("ascii", "replace").upper().split())


def _folder_for_kept(mailbox: BaseMailBox) -> str:
    """The folder for messages that are kept; it is made where it is missing.

    Some servers want every folder below INBOX, and say so in their namespace.
    """
    prefix = ""
    if "NAMESPACE" in mailbox.client.capabilities:
        _, data = mailbox.client.namespace()
        own = _PERSONAL.match(data[-1]) if data and isinstance(data[-1], bytes) else None
        prefix = own[1].decode("ascii", "replace") if own else ""
    folder = prefix + FOLDER
    try:
        if not mailbox.folder.exists(folder):
            mailbox.folder.create(folder)
            mailbox.folder.subscribe(folder, True)  # else many mail programs do not show it
    except IMAP4.abort:
        raise  # the connection is lost
    except (ImapToolsError, IMAP4.error) as error:
        log.debug("folder not made", extra={"reason": mailbox_reason(error)})
    return folder


def _received(mailbox: BaseMailBox, number: str) -> ReceivedMail | None:
    """A message; of one that is too large only the header is fetched. None if it is gone."""
    size = _SIZE.search(b" ".join(_fetched(mailbox, number, "(RFC822.SIZE)")))
    if size is None:
        return None
    cut = int(size[1]) > MOST_BYTES
    part = f"HEADER]<0.{HEADER_BYTES}>" if cut else f"]<0.{MOST_BYTES + 1}>"
    texts = _fetched(mailbox, number, f"(BODY.PEEK[{part})")
    if len(texts) < 2:
        return None
    return ReceivedMail(raw=texts[1][: MOST_BYTES + 1], envelope=MailEnvelope(cut=cut))


def _fetched(mailbox: BaseMailBox, number: str, what: str) -> list[bytes]:
    """The answer to FETCH, as the pieces that the library gives: the head, then the literal."""
    status, data = mailbox.client.uid("FETCH", number, what)
    if status != "OK":
        raise IMAP4.error(f"FETCH was answered with {status}")
    pieces: list[bytes] = []
    for item in data:
        pieces += (
            [each for each in item if isinstance(each, bytes)] if isinstance(item, tuple) else []
        )
        pieces += [item] if isinstance(item, bytes) else []
    return pieces


def _cut_off(mailbox: BaseMailBox) -> None:
    try:
        mailbox.client.shutdown()
    except (OSError, IMAP4.error) as error:
        log.debug("mailbox was closed already", exc_info=error)
