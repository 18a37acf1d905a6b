"""What is known of an incoming e-mail after reading: typed, bounded, without judgement on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from rubicon.mail.identity.token_places import FoundToken
from rubicon.mail.reading.authentication import AuthenticationReport
from rubicon.mail.reading.bounces import BounceReport


class MailKind(StrEnum):
    """What sort of message it is; only ORDERS and EMPTY may be answered at once."""

    ORDERS = "orders"  # a person wrote it, and it has text of its own or a quotation
    EMPTY = "empty"  # a person sent it, without any text
    AUTO_REPLY = "auto-reply"  # RFC 3834: vacation notes, read receipts, challenges
    BOUNCE = "bounce"  # a report that a message was not delivered, or is late
    LIST = "list"  # mailing lists and bulk e-mail
    OWN = "own"  # a message of this server that came back
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"  # no From header, or no structure that can be followed


class LineRole(StrEnum):
    """What a line of the text is."""

    OWN = "own"  # the sender wrote it for this message
    QUOTED = "quoted"
    INTRODUCTION = "introduction"  # `On Monday Tom wrote:`, the head of a quotation
    SIGNATURE = "signature"  # and what mail programs and virus scanners add
    FORWARDED = "forwarded"


class MailLine(NamedTuple):
    """One line without quotation marks; `depth` counts the marks that were before it."""

    text: str
    depth: int = 0
    role: LineRole = LineRole.OWN


class PassedOver(NamedTuple):
    """Something that reading left out: a stable code, and what it was, shortened."""

    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MailEnvelope:
    """What the SMTP or LMTP dialogue said (RFC 5321).

    `sender` is "" for the null return path and None where it is not known, as after IMAP; then
    the header Return-Path counts. `cut`: the message was too large, and only its header came.
    """

    sender: str | None = None
    recipients: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMail:
    """One message as read. Addresses are in lower case; times in milliseconds since 1970, UTC.

    `sender` is the only address of From, or "" where there is none or more than one.
    `lines` is the whole text in its order; `tokens` has the candidates that were found, the most
    trustworthy place first. Nothing here is verified: `rubicon.mail.identity` does that.
    """

    kind: MailKind
    sender: str = ""
    sender_name: str = ""
    envelope: MailEnvelope = field(default_factory=MailEnvelope)
    recipients: tuple[str, ...] = ()
    subject: str = ""
    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    date: int | None = None
    lines: tuple[MailLine, ...] = ()
    tokens: tuple[FoundToken, ...] = ()
    authentication: AuthenticationReport = field(default_factory=AuthenticationReport)
    bounce: BounceReport | None = None
    passed_over: tuple[PassedOver, ...] = ()

    @property
    def own_text(self) -> str:
        """What the sender wrote: no quotation, signature or forwarded message."""
        return joined(line for line in self.lines if line.role is LineRole.OWN)

    @property
    def quoted_text(self) -> str:
        """Quoted and forwarded text, without the marks before its lines."""
        quoted = (LineRole.QUOTED, LineRole.FORWARDED)
        return joined(line for line in self.lines if line.role in quoted)


def joined(lines: Iterable[MailLine]) -> str:
    """The text of lines, without blank ones at either end."""
    return "\n".join(line.text for line in lines).strip("\n")
