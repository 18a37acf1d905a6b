"""Answers to e-mails of players: one to each, and it says first whether anything was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rubicon.mail.writing.forms import Form, form_of
from rubicon.mail.writing.happenings import TurnTold
from rubicon.mail.writing.layout.document import (
    Block,
    Button,
    Buttons,
    Code,
    EmailContent,
    FactTable,
    Heading,
    Lines,
    Panel,
    Paragraph,
    Steps,
    Strong,
    Words,
)
from rubicon.mail.writing.news_emails import is_news_subject
from rubicon.mail.writing.panels.news_panels import RULE_OF_DICE
from rubicon.mail.writing.panels.state_panels import borders_panel, proof_panel
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import harmless
from rubicon.mail.writing.stories import battles_of, told_of, turn_rows
from rubicon.mail.writing.turn_email import (
    Answering,
    map_panel,
    orders_panel,
    turn_subject,
    until_words,
    why,
)
from rubicon.server.mail.messages import one_line

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


class Mistake(Protocol):
    """A line of orders that was not understood; lines count from 1. `text` is the line itself."""

    @property
    def line(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def suggestion(self) -> str: ...
    @property
    def text(self) -> str: ...


class AnswerToWrite(Protocol):
    """What the service of incoming e-mail found out and did (`mail.service.answer.Answer`)."""

    @property
    def kind(self) -> str: ...
    @property
    def headline(self) -> str: ...
    @property
    def sections(self) -> Sequence[tuple[str, Sequence[str]]]: ...
    @property
    def orders(self) -> str: ...
    @property
    def mistakes(self) -> Sequence[Mistake]: ...


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
    answer: AnswerToWrite,
    told: Sequence[TurnTold],
    answering: Answering,
    subject: AnswerSubject,
) -> tuple[EmailContent, Form | None]:
    """The content, and the form in it, if the recipient is asked for something.

    `told` are the facts of the log lines that the orders wrote.
    """
    asked = scene.you in scene.snapshot.decisions and scene.snapshot.ending is None
    form = form_of(scene) if asked and answer.kind in WITH_FORM else None
    panels = [Panel(_lead(scene, answer, asked))]
    if answer.kind == "corrected":
        panels = [_mistakes_panel(scene, answer), _corrected_panel(answer, answering)]
    elif answer.orders:
        panels.append(Panel((Code(tuple(answer.orders.splitlines())),), "What was understood"))
    panels += _done_panels(scene, told)
    panels += [
        Panel((Lines(tuple(lines)),), one_line(title)) for title, lines in answer.sections if lines
    ]
    if form is not None:
        panels.append(_due_panel(scene, form, answering))
        panels.append(orders_panel(form, answering))
        if any("Attack" in step for step in form.due):
            panels.append(borders_panel(scene))
    if told:
        panels.append(proof_panel(scene))
    # HTML has no map in plain text; the picture is in the e-mail of the turn.
    last = len(panels) - bool(told)
    in_text = [*panels[:last], map_panel(scene), *panels[last:]] if form is not None else panels
    content = EmailContent(
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


def _why(scene: Scene, answer: AnswerToWrite) -> Words:
    if answer.kind == "corrected":
        return "To see the odds first, add the line PREVIEW."
    return why(scene)


def _lead(scene: Scene, answer: AnswerToWrite, asked: bool) -> tuple[Block, ...]:
    """Whether anything was done, and whether the recipient is asked for more."""
    title = TITLES.get(answer.kind, "Answer")
    blocks: list[Block] = [Heading(title)]
    if answer.headline.rstrip(".") != title:
        blocks.append(Paragraph(answer.headline))
    if answer.kind in WITH_FORM and not asked and scene.snapshot.ending is None:
        blocks.append(Paragraph("Nothing is due from you now."))
    return tuple(blocks)


def _done_panels(scene: Scene, told: Sequence[TurnTold]) -> list[Panel]:
    """Every die of the orders by its number, and what changed."""
    panels = []
    rows: list[tuple[Words, ...]] = []
    deeds: list[Block] = []
    for turn in told:
        own = [b for b in battles_of(turn) if scene.you in (b.first.attacker, b.first.defender)]
        rows += turn_rows(scene, own)
        mine = TurnTold(scene.you, turn.round, turn.facts, turn.rolls)
        # Facts before the first turn that begins among them belong to the recipient's own.
        if turn.seat in ("", scene.you) and (words := told_of(scene, mine)):
            deeds.append(Paragraph(f"You{words}"))
    if rows:
        table = FactTable(tuple(rows), ("roll", "dice", "lost"), frozenset({2}))
        panels.append(Panel((table, RULE_OF_DICE), "Your dice"))
    if deeds:
        panels.append(Panel(tuple(deeds), "What changed"))
    return panels


def _due_panel(scene: Scene, form: Form, answering: Answering) -> Panel:
    """What is due now."""
    buttons: tuple[Block, ...] = ()
    if answering.mailto:
        web = Button("Play on the web", scene.url, first=False)
        buttons = (Buttons((Button("Write your orders", answering.mailto), web)),)
    return Panel((Steps(form.due), Paragraph(until_words(scene)), *buttons), "What is due now")


def _mistakes_panel(scene: Scene, answer: AnswerToWrite) -> Panel:
    """What is unclear, line by line; nothing was done."""
    rows: list[tuple[Words, ...]] = []
    for mistake in answer.mistakes:
        said = f"{mistake.message} {mistake.suggestion}".strip().replace("`", "")
        number = f"{mistake.line}."
        if text := _shown_line(mistake.text):
            rows.append((number, text))
            number = ""  # the next row goes on with this one
        rows.append((number, said))
    due = scene.deadline
    still = f" You still have until {due}." if due else ""
    blocks: list[Block] = [Heading(TITLES["corrected"]), Paragraph(f"{answer.headline}{still}")]
    if rows:
        blocks.append(FactTable(tuple(rows), ("line", "what is unclear")))
    return Panel(tuple(blocks))


def _shown_line(text: str) -> str:
    """A line that the player wrote, cut; quoted in their next reply it means nothing."""
    line = harmless(text)
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 1].rstrip()}\u2026"


def _corrected_panel(answer: AnswerToWrite, answering: Answering) -> Panel:
    """The text as far as it was understood, ready to send."""
    if not answer.orders:
        return Panel(())
    doubtful = "Rewrite the lines with ???" if "???" in answer.orders else "Change what is wrong"
    how = (
        f"This is your text as far as it was understood. {doubtful}, copy it to the top of your "
        "reply, and send."
    )
    blocks: list[Block] = [Paragraph(how, quiet=True), Code(tuple(answer.orders.splitlines()))]
    if answering.mailto:
        opens = "The button opens an answer with this text in it. Nothing is sent before you send."
        button = Button("Send the corrected orders", answering.mailto)
        blocks.append(Buttons((button,), opens))
    return Panel(tuple(blocks), "Your corrected orders")


def returned_email(site: str, arrived: str) -> EmailContent:
    """To a stranger, or for what is no order: it names no game, and repeats nothing that came."""
    lead = f"your e-mail of {arrived} did not reach a game. Nobody has read it."
    reason = "It held no token of a game, and this address takes nothing but orders."
    ways = (
        ("You play here?", "Reply to the newest e-mail of your game, from the address that you "
         "play with."),
        ("You want to talk to a player?", "Write a message in a reply to your game: PRESS TO and a "
         "colour."),
        ("You do not play here?", "Nothing is to be done. You get one such answer an hour at most, "
         "and no other e-mail."),
    )  # fmt: skip
    bullets = [Paragraph((Strong(ask), f" {say}"), bullet=True) for ask, say in ways]
    blocks = (Heading(TITLES["returned"]), Paragraph(f"{lead[0].upper()}{lead[1:]}"))
    return EmailContent(
        subject="Returned: your e-mail to a game of Rubicon",
        news="Your e-mail did not reach a game",
        greeting="Hello,",
        panels=(Panel((*blocks, Paragraph(reason), *bullets)),),
        why="An automatic answer. Your own e-mail is not repeated here.",
        url=site,
    )
