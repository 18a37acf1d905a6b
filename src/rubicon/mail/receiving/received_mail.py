"""An e-mail as it came in, and where it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rubicon.errors import RubiconError
from rubicon.mail.reading.incoming_mail import MailEnvelope


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMail:
    """The whole message, and what is known of its envelope."""

    raw: bytes
    envelope: MailEnvelope = field(default_factory=MailEnvelope)


class MailNotKept(RubiconError):
    """The message could not be stored now; whoever brings it is to try again later."""

    def __init__(self, why: str) -> None:
        hint = "Nothing is lost: the mail server sends it again."
        super().__init__("mail/not-kept", f"The e-mail was not stored: {why}.", hint)


class SenderMustWait(MailNotKept):
    """Too many messages of one sender wait; those of others can be stored."""

    def __init__(self) -> None:
        super().__init__("too many e-mails of this sender wait")


class Inbox(Protocol):
    """Keeps what comes in."""

    def keep(self, received: ReceivedMail) -> None:
        """Store a message; it is durable when this returns. MailNotKept where that fails."""
