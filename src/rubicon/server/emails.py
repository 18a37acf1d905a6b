"""The e-mails that the server sends, and the interface of what writes those about games."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Any, Protocol

from jinja2 import Environment, PackageLoader, StrictUndefined
from sqlalchemy import Connection

from rubicon.engine.records import Phase
from rubicon.server.notifications import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.settings import TimeoutPolicy
from rubicon.table.storage.database import Store

# The e-mails that the server sends, as plain text. Nothing here sends anything.
#
# An e-mail contains only what its seat may know: the pending decision, the phase, and the head of
# the dice transcript, which is public.

UNFOLDED = frozenset({"message-id", "references", "list-unsubscribe"})
FINGERPRINT_DIGITS = 32  # hex digits of the head of the dice transcript: 128 bits, and a short line
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000  # milliseconds
TASKS = {
    Phase.CLAIM: "claim a territory",
    Phase.PLACE: "place your starting armies",
    Phase.SEALED: "place your starting armies (hidden until everyone has placed)",
    Phase.HEADQUARTERS: "choose your headquarters",
    Phase.REINFORCE: "place your new armies, then attack",
    Phase.ATTACK: "attack, or end your attacks",
    Phase.DEFEND: "you are under attack: choose how many dice you defend with",
    Phase.OCCUPY: "move armies into the territory that you conquered",
    Phase.TRADE: "trade the cards that you won, and place the armies",
    Phase.OBJECTIVE: "claim an objective, or pass",
    Phase.FORTIFY: "fortify, or end your turn",
    Phase.CONTINENTS: "place the armies of your continents",
}
CONSEQUENCES = {
    TimeoutPolicy.WAIT: "After that, the others may vote to continue without you.",
    TimeoutPolicy.BOT: "After that, a bot plays for you until you take your seat back.",
    TimeoutPolicy.NEUTRAL: "After that, your seat resigns.",
}


class EmailFormat(EmailPolicy):
    """The SMTP policy, except that headers with links are not folded: clients must follow them."""

    def fold(self, name: str, value: Any) -> str:
        """A header as text."""
        if name.lower() in UNFOLDED:
            return f"{name}: {value}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """A header as bytes."""
        if name.lower() in UNFOLDED:
            return self.fold(name, value).encode("ascii")
        return bytes(super().fold_binary(name, value))


POLICY = EmailFormat(linesep="\r\n")


@dataclass(kw_only=True)
class EmailIdentity:
    """The From address, and the server's public URL (without a slash at the end)."""

    url: str
    sender: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEmail:
    """What an e-mail about a game says, and to whom; times in milliseconds since 1970."""

    notification: int  # its id; the Message-ID derives from it, so a repeat is recognised
    game: str
    title: str
    seat: str
    name: str
    address: str
    at: int
    unsubscribe: str  # a path
    dice_head: str  # of the dice transcript, as SEQ:HASH
    phase: Phase = Phase.OVER
    deadline: int | None = None
    timeout_policy: TimeoutPolicy = TimeoutPolicy.WAIT
    result: str = ""
    reason: str = ""


def decision_email(identity: EmailIdentity, email: GameEmail) -> EmailMessage:
    """It is the recipient's turn."""
    subject = f"Your turn: {one_line(email.title)}"
    return _about_game(identity, email, subject, "decision.txt", **_time_limit(email))


def opening_email(identity: EmailIdentity, email: GameEmail) -> EmailMessage:
    """All have placed, and only the recipient's own program or browser can open the placement."""
    subject = f"Open your placement: {one_line(email.title)}"
    consequence = CONSEQUENCES[email.timeout_policy]
    context = _time_limit(email) | {"consequence": consequence}
    return _about_game(identity, email, subject, "opening.txt", **context)


def deadline_email(identity: EmailIdentity, email: GameEmail) -> EmailMessage:
    """The recipient's time is running out."""
    subject = f"Time is running out: {one_line(email.title)}"
    consequence = CONSEQUENCES[email.timeout_policy]
    context = _time_limit(email) | {"consequence": consequence}
    return _about_game(identity, email, subject, "deadline.txt", **context)


def game_over_email(identity: EmailIdentity, email: GameEmail) -> EmailMessage:
    """The game is over."""
    match email.result:
        case email.seat:
            headline, outcome = "You won", f"you won, as {email.seat}"
        case "draw":
            headline, outcome = "Draw", "it is a draw"
        case "void":
            headline, outcome = "Closed", "it was closed without a winner"
        case winner:
            headline, outcome = f"{winner.capitalize()} won", f"{winner} won"
    reason = "" if email.reason == "the game is won" else email.reason
    subject = f"{headline}: {one_line(email.title)}"
    return _about_game(identity, email, subject, "game_over.txt", outcome=outcome, reason=reason)


def game_stopped_email(identity: EmailIdentity, email: GameEmail) -> EmailMessage:
    """The game has lost lines of its dice that were shown before, and goes on as a fork only."""
    subject = f"Stopped: {one_line(email.title)}"
    return _about_game(identity, email, subject, "game_stopped.txt")


def news_email(
    identity: EmailIdentity, email: GameEmail, texts: Sequence[str], *, out: bool = False
) -> EmailMessage:
    """What has happened: `texts` has a sentence for each event that the recipient may know.

    `out`: they tell that the recipient is out of the game.
    """
    subject = f"News: {one_line(email.title)}"
    return _about_game(identity, email, subject, "news.txt", texts=texts, out=out)


def bounced_email(identity: EmailIdentity, email: GameEmail, seat: str) -> EmailMessage:
    """E-mails to another player of the recipient's table come back."""
    subject = f"E-mails to {seat} come back: {one_line(email.title)}"
    return _about_game(identity, email, subject, "bounced.txt", seat=seat)


def sign_in_email(
    identity: EmailIdentity, address: str, token: str, at: int, *, known: bool
) -> EmailMessage:
    """A one-time link. It quotes nothing that the requester wrote: it may reach a stranger."""
    purpose = "to sign in with this address" if known else "to save your seats under this address"
    text = _render("sign_in.txt", url=identity.url, purpose=purpose, token=token)
    subject = "Sign in to Rubicon" if known else "Save your seats at Rubicon"
    return _message(
        identity,
        address=address,
        subject=subject,
        text=text,
        at=at,
        message_id=f"link-{at}.{secrets.token_hex(6)}",
    )


def _about_game(
    identity: EmailIdentity, email: GameEmail, subject: str, template: str, **context: object
) -> EmailMessage:
    sequence, _, digits = email.dice_head.partition(":")
    text = _render(
        template,
        email=email,
        url=identity.url,
        fingerprint=f"{email.game}:{sequence}:{digits[:FINGERPRINT_DIGITS]}",
        **context,
    )
    message = _message(
        identity,
        address=email.address,
        subject=subject,
        text=text,
        at=email.at,
        message_id=f"notification-{email.notification}.{email.game}",
    )
    # Mail programs group e-mails with a common reference into one conversation.
    message["References"] = f"<game.{email.game}@{identity.sender.domain}>"
    message["List-Unsubscribe"] = f"<{identity.url}{email.unsubscribe}>"
    if identity.url.startswith("https:"):  # RFC 8058 allows one-click unsubscribing over https only
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def _message(
    identity: EmailIdentity, *, address: str, subject: str, text: str, at: int, message_id: str
) -> EmailMessage:
    message = EmailMessage(POLICY)
    message["From"] = identity.sender
    message["To"] = Address(addr_spec=address)
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime.fromtimestamp(at / 1000, UTC))
    message["Message-ID"] = f"<{message_id}@{identity.sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text, cte="quoted-printable")
    return message


def _time_limit(email: GameEmail) -> dict[str, object]:
    """The task, the deadline in words and the time left, for the templates."""
    task = TASKS.get(email.phase, "open the game")
    if email.deadline is None:
        return {"task": task, "deadline": None, "time_left": ""}
    moment = datetime.fromtimestamp(email.deadline / 1000, UTC)
    left = _in_words(email.deadline - email.at)
    return {"task": task, "deadline": f"{moment:%A, %d %B %Y, %H:%M}", "time_left": left}


def _in_words(left: int) -> str:
    """A span of milliseconds in the largest unit of which there are at least two."""
    if left < 2 * MINUTE:
        return "less than two minutes from now"
    if left < 2 * HOUR:
        return f"{left // MINUTE} minutes from now"
    if left < 2 * DAY:
        return f"{left // HOUR} hours from now"
    return f"{left // DAY} days from now"


def one_line(text: str) -> str:
    """Text that people wrote, as one printable line: it cannot add a header or a paragraph."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split())


def _environment() -> Environment:
    # Plain text: escaping for HTML would show as `&amp;`. `one_line` guards it instead.
    environment = Environment(
        loader=PackageLoader("rubicon.server"),
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters["one_line"] = one_line
    return environment


_TEMPLATES = _environment()


def _render(template: str, **context: object) -> str:
    return _TEMPLATES.get_template(template).render(context)


# What writes the e-mails about games. The outbox only decides which of them to send, and when.


def nothing(connection: Connection) -> None:
    """Store nothing: the e-mail expects no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEmail:
    """An e-mail that is ready to be sent, and what must be stored with it."""

    message: EmailMessage
    # Stores what an answer to it will need; called in the transaction that claims the e-mail.
    record: Callable[[Connection], None] = nothing


class EmailWriter(Protocol):
    """Writes the e-mail of a notification."""

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification, as its seat may know it; `at` in ms since 1970.

        It is called again for a retry. The Message-ID must derive from `pending.id`, so that a
        mail program recognises a repeat.
        """


# From an account and its address, the signed path that turns its e-mails off.
UnsubscribePath = Callable[[str, str], str]
EmailWriterFactory = Callable[[Store, EmailIdentity, UnsubscribePath], EmailWriter]
