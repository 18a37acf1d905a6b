"""Play by e-mail of a server: made from its settings, tried one by one, and run alongside it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from functools import partial
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from rubicon.errors import RubiconError
from rubicon.mail.answer_outbox import AnswerQueue
from rubicon.mail.authority import MailKeys, record_token
from rubicon.mail.inbox import (
    ROWS,
    SCHEDULE,
    MessageInbox,
    StoredMessage,
    TakenOver,
    claim_message,
    next_messages,
    postpone,
    release_messages,
)
from rubicon.mail.mail_server import IncomingMailServer, ListenAt
from rubicon.mail.mailbox_poller import MailboxAccount, MailboxPoller, mailbox_reason
from rubicon.mail.message_work import MessageWork
from rubicon.mail.reading.incoming_mail import Inbox, MailNotKept, ReceivedMail
from rubicon.mail.reading.reader import ReadingSettings
from rubicon.mail.step_runner import NOT_NOW
from rubicon.mail.strangers import JoinByMail
from rubicon.mail.tokens import TOKEN_LENGTH, reply_address
from rubicon.mail.writing.answers import AnswerEmails
from rubicon.mail.writing.game_emails import GameEmails
from rubicon.mail.writing.post import ReplyWay
from rubicon.server.delivery import (
    DeliveryError,
    SmtpTransport,
    proper_address,
    sender_address,
    transport_for,
)
from rubicon.server.emails import POLICY, EmailIdentity, EmailWriter, UnsubscribePath
from rubicon.server.outbox import Channel
from rubicon.server.server import Server, email_identity
from rubicon.server.settings import ServerSettings
from rubicon.table.storage.database import Store

# What brings e-mails in, from the URLs of the setting `mail_receive`.

HINT = "Write lmtp://127.0.0.1:8024, smtp://0.0.0.0:25 or imaps://USER:PASSWORD@HOST/INBOX."
PORTS = {"lmtp": 8024, "smtp": 25, "imap": 143, "imaps": 993}


class Receiver(Protocol):
    """Takes e-mails from one place, and keeps them in an inbox."""

    def start(self) -> None:
        """Begin; RubiconError where that is not possible."""

    def close(self) -> None:
        """Stop; what was acknowledged is kept."""


def receivers_of(
    urls: Sequence[str], inbox: Inbox, own: Iterable[str], *, poll: int
) -> tuple[Receiver, ...]:
    """The receivers; `own` are the addresses of this server, `poll` the seconds of a mailbox.

    RubiconError `serve/settings` for a URL that is none; it never quotes one: it may hold a
    password.
    """
    addresses = frozenset(address.lower() for address in own)
    return tuple(_receiver(url, inbox, addresses, poll) for url in urls)


def _receiver(url: str, inbox: Inbox, own: frozenset[str], poll: int) -> Receiver:
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise _bad("It is no URL of a mail server or a mailbox.") from None
    if parts.scheme in ("imap", "imaps"):
        return MailboxPoller(_account(parts, port), inbox, poll=poll)
    if parts.username or parts.query:
        raise _bad("A server that takes e-mails has no user and no options.")
    if parts.scheme == "lmtp" and parts.path and not parts.netloc:
        return IncomingMailServer(ListenAt(lmtp=True, path=parts.path), inbox, own)
    if not parts.hostname or parts.path not in ("", "/"):
        raise _bad("The host is missing, or there is a path after it.")
    at = ListenAt(lmtp=parts.scheme == "lmtp", host=parts.hostname, port=port)
    return IncomingMailServer(at, inbox, own)


def _account(parts: SplitResult, port: int) -> MailboxAccount:
    if not parts.hostname or not parts.username:
        raise _bad("A mailbox needs its host and its user.")
    return MailboxAccount(
        host=parts.hostname,
        port=port,
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        tls=parts.scheme == "imaps",
    )


def _bad(why: str) -> RubiconError:
    return RubiconError("serve/settings", f"The setting mail_receive is not valid. {why}", HINT)


# Takes messages from the inbox, one of each sender at a time, and ends each with one answer.

WORKERS = 4
LOOK_AGAIN = 5.0  # seconds between two looks where nothing wakes the service
WAITING = 20  # messages that are looked at for one that is free
log = logging.getLogger(__name__)


class MailService:
    """Runs alongside a server; `wake` notifies it that a message was stored.

    `work` carries a message out. `done` counts messages by how they ended.
    """

    def __init__(self, server: Server, work: MessageWork) -> None:
        self._store = server.store
        self._outbox = server.outbox
        self._work = work
        self._outbox.add(AnswerQueue(server.delivery))
        self.done: Counter[str] = Counter()
        self._outbox.measure(Channel.INBOX, ROWS, self.done)
        self._busy: set[str] = set()  # senders
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._run, name=f"mail-{n}", daemon=True)
            for n in range(WORKERS)
        ]

    def start(self) -> None:
        """Go on with what is there, and take what comes."""
        self.release()
        for thread in self._threads:
            thread.start()

    def release(self) -> None:
        """Take over at once what a server that died has claimed, where there can be no other."""
        if not self._store.shared:
            self._store.write(release_messages).result()

    def close(self) -> None:
        """Finish the steps under way, and stop; the rest is done at the next start."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._work.close()

    def wake(self) -> None:
        """Look for messages now."""
        with self._changed:
            self._changed.notify()

    def work_once(self) -> bool:
        """Carry out one message that is due, in this thread; whether there was one."""
        try:
            found = self._take()
        except Exception as error:  # of any kind: the thread must survive it
            self._failed("inbox not read", error)
            return False
        if found is None:
            return False
        message, sender = found
        try:
            self._carry_out(message)
        finally:
            self._free(sender)
        return True

    def _run(self) -> None:
        while not self._stopping:
            worked = self.work_once()
            with self._changed:
                if worked:
                    self._changed.notify()  # the sender's next message may be another worker's
                elif not self._stopping:
                    self._changed.wait(LOOK_AGAIN)

    def _take(self) -> tuple[StoredMessage, str] | None:
        """A message whose sender has no other one under way; its sender is busy from now on."""
        # As many senders may be busy as there are workers: one more is free.
        for number, sender in self._store.read(partial(next_messages, most=WAITING + WORKERS)):
            with self._changed:
                if sender in self._busy:
                    continue
                self._busy.add(sender)
            try:
                taken = self._store.write(partial(claim_message, number=number)).result()
            except BaseException:
                self._free(sender)
                raise
            if taken is not None:
                return taken, sender
            self._free(sender)
        return None

    def _free(self, sender: str) -> None:
        with self._changed:
            self._busy.discard(sender)

    def _carry_out(self, message: StoredMessage) -> None:
        """Carry a message out; where that fails it stays, and is tried again later."""
        try:
            self.done[self._work.carry_out(message)] += 1
            self._outbox.wake()  # the answer waits
        except TakenOver:
            pass
        except (*NOT_NOW, FutureTimeoutError) as error:
            log.info("e-mail waits", extra={"message_number": message.id, "reason": str(error)})
            self._postpone(message)
        except Exception as error:  # of any kind: the message must not be lost
            self._failed("e-mail not carried out", error, message_number=message.id)
            self._later_or_never(message)

    def _later_or_never(self, message: StoredMessage) -> None:
        """Try a message again that ended in a fault of ours, for some days."""
        try:
            if SCHEDULE.gives_up(self._work.now() - message.at):
                self._work.give_up(message)
                self.done["failed"] += 1
                return
        except (RubiconError, FutureTimeoutError) as error:
            self._failed("e-mail not ended", error)
        self._postpone(message)

    def _postpone(self, message: StoredMessage) -> None:
        delay = SCHEDULE.delay(self._work.now() - message.at)
        try:
            self._store.write(partial(postpone, number=message.id, delay=delay)).result()
        except RubiconError as error:
            self._failed("e-mail not postponed", error)

    def _failed(self, what: str, error: Exception, **fields: object) -> None:
        level = logging.WARNING if isinstance(error, RubiconError) else logging.ERROR
        log.log(level, what, exc_info=error, extra=fields)


# The settings of play by e-mail, and what is made from them.

LONGEST_LOCAL_PART = 64  # RFC 5321, 4.5.3.1.1


class PlayByMail:
    """Writes e-mails that can be answered, and takes the answers.

    `write_emails` goes to the server, `beside` is run with it.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.address = reply_address_of(settings)

    def write_emails(
        self, store: Store, identity: EmailIdentity, unsubscribe_path: UnsubscribePath
    ) -> EmailWriter:
        """The writer of e-mails with forms and tokens."""
        return GameEmails(store, identity, unsubscribe_path, reply=self._reply(MailKeys.of(store)))

    def beside(self, server: Server) -> MailPart:
        """The receivers and the service, to be run alongside a server."""
        keys = MailKeys.of(server.store)
        emails = AnswerEmails(
            server.store,
            server.identity,
            server.unsubscribe_links.path,
            reply=self._reply(keys),
        )
        own = {self.address.addr_spec.lower(), server.identity.sender.addr_spec.lower()}
        reading = ReadingSettings(
            addresses=frozenset(own),
            authentication_servers=_words(self._settings.mail_authentication_servers),
        )
        joining = JoinByMail(server, keys, self._reply(keys))
        service = MailService(server, MessageWork(server, keys, emails, reading, joining))
        server.invitation_address = self._invitation_address
        inbox = MessageInbox(server.store, keys, service.wake)
        urls = _words(self._settings.mail_receive)
        receivers = receivers_of(urls, inbox, own, poll=self._settings.mail_poll_seconds)
        return MailPart(service, inbox, receivers)

    def _invitation_address(self, invite: str) -> str:
        """Where someone without a browser asks for the seat of an invite."""
        return reply_address(self.address, invite).addr_spec

    def _reply(self, keys: MailKeys) -> ReplyWay:
        return ReplyWay(address=self.address, keys=keys.tokens, record=record_token)


class MailPart:
    """The service and its receivers: started together, and stopped in the other order."""

    def __init__(
        self, service: MailService, inbox: MessageInbox, receivers: Sequence[Receiver]
    ) -> None:
        self.service = service
        self.inbox = inbox
        self.receivers = tuple(receivers)
        self._open = False

    def open(self) -> None:
        """Take what comes, and keep it; RubiconError where an address cannot be used."""
        self._open = True
        for receiver in self.receivers:
            receiver.start()

    def start(self) -> None:
        """Carry out what waits and what comes."""
        if not self._open:
            self.open()
        self.service.start()

    def close(self) -> None:
        """Take nothing more, and finish what is under way."""
        for receiver in self.receivers:
            receiver.close()
        self.service.close()


def play_by_mail(settings: ServerSettings) -> PlayByMail | None:
    """Play by e-mail, if the setting `mail_receive` names where e-mails come from.

    RubiconError `serve/settings` where the other settings do not fit.
    """
    if not settings.mail_receive:
        return None
    return PlayByMail(settings)


def reply_address_of(settings: ServerSettings) -> Address:
    """The address that players answer to, without a token; RubiconError where it is none."""
    email_identity(settings)  # its mistakes come first
    written = settings.mail_reply_to or settings.mail_from
    if not written:
        message = "The setting mail_receive needs the address that players write to."
        hint = "Set mail_from, or mail_reply_to: Rubicon <play@risk.example.org>"
        raise RubiconError("serve/settings", message, hint)
    try:
        address = sender_address(written)
    except RubiconError as error:
        message = error.message.replace("mail_from", "mail_reply_to")
        raise RubiconError("serve/settings", message, error.suggestion) from error
    tagged = reply_address(address, "a" * TOKEN_LENGTH)
    if "+" in address.username or len(tagged.username) > LONGEST_LOCAL_PART:
        message = f"The address {address.addr_spec[:80]!r} has no room for a token after a plus."
        hint = "Choose a short name without a plus: play@risk.example.org"
        raise RubiconError("serve/settings", message, hint)
    return address


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


# Tries the settings of play by e-mail one by one, as the server would use them.

TEST = """Hello,

this is a test of play by e-mail of Rubicon at {url}.

You read it: so the server can send e-mails. Look at its headers too: mail
programs trust it more where SPF, DKIM and DMARC say "pass".
"""


@dataclass(frozen=True, slots=True)
class MailFinding:
    """The result of one check: what was tried, and what came of it in a sentence.

    `advice`: e-mail works as it is, and could be safer.
    """

    good: bool
    what: str
    told: str
    advice: bool = False

    def __str__(self) -> str:
        mark = "note" if self.advice else "ok" if self.good else "WRONG"
        return f"{mark:5}  {self.what}: {self.told}"


class RefusingInbox:
    """An inbox that keeps nothing: a check must not take e-mails away."""

    def keep(self, received: ReceivedMail) -> None:
        """Keep nothing."""
        raise MailNotKept("this is a check")


def check_mail(settings: ServerSettings) -> Iterator[MailFinding]:
    """Try every setting of e-mail; each finding comes when its check is done."""
    yield from _check_addresses(settings)
    yield _check_sending(settings)
    if not settings.mail_receive:
        hint = "It is empty: players get e-mails, and cannot answer them."
        yield MailFinding(False, "mail_receive", hint)
        return
    try:
        receivers = receivers_of(
            settings.mail_receive.replace(",", " ").split(), RefusingInbox(), [], poll=30
        )
    except RubiconError as error:
        yield _wrong("mail_receive", error)
        return
    for receiver in receivers:
        if isinstance(receiver, IncomingMailServer):
            yield _check_listening(receiver)
        if isinstance(receiver, MailboxPoller):
            yield _check_mailbox(receiver)
    yield _check_authentication(settings)


def test_email(settings: ServerSettings, address: str) -> EmailMessage:
    """An e-mail to see whether and how e-mails arrive; RubiconError for a bad address."""
    identity = email_identity(settings)
    message = EmailMessage(POLICY)
    message["From"] = identity.sender
    message["To"] = proper_address(address)
    message["Subject"] = "A test of Rubicon"
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = make_msgid(domain=identity.sender.domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(TEST.format(url=identity.url))
    return message


def _check_addresses(settings: ServerSettings) -> Iterator[MailFinding]:
    try:
        identity = email_identity(settings)
        yield MailFinding(True, "mail_from", f"players see {identity.sender}")
        reply = reply_address_of(settings)
        tagged = f"{reply.username}+TOKEN@{reply.domain}"
        yield MailFinding(True, "mail_reply_to", f"players answer to {tagged}")
    except RubiconError as error:
        yield _wrong("mail_from, mail_reply_to", error)
    if not settings.public_url:
        hint = "It is empty: links in e-mails work on this machine only."
        yield MailFinding(False, "public_url", hint)


def _check_sending(settings: ServerSettings) -> MailFinding:
    if not settings.mail_server:
        return MailFinding(False, "mail_server", "It is empty: e-mails are printed to the console.")
    try:
        transport = transport_for(settings.mail_server)
        assert isinstance(transport, SmtpTransport)
        asyncio.run(transport.greet())
    except DeliveryError as error:
        return MailFinding(False, "mail_server", f"{error.reason}. {_hint(error.reason)}".strip())
    except RubiconError as error:
        return _wrong("mail_server", error)
    server = transport.server
    how = "encrypted" if server.tls or server.starttls else "not encrypted"
    signed = f", signed in as {server.user}" if server.user else ""
    return MailFinding(True, "mail_server", f"{server.host}:{server.port} answers, {how}{signed}")


def _check_listening(receiver: IncomingMailServer) -> MailFinding:
    what = f"mail_receive, {receiver.at}"
    try:
        receiver.start()
    except RubiconError as error:
        return _wrong(what, error)
    receiver.close()
    return MailFinding(True, what, "the server can take e-mails here")


def _check_mailbox(receiver: MailboxPoller) -> MailFinding:
    what = f"mail_receive, {receiver.name}"
    try:
        waiting = receiver.try_out()
    except (RubiconError, *receiver.errors) as error:
        return MailFinding(False, what, _mailbox_told(error))
    return MailFinding(True, what, f"signed in; {waiting} e-mails wait")


def _mailbox_told(error: Exception) -> str:
    reason = mailbox_reason(error)
    return f"{reason}. {_hint(reason) or 'Check host, user, password and folder.'}"


def _hint(reason: str) -> str:
    """What helps where it is not what the reason says."""
    if "CERTIFICATE_VERIFY_FAILED" not in reason:
        return ""
    return (
        "Use the host's name that its certificate is for. To trust a certificate of your own, name "
        "its file in the environment variable SSL_CERT_FILE."
    )


def _check_authentication(settings: ServerSettings) -> MailFinding:
    what = "mail_authentication_servers"
    if not settings.mail_authentication_servers:
        told = (
            "It is empty: forged senders cannot be detected, and only tokens protect seats. With a "
            "mail server that checks senders, set the name in its Authentication-Results."
        )
        return MailFinding(True, what, told, advice=True)
    return MailFinding(True, what, f"believed: {settings.mail_authentication_servers}")


def _wrong(what: str, error: RubiconError) -> MailFinding:
    return MailFinding(False, what, f"{error.message} {error.suggestion}".strip())
