"""HTML to lines of text with their depth of quotation.

Only what a reader of the message sees becomes text: no styles, scripts, comments or hidden
elements. Quotations are found by their element: `blockquote`, and the containers in which mail
programs put the older message.
"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from rubicon.mail.reading.incoming_mail import LineRole, MailLine

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
            at = _behind_declaration(html, start)
        else:
            kept.append("&lt;")
            at = start + 1
    return "".join([*kept, html[at:]])


def _behind_declaration(html: str, start: int) -> int:
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
