"""Short e-mails: the reminder, the end, a game that has stopped, an address that takes no mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubicon.mail.writing.forms import Form
from rubicon.mail.writing.layout.document import (
    Block,
    Button,
    Buttons,
    Code,
    EmailContent,
    FactTable,
    Heading,
    Panel,
    Paragraph,
    Strong,
    Tile,
    Words,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import LETTERS, NEUTRAL_COLOUR
from rubicon.mail.writing.turn_email import CONSEQUENCES, Answering, turn_subject, why
from rubicon.odds.luck import Luck

NO_ANSWER = Answering()


def notice_email(
    scene: Scene,
    subject: str,
    news: str,
    panels: Sequence[Panel],
    answering: Answering = NO_ANSWER,
    *,
    because: Words = "",
) -> EmailContent:
    """A short e-mail that no form goes with."""
    return EmailContent(
        subject=subject,
        news=news,
        greeting=f"Hello {scene.name},",
        panels=tuple(panels),
        why=because or why(scene),
        game=scene.table_name,
        url=scene.url,
        token_line=answering.token_line,
        reply_mark=answering.mark,
    )


def reminder_email(scene: Scene, form: Form, answering: Answering) -> EmailContent:
    """The time runs out; there is one reminder of a decision."""
    due = scene.deadline
    until = f": until {due}" if due else ""
    lead = f'{scene.left} left for your turn in "{scene.table_name}"{until}.'
    lead = lead[:1].upper() + lead[1:]
    then = CONSEQUENCES[scene.settings.timeout_policy]
    web = Button("Play on the web", scene.url, first=not answering.mailto)
    buttons = (Button("Write your orders", answering.mailto), web) if answering.mailto else (web,)
    blocks: list[Block] = [
        Heading(f"{scene.left.capitalize()} left, {scene.name}"),
        Paragraph(f"{lead} {then}"),
        Paragraph("Due: " + " ".join(form.due)),
    ]
    if answering.token_line:
        blocks.append(Code(form.lines))
    ways: list[Block] = []
    if answering.token_line:
        ways.append(_way("No time to think?", "The orders are complete: send them as they are."))
        ways.append(_way("Need longer?", "Reply VOTE EXTEND: the others may agree to more time."))
        if scene.settings.absence_days:
            most = f"within the {scene.settings.absence_days} days of this game"
            text = (
                "Reply ABSENCE with the first and the last day, as 2026-12-24: a stand-in plays, "
                f"{most}."
            )
            ways.append(_way("Going away?", text))
    panels = [Panel((*blocks, Buttons(buttons)))] + ([Panel(tuple(ways))] if ways else [])
    news = f"{scene.left} left" + (f", until {due.short}" if due else "")
    because = "This is the only reminder of this turn."
    return notice_email(
        scene, f"Re: {turn_subject(scene)}", news, panels, answering, because=because
    )


def _way(question: str, answer: str) -> Paragraph:
    return Paragraph((Strong(question), f" {answer}"), bullet=True)


def opening_email(scene: Scene) -> EmailContent:
    """All have placed, and only the recipient's own program or browser can open the placement."""
    due = scene.deadline
    until = f" until {due}" if due else ""
    lead = (
        f"Everybody has placed. Open the game{until}: your browser or program has your placement."
    )
    then = "Only it can show the others what you had sealed; this opens nothing by itself."
    blocks = (Heading("Open your placement"), Paragraph(lead), Paragraph(then, quiet=True))
    button = Buttons((Button("Open the game", scene.url),))
    subject = f"Open your placement: {scene.table_in_subject}"
    return notice_email(scene, subject, "Everybody has placed", [Panel((*blocks, button))])


def over_email(scene: Scene, body: Mapping[str, Any], luck: Mapping[str, Luck]) -> EmailContent:
    """The game is over: the result, everybody's end and luck, how to check the dice."""
    result, reason = str(body.get("result", "")), str(body.get("reason", ""))
    table = f'"{scene.table_name}"'
    where = f" in round {scene.round}" if scene.round else ""
    match result:
        case "draw":
            headline, lead = "A draw", f"{table} ends{where} in a draw."
        case "void":
            headline, lead = (
                "Closed without a winner",
                f"{table} was closed{where}, without a winner.",
            )
        case winner:
            verb = "have won" if winner == scene.you else "has won"
            headline = f"{scene.seats.subject(winner)} {verb}"
            lead = f"{headline} {table}{where}."
    if reason and reason != "the game is won":
        lead = f"{lead} {reason[:1].upper()}{reason[1:]}."
    rows: list[tuple[Words, ...]] = []
    held = sorted(scene.game.colours, key=lambda c: -len(scene.held_by(c)))
    for colour in held:
        end = "won" if colour == result else "out" if scene.is_out(colour) else "in the game"
        who: Words = (Tile(colour, said=LETTERS[colour]), " ", Strong(scene.seats.listed(colour)))
        rolled = f"{_net(luck[colour]):+.0f}".replace("-", "\u2212") if colour in luck else ""
        below = f"{luck[colour].percentile:.0f} %" if colour in luck else ""
        rows.append((who, end, str(len(scene.held_by(colour))), rolled, below))
    if scene.held_by(NEUTRAL_COLOUR):
        name: Words = (
            Tile(NEUTRAL_COLOUR, said="*"),
            " ",
            Strong(scene.seats.listed(NEUTRAL_COLOUR)),
        )
        count = str(len(scene.held_by(NEUTRAL_COLOUR)))
        rows.append((name, "", count, "", ""))
    everybody = FactTable(tuple(rows), ("", "end", "terr.", "luck", "below"), frozenset({2, 3, 4}))
    review = Button("Review the game", f"{scene.url}/review")
    check = Button("Check the dice", f"{scene.url}/dice", first=False)
    dice: tuple[Block, ...] = (
        Paragraph("The dice are open now: every roll, the seal and the keys."),
        Code((f"{scene.url}/review", f"{scene.url}/dice")),
        Buttons((review, check)),
    )
    panels = [
        Panel((Heading(headline), Paragraph(lead))),
        *_receipt(luck.get(scene.you)),
        Panel((everybody, *_luck_note(luck)), "Everybody"),
        Panel(dice, "Check every die"),
    ]
    subject = f"{headline}: {scene.table_in_subject}"
    if result not in ("draw", "void"):
        subject = f"{headline} {scene.table_in_subject}"
    news = f"In round {scene.round}" if scene.round else "The game is over"
    return notice_email(scene, subject, news, panels, because="This game sends no more e-mail.")


def _net(luck: Luck) -> float:
    """Armies destroyed minus lost, compared with what the same rolls bring on average."""
    lost, destroyed = luck.lost - luck.expected_lost, luck.destroyed - luck.expected_destroyed
    return destroyed - lost


def _receipt(luck: Luck | None) -> list[Panel]:
    """The recipient's own luck."""
    if luck is None or not luck.rolls:
        return []
    worse = round(luck.percentile)
    rows: tuple[tuple[Words, ...], ...] = (
        ("rolls, both sides", str(luck.rolls)),
        ("armies lost by the dice", str(luck.lost)),
        ("armies destroyed by the dice", str(luck.destroyed)),
        (Strong("luck of the dice"), Strong(f"{_net(luck):+.0f}".replace("-", "\u2212"))),
    )
    said = f"Fair dice do worse in {worse} of 100 games, and better in {100 - worse}."
    table = FactTable(rows, (), frozenset({1}))
    return [Panel((table, Paragraph(said, quiet=True)), "Your luck")]


def _luck_note(luck: Mapping[str, Luck]) -> list[Block]:
    if not luck:
        return []
    text = (
        "Luck: armies destroyed minus lost by the dice, compared with what the same rolls bring on "
        "average. Below: in how many of 100 games fair dice do worse."
    )
    return [Paragraph(text, quiet=True)]


def stopped_email(scene: Scene) -> EmailContent:
    """The game has lost lines of its dice that were shown before, and goes on as a fork only."""
    lead = (
        f'"{scene.table_name}" has stopped: this server no longer has dice that it had shown. '
        "Nobody has lost because of it, and no die is rolled again."
    )
    then = "The players can go on from the last position that all dice are known of, as a new game."
    button = Buttons((Button("Open the game", scene.url),))
    blocks = (Heading("The game has stopped"), Paragraph(lead), Paragraph(then), button)
    subject = f"Stopped: {scene.table_in_subject}"
    return notice_email(scene, subject, "The game has stopped", [Panel(blocks)])


def announcement_email(scene: Scene, words: str, answering: Answering) -> EmailContent:
    """The game master writes to all players."""
    lines = [Paragraph(line) for line in words.splitlines() if line.strip()]
    button = Buttons((Button("Open the game", scene.url),))
    blocks: tuple[Block, ...] = (Heading("From the game master"), *lines, button)
    subject = f"From the game master ({scene.table_in_subject})"
    return notice_email(
        scene, subject, "The game master has written to all", [Panel(blocks)], answering
    )


def bounced_email(scene: Scene, seat: str, answering: Answering) -> EmailContent:
    """E-mails to another player come back."""
    who = scene.seats.subject(seat)
    lead = (
        f"E-mails to {who} come back. {who} was told on other ways where there are any, and has "
        "got more time once."
    )
    then = "Do you know how to reach that player? A word from you may help."
    blocks = (Heading(f"E-mails to {who} come back"), Paragraph(lead), Paragraph(then))
    subject = f"E-mails to {who} come back ({scene.table_in_subject})"
    return notice_email(scene, subject, f"E-mails to {who} come back", [Panel(blocks)], answering)
