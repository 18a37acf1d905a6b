"""The queue of answers: written with what they answer, deleted when they are delivered."""

from __future__ import annotations

import email
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

from sqlalchemy import Connection, insert, select

from rubicon.server.delivery import EmailQueue
from rubicon.server.emails import POLICY, WrittenEmail
from rubicon.server.outbox import Channel, Send, WaitingRows
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedAnswer:
    """An answer that is due; `account` is "" for a stranger."""

    id: int
    account: str
    address: str
    content: bytes
    at: int

    @property
    def rows(self) -> tuple[int, ...]:
        """Its row of the queue."""
        return (self.id,)

    @property
    def message(self) -> EmailMessage:
        """The e-mail as it was written: a repeat has the same Message-ID."""
        parsed = email.message_from_bytes(self.content, policy=POLICY)
        assert isinstance(parsed, EmailMessage)
        return parsed


class ReadyAnswer:
    """An e-mail that answers a message, as bytes: `account` is "" for a stranger."""

    def __init__(self, message: int, account: str, address: str, email: WrittenEmail) -> None:
        self.row = {"message": message, "account": account, "address": address}
        self.content = email.message.as_bytes()
        self.record = email.record


def queue_answer(connection: Connection, answer: ReadyAnswer) -> None:
    """Queue an answer with its token, inside an open transaction."""
    answer.record(connection)
    at = now(connection)
    row = answer.row | {"content": answer.content, "at": at, "due": at}
    connection.execute(insert(schema.mail_answer), row)


class AnswerQueue(EmailQueue[QueuedAnswer]):
    """The answers of a server."""

    channel = Channel.ANSWERS
    subject = "answer"
    failed = "answer not delivered"
    rows = WaitingRows(schema.mail_answer)
    most_read = EmailQueue.batch

    def due(self, connection: Connection, at: int) -> Sequence[QueuedAnswer]:
        """The answers that are due, the oldest first."""
        table = schema.mail_answer
        wanted = (
            select(table.c.id, table.c.account, table.c.address, table.c.content, table.c.at)
            .where(self.rows.due_between(0, at))
            .order_by(table.c.id)
            .limit(self.most_read)
        )
        return [QueuedAnswer(**row._mapping) for row in connection.execute(wanted)]

    def is_needed(self, message: QueuedAnswer) -> bool:
        """Always: someone has asked."""
        return True

    def plan(self, message: QueuedAnswer, at: int) -> Send[WrittenEmail]:
        """The e-mail as it was written; what it needs was recorded with it."""
        return Send(WrittenEmail(message=message.message))

    def log_fields(self, message: QueuedAnswer) -> Mapping[str, object]:
        """The number of the answer."""
        return {"answer": message.id}
