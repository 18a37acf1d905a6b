"""Messages that are no player's: reports of mail servers, programs, and strangers."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, func, select

from rubicon.mail.identity.alignment import same_mailbox
from rubicon.mail.reading.answers import HOUR, answer_address
from rubicon.mail.reading.bounces import BounceSeverity
from rubicon.mail.reading.incoming_mail import IncomingMail
from rubicon.mail.service.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.service.inbox import Finished, StoredMessage, finish
from rubicon.mail.service.issued_tokens import MailSeat
from rubicon.mail.service.mail_keys import MailKeys
from rubicon.mail.writing.answers import AnswerEmails, IncomingIds
from rubicon.server.mail.unreachable import mark_dead
from rubicon.server.server import Server
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

RETURNED = "returned"
MOST_RETURNED = 30  # answers to strangers in an hour: this server is no tool to flood others
FINISH_SECONDS = 60.0
# A sender whose address is not proved may be somebody else, who would get our answer.
FORGED = ("dmarc", "spf", "dkim")


class ReturnedMail:
    """Ends such messages, of one server."""

    def __init__(self, server: Server, keys: MailKeys, emails: AnswerEmails) -> None:
        self._server = server
        self._keys = keys
        self._emails = emails

    def bounced(self, message: StoredMessage, mail: IncomingMail, seat: MailSeat | None) -> str:
        """A report that an e-mail was not delivered; never answered.

        It counts only with a token of ours, for the address that the e-mail went to.
        """
        report = mail.bounce
        if report is not None and seat is not None and report.severity is BounceSeverity.HARD:
            named = report.recipient
            if seat.address and (not named or same_mailbox(named, seat.address)):
                mark_dead(self._server.table, seat.account, seat.address)
        return self.put_aside(message, "bounce")

    def put_aside(self, message: StoredMessage, result: str) -> str:
        """End a message without an answer."""
        done = Finished(result=result)
        self._server.store.write(partial(finish, number=message.id, finished=done)).result(
            FINISH_SECONDS
        )
        return result

    def to_stranger(self, message: StoredMessage, mail: IncomingMail) -> str:
        """Return a message that belongs to no game, to each sender once an hour."""
        to = answer_address(mail)
        forged = any(mail.authentication.failed(method) for method in FORGED)
        store = self._server.store
        sender = self._keys.sender(to or "")
        if to is None or forged or not store.read(partial(_may_return, sender=sender)):
            return self.put_aside(message, "unknown")
        email = self._emails.write_returned(
            to, incoming_ids(mail), message.id, message.at, store.read(now)
        )
        answer = ReadyAnswer(message.id, "", to, email)

        def job(connection: Connection) -> str:
            # Again, as another message of the sender may have been answered meanwhile.
            may = _may_return(connection, sender)
            result = RETURNED if may else "unknown"
            finish(connection, message.id, Finished(result=result, sender=sender))
            if may:
                queue_answer(connection, answer)
            return result

        return store.write(job).result(FINISH_SECONDS)


def incoming_ids(mail: IncomingMail) -> IncomingIds:
    """The ids that an answer refers to, as far as they can stand in a header."""
    references = tuple(filter(None, map(_bracketed, mail.references)))
    return IncomingIds(_bracketed(mail.message_id), references)


def _bracketed(identifier: str) -> str:
    plain = identifier.strip("<>")
    proper = plain.isascii() and plain.isprintable() and not set(plain) & set(" <>")
    return f"<{plain}>" if plain and proper else ""


def _may_return(connection: Connection, sender: str) -> bool:
    columns = schema.mail_message.c
    since = now(connection) - HOUR
    lately = select(func.count()).where(columns.result == RETURNED, columns.at > since)
    if connection.execute(lately).scalar_one() >= MOST_RETURNED:
        return False
    own = lately.where(columns.sender == sender)
    return int(connection.execute(own).scalar_one()) == 0
