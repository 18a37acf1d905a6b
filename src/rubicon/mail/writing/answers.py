"""Writes the answers to e-mails of players, and the e-mails with one-time codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import Connection

from rubicon.mail.mail_steps import MailAnswer
from rubicon.mail.one_time_codes import CodePurpose
from rubicon.mail.tokens import TokenScope
from rubicon.mail.writing import document
from rubicon.mail.writing.forms import OrderForm, form_of
from rubicon.mail.writing.history import facts_of, turn_rows, turns_in
from rubicon.mail.writing.layout import REPLIED, Posting, message_of
from rubicon.mail.writing.news_emails import is_news_subject
from rubicon.mail.writing.panels import RULE_OF_DICE, borders_panel, proof_panel
from rubicon.mail.writing.post import NO_DECISION, Post, ReplyToken, ReplyWay, Threading
from rubicon.mail.writing.scene import Scene, pending_of, scene_of
from rubicon.mail.writing.turn_email import (
    Answering,
    map_panel,
    orders_panel,
    turn_subject,
    until_words,
    why,
)
from rubicon.server.emails import EmailIdentity, UnsubscribePath, WrittenEmail, one_line
from rubicon.server.notifications import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.settings import Master
from rubicon.table.storage.database import Store
from rubicon.telling.turns import TurnEvents

# The e-mail with a one-time code: what was asked for, and that nothing has happened yet.


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeWords:
    """What the content says: its subject without the game, and the sentences around the code."""

    subject: str
    heading: str
    asked: str
    stay: str  # what to do to leave all as it is
    act: str
    then: str  # what the code does


def code_email(scene: Scene, purpose: CodePurpose, code: str, asked: str) -> document.EmailContent:
    """The content, to the registered address alone; `asked` is the request in its own words."""
    words = _words(scene, purpose, asked)
    tell = "If it was not you, someone else has an e-mail of your game."
    if scene.settings.master is not Master.NONE and not scene.is_master:
        tell += " Tell the game master: reply PRESS TO GM."
    why = "This went to the address that you registered, and to no other. The code works once."
    if purpose is CodePurpose.MAILBOX:
        tell = "If it was not you, you get no other e-mail."
        why = "Someone has given this address as theirs. The code works once."
    blocks: tuple[document.Block, ...] = (
        document.Heading(words.heading),
        document.Paragraph(f"{words.asked} Nothing has happened yet."),
        document.Paragraph(document.Strong(words.stay)),
        document.Paragraph(words.act),
        document.Code((f"CONFIRM {code}",)),
        document.Paragraph(words.then),
        document.Paragraph(tell, quiet=True),
    )
    return document.EmailContent(
        subject=f"{words.subject} ({scene.table_in_subject})",
        news="Nothing has happened yet",
        greeting=f"Hello {scene.name},",
        panels=(document.Panel(blocks),),
        why=why,
        game=scene.table_name,
        url=scene.url,
    )


def _words(scene: Scene, purpose: CodePurpose, asked: str) -> CodeWords:
    table = f'"{scene.table_name}"'
    match purpose:
        case CodePurpose.RESIGN:
            return CodeWords(
                subject="Do you really resign?",
                heading="Do you really resign?",
                asked=f"An e-mail says that you resign from {table}.",
                stay="To stay in the game, do nothing.",
                act="To resign, reply with this line within a day:",
                then=f"If you resign, you lose your {len(scene.own())} territories, and "
                "your cards are discarded. This cannot be undone.",
            )
        case CodePurpose.ADDRESS:
            return CodeWords(
                subject="A new address?",
                heading="A new address?",
                asked=f"An e-mail asks to change the address that you play with in {table}: "
                f"{asked}.",
                stay="To keep your address, do nothing.",
                act="To change it, reply with this line within a day:",
                then="Then the new address gets a code too. When that has come back, all e-mails "
                "of your account go there.",
            )
        case CodePurpose.MAILBOX:
            return CodeWords(
                subject="Is this your address?",
                heading="Is this your address?",
                asked=f"A player of {table} asks to get their e-mails at this address.",
                stay="If that is not you, do nothing.",
                act="If it is you, reply with this line within a day:",
                then="From then on, all e-mails of your account come here.",
            )
        case CodePurpose.REQUEST:
            return CodeWords(
                subject="Do you really ask for this?",
                heading="Do you really ask for this?",
                asked=f"An e-mail of yours asks in {table}: {asked}.",
                stay="If you do not want that, do nothing.",
                act="If you want it, reply with this line within a day:",
                then="It cannot be taken back, so it needs this code.",
            )
        case CodePurpose.ORDERS:
            return CodeWords(
                subject="Are these orders yours?",
                heading="Are these orders yours?",
                asked=f"Orders for {table} came from an address that is not yours, or that could "
                "not be checked.",
                stay="They are not yours? Then do nothing.",
                act="To have them carried out, reply with this line within a day:",
                then="They are carried out as they came, if it is still your turn.",
            )


# Answers to e-mails of players: one to each, and it says first whether anything was done.

RE = "Re: "
OUR_SUBJECT = "Your turn in "
# What an answer's form follows; the others change nothing that the player must decide.
WITH_FORM = frozenset({"done", "noted", "refused", "question", "stale", "confirmed", "code-wrong"})
MOST_SHOWN = 60  # characters of a line with a mistake: it fits into a row of the text
TITLES = {
    "done": "Your orders are carried out",
    "noted": "Done",
    "refused": "That was not possible",
    "corrected": "Almost: please check these lines",
    "question": "Please say what you mean",
    "stale": "That was an earlier turn",
    "code-sent": "A code is on its way",
    "confirmed": "Confirmed",
    "code-wrong": "That code does not fit",
    "inquiry": "Your question",
    "returned": "Returned with kind regards",
}


@dataclass(frozen=True, kw_only=True)
class AnswerSubject:
    """The subject of the message that is answered, as it came."""

    incoming: str = ""

    def text(self, scene: Scene) -> str:
        """`Re:` and ours where it was ours; never words of a stranger."""
        plain = one_line(self.incoming)
        while plain.lower().startswith(("re:", "aw:", "sv:")):
            plain = plain[3:].lstrip()
        ours = plain.startswith(OUR_SUBJECT) or is_news_subject(plain, scene)
        if ours:
            return RE + plain
        if scene.you in scene.snapshot.decisions:
            return RE + turn_subject(scene)
        return f"{RE}{scene.table_in_subject}{f', round {scene.round}' if scene.round else ''}"


def answer_email(
    scene: Scene,
    answer: MailAnswer,
    told: Sequence[TurnEvents],
    answering: Answering,
    subject: AnswerSubject,
) -> tuple[document.EmailContent, OrderForm | None]:
    """The content, and the form in it, if the recipient is asked for something.

    `told` has the facts of the log lines that the orders wrote.
    """
    asked = scene.you in scene.snapshot.decisions and scene.snapshot.ending is None
    form = form_of(scene) if asked and answer.kind in WITH_FORM else None
    panels = [document.Panel(_lead(scene, answer, asked))]
    if answer.kind == "corrected":
        panels = [_mistakes_panel(scene, answer), _corrected_panel(answer, answering)]
    elif answer.orders:
        panels.append(
            document.Panel(
                (document.Code(tuple(answer.orders.splitlines())),), "What was understood"
            )
        )
    panels += _done_panels(scene, told)
    panels += [
        document.Panel((document.Lines(tuple(lines)),), one_line(title))
        for title, lines in answer.sections
        if lines
    ]
    if form is not None:
        panels.append(_due_panel(scene, form, answering))
        panels.append(orders_panel(form, answering))
        if form.attacks:
            panels.append(borders_panel(scene))
    if told:
        panels.append(proof_panel(scene))
    # HTML has no map in plain text; the picture is in the e-mail of the turn.
    last = len(panels) - bool(told)
    in_text = [*panels[:last], map_panel(scene), *panels[last:]] if form is not None else panels
    content = document.EmailContent(
        subject=subject.text(scene),
        news=one_line(answer.headline),
        greeting=f"Hello {scene.name},",
        panels=tuple(panel for panel in panels if panel.blocks),
        text=tuple(panel for panel in in_text if panel.blocks),
        why=_why(scene, answer),
        game=scene.table_name,
        url=scene.url,
        token_line=answering.token_line,
        reply_mark=answering.mark,
    )
    return content, form


def _why(scene: Scene, answer: MailAnswer) -> document.Words:
    if answer.kind == "corrected":
        return "To see the odds first, add the line PREVIEW."
    return why(scene)


def _lead(scene: Scene, answer: MailAnswer, asked: bool) -> tuple[document.Block, ...]:
    """Whether anything was done, and whether the recipient is asked for more."""
    title = TITLES.get(answer.kind, "Answer")
    blocks: list[document.Block] = [document.Heading(title)]
    if answer.headline.rstrip(".") != title:
        blocks.append(document.Paragraph(answer.headline))
    if answer.kind in WITH_FORM and not asked and scene.snapshot.ending is None:
        blocks.append(document.Paragraph("Nothing is due from you now."))
    return tuple(blocks)


def _done_panels(scene: Scene, told: Sequence[TurnEvents]) -> list[document.Panel]:
    """Every die of the orders by its number, and what changed."""
    panels = []
    rows: list[tuple[document.Words, ...]] = []
    changes: list[document.Block] = []
    for turn in told:
        own = [b for b in turn.battles() if scene.you in (b.first.attacker, b.first.defender)]
        rows += turn_rows(scene, own)
        mine = TurnEvents(scene.you, turn.round, turn.events, turn.rolls)
        # Facts before the first turn that begins among them belong to the recipient's own.
        if turn.seat in ("", scene.you) and (deeds := scene.teller.turn(mine)):
            changes.append(document.Paragraph(f"You {deeds}."))
    if rows:
        table = document.FactTable(tuple(rows), ("roll", "dice", "lost"), frozenset({2}))
        panels.append(document.Panel((table, RULE_OF_DICE), "Your dice"))
    if changes:
        panels.append(document.Panel(tuple(changes), "What changed"))
    return panels


def _due_panel(scene: Scene, form: OrderForm, answering: Answering) -> document.Panel:
    """What is due now."""
    buttons: tuple[document.Block, ...] = ()
    if answering.mailto:
        web = document.Button("Play on the web", scene.url, first=False)
        buttons = (document.Buttons((document.Button("Write your orders", answering.mailto), web)),)
    return document.Panel(
        (document.Steps(form.due), document.Paragraph(until_words(scene)), *buttons),
        "What is due now",
    )


def _mistakes_panel(scene: Scene, answer: MailAnswer) -> document.Panel:
    """What is unclear, line by line; nothing was done."""
    rows: list[tuple[document.Words, ...]] = []
    for mistake in answer.mistakes:
        said = f"{mistake.message} {mistake.suggestion}".strip().replace("`", "")
        number = f"{mistake.line}."
        if text := _shown_line(mistake.text):
            rows.append((number, text))
            number = ""  # the next row goes on with this one
        rows.append((number, said))
    due = scene.deadline
    still = f" You still have until {due}." if due else ""
    blocks: list[document.Block] = [
        document.Heading(TITLES["corrected"]),
        document.Paragraph(f"{answer.headline}{still}"),
    ]
    if rows:
        blocks.append(document.FactTable(tuple(rows), ("line", "what is unclear")))
    return document.Panel(tuple(blocks))


def _shown_line(text: str) -> str:
    """A line that the player wrote, cut; quoted in their next reply it means nothing."""
    line = document.harmless(text)
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 1].rstrip()}\u2026"


def _corrected_panel(answer: MailAnswer, answering: Answering) -> document.Panel:
    """The text as far as it was understood, ready to send."""
    if not answer.orders:
        return document.Panel(())
    doubtful = "Rewrite the lines with ???" if "???" in answer.orders else "Change what is wrong"
    how = (
        f"This is your text as far as it was understood. {doubtful}, copy it to the top of your "
        "reply, and send."
    )
    blocks: list[document.Block] = [
        document.Paragraph(how, quiet=True),
        document.Code(tuple(answer.orders.splitlines())),
    ]
    if answering.mailto:
        opens = "The button opens an answer with this text in it. Nothing is sent before you send."
        button = document.Button("Send the corrected orders", answering.mailto)
        blocks.append(document.Buttons((button,), opens))
    return document.Panel(tuple(blocks), "Your corrected orders")


def returned_email(site: str, arrived: str) -> document.EmailContent:
    """To a stranger, or for what is no order: it names no game, and repeats nothing that came."""
    lead = f"your e-mail of {arrived} did not reach a game. No one has read it."
    reason = "It contained no token of a game, and this address accepts only orders."
    ways = (
        ("You play here?", "Reply to the newest e-mail of your game, from the address that you "
         "play with."),
        ("You want to talk to a player?", "Write a message in a reply to your game: PRESS TO and a "
         "colour."),
        ("You do not play here?", "Nothing is to be done. You get one such answer an hour at most, "
         "and no other e-mail."),
    )  # fmt: skip
    bullets = [
        document.Paragraph((document.Strong(ask), f" {say}"), bullet=True) for ask, say in ways
    ]
    blocks = (
        document.Heading(TITLES["returned"]),
        document.Paragraph(f"{lead[0].upper()}{lead[1:]}"),
    )
    return document.EmailContent(
        subject="Returned: your e-mail to a game of Rubicon",
        news="Your e-mail did not reach a game",
        greeting="Hello,",
        panels=(document.Panel((*blocks, document.Paragraph(reason), *bullets)),),
        why="An automatic answer. Your own e-mail is not repeated here.",
        url=site,
    )


# The writer. An answer goes to the registered address of a seat, or to a stranger
# (`write_returned`).

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
        answer: MailAnswer,
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


def _told(
    pending: PendingEmail, lines: tuple[int, int], connection: Connection
) -> list[TurnEvents]:
    """What the log lines of the orders showed the seat."""
    first, last = lines
    if first < 0:
        return []
    return turns_in(facts_of(connection, pending.game, pending.seat, first, last))
