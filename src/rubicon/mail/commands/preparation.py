"""Undoes what mail programs do to the lines of orders, before the order language reads them.

The order language itself normalizes characters (NFKC), arrows and list marks.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rubicon.mail.commands.order_lines import begins_order
from rubicon.mail.commands.order_reader import OrderReader
from rubicon.mail.commands.pleasantries import without_pleasantries
from rubicon.mail.commands.postscripts import find_postscript

WRAPPED = 55  # characters from which a line may have been wrapped by a program
LAST_WORDS = 40  # characters that show whether a line is unfinished: it may be all lines so far

# Outlook makes an arrow of Wingdings out of `-->` and `==>`; as plain text it is one of these.
_WINGDINGS_ARROW = re.compile(r"(?<=\S) (?:à|è|\uf0e0|\uf0e8) (?=\S)")
_EMPHASIS = re.compile(r"([*_]{1,2})(\S.*?\S|\S)\1")
_EMPTY_BOX = re.compile(r"\s*(?:\[[ _]?\]|[\u2610\u25a1])(?=\s)")
_TICKED_BOX = re.compile(r"^(\s*)[\u2611\u2612\u2705\u2713\u2714](?=\s)")
# Copied from our e-mail by players whose mail program drops the quotation.
_TOKEN_LINE = re.compile(r"\s*token\s*:\s*[a-z2-7 ]{26,40}\s*$", re.IGNORECASE)
_QUOTED = re.compile(r"^\s*[\u201c\u201e\u2018\u00ab\"'](.*)[\u201c\u201d\u2019\u00bb\"']\s*$")
_PRESS = re.compile(r"\s*press\b", re.IGNORECASE)
_ENDPRESS = re.compile(r"\s*endpress\s*", re.IGNORECASE)
_END = re.compile(r"\s*end\b", re.IGNORECASE)
_PREVIEW = re.compile(r"\bpreview\W*$", re.IGNORECASE)
_LINK = re.compile(r"\s*<(?:https?|mailto):[^<>\s]{1,500}>")
_GOES_ON = re.compile(
    r"\s*(?:->|\u2192|until\b|left\b|or\b|dice\b|but\b|odds\b|rounds\b|lost\b|won\b|%|,)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:->|\u2192|,|\b(?:until|or|left|dice|advance|but|to|from|odds|rounds|lost|<))\s*$",
    re.IGNORECASE,
)


def prepared(text: str, reader: OrderReader) -> tuple[str, tuple[str, ...]]:
    """The text for the parser of orders, and the lines of it that were left out."""
    written, messages = _without_messages(text.split("\n"))
    tidy = [_tidy(line) for line in written if not _TOKEN_LINE.match(line)]
    lines, left_out = without_pleasantries(tidy, reader)
    kept: list[str] = []
    for line in _unwrapped(lines):
        if _EMPTY_BOX.match(line):
            left_out.append(line.strip())
        else:
            kept.append(line)
    whole = "\n".join(messages.get(line, line) for line in kept)
    return whole.strip("\n"), tuple(left_out)


def doubtful_postscript(clean: str, reader: OrderReader) -> int | None:
    """The number of the line where a postscript begins that may have an order; None without one.

    What stands below END is not read, unless it asks for a preview.
    """
    lines, messages = _without_messages(clean.split("\n"))
    found = find_postscript(lines, reader)
    if found is None or not found.doubtful:
        return None
    if any(map(_END.match, lines[: found.at])) and not _PREVIEW.search(lines[found.at]):
        return None
    above = (messages.get(line, line) for line in lines[: found.at])
    return 1 + sum(1 + line.count("\n") for line in above)


def _without_messages(lines: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The lines with a mark instead of each message to players, and the messages by their marks.

    What stands between PRESS and ENDPRESS is sent as it was written.
    """
    kept: list[str] = []
    messages: dict[str, str] = {}
    ends = [n for n, line in enumerate(lines) if _ENDPRESS.fullmatch(line)]
    at = 0
    while at < len(lines):
        kept.append(lines[at])
        at += 1
        if not _PRESS.match(kept[-1]):
            continue
        following = bisect_left(ends, at)
        end = ends[following] if following < len(ends) else at
        if end > at:
            mark = f"\0{len(messages)}"  # nothing that an e-mail can have in its text
            messages[mark] = "\n".join(lines[at:end])
            kept.append(mark)
            at = end
    return kept, messages


def _tidy(line: str) -> str:
    line = _LINK.sub("", line.replace("\xa0", " "))
    line = _QUOTED.sub(r"\1", _with_plain_digits(line))
    line = _TICKED_BOX.sub(r"\1", line)
    bare = line.strip()
    emphasized = _EMPHASIS.match(bare)
    if emphasized:
        line = emphasized[2] + bare[emphasized.end() :]
    return _WINGDINGS_ARROW.sub(" -> ", line) if begins_order(line) else line


def _with_plain_digits(line: str) -> str:
    """The line with the digits of other scripts, as Arabic and Persian keyboards write them."""
    if line.isascii() or not begins_order(line):
        return line
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in line)


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """The lines; one that a program cut in two is one again.

    Only a long line can have been cut, and only a line that no order begins with is its rest.
    """
    whole: str | None = None
    last = 0
    for line in lines:
        if whole is not None and last >= WRAPPED and _is_rest(whole, line):
            whole, last = f"{whole.rstrip()} {line.strip()}", len(line)
            continue
        if whole is not None:
            yield whole
        whole, last = line, len(line)
    if whole is not None:
        yield whole


def _is_rest(line: str, following: str) -> bool:
    if not following.strip() or line.lstrip().startswith(("//", "#")):
        return False
    return bool(_GOES_ON.match(following) or _UNFINISHED.search(line[-LAST_WORDS:]))
