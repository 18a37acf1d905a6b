"""Tries the settings of play by e-mail one by one, as the server would use them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from rubicon.errors import RubiconError
from rubicon.mail.receiving.mail_server import IncomingMailServer
from rubicon.mail.receiving.mailbox_poller import MailboxPoller, mailbox_reason
from rubicon.mail.receiving.received_mail import MailNotKept, ReceivedMail
from rubicon.mail.receiving.receivers import receivers_of
from rubicon.mail.service.mail_settings import reply_address_of
from rubicon.server.mail.email_address import proper_address
from rubicon.server.mail.messages import POLICY
from rubicon.server.mail.transport import DeliveryError, SmtpTransport, transport_for
from rubicon.server.server import email_identity
from rubicon.server.settings import ServerSettings

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
            "It is empty: a forged sender is not told from a true one, tokens alone count. With a "
            "mail server that checks senders, write the name in its Authentication-Results."
        )
        return MailFinding(True, what, told, advice=True)
    return MailFinding(True, what, f"believed: {settings.mail_authentication_servers}")


def _wrong(what: str, error: RubiconError) -> MailFinding:
    return MailFinding(False, what, f"{error.message} {error.suggestion}".strip())
