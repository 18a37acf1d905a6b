"""What turns a content into an e-mail to a player: token, addresses, threading, calendar entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from functools import partial
from urllib.parse import quote

from sqlalchemy import Connection

from rubicon.mail.mail_commands import SentForm
from rubicon.mail.tokens import TokenKeys, TokenScope, body_line, message_id, reply_address
from rubicon.mail.writing.document import EmailContent
from rubicon.mail.writing.forms import OrderForm
from rubicon.mail.writing.layout import (
    GENERATED,
    MARGIN,
    MARK,
    Posting,
    as_text,
    message_of,
    root_id,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.turn_email import Answering, turn_subject
from rubicon.server.emails import EmailIdentity, UnsubscribePath, WrittenEmail, nothing
from rubicon.server.notifications import PendingEmail

# The deadline as an entry for a calendar (RFC 5545).

FOLD = 73  # bytes of a line, without the space that a line goes on with (RFC 5545, 3.1)
ALARM = "-PT6H"


def calendar_entry(uid: str, summary: str, url: str, due: int, at: int) -> str:
    """One event at the deadline, with an alarm six hours before. Times in ms since 1970.

    Published, not a request: no one is asked to accept it. `uid` names the entry, so that a later
    e-mail of the same decision replaces it.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rubicon//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_utc(at)}",
        f"DTSTART:{_utc(due)}",
        f"DTEND:{_utc(due)}",
        f"SEQUENCE:{at // 1000 % 2_000_000_000}",
        f"SUMMARY:{_escaped(summary)}",
        f"URL:{url}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escaped(summary)}",
        f"TRIGGER:{ALARM}",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _utc(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Text of a value (RFC 5545, 3.3.11); it cannot begin a new line."""
    plain = " ".join(text.split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """A line of at most 75 bytes; longer ones go on after a space."""
    parts, part = [], ""
    for sign in line:
        if len((part + sign).encode()) > FOLD:
            parts.append(part)
            part = ""
        part += sign
    return "\r\n ".join([*parts, part])


MOST_MAILTO = 1_900  # characters: programs cut longer links
TOKEN_LIFETIME = 90 * 24 * 3600 * 1000  # milliseconds; for orders, the decision ends its use
NO_DECISION = -1
# Stores a token: the token, its scope, the form, when it was issued and when it expires.
TokenRecorder = Callable[[Connection, str, TokenScope, SentForm | None, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWay:
    """How players answer by e-mail: the address that takes their mail, and the keys of tokens."""

    address: Address
    keys: TokenKeys
    record: TokenRecorder


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """The token of one e-mail; "" where none is needed, or this server takes no answers."""

    token: str = ""
    scope: TokenScope | None = None


NO_TOKEN = ReplyToken()


@dataclass(frozen=True, slots=True)
class Threading:
    """The messages that an e-mail follows, with brackets, oldest first, and what it is."""

    references: tuple[str, ...] = ()
    automatic: str = GENERATED


NEW = Threading()


class Post:
    """The sender of a server's e-mails about games; without a `reply` way, no one can answer."""

    def __init__(
        self,
        identity: EmailIdentity,
        unsubscribe_path: UnsubscribePath,
        reply: ReplyWay | None = None,
    ) -> None:
        self.identity = identity
        self._unsubscribe_path = unsubscribe_path
        self._reply = reply

    def token(self, scope: TokenScope) -> ReplyToken:
        """The token of the e-mail that `scope` names."""
        if self._reply is None or not scope.seat:
            return NO_TOKEN
        return ReplyToken(self._reply.keys.token(scope), scope)

    def plain(self, token: ReplyToken) -> Answering:
        """How an e-mail without a form is answered."""
        if not token.token:
            return Answering()
        return Answering(mark=MARK, token_line=body_line(token.token))

    def answering(self, scene: Scene, lines: tuple[str, ...], token: ReplyToken) -> Answering:
        """How an e-mail with a form is answered: a link opens an answer with these lines."""
        plain = self.plain(token)
        if self._reply is None or not token.token:
            return plain
        to = reply_address(self._reply.address, token.token).addr_spec
        subject = quote(f"Re: {turn_subject(scene)}")
        link = f"mailto:{to}?subject={subject}&body={quote(chr(10).join(lines))}"
        fits = len(link) <= MOST_MAILTO
        return Answering(mark=plain.mark, token_line=plain.token_line, mailto=link if fits else "")

    def written(
        self,
        pending: PendingEmail,
        scene: Scene,
        content: EmailContent,
        token: ReplyToken,
        *,
        form: OrderForm | None = None,
        picture: bytes = b"",
        thread: Threading = NEW,
    ) -> WrittenEmail:
        """The message of a content, and the token that is stored with it."""
        domain = self.identity.sender.domain
        identifier = f"<notification-{pending.id}.{pending.game}@{domain}>"
        reply_to = None
        record: Callable[[Connection], None] = nothing
        if self._reply is not None and token.scope is not None:
            identifier = message_id(token.token, 1, domain)
            reply_to = reply_address(self._reply.address, token.token)
            sent = None if form is None else _sent_form(form, as_text(content))
            times = scene.at, scene.at + TOKEN_LIFETIME
            record = partial(_record, self._reply.record, token.token, token.scope, sent, times)
        posting = Posting(
            address=pending.address,
            at=scene.at,
            message_id=identifier,
            reply_to=reply_to,
            references=(root_id(self.identity, pending.game), *thread.references),
            in_reply_to=thread.references[-1] if thread.references else "",
            unsubscribe=self.identity.url
            + self._unsubscribe_path(pending.account, pending.address),
            list_id=f"{pending.game}.{domain}",
            text_only=pending.preferences.text_only,
            automatic=thread.automatic,
            picture=picture,
            calendar=self._entry(pending, scene) if form is not None else "",
        )
        return WrittenEmail(message=message_of(self.identity, content, posting), record=record)

    def _entry(self, pending: PendingEmail, scene: Scene) -> str:
        """The calendar entry of the deadline; "" without one."""
        due = scene.deadline
        if due is None:
            return ""
        decision = scene.snapshot.decisions.get(pending.seat, NO_DECISION)
        uid = f"{pending.game}.{pending.seat}.{decision}@{self.identity.sender.domain}"
        summary = f"Your turn in {scene.table_name}"
        return calendar_entry(uid, summary, scene.url, due.at, scene.at)


def _sent_form(form: OrderForm, text: str) -> SentForm:
    """The form with the lines directly around it, by which it is found in an answer."""
    lines = text.splitlines()
    first = next((n for n, line in enumerate(lines) if line == MARGIN + form.lines[0]), None)
    if first is None:
        return SentForm(form.lines)
    before = [line.strip() for line in lines[:first] if line.strip()]
    after = [line.strip() for line in lines[first + len(form.lines) :] if line.strip()]
    return SentForm(form.lines, before[-1] if before else "", after[0] if after else "")


def _record(
    recorder: TokenRecorder,
    token: str,
    scope: TokenScope,
    form: SentForm | None,
    times: tuple[int, int],
    connection: Connection,
) -> None:
    recorder(connection, token, scope, form, *times)
