"""Fetches e-mails from an ordinary mailbox by IMAP (RFC 3501, IDLE: RFC 2177).

A message is kept, then moved to the folder Rubicon. A server that dies in between fetches it again;
the inbox recognises it. The password leaves this machine encrypted alone, to a server whose
certificate is trusted.
"""

from __future__ import annotations

import logging
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from imaplib import IMAP4

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, UnexpectedCommandStatusError

from rubicon.errors import RubiconError
from rubicon.mail.reading.incoming_mail import MailEnvelope
from rubicon.mail.reading.limits import ReadingLimits
from rubicon.mail.receiving.received_mail import Inbox, ReceivedMail
from rubicon.server.mail.transport import is_local

MOST_BYTES = ReadingLimits().bytes
FOLDER = "Rubicon"  # for what has been kept
BATCH = 50  # messages of one look
REPLY_SECONDS = 30.0
SHORTEST_DELAY, LONGEST_DELAY = 5.0, 300.0  # seconds before another attempt to connect
LONGEST_IDLE = 1_500.0  # seconds: servers sign out after half an hour (RFC 2177)
MOST_REMEMBERED = 10_000
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
    """Fetches from a mailbox in a thread of its own; `poll` is the longest wait in seconds.

    `errors` are those that `look` and `try_out` raise where the mailbox does not answer as wanted.
    """

    errors = ERRORS

    def __init__(self, account: MailboxAccount, inbox: Inbox, *, poll: int) -> None:
        self._account = account
        self._inbox = inbox
        self._poll = min(float(poll), LONGEST_IDLE)
        self._stopping = threading.Event()
        self._mailbox: BaseMailBox | None = None
        self._kept: set[str] = set()  # numbers of messages that could not be moved
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
        with self._connected() as mailbox:
            return self._fetch_all(mailbox)

    def try_out(self) -> int:
        """Connect, and leave all as it is; how many messages wait."""
        with self._connected() as mailbox:
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
        with self._connected() as mailbox:
            self._mailbox = mailbox
            try:
                idles = "IDLE" in mailbox.client.capabilities
                while not self._stopping.is_set():
                    self._fetch_all(mailbox)
                    if self._stopping.is_set():
                        return
                    if idles:
                        _wait_for_news(mailbox, self._poll)
                    else:
                        self._stopping.wait(self._poll)
            finally:
                self._mailbox = None

    @contextmanager
    def _connected(self) -> Iterator[BaseMailBox]:
        """A connection that is signed in; it is closed whatever happens."""
        mailbox = self._signed_in()
        try:
            yield mailbox
            mailbox.logout()
        finally:
            _cut_off(mailbox)

    def _signed_in(self) -> BaseMailBox:
        account = self._account
        mailbox: BaseMailBox
        # The context of the standard library for IMAP trusts every certificate.
        trusted = ssl.create_default_context()
        if account.tls:
            mailbox = MailBox(
                account.host, account.port, timeout=REPLY_SECONDS, ssl_context=trusted
            )
        else:
            mailbox = MailBoxUnencrypted(account.host, account.port, timeout=REPLY_SECONDS)
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
        return mailbox

    def _note_validity(self, mailbox: BaseMailBox) -> None:
        """Forget the numbers of messages where the mailbox was made anew (RFC 3501, 2.3.1.1)."""
        _, found = mailbox.client.response("UIDVALIDITY")
        if found != self._validity:
            self._kept.clear()
        self._validity = found

    def _fetch_all(self, mailbox: BaseMailBox) -> int:
        found = 0
        for _ in range(MOST_LOOKS):
            found += self._fetch_found(mailbox)
            # Where a message came in behind the search, its server has said so, and IDLE does not
            # tell of it again.
            _, arrived = mailbox.client.response("EXISTS")
            if arrived == [None] or self._stopping.is_set():
                break
        return found

    def _fetch_found(self, mailbox: BaseMailBox) -> int:
        """Fetch until a search finds nothing; how many messages were kept."""
        found = 0
        while not self._stopping.is_set():
            mailbox.client.response("EXISTS")  # forget what was said before the search
            numbers = [n for n in mailbox.uids("ALL") if n not in self._kept][:BATCH]
            if not numbers:
                return found
            folder = _folder_for_kept(mailbox)
            for number in numbers:
                self._keep(mailbox, number, folder)
                found += 1
        return found

    def _keep(self, mailbox: BaseMailBox, number: str, folder: str) -> None:
        received = _received(mailbox, number)
        if received is not None:
            self._inbox.keep(received)
        try:
            mailbox.move(number, folder)
        except ImapToolsError as error:
            # Not again as long as this server runs; the inbox knows it after a restart.
            extra = {"mailbox": self.name, "reason": mailbox_reason(error)}
            log.warning("e-mail not moved", extra=extra)
            if len(self._kept) >= MOST_REMEMBERED:
                self._kept.clear()
            self._kept.add(number)


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
    part = "(BODY.PEEK[HEADER])" if cut else "(BODY.PEEK[])"
    texts = _fetched(mailbox, number, part)
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
