"""E-mails to a game master: what a game master can do, messages of players, who is late."""

from __future__ import annotations

from rubicon.mail.writing.layout.document import (
    Block,
    Button,
    Buttons,
    Code,
    EmailContent,
    Heading,
    Panel,
    Paragraph,
)
from rubicon.mail.writing.notices import notice_email
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import harmless
from rubicon.mail.writing.turn_email import Answering

REQUESTS = (
    "EXTEND 12 HOURS",
    "PROCESS",
    "BOT blue medium",
    "REPLACE blue CONFIRM",
    "UNDO",
    "ANNOUNCE Happy new year!",
)


def master_begins_email(scene: Scene, answering: Answering) -> EmailContent:
    """The game has begun, and this is what its game master can do."""
    lead = (
        f'"{scene.table_name}" has begun. The software rolls the dice, deals the cards and keeps '
        "the deadlines; you look after the players. You get an e-mail when a player's time is "
        "over, when e-mails to a player come back, and when a player writes to you."
    )
    then = "You see what everybody sees. Nobody can change, repeat or drop a roll."
    blocks = (Heading("You are the game master"), Paragraph(lead), Paragraph(then, quiet=True))
    subject = f"You are the game master: {scene.table_in_subject}"
    panels = [Panel((*blocks, _page(scene))), *_requests(answering)]
    return notice_email(scene, subject, "The game has begun", panels, answering)


def to_master_email(scene: Scene, seat: str, text: str, answering: Answering) -> EmailContent:
    """A message of a player; without a seat it was erased meanwhile."""
    who = scene.seats.subject(seat) if seat else "A former player"
    words = harmless(text) or "The message was erased."
    blocks = (Heading(f"{who} writes to you"), Paragraph(words), _page(scene))
    note = Paragraph("Nobody else gets this message. ANNOUNCE writes to all players.", quiet=True)
    subject = f"{who} writes to the game master ({scene.table_in_subject})"
    panels = [Panel((*blocks, note)), *_requests(answering)]
    return notice_email(scene, subject, f"{who} writes to you", panels, answering)


def late_email(scene: Scene, seat: str, answering: Answering) -> EmailContent:
    """A player's time is over, and the table waits."""
    who = scene.seats.subject(seat)
    lead = f"The time of {who} is over, and the table waits for its game master or the players."
    then = "PROCESS lets a bot play for all who are late; EXTEND gives them more time."
    blocks = (Heading(f"{who} is late"), Paragraph(lead), Paragraph(then), _page(scene))
    subject = f"{who} is late ({scene.table_in_subject})"
    panels = [Panel(blocks), *_requests(answering)]
    return notice_email(scene, subject, f"{who} is late", panels, answering)


def _page(scene: Scene) -> Block:
    return Buttons((Button("Open the game", scene.url),))


def _requests(answering: Answering) -> list[Panel]:
    """What can be written in an answer; nothing where this server takes none."""
    if not answering.token_line:
        return []
    how = Paragraph("Reply with one of these lines at the top. Without a line nothing happens.")
    more = Paragraph("STATUS, MAP, HISTORY, RULES and HELP are answered too.", quiet=True)
    return [Panel((how, Code(REQUESTS), more), "What you can send")]
