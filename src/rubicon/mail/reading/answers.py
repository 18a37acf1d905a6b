"""May an e-mail be answered at all? RFC 3834: never a program, never the null return path."""

from __future__ import annotations

from rubicon.mail.reading.automatic import ROBOTS
from rubicon.mail.reading.incoming_mail import IncomingMail, MailKind

ANSWERED = (MailKind.ORDERS, MailKind.EMPTY, MailKind.TOO_LARGE)
HOUR = 3_600_000  # milliseconds; a stranger gets one answer in it


def answer_address(mail: IncomingMail) -> str | None:
    """Where an answer goes: to From, never to Reply-To, which a sender may aim at somebody else.

    None where nothing may be sent. Of a message that is too large only the header is read: it
    is TOO_LARGE only if no header says that a program sent it.
    """
    if mail.kind not in ANSWERED or mail.envelope.sender == "" or not mail.sender:
        return None
    robot = ROBOTS.fullmatch(mail.sender.partition("@")[0])
    return None if robot else mail.sender


def within_rate(last_answer: int | None, now: int) -> bool:
    """Whether a stranger may be answered again; times in milliseconds since 1970."""
    return last_answer is None or now - last_answer >= HOUR
