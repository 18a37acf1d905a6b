"""The queue of answers: written with what they answer, deleted when they are delivered."""

from __future__ import annotations

import asyncio
import email
import email.policy
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial

from sqlalchemy import Connection, delete, insert, select, update

from rubicon.errors import RubiconError
from rubicon.server.delivery import DeliveryError, mark_dead
from rubicon.server.emails import DAY, HOUR, MINUTE, POLICY, WrittenEmail
from rubicon.server.mailer import Mailer
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

CLAIM_DURATION = 5 * MINUTE  # during which no other server sends a claimed answer
MAX_RETRY_DELAY = 4 * HOUR
BATCH = 20
CONNECTIONS = 4
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedAnswer:
    """An answer that is due; `account` is "" for a stranger."""

    id: int
    account: str
    address: str
    content: bytes
    at: int

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


class AnswerSender:
    """Delivers the queue; `sweep` is called again and again."""

    def __init__(self, mailer: Mailer, *, clock: Callable[[Connection], int] = now) -> None:
        self._table = mailer.table
        self.transport = mailer.transport
        self._store = mailer.table.store
        self._clock = clock

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""
        due = await asyncio.to_thread(self._store.read, self._due)
        if not due:
            return False
        claimed = partial(_claim, numbers=due, clock=self._clock)
        own = await asyncio.wrap_future(self._store.write(claimed))
        slots = asyncio.Semaphore(CONNECTIONS)
        await asyncio.gather(*(self._deliver(slots, answer) for answer in own))
        return len(due) == BATCH

    def _due(self, connection: Connection) -> list[int]:
        columns = schema.mail_answer.c
        wanted = select(columns.id).where(columns.due <= self._clock(connection))
        return list(connection.execute(wanted.order_by(columns.id).limit(BATCH)).scalars())

    async def _deliver(self, slots: asyncio.Semaphore, answer: QueuedAnswer) -> None:
        failure: DeliveryError | None = None
        async with slots:
            try:
                await self.transport.send(answer.message)
            except DeliveryError as error:
                failure = error
                fields = {"answer": answer.id, "reason": error.reason, "final": error.final}
                log.warning("answer not delivered", extra=fields)
        if failure is not None and failure.unknown_address and answer.account:
            own = self._table, answer.account, answer.address
            await asyncio.to_thread(mark_dead, *own)

        def record(connection: Connection) -> None:
            age = self._clock(connection) - answer.at
            columns = schema.mail_answer.c
            if failure is None or failure.final or age >= DAY:
                connection.execute(delete(schema.mail_answer).where(columns.id == answer.id))
                return
            delay = max(MINUTE, min(age, MAX_RETRY_DELAY))
            change = update(schema.mail_answer).where(columns.id == answer.id)
            connection.execute(change.values(due=self._clock(connection) + delay))

        try:
            await asyncio.wrap_future(self._store.write(record))
        except RubiconError as error:
            log.warning("answer's result not stored", exc_info=error)


def release_answers(connection: Connection) -> None:
    """Send at once what a server before this one has claimed; see `release_messages`."""
    columns = schema.mail_answer.c
    at = now(connection)
    change = update(schema.mail_answer).where(columns.due > at, columns.due <= at + CLAIM_DURATION)
    connection.execute(change.values(due=at))


def _claim(
    connection: Connection, numbers: Sequence[int], clock: Callable[[Connection], int]
) -> list[QueuedAnswer]:
    """The answers that no other server has claimed; they are claimed now."""
    columns, at = schema.mail_answer.c, clock(connection)
    free = select(schema.mail_answer).where(columns.id.in_(numbers), columns.due <= at)
    rows = connection.execute(free.with_for_update(skip_locked=True)).all()
    change = update(schema.mail_answer).where(columns.id.in_([row.id for row in rows]))
    connection.execute(change.values(due=at + CLAIM_DURATION))
    return [
        QueuedAnswer(
            id=row.id, account=row.account, address=row.address, content=row.content, at=row.at
        )
        for row in rows
    ]
