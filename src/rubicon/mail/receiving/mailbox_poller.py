"""Fetches e-mails from an ordinary mailbox by IMAP (RFC 3501, IDLE: RFC 2177).

A message is kept, then moved to the folder Rubicon. A server that dies in between fetches it again;
the inbox recognises it.
"""

from __future__ import annotations

import logging
import re
import threading
from dataclasses import dataclass, field
from imaplib import IMAP4

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from rubicon.errors import RubiconError
from rubicon.mail.reading.incoming_mail import MailEnvelope
from rubicon.mail.reading.limits import ReadingLimits
from rubicon.mail.receiving.received_mail import Inbox, ReceivedMail

MOST_BYTES = ReadingLimits().bytes
FOLDER = "Rubicon"  # for what has been kept
BATCH = 50  # messages of one look
REPLY_SECONDS = 30.0
SHORTEST_DELAY, LONGEST_DELAY = 5.0, 300.0  # seconds before another attempt to connect
MOST_REMEMBERED = 10_000
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
ERRORS = (OSError, IMAP4.error, ImapToolsError, RubiconError, UnicodeError, ValueError)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxAccount:
    """A mailbox, and who may read it."""

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
        self._poll = float(poll)
        self._stopping = threading.Event()
        self._mailbox: BaseMailBox | None = None
        self._kept: set[str] = set()  # numbers of messages that could not be moved
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
                reason = f"{type(error).__name__}: {str(error)[:200]}"
                if not self._stopping.is_set() and reason != told:  # once, not at every attempt
                    log.warning("mailbox not read", extra={"mailbox": self.name, "reason": reason})
                told = reason
                self._stopping.wait(delay)
                delay = min(2 * delay, LONGEST_DELAY)

    @property
    def name(self) -> str:
        """The mailbox in words, without its password."""
        return f"{self._account.user}@{self._account.host}"

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
                        mailbox.idle.wait(timeout=self._poll)
                    else:
                        self._stopping.wait(self._poll)
            finally:
                self._mailbox = None

    def _connected(self) -> BaseMailBox:
        account = self._account
        mailbox: BaseMailBox
        if account.tls:
            mailbox = MailBox(account.host, account.port, timeout=REPLY_SECONDS)
        else:
            mailbox = MailBoxUnencrypted(account.host, account.port, timeout=REPLY_SECONDS)
        try:
            mailbox.login(account.user, account.password, account.folder)
        except ERRORS:
            _cut_off(mailbox)
            raise
        return mailbox

    def _fetch_all(self, mailbox: BaseMailBox) -> int:
        found = 0
        while not self._stopping.is_set():
            numbers = [n for n in mailbox.uids("ALL") if n not in self._kept][:BATCH]
            if not numbers:
                return found
            for number in numbers:
                self._keep(mailbox, number)
                found += 1
        return found

    def _keep(self, mailbox: BaseMailBox, number: str) -> None:
        received = _received(mailbox, number)
        if received is not None:
            self._inbox.keep(received)
        try:
            if not mailbox.folder.exists(FOLDER):
                mailbox.folder.create(FOLDER)
            mailbox.move(number, FOLDER)
        except ImapToolsError as error:
            # Not again as long as this server runs; the inbox knows it after a restart.
            log.warning("e-mail not moved", extra={"mailbox": self.name, "reason": str(error)})
            if len(self._kept) >= MOST_REMEMBERED:
                self._kept.clear()
            self._kept.add(number)


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
