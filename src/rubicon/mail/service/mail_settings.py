"""Play by e-mail of a server: made from its settings, and run beside it."""

from __future__ import annotations

from collections.abc import Sequence
from email.headerregistry import Address

from rubicon.errors import RubiconError
from rubicon.mail.identity.token_places import reply_address
from rubicon.mail.identity.tokens import TOKEN_LENGTH
from rubicon.mail.joining.join_service import JoinByMail
from rubicon.mail.reading.reader import ReadingSettings
from rubicon.mail.receiving.receivers import Receiver, receivers_of
from rubicon.mail.service.inbox import MessageInbox
from rubicon.mail.service.issued_tokens import record_token
from rubicon.mail.service.mail_keys import MailKeys
from rubicon.mail.service.mail_service import MailService
from rubicon.mail.service.message_work import MessageWork
from rubicon.mail.writing.answers import AnswerEmails
from rubicon.mail.writing.game_emails import GameEmails
from rubicon.mail.writing.post import ReplyWay
from rubicon.server.mail.email_address import sender_address
from rubicon.server.mail.email_writer import EmailWriter, UnsubscribePath
from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.server import Server, email_identity
from rubicon.server.settings import ServerSettings
from rubicon.table.storage.database import Store

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
        """The receivers and the service, to be run beside a server."""
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
        """Where somebody without a browser asks for the seat of an invite."""
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
        message = f"The address {address.addr_spec[:80]!r} has no room for a token behind a plus."
        hint = "Choose a short name without a plus: play@risk.example.org"
        raise RubiconError("serve/settings", message, hint)
    return address


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())
