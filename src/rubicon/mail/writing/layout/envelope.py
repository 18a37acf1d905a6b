"""The message around a content: headers, parts, sizes.

Text first, then HTML with its picture, then the calendar entry (RFC 2045 to 2049). All e-mails of a
game refer to one root, so that mail programs show them together (RFC 5322, 3.6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime

from rubicon.mail.writing.layout.as_html import as_html
from rubicon.mail.writing.layout.as_text import as_text
from rubicon.mail.writing.layout.document import EmailContent
from rubicon.server.mail.messages import POLICY, EmailIdentity, one_line

MOST_SUBJECT = 70  # characters
MOST_HTML = 60_000  # bytes: a content with more goes out as text alone
MOST_PICTURE = 60_000  # bytes
MARK = "=== reply above this line ==="
GENERATED, REPLIED = "auto-generated", "auto-replied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Who gets an e-mail, and how it is threaded; times in milliseconds since 1970.

    `references` are Message-IDs with brackets, oldest first. `unsubscribe` is the URL of the signed
    page ("" for none); a POST to it turns the e-mails off (RFC 8058).
    """

    address: str
    at: int
    message_id: str
    reply_to: Address | None = None
    references: Sequence[str] = ()
    in_reply_to: str = ""
    unsubscribe: str = ""
    list_id: str = ""  # without brackets
    text_only: bool = False
    automatic: str = GENERATED
    picture: bytes = b""
    calendar: str = ""


def root_id(identity: EmailIdentity, game: str) -> str:
    """The Message-ID that all e-mails of a game refer to."""
    return f"<game.{game}@{identity.sender.domain}>"


def message_of(identity: EmailIdentity, content: EmailContent, posting: Posting) -> EmailMessage:
    """The message, ready to be sent."""
    message = EmailMessage(POLICY)
    message["From"] = identity.sender
    message["To"] = Address(addr_spec=posting.address)
    if posting.reply_to is not None:
        message["Reply-To"] = posting.reply_to
    message["Subject"] = _cut(one_line(content.subject))
    message["Date"] = format_datetime(datetime.fromtimestamp(posting.at / 1000, UTC))
    message["Message-ID"] = posting.message_id
    if posting.in_reply_to:
        message["In-Reply-To"] = posting.in_reply_to
    if posting.references:
        message["References"] = " ".join(posting.references)
    if posting.list_id:
        message["List-Id"] = f"<{posting.list_id}>"
    if posting.unsubscribe:
        message["List-Unsubscribe"] = f"<{posting.unsubscribe}>"
        if posting.unsubscribe.startswith("https:"):  # RFC 8058 allows it over https only
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["Auto-Submitted"] = posting.automatic  # RFC 3834
    message.set_content(as_text(content), cte="quoted-printable")
    if not posting.text_only:
        _add_html(message, content, posting)
    if posting.calendar:
        entry = posting.calendar.encode()
        message.add_attachment(entry, "text", "calendar", filename="deadline.ics",
                               params={"method": "PUBLISH", "charset": "utf-8"})  # fmt: skip
    return message


def _add_html(message: EmailMessage, content: EmailContent, posting: Posting) -> None:
    page = as_html(content)
    if len(page.encode()) > MOST_HTML:
        return  # Gmail cuts long ones; the text has everything
    message.add_alternative(page, subtype="html", cte="quoted-printable")
    if posting.picture:
        html = message.get_payload()[1]  # type: ignore[index]
        assert isinstance(html, EmailMessage)
        html.add_related(posting.picture, "image", "png", cid="<map>", filename="map.png",
                         disposition="inline")  # fmt: skip


def _cut(subject: str) -> str:
    return subject if len(subject) <= MOST_SUBJECT else subject[: MOST_SUBJECT - 3].rstrip() + "..."
