"""Fetches e-mails from an ordinary mailbox by IMAP (RFC 3501, IDLE: RFC 2177).

A message is kept, then moved to the folder Rubicon. A server that dies in between fetches it again;
the inbox recognises it.
"""

from __future__ import annotations

import logging
import math
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from imaplib import IMAP4

from imap_tools import BaseMailBox
from imap_tools.errors import ImapToolsError

from rubicon.errors import RubiconError
from rubicon.mail.reading.incoming_mail import MailEnvelope
from rubicon.mail.reading.limits import ReadingLimits
from rubicon.mail.receiving.bounded_mailbox import ReplyBudget, open_mailbox
from rubicon.mail.receiving.received_mail import Inbox, ReceivedMail, SenderMustWait

MOST_BYTES = ReadingLimits().bytes
HEADER_BYTES = ReadingLimits().header_bytes
FOLDER = "Rubicon"  # for what has been kept
BATCH = 50  # messages of one look
REPLY_SECONDS = 30.0
SHORTEST_DELAY, LONGEST_DELAY = 5.0, 300.0  # seconds before another attempt to connect
MOST_REMEMBERED = 10_000
LEFT_ALONE = 600.0  # seconds in which a message is left where it is: its sender must wait
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
        # Numbers of messages that are left alone: those that could not be moved for ever, and those
        # of a sender who must wait until a moment. They are good for one `UIDVALIDITY`.
        self._left: dict[str, float] = {}
        self._validity = b""
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
                        mailbox.idle.wait(timeout=self._poll)
                    else:
                        self._stopping.wait(self._poll)
            finally:
                self._mailbox = None

    @contextmanager
    def _connected(self) -> Iterator[tuple[BaseMailBox, ReplyBudget]]:
        account = self._account
        mailbox, budget = open_mailbox(
            account.host, account.port, tls=account.tls, timeout=REPLY_SECONDS
        )
        try:
            mailbox.login(account.user, account.password, account.folder)
            self._compare_numbers(mailbox)
            yield mailbox, budget
            mailbox.logout()
        finally:
            _cut_off(mailbox)

    def _compare_numbers(self, mailbox: BaseMailBox) -> None:
        """Forget the numbers of messages if they are those of other messages now."""
        validity = (mailbox.client.response("UIDVALIDITY")[1] or [b""])[0] or b""
        if validity != self._validity:
            self._left.clear()
            self._validity = validity

    def _fetch_all(self, mailbox: BaseMailBox, budget: ReplyBudget) -> int:
        seen: set[str] = set()  # a server may go on to list what was moved
        while not self._stopping.is_set():
            budget.renew()
            at = time.monotonic()
            numbers = [
                number
                for number in mailbox.uids("ALL")
                if number not in seen and self._left.get(number, 0.0) < at
            ][:BATCH]
            if not numbers:
                break
            for number in numbers:
                budget.renew()
                self._keep(mailbox, number, budget)
            seen.update(numbers)
        return len(seen)

    def _leave(self, number: str, seconds: float) -> None:
        """Do not look at a message for a time; for ever is as long as this server runs."""
        if len(self._left) >= MOST_REMEMBERED:
            self._left.clear()
        self._left[number] = time.monotonic() + seconds

    def _keep(self, mailbox: BaseMailBox, number: str, budget: ReplyBudget) -> None:
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
        try:
            if not mailbox.folder.exists(FOLDER):
                mailbox.folder.create(FOLDER)
            mailbox.move(number, FOLDER)
        except ImapToolsError as error:
            # Not again as long as this server runs; the inbox knows it after a restart.
            log.warning("e-mail not moved", extra={"mailbox": self.name, "reason": str(error)})
            self._leave(number, math.inf)


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
