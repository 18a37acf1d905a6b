"""The messages that came in: stored before they are acknowledged, and each carried out once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from rubicon.errors import RubiconError
from rubicon.mail.authority import MailKeys
from rubicon.mail.mail_steps import QUESTION, MailAnswer, MailStepResult
from rubicon.mail.reading import bounded_message, incoming_mail
from rubicon.mail.tokens import find_tokens
from rubicon.mail.writing.post import TOKEN_LIFETIME
from rubicon.server.outbox import SCHEDULES, Channel, WaitingRows
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

MOST_WAITING = 5_000  # messages: the mail server keeps what comes beyond them
MOST_OF_SENDER = 100
MOST_BYTES_WAITING = 200 * 1024 * 1024
FEW = 50
KEEP_SECONDS = 20.0
ROWS = WaitingRows(schema.mail_message)  # `due` is NULL when all is done
SCHEDULE = SCHEDULES[Channel.INBOX]
# A repeat is recognised as long as its token is known, so that no old vote is counted again.
REMEMBERED = TOKEN_LIFETIME
STRANGERS_REMEMBERED = 2 * 3_600_000  # longer than the hour in which each is answered once
PRUNED_EVERY = 100  # messages
_LIMITS = bounded_message.ReadingLimits()


class TakenOver(RubiconError):
    """Another server has gone on with a message; what was to be done is not done here."""

    def __init__(self) -> None:
        super().__init__("mail/taken-over", "Another server carries this e-mail out.", "")


class TooManyEmails(RubiconError):
    """A seat has written so often that its next message waits."""

    def __init__(self) -> None:
        super().__init__("mail/too-many", "This seat has written too often within an hour.", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message that is not answered yet; `results` are of the steps that have been carried out."""

    id: int
    sender: str
    at: int
    raw: bytes
    envelope: incoming_mail.MailEnvelope
    results: tuple[MailStepResult, ...]


class MessageInbox:
    """Keeps messages for the service; `kept` is called after each."""

    def __init__(self, store: Store, keys: MailKeys, kept: Callable[[], None]) -> None:
        self._store = store
        self._keys = keys
        self._kept = kept

    def keep(self, received: incoming_mail.ReceivedMail) -> None:
        """Store a message once; MailNotKept where the database is away or the inbox is full."""
        row = _row(received, self._keys)

        def job(connection: Connection) -> None:
            columns = schema.mail_message.c
            repeat = select(columns.id).where(columns.identity == row["identity"])
            if connection.execute(repeat).first() is not None:
                return
            _check_room(connection, row["sender"])
            at = now(connection)
            connection.execute(insert(schema.mail_message), row | {"at": at, "due": at})

        try:
            self._store.write(job).result(KEEP_SECONDS)
        except incoming_mail.MailNotKept:
            raise
        except (RubiconError, FutureTimeoutError) as error:
            raise incoming_mail.MailNotKept("the database does not answer") from error
        self._kept()


def next_messages(connection: Connection, most: int) -> list[tuple[int, str]]:
    """The oldest message of each sender that is due, and the sender: no one delays others."""
    columns = schema.mail_message.c
    first = func.min(columns.id).label("first")
    wanted = (
        select(first, columns.sender)
        .where(ROWS.due_between(0, now(connection)))
        .group_by(columns.sender)
        .order_by(first)
        .limit(most)
    )
    return [(row.first, row.sender) for row in connection.execute(wanted)]


def claim_message(connection: Connection, number: int) -> StoredMessage | None:
    """A message for this server alone; None where another one has taken it."""
    at = now(connection)
    if not ROWS.claim(connection, {(number,): at + SCHEDULE.claim}, at):
        return None
    own = select(schema.mail_message).where(schema.mail_message.c.id == number)
    row = connection.execute(own).one()
    envelope = json.loads(row.envelope)
    return StoredMessage(
        id=row.id,
        sender=row.sender,
        at=row.at,
        raw=bytes(row.content),
        envelope=incoming_mail.MailEnvelope(
            envelope["sender"], tuple(envelope["recipients"]), envelope["cut"]
        ),
        results=tuple(MailStepResult(**each) for each in json.loads(row.done)),
    )


def release_messages(connection: Connection) -> None:
    """Look at once at what a server before this one has left undone.

    Only where no other server can be at work on the database.
    """
    ROWS.release(connection, now(connection), max(SCHEDULE.claim, SCHEDULE.longest))


def record_result(
    connection: Connection, message: StoredMessage, results: tuple[MailStepResult, ...]
) -> None:
    """Remember what has been carried out, in the transaction that does it; else TakenOver."""
    columns = schema.mail_message.c
    before = _written(results[:-1])
    change = (
        update(schema.mail_message)
        .where(columns.id == message.id, columns.done == before)
        .values(done=_written(results), due=now(connection) + SCHEDULE.claim)
    )
    if connection.execute(change).rowcount != 1:
        raise TakenOver


def postpone(connection: Connection, number: int, delay: int) -> None:
    """Look at a message again after a delay in milliseconds."""
    ROWS.postpone(connection, (number,), now(connection) + delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a message ended; `result` is the kind of its answer, or why there is none.

    `sender` is who counts as the sender: a header read alone may have named another one.
    """

    result: str
    game: str = ""
    seat: str = ""
    decision: int = -1
    orders: str = ""  # the digest of what it asked for
    sender: str = ""
    answer: MailAnswer | None = None


def finish(connection: Connection, number: int, finished: Finished) -> None:
    """End a message: its text is forgotten, its answer remembered for a repeat; else TakenOver."""
    columns = schema.mail_message.c
    values = {
        "due": None,
        "envelope": "",
        "content": b"",
        "game": finished.game,
        "seat": finished.seat,
        "decision": finished.decision,
        "orders": finished.orders,
        "result": finished.result,
        "answer": "" if finished.answer is None else finished.answer.written(),
    }
    if finished.sender:
        values["sender"] = finished.sender
    open_ = (columns.id == number) & columns.due.is_not(None)
    if connection.execute(update(schema.mail_message).where(open_).values(values)).rowcount != 1:
        raise TakenOver
    if number % PRUNED_EVERY == 0:
        _prune(connection)


def _prune(connection: Connection) -> None:
    """Forget what no repeat is expected of: soon what belonged to no game."""
    columns, at = schema.mail_message.c, now(connection)
    ended = columns.due.is_(None)
    old = ended & (columns.at < at - REMEMBERED)
    strange = ended & (columns.game == "") & (columns.at < at - STRANGERS_REMEMBERED)
    connection.execute(delete(schema.mail_message).where(old | strange))


def earlier_answer(
    connection: Connection, game: str, seat: str, decision: int, orders: str
) -> tuple[MailAnswer, int] | None:
    """What was answered when the same was asked for before, and when it came; the last time."""
    columns = schema.mail_message.c
    wanted = (
        select(columns.answer, columns.at)
        .where(columns.game == game, columns.seat == seat, columns.decision == decision)
        .where(columns.orders == orders, columns.result == "done", columns.answer != "")
        .order_by(columns.id.desc())
        .limit(1)
    )
    row = connection.execute(wanted).one_or_none()
    return None if row is None else (MailAnswer.read(row.answer), row.at)


def answered_since(connection: Connection, game: str, seat: str, sender: str, at: int) -> int:
    """How many messages that a sender wrote for a seat after a moment have been ended."""
    columns = schema.mail_message.c
    own = (columns.game == game) & (columns.seat == seat) & (columns.sender == sender)
    wanted = select(func.count()).where(own, columns.at > at)
    return int(connection.execute(wanted).scalar_one())


def questions_since(connection: Connection, game: str, seat: str, at: int) -> int:
    """How many messages for a seat after a moment were answered by a question."""
    columns = schema.mail_message.c
    own = (columns.game == game) & (columns.seat == seat) & (columns.result == QUESTION)
    wanted = select(func.count()).where(own, columns.at > at)
    return int(connection.execute(wanted).scalar_one())


def _written(results: tuple[MailStepResult, ...]) -> str:
    return json.dumps([asdict(result) for result in results])


def _row(received: incoming_mail.ReceivedMail, keys: MailKeys) -> dict[str, Any]:
    raw, envelope = received.raw, received.envelope
    sender, identity = _identity(raw, envelope)
    return {
        "identity": identity,
        "sender": keys.sender(sender),
        "envelope": json.dumps(asdict(envelope)),
        "content": raw,
        "game": "",
        "seat": "",
        "decision": -1,
        "orders": "",
        "done": "[]",
        "result": "",
        "answer": "",
    }


def _identity(raw: bytes, envelope: incoming_mail.MailEnvelope) -> tuple[str, str]:
    """The address in From, and a digest by which the same message is recognised.

    Servers on the way add headers, so of the header only the Message-ID counts, and the tokens of
    the recipients: one message to two seats comes twice. The text counts too: there are programs
    that use one Message-ID for all their messages.
    """
    try:
        header = bounded_message.parse_header(raw, _LIMITS)
        found = bounded_message.senders(header, _LIMITS)
        sender = found[0][1] if len(found) == 1 else ""
        number = next(iter(bounded_message.message_ids(header, "Message-ID", _LIMITS)), "")
    except bounded_message.UnreadableMessageError:
        sender, number = "", ""
    if not number:
        return sender, hashlib.sha256(raw).hexdigest()
    _, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    tokens = sorted(found.token for found in find_tokens(envelope.recipients, (), "", limit=50))
    parts = (sender, number, *tokens, hashlib.sha256(body.rstrip()).hexdigest())
    return sender, hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def _check_room(connection: Connection, sender: str) -> None:
    columns = schema.mail_message.c
    waiting = select(func.count()).where(columns.due.is_not(None))
    count = int(connection.execute(waiting).scalar_one())
    if count >= MOST_WAITING:
        raise incoming_mail.MailNotKept("too many e-mails wait")
    own = waiting.where(columns.sender == sender)
    if int(connection.execute(own).scalar_one()) >= MOST_OF_SENDER:
        raise incoming_mail.SenderMustWait
    if count < FEW:  # their sizes need not be added up for each one
        return
    sizes = select(func.sum(func.length(columns.content))).where(columns.due.is_not(None))
    if int(connection.execute(sizes).scalar_one() or 0) >= MOST_BYTES_WAITING:
        raise incoming_mail.MailNotKept("too many large e-mails wait")
