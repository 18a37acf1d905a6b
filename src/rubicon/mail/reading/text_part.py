"""Finds the text of a message among its parts, and its lines with their depth of quotation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from email.message import EmailMessage, Message
from html.parser import HTMLParser
from typing import NamedTuple

from rubicon.mail.reading.bounded_message import ReadingLimits, decode_bytes, printable
from rubicon.mail.reading.incoming_mail import LineRole, MailLine, PassedOver

# Lines of plain text with their depth of quotation; format=flowed by RFC 3676.

_MARKS = re.compile(r"[ \t]{0,3}(?:[>|\uff1e][ \t]?)+")
_INITIALS = re.compile(r"[A-Z]{1,3}> ?")  # `TB> as I said`, of old mail programs
SIGNATURE_LINE = "-- "


def plain_lines(text: str) -> list[MailLine]:
    """Each line with its depth; the marks `>` and `|` are taken away."""
    return [marked_line(line) for line in text.split("\n")]


def marked_line(line: str) -> MailLine:
    """One line without its marks. A bar counts like an arrow: both begin no order."""
    found = _MARKS.match(line) or _INITIALS.match(line)
    if found is None:
        return MailLine(line)
    marks = found.group()
    depth = sum(marks.count(mark) for mark in ">|\uff1e")
    return MailLine(line[found.end() :], max(1, depth))


def flowed_lines(text: str, *, delete_space: bool) -> list[MailLine]:
    """The paragraphs of a flowed text as lines; `delete_space` is the parameter DelSp=yes.

    A line that ends with a space goes on in the next one of the same depth. The signature line
    is never joined.
    """
    found: list[MailLine] = []
    flowing = False
    for line in _unstuffed(text.split("\n")):
        goes_on = line.text.endswith(" ") and line.text != SIGNATURE_LINE
        body = line.text[:-1] if goes_on and delete_space else line.text
        fixed = line.text == SIGNATURE_LINE
        if flowing and not fixed and found and found[-1].depth == line.depth:
            found[-1] = MailLine(found[-1].text + body, line.depth)
        else:
            found.append(MailLine(body, line.depth))
        flowing = goes_on
    return found


def _unstuffed(lines: Iterable[str]) -> Iterable[MailLine]:
    """Depth and text of each line, without the space that guards `>` and `From` at its start."""
    for line in lines:
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        if depth == 0 and bare.startswith(("|", "> ")):
            yield marked_line(line)
        else:
            yield MailLine(bare[1:] if bare.startswith(" ") else bare, depth)


# HTML to lines of text with their depth of quotation.
#
# Only what a reader of the message sees becomes text: no styles, scripts, comments or hidden
# elements. Quotations are found by their element: `blockquote`, and the containers in which mail
# programs put the older message.

SILENT = frozenset(
    {
        *("head", "script", "style", "title", "template", "svg", "math", "object", "select"),
        *("s", "strike", "del"),  # what a person has crossed out
    }
)
VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"]
)
PARAGRAPHS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "pre", "table"])
BLOCKS = PARAGRAPHS | {
    *("address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt"),
    *("fieldset", "footer", "form", "header", "hr", "html", "li", "listing", "main", "plaintext"),
    *("section", "tr", "xmp"),
}
MOST_OPEN = 500  # elements inside each other; deeper ones count as part of the last

_COMMENTS = ("<!--", "-->")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,4000}>")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d])"
    r"|text-decoration[\w-]*\s*:[^;]{0,40}line-through",
    re.IGNORECASE,
)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)

# Classes and ids of the container of the older message.
_QUOTE = re.compile(
    r"(?:^|\s)(?:gmail_quote(?!_attribution)|gmail_extra|yahoo_quoted|yahoo-quoted-begin"
    r"|protonmail_quote|tutanota_quote|zmail_extra|moz-forward-container|quote|k9mail-quote"
    r"|gmx-quote|mail-quote|ms-outlook-mobile-reference-message|mail-editor-reference-message-container"
    r"|appendonsend-quote)(?:\s|$)",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"(?:^|\s)(?:gmail_signature|moz-signature|protonmail_signature_block|signature"
    r"|ms-outlook-mobile-signature|mobile-signature|applemailsignature|zmail_signature)(?:\s|$)",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t\n\r\f]+")


def html_lines(html: str, limit: int) -> list[MailLine]:
    """The visible lines of a document of at most `limit` characters, cut there."""
    reader = _HtmlReader()
    reader.feed(_tame(html[: limit * 2]))
    reader.close()
    return reader.finished()


def _tame(html: str) -> str:
    """The document with tags and text only.

    The parser of the standard library raises at some declarations, and takes quadratic time for
    tags and comments that have no end. Here every `<` that begins no complete tag is text.
    """
    kept: list[str] = []
    at = 0
    while (start := html.find("<", at)) >= 0:
        kept.append(html[at:start])
        found = _TAG.match(html, start)
        if found:
            kept.append(found.group())
            at = found.end()
        elif html.startswith(("<!", "<?"), start):
            at = _after_declaration(html, start)
        else:
            kept.append("&lt;")
            at = start + 1
    return "".join([*kept, html[at:]])


def _after_declaration(html: str, start: int) -> int:
    opening, closing = _COMMENTS if html.startswith(_COMMENTS[0], start) else ("<", ">")
    end = html.find(closing, start + len(opening))
    return len(html) if end < 0 else end + len(closing)


class _HtmlReader(HTMLParser):
    """Collects lines; `_open` has each open element with what it began."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[MailLine] = []
        self._words: list[str] = []
        self._open: list[tuple[str, str]] = []  # a tag, and its meaning
        self._tags: Counter[str] = Counter()  # of the open elements
        self._counts = {"quote": 0, "signature": 0, "silent": 0, "pre": 0, "tight": 0}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; `br` and `hr` end a line."""
        if tag == "br":
            self._end_line(even_empty=True)
            return
        values = {name: value or "" for name, value in attrs}
        tight = tag == "p" and values.get("class", "").startswith("Mso")
        if tag in BLOCKS:
            self._end_line()
            if tag in PARAGRAPHS and not tight:
                self._blank_line()
        if tag in ("td", "th") and self._words:
            self._words.append(" ")
        if tag in VOID or len(self._open) >= MOST_OPEN:
            return
        meaning = _meaning(tag, values) or ("tight" if tight else "")
        if meaning:
            self._begin_line(meaning)
            self._counts[meaning] += 1
        self._tags[tag] += 1
        self._open.append((tag, meaning))

    def handle_endtag(self, tag: str) -> None:
        """End an element, and those inside it that were never closed."""
        if not self._tags[tag]:
            return
        if tag in BLOCKS:
            self._end_line()
        meaning = ""
        while self._open:
            opened, meaning = self._open.pop()
            self._tags[opened] -= 1
            if meaning:
                self._begin_line(meaning)
                self._counts[meaning] -= 1
            if opened == tag:
                break
        if tag in PARAGRAPHS and meaning != "tight":
            self._blank_line()

    def handle_data(self, data: str) -> None:
        """Text; spaces and line ends are one space outside of `pre`."""
        if self._counts["silent"]:
            return
        if not self._counts["pre"]:
            self._words.append(_SPACES.sub(" ", data))
            return
        first, *others = data.split("\n")
        self._words.append(first)
        for line in others:
            self._end_line(even_empty=True)
            self._words.append(line)

    def finished(self) -> list[MailLine]:
        """All lines, without blank ones at the ends."""
        self._end_line()
        while self._lines and not self._lines[-1].text:
            self._lines.pop()
        return self._lines

    def _begin_line(self, meaning: str) -> None:
        """A quotation and a signature begin lines; of the others only elements that are blocks."""
        if meaning in ("quote", "signature"):
            self._end_line()

    def _end_line(self, *, even_empty: bool = False) -> None:
        text = "".join(self._words)
        self._words.clear()
        if not self._counts["pre"]:
            text = re.sub(" {2,}", " ", text).strip(" ")
        if text.strip() or even_empty:
            self._lines.append(self._line(text.replace("\xa0", " ")))

    def _blank_line(self) -> None:
        if self._lines and self._lines[-1].text:
            self._lines.append(self._line(""))

    def _line(self, text: str) -> MailLine:
        depth = self._counts["quote"]
        role = LineRole.SIGNATURE if self._counts["signature"] and not depth else LineRole.OWN
        return MailLine(text, depth, role)


def _meaning(tag: str, attributes: dict[str, str]) -> str:
    """What an element begins: quote, signature, silent, pre, or ""."""
    names = f"{attributes.get('class', '')} {attributes.get('id', '')} {attributes.get('name', '')}"
    if tag in SILENT or "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")):
        return "silent"
    if tag == "blockquote" or _QUOTE.search(names):
        return "quote"
    if _SIGNATURE.search(names):
        return "signature"
    preformatted = tag in ("pre", "listing", "plaintext", "xmp")
    return "pre" if preformatted or _KEEPS_LINES.search(attributes.get("style", "")) else ""


# Finds the text of a message among its parts: plain text before HTML, never an attachment.

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
