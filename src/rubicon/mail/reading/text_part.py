"""Finds the text of a message among its parts: plain text before HTML, never an attachment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from typing import NamedTuple

from rubicon.mail.reading.bounded_message import printable
from rubicon.mail.reading.charsets import decode_bytes
from rubicon.mail.reading.flowed import flowed_lines, plain_lines
from rubicon.mail.reading.html_lines import html_lines
from rubicon.mail.reading.incoming_mail import MailLine, PassedOver
from rubicon.mail.reading.limits import ReadingLimits

MOST_TEXTS = 8  # parts of one kind
_META = re.compile(rb"charset=[\"']?([\w-]{2,30})", re.IGNORECASE)
_ENRICHED = re.compile(r"</?[A-Za-z-]{1,30}>")
_STUB = re.compile(
    r"(?:view|support|display|read|show|anzeig|unterstütz|afficher|client|viewer)[^.]{0,60}\bhtml\b"
    r"|\bhtml\b[^.]{0,60}(?:view|support|display|enabled|capable|client|message|format)",
    re.IGNORECASE,
)


class FoundText(NamedTuple):
    """The lines of the text, and what was passed over on the way to them."""

    lines: list[MailLine]
    passed_over: list[PassedOver]


def find_text(message: EmailMessage, limits: ReadingLimits) -> FoundText:
    """The lines of the first plain text with words in it, else those of the first HTML.

    All plain parts of a `multipart/mixed` count, because mail programs split the text around an
    attachment; of a `multipart/alternative` one part counts.
    """
    notes: list[PassedOver] = []
    plain: list[Message] = []
    html: list[Message] = []
    for part in _text_parts(message, notes, limits):
        found = plain if part.get_content_subtype() != "html" else html
        if len(found) < MOST_TEXTS:
            found.append(part)
    lines = _all_lines(plain, notes, limits)
    if not lines or (html and _is_stub(lines)):
        lines = _all_lines(html, notes, limits) or lines
    if len(lines) > limits.text_lines:
        notes.append(PassedOver("text-cut", f"{len(lines)} lines"))
    cut = [line._replace(text=line.text[: limits.line_characters]) for line in lines]
    return FoundText(cut[: limits.text_lines], notes)


def _all_lines(
    parts: list[Message], notes: list[PassedOver], limits: ReadingLimits
) -> list[MailLine]:
    """All texts one below the other, as far as the limit allows; [] where none has a word."""
    lines: list[MailLine] = []
    left = limits.text_characters
    for part in parts:
        text = _text_of(part)
        if len(text) > left:
            notes.append(PassedOver("text-cut", f"{len(text)} characters"))
        lines += _lines_of(part, text, left)
        left = max(0, left - len(text))
    return lines if any(line.text.strip() for line in lines) else []


def _is_stub(lines: list[MailLine]) -> bool:
    """Whether the plain text only says that there is HTML."""
    text = " ".join(line.text for line in lines)
    return len(text) < 300 and _STUB.search(text) is not None


def _text_parts(
    message: EmailMessage, notes: list[PassedOver], limits: ReadingLimits
) -> Iterator[Message]:
    """The text parts that are no attachments, in their order, with a bound on the visits."""
    waiting: list[Message] = [message]
    visited = 0
    while waiting:
        part = waiting.pop()
        visited += 1
        if visited > limits.parts:
            notes.append(PassedOver("parts-cut"))
            return
        maintype = part.get_content_maintype()
        if maintype == "multipart":
            waiting += reversed(_children(part))
        elif maintype == "message":
            notes.append(PassedOver("enclosed-message", part.get_content_type()))
        elif maintype != "text" or _is_attachment(part):
            notes.append(PassedOver("attachment", _label(part)))
        elif part.get_content_subtype() in ("plain", "html", "enriched", "richtext"):
            yield part
        else:
            notes.append(PassedOver("attachment", _label(part)))


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    if not isinstance(payload, list):
        return [_as_plain(part)]
    return [child for child in payload if isinstance(child, Message)]


def _as_plain(part: Message) -> Message:
    """A multipart without parts, as plain text: its boundary was lost on the way."""
    text = EmailMessage()
    text["Content-Type"] = "text/plain; charset=utf-8"
    payload = part.get_payload()
    text.set_payload(payload if isinstance(payload, str) else "")
    return text


def _is_attachment(part: Message) -> bool:
    """Whether a text is a file: some programs show files inline, but they still have a name."""
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    return disposition.startswith("attachment") or bool(_file_name(part))


def _label(part: Message) -> str:
    return printable(f"{part.get_content_type()} {_file_name(part)}")[:80]


def _file_name(part: Message) -> str:
    try:
        return part.get_filename() or ""
    # File names come in four encodings, and the parser fails on some mixtures of them.
    except Exception:
        return ""


def _lines_of(part: Message, text: str, limit: int) -> list[MailLine]:
    if part.get_content_subtype() == "html":
        return html_lines(text, limit)
    if part.get_content_subtype() in ("enriched", "richtext"):
        text = _ENRICHED.sub("", text)  # RFC 1896
    text = text[:limit]
    if _parameter(part, "format") == "flowed":
        return flowed_lines(text, delete_space=_parameter(part, "delsp") == "yes")
    return plain_lines(text)


def _text_of(part: Message) -> str:
    try:
        data = part.get_payload(decode=True)
    # Undoes base64, quoted-printable and uuencode; broken ones raise in ways that differ.
    except Exception:
        data = None
    if not isinstance(data, bytes):
        payload = part.get_payload()
        data = payload.encode("utf-8", "surrogateescape") if isinstance(payload, str) else b""
    charset = _parameter(part, "charset")
    if not charset and part.get_content_subtype() == "html":
        declared = _META.search(data[:2_000])
        charset = declared[1].decode("ascii") if declared else ""
    return decode_bytes(data, charset)


def _parameter(part: Message, name: str) -> str:
    """A parameter of Content-Type in lower case, or ""."""
    try:
        value = part.get_param(name, "")
    # Parameters may be split and encoded by RFC 2231, and be wrong in every way.
    except Exception:
        return ""
    text = value[2] if isinstance(value, tuple) else str(value or "")
    return printable(text).strip().lower()[:60]
