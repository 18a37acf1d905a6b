"""Writes the answers to e-mails of players, and the e-mails with one-time codes.

An answer goes to the registered address of a seat, or to a stranger (`write_returned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import Connection

from rubicon.mail.identity.one_time_code import CodePurpose
from rubicon.mail.identity.tokens import TokenScope
from rubicon.mail.writing.answer_emails import (
    AnswerSubject,
    AnswerToWrite,
    answer_email,
    returned_email,
)
from rubicon.mail.writing.code_email import code_email
from rubicon.mail.writing.forms import form_of
from rubicon.mail.writing.happenings import TurnTold, facts_of, turns_told
from rubicon.mail.writing.layout.envelope import REPLIED, Posting, message_of
from rubicon.mail.writing.post import NO_DECISION, Post, ReplyToken, ReplyWay, Threading
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.scenes import pending_of, scene_of
from rubicon.server.mail.email_writer import UnsubscribePath, WrittenEmail
from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.mail.outbox import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage.database import Store

NO_LINES = -1
ANSWERS_FROM = 1 << 40  # numbers of answers in tokens: above those of notifications
CODES_FROM = 1 << 41


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecipient:
    """Who wrote, and where the answer goes.

    `message` is the number of the message in the inbox: each gets one answer, whose Message-ID and
    token derive from it. `subject` is that of the message, as it came.
    """

    game: str
    seat: str
    message: int
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeToWrite:
    """A one-time code; `asked` is what it confirms, `to` an address other than the seat's."""

    purpose: CodePurpose
    code: str
    asked: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class IncomingIds:
    """The Message-ID of the message that is answered, and those that it referred to; brackets."""

    message_id: str = ""
    references: Sequence[str] = ()

    @property
    def thread(self) -> tuple[str, ...]:
        """What the answer refers to, the message last."""
        own = [self.message_id] if self.message_id else []
        # Long threads would make long headers: the first and the last ids are enough.
        return (*tuple(self.references)[-8:], *own)


class AnswerEmails:
    """Writes answers; it sends nothing."""

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        unsubscribe_path: UnsubscribePath,
        *,
        reply: ReplyWay | None = None,
    ) -> None:
        self._store = store
        self._identity = identity
        self._post = Post(identity, unsubscribe_path, reply)

    def write_answer(
        self,
        answer: AnswerToWrite,
        recipient: AnswerRecipient,
        ids: IncomingIds,
        snapshot: Snapshot,
        at: int,
        *,
        lines: tuple[int, int] = (NO_LINES, NO_LINES),
    ) -> WrittenEmail:
        """The answer to a player; `lines` are the first and last log line that the orders wrote."""
        pending, scene = self._scene(recipient, snapshot, at)
        token = self._token(recipient, snapshot, ANSWERS_FROM)
        told = self._store.read(partial(_told, pending, lines))
        corrected = answer.kind == "corrected"
        asked = recipient.seat in snapshot.decisions and snapshot.ending is None
        order_lines = tuple(answer.orders.splitlines()) if corrected else ()
        if not corrected and asked:
            order_lines = form_of(scene).lines
        answering = (
            self._post.answering(scene, order_lines, token)
            if order_lines
            else self._post.plain(token)
        )
        subject = AnswerSubject(incoming=recipient.subject)
        content, form = answer_email(scene, answer, told, answering, subject)
        thread = Threading(ids.thread, REPLIED)
        return self._post.written(pending, scene, content, token, form=form, thread=thread)

    def write_code(
        self, asked: CodeToWrite, recipient: AnswerRecipient, snapshot: Snapshot, at: int
    ) -> WrittenEmail:
        """The e-mail with a one-time code.

        A new thread, so that a mail program that answers in the old one does not quote the code.
        """
        pending, scene = self._scene(recipient, snapshot, at)
        if asked.to:
            pending = replace(pending, address=asked.to)
        token = self._token(recipient, snapshot, CODES_FROM)
        content = code_email(scene, asked.purpose, asked.code, asked.asked)
        return self._post.written(pending, scene, content, token)

    def write_returned(
        self, address: str, ids: IncomingIds, number: int, arrived_at: int, at: int
    ) -> WrittenEmail:
        """To a sender who is no player, or whose message is no order; times in ms since 1970."""
        arrived = f"{datetime.fromtimestamp(arrived_at / 1000, UTC):%A %-d %B, %H:%M} UTC"
        content = returned_email(self._identity.url, arrived)
        posting = Posting(
            address=address,
            at=at,
            message_id=f"<returned-{number}.{arrived_at}@{self._identity.sender.domain}>",
            references=ids.thread,
            in_reply_to=ids.message_id,
            automatic=REPLIED,
        )
        return WrittenEmail(message=message_of(self._identity, content, posting))

    def _scene(
        self, recipient: AnswerRecipient, snapshot: Snapshot, at: int
    ) -> tuple[PendingEmail, Scene]:
        site = self._identity.url

        def read(connection: Connection) -> tuple[PendingEmail, Scene]:
            number = ANSWERS_FROM + recipient.message
            pending = pending_of(connection, recipient.game, recipient.seat, number, at)
            return pending, scene_of(pending, snapshot, at, site, connection)

        return self._store.read(read)

    def _token(self, recipient: AnswerRecipient, snapshot: Snapshot, base: int) -> ReplyToken:
        decision = snapshot.decisions.get(recipient.seat, NO_DECISION)
        return self._post.token(
            TokenScope(
                game=recipient.game,
                seat=recipient.seat,
                decision=decision,
                notification=base + recipient.message,
            )
        )


def _told(pending: PendingEmail, lines: tuple[int, int], connection: Connection) -> list[TurnTold]:
    """What the log lines of the orders told the seat."""
    first, last = lines
    if first < 0:
        return []
    return turns_told(facts_of(connection, pending.game, pending.seat, first, last))
