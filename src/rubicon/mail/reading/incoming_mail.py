"""What is known of an incoming e-mail: its kind, its sender, whether it may be answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from enum import StrEnum
from typing import NamedTuple, Protocol

from rubicon.errors import RubiconError
from rubicon.mail.reading.bounces import BounceReport
from rubicon.mail.reading.bounded_message import raw_value
from rubicon.mail.tokens import FoundToken

# What the local mail server found out about the sender: Authentication-Results (RFC 8601).
#
# Everybody can write such a header. It counts only if it names a trusted server and is above
# what other servers wrote, that is, above the second Received header: the local server adds its
# own on top. For each method the topmost statement counts.

MOST_RESULTS = 40
_RESULT = re.compile(r"([a-z0-9-]{1,20})\s*(?:/\s*\d+\s*)?=\s*([a-z]{1,20})\b", re.IGNORECASE)
_PROPERTY = re.compile(
    r"(smtp|header|body|policy)\s*\.\s*([a-z0-9-]{1,30})\s*=\s*(?:\"([^\"]{0,300})\"|([^\s;\"]{1,300}))",
    re.IGNORECASE,
)


class AuthenticationResult(NamedTuple):
    """One method (spf, dkim, dmarc), its result in lower case, and its properties."""

    method: str
    result: str
    properties: tuple[tuple[str, str], ...] = ()

    def value(self, name: str) -> str:
        """The value of a property like `header.d`, in lower case; "" where it is missing."""
        return next((value for key, value in self.properties if key == name), "")


@dataclass(frozen=True, slots=True)
class AuthenticationReport:
    """The results of the trusted server; empty where it wrote none."""

    results: tuple[AuthenticationResult, ...] = ()

    def passed(self, method: str) -> tuple[AuthenticationResult, ...]:
        """The results of a method that are `pass`."""
        return tuple(r for r in self.results if r.method == method and r.result == "pass")

    def failed(self, method: str) -> bool:
        """Whether the method is reported, and no result of it is `pass`."""
        found = [r for r in self.results if r.method == method]
        return bool(found) and not self.passed(method)


def read_authentication(
    headers: Iterable[tuple[str, str]], trusted: Iterable[str], own_received: int = 1
) -> AuthenticationReport:
    """The report of the trusted servers (their authserv-ids) from all headers in their order.

    `own_received` is the number of Received headers that the local servers add.
    """
    servers = {server.lower() for server in trusted}
    found: list[AuthenticationResult] = []
    received = 0
    for name, value in headers:
        lower = name.lower()
        if lower == "received":
            received += 1
            if received > own_received:
                break
        elif lower == "authentication-results" and servers:
            known = {result.method for result in found}
            found += [r for r in _results(value, servers) if r.method not in known]
    return AuthenticationReport(tuple(found[:MOST_RESULTS]))


def _results(value: str, servers: set[str]) -> Iterator[AuthenticationResult]:
    server, *statements = _without_comments(" ".join(value.split())).split(";")
    words = server.split()
    if not words or words[0].lower().strip('"') not in servers:
        return
    for statement in statements[:MOST_RESULTS]:
        found = _RESULT.match(statement.strip())
        if found:
            properties = tuple(
                (f"{kind}.{name}".lower(), (quoted or plain).lower())
                for kind, name, quoted, plain in _PROPERTY.findall(statement)
            )
            yield AuthenticationResult(found[1].lower(), found[2].lower(), properties)


def _without_comments(text: str) -> str:
    """The text without its comments in parentheses, which may contain each other.

    Inside a quoted string a parenthesis is no comment. An open comment reaches to the end.
    """
    kept: list[str] = []
    depth = 0
    quoted = escaped = False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
            continue
        elif sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
            continue
        elif sign == ")" and depth and not quoted:
            depth -= 1
            continue
        if not depth:
            # A semicolon in a quoted string ends no statement.
            kept.append(" " if quoted and sign == ";" else sign)
    return "".join(kept)


# What is known of an incoming e-mail after reading: typed, bounded, without judgement on it.


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
    trustworthy place first. Nothing here is verified: `rubicon.mail.authority` does that.
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


# Tells what programs sent from what people sent (RFC 3834, RFC 2919, and common headers).

ROBOTS = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|nobody|auto-?reply|autoresponder"
    r"|notifications?|bounces?|listserv|majordomo)(?:[+._-].*)?"
)
# `X-Auto-Response-Suppress` is no sign: people's mail programs set it too.
ANSWER_HEADERS = (
    "X-Autoreply",
    "X-Autorespond",
    "X-AutoReply-From",
    "X-Mail-Autoreply",
    "X-Auto-Reply",
    "X-Vacation",
    "X-Autogenerated",
    "X-Auto-Generated",
    "X-OOF",
    "X-FC-MachineGenerated",
)
LIST_HEADERS = (
    "List-Id",
    "List-Post",
    "List-Unsubscribe",
    "Mailing-List",
    "X-Mailing-List",
    "X-BeenThere",
)
PRECEDENCE = {
    "bulk": MailKind.LIST,
    "list": MailKind.LIST,
    "junk": MailKind.AUTO_REPLY,
    "auto_reply": MailKind.AUTO_REPLY,
}
# Old programs answer without any header that says so.
_SUBJECT = re.compile(
    r"(?:auto(?:matic|matische?|mated)?[ -]?(?:re(?:ply|sponse)|antwort|response)"
    r"|automati(?:sche antwort|sk svar|skt svar|sch antwoord|c reply)|automaattinen vastaus"
    r"|out of (?:the )?office|ooo:|abwesenheits|abwesend:|réponse automatique"
    r"|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica"
    r"|fuori ufficio|resposta automática|automatisch antwoord|afwezig|frånvaro|autosvar"
    r"|automatyczna odpowiedź|odpowiedź automatyczna|automatická odpove(?:ď|d)|automatická odpověď"
    r"|автоответ|автоматический ответ|автоматична відповідь|автоматичен отговор|otomatik yanıt"
    r"|automatikus válasz|răspuns automat|automatski odgovor|samodejni odgovor|αυτόματη απάντηση"
    r"|automaatvastus|automātisk|automatinis atsakymas|trả lời tự động|balasan otomatis"
    r"|תשובה אוטומטית|מענה אוטומטי|رد تلقائي|الرد التلقائي|การตอบกลับอัตโนมัติ|स्वचालित"
    r"|자동 ?(?:회신|응답)|부재중|自動応答|自动(?:回复|答复)|自動回覆|vacation reply"
    r"|i am away|read:|gelesen:|lu ?:|leído:|letto:|accepted:|declined:|tentative:"
    r"|zugesagt:|abgelehnt:|away from (?:the )?office|fuera de oficina|休假"
    r"|(?:oof|auto|urlaub|absence|absent(?:\(e\))?|vacances|ausencia|ausente|assenza|ferie|fravær"
    r"|nieobecność|nepřítomnost|távollét|poissaolo|poissa)\s?[:：])",
    re.IGNORECASE,
)
_REPORTS = ("disposition-notification", "delivery-status", "feedback-report")


def automatic_kind(
    message: EmailMessage, sender: str, subject: str, *, null_path: bool
) -> tuple[MailKind, str] | None:
    """The kind, and the sign that gave it away; None where a person seems to have written it."""
    submitted = raw_value(message, "Auto-Submitted").split(";")[0].strip().lower()
    if submitted and submitted != "no":
        return MailKind.AUTO_REPLY, "Auto-Submitted"
    for name in ANSWER_HEADERS:
        if raw_value(message, name).lower() not in ("", "no", "false"):
            return MailKind.AUTO_REPLY, name
    if _is_report(message):
        return MailKind.AUTO_REPLY, "Content-Type"
    for name in LIST_HEADERS:
        if raw_value(message, name):
            return MailKind.LIST, name
    words = raw_value(message, "Precedence").lower().split()
    if words and words[0] in PRECEDENCE:
        return PRECEDENCE[words[0]], "Precedence"
    if null_path:
        return MailKind.AUTO_REPLY, "Return-Path"
    if ROBOTS.fullmatch(sender.partition("@")[0]):
        return MailKind.AUTO_REPLY, "From"
    return (MailKind.AUTO_REPLY, "Subject") if _SUBJECT.match(subject) else None


def _is_report(message: EmailMessage) -> bool:
    """Whether the message is a report or an answer to an invitation, by its Content-Type."""
    value = raw_value(message, "Content-Type").lower()
    if value.startswith("multipart/report"):
        return True
    reply = value.startswith("text/calendar") and "method=reply" in value.replace(" ", "")
    return reply or any(f"report-type={kind}" in value.replace('"', "") for kind in _REPORTS)


# May an e-mail be answered at all? RFC 3834: never a program, never the null return path.

ANSWERED = (MailKind.ORDERS, MailKind.EMPTY, MailKind.TOO_LARGE)
HOUR = 3_600_000  # milliseconds; a stranger gets one answer in it


def answer_address(mail: IncomingMail) -> str | None:
    """Where an answer goes: to From, never to Reply-To, which a sender may aim at someone else.

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


# An e-mail as it came in, and where it is kept.


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
