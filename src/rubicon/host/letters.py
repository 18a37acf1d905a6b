"""Letters as people read them: plain text, in a friend's words. Nothing here sends anything.

A letter says only what its seat may know: its own duty, the phase, and the head of the dice chain,
which is the same for all.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Any

from rubicon.rules.position import Phase
from rubicon.table.settings import Silence

WHOLE = frozenset({"message-id", "references", "list-unsubscribe"})  # headers that are not folded
WITNESS_DIGITS = 32  # of the head: 128 bits, and the line stays short
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ASKED = {
    Phase.CLAIM: "claim a territory",
    Phase.PLACE: "place your starting armies",
    Phase.SEALED: "place your starting armies; nobody sees them before all have placed",
    Phase.HEADQUARTERS: "choose your headquarters",
    Phase.REINFORCE: "place your new armies, and attack",
    Phase.ATTACK: "attack, or end your attacks",
    Phase.DEFEND: "you are attacked; say with how many dice you defend",
    Phase.OCCUPY: "move armies into the territory that you took",
    Phase.TRADE: "trade the cards that you won, and place the armies",
    Phase.OBJECTIVE: "claim an objective, or none",
    Phase.FORTIFY: "fortify, or end your turn",
    Phase.CONTINENTS: "place the armies of your continents",
}
THEN = {
    Silence.WAIT: "After that the others may vote to go on without you.",
    Silence.BOT: "After that a bot plays for you, until you take your seat back.",
    Silence.NEUTRAL: "After that your seat resigns.",
}


class LetterPolicy(EmailPolicy):
    """As SMTP wants it; but a long link in a header stays whole, and can be followed."""

    def fold(self, name: str, value: Any) -> str:
        """A header as text."""
        if name.lower() in WHOLE:
            return f"{name}: {value}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """A header as bytes."""
        if name.lower() in WHOLE:
            return self.fold(name, value).encode("ascii")
        return bytes(super().fold_binary(name, value))


POLICY = LetterPolicy(linesep="\r\n")


@dataclass
class Letterhead:
    """Who writes, and where the house is reached; the URL has no slash at its end."""

    url: str
    sender: Address


@dataclass(frozen=True, slots=True)
class Told:
    """What a letter about a game tells, and whom; times in milliseconds since 1970."""

    notice: int  # its number: the letter's id follows from it, also when it is sent again
    game: str
    title: str
    seat: str
    name: str
    email: str
    at: int
    stop: str  # the path that ends letters
    witness: str
    phase: Phase = Phase.OVER
    due: int | None = None
    silence: Silence = Silence.WAIT
    result: str = ""
    reason: str = ""


def duty_letter(head: Letterhead, told: Told) -> EmailMessage:
    """It is your turn."""
    said = (
        f"it is your turn in “{_plain(told.title)}”. You play {told.seat}, and this is asked:\n"
        f"{_asked(told)}.\n\n{_until(told)}"
    )
    return _about_game(head, told, f"Your turn: {_plain(told.title)}", said)


def deadline_letter(head: Letterhead, told: Told) -> EmailMessage:
    """Your time is running out."""
    said = (
        f"your time is running out in “{_plain(told.title)}”. You play {told.seat}, and this is\n"
        f"still asked: {_asked(told)}.\n\n{_until(told)}"
    )
    if told.due is not None:
        said += f"{THEN[told.silence]}\n"
    return _about_game(head, told, f"Time is running out: {_plain(told.title)}", said)


def over_letter(head: Letterhead, told: Told) -> EmailMessage:
    """The game is over."""
    match told.result:
        case told.seat:
            short, long = "You have won", f"you have won, as {told.seat}"
        case "draw":
            short, long = "A draw", "it is a draw"
        case "void":
            short, long = "Closed", "it was closed without a winner"
        case winner:
            short, long = f"{winner.capitalize()} has won", f"{winner} has won"
    reason = "" if told.reason in ("", "the game is won") else f" ({_plain(told.reason)})"
    said = (
        f"“{_plain(told.title)}” is over: {long}{reason}.\n\n"
        "The seeds of its dice are open now: with rubicon verify you can check every die of\n"
        f"{head.url}/api/v1/games/{told.game}/transcript\n"
    )
    return _about_game(head, told, f"{short}: {_plain(told.title)}", said)


def link_letter(head: Letterhead, email: str, token: str, at: int, *, known: bool) -> EmailMessage:
    """A link that works once; no word in it is of whoever asked, for it may go to a stranger."""
    wish = "to sign in with this address" if known else "to keep seats by this address"
    body = (
        f"Hello,\n\nsomebody asked Rubicon at {head.url}\n{wish}. If it was you, open this page\n"
        f"within a day and press its button:\n\n{head.url}/link/{token}\n\n"
        "If it was not you, there is nothing to do: without the button nothing happens.\n"
    )
    subject = "Sign in at Rubicon" if known else "Keep your seats at Rubicon"
    return _letter(head, email, subject, body, at, f"link-{at}.{secrets.token_hex(6)}")


def _about_game(head: Letterhead, told: Told, subject: str, said: str) -> EmailMessage:
    seq, _, digits = told.witness.partition(":")
    body = (
        f"Hello {_plain(told.name)},\n\n{said}\n"
        f"To the game: {head.url}/?game={told.game}\n\n"
        "Keep this letter. Its last number sums up all dice of the game so far: while you\n"
        "have it, nobody can change one of them unseen.\n"
        f"{told.game}:{seq}:{digits[:WITNESS_DIGITS]}\n\n"
        f"No more letters of this kind: {head.url}{told.stop}\n"
    )
    name = f"notice-{told.notice}.{told.game}"
    letter = _letter(head, told.email, subject, body, told.at, name)
    letter["References"] = f"<game.{told.game}@{head.sender.domain}>"
    letter["List-Unsubscribe"] = f"<{head.url}{told.stop}>"
    if head.url.startswith("https:"):  # RFC 8058 asks for it
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return letter


def _letter(
    head: Letterhead, email: str, subject: str, body: str, at: int, name: str
) -> EmailMessage:
    letter = EmailMessage(POLICY)
    letter["From"] = head.sender
    letter["To"] = Address(addr_spec=email)
    letter["Subject"] = subject
    letter["Date"] = format_datetime(datetime.fromtimestamp(at / 1000, UTC))
    letter["Message-ID"] = f"<{name}@{head.sender.domain}>"
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(body, cte="quoted-printable")
    return letter


def _asked(told: Told) -> str:
    return ASKED.get(told.phase, "have a look")


def _until(told: Told) -> str:
    if told.due is None:
        return "There is no deadline.\n"
    moment = datetime.fromtimestamp(told.due / 1000, UTC)
    return f"You have until {moment:%A, %d %B %Y, %H:%M} UTC, {_span(told.due - told.at)}.\n"


def _span(left: int) -> str:
    """How long it is, as one says it."""
    if left < 2 * MINUTE:
        return "a moment from now"
    if left < 2 * HOUR:
        return f"{left // MINUTE} minutes from now"
    if left < 2 * DAY:
        return f"{left // HOUR} hours from now"
    return f"{left // DAY} days from now"


def _plain(text: str) -> str:
    """What people have written, in one line that can be printed."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(kept.split())
