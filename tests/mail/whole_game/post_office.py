"""The post of the world: takes the server's e-mails, and brings it those of the players."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from typing import Protocol

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from rubicon.server.emails import POLICY
from tests.mail.receiving.dovecot import dovecot
from tests.mail.receiving.imap_server import imap_server
from tests.ports import free_port

TRIES, INTERVAL = 12, 10.0  # seconds between two looks for an e-mail, on a busy machine


class Mailbox(Protocol):
    """A mailbox that the server reads by IMAP."""

    @property
    def port(self) -> int: ...
    def put(self, raw: bytes) -> object: ...


class PostOffice:
    """The mailboxes of the players, and the way to the server.

    `lmtp_port` is where the server takes e-mails; every second one goes into its mailbox instead,
    or with `by_mailbox` all of them.
    """

    def __init__(self, mailbox: Mailbox, lmtp_port: int, *, by_mailbox: bool = False) -> None:
        self.mailbox = mailbox
        self.by_mailbox = by_mailbox
        self.lmtp_port = lmtp_port
        self.port = 0
        self.relay_port = 0  # of a mail server in between; 0 for none
        self.try_again: Callable[[], None] = lambda: None  # asks it to
        self.sent: list[EmailMessage] = []
        self.delivered = 0
        self._changed = threading.Condition()

    async def handle_DATA(  # noqa: N802 - the library calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """An e-mail of the server."""
        assert isinstance(envelope.original_content, bytes)
        message = message_from_bytes(envelope.original_content, policy=POLICY)
        assert isinstance(message, EmailMessage)
        with self._changed:
            self.sent.append(message)
            self._changed.notify_all()
        return "250 OK"

    def wait_for(self, what: str, found: Callable[[], EmailMessage | None]) -> EmailMessage:
        """An e-mail for which the function looks, as soon as it is there."""
        with self._changed:
            for _ in range(TRIES):
                if self._changed.wait_for(lambda: found() is not None, INTERVAL):
                    break
                self.try_again()
            message = found()
        assert message is not None, what
        return message

    def answer_to(self, message: EmailMessage) -> EmailMessage:
        """The server's answer to a player's message."""
        identifier = message["Message-ID"]

        def found() -> EmailMessage | None:
            answers = (mail for mail in self.sent if mail["In-Reply-To"] == identifier)
            return next(answers, None)

        return self.wait_for(f"an answer to {message['Subject']}", found)

    def deliver(self, message: EmailMessage, sender: str) -> None:
        """Bring a message to the server: by its mail server, by LMTP, or into its mailbox."""
        self.delivered += 1
        if self.relay_port:
            with smtplib.SMTP("127.0.0.1", self.relay_port) as relay:
                relay.sendmail(sender, [str(message["To"])], message.as_bytes())
        elif self.delivered % 2 and not self.by_mailbox:
            with smtplib.LMTP("127.0.0.1", self.lmtp_port) as client:
                client.sendmail(sender, [str(message["To"])], message.as_bytes())
        else:
            self.mailbox.put(message.as_bytes(policy=POLICY))


@contextmanager
def post_office(lmtp_port: int, *, by_mailbox: bool = False) -> Iterator[PostOffice]:
    """A post office that is open; `by_mailbox`: the server's mailbox is at Dovecot."""
    with ExitStack() as open_:
        running: AbstractContextManager[Mailbox] = dovecot() if by_mailbox else imap_server()
        mailbox = open_.enter_context(running)
        office = PostOffice(mailbox, lmtp_port, by_mailbox=by_mailbox)
        office.port = free_port()
        controller = Controller(office, hostname="127.0.0.1", port=office.port)
        controller.start()
        try:
            yield office
        finally:
            controller.stop()
