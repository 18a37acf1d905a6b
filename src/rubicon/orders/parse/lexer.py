"""Splits a text into lines with normalized characters, and a line into its orders."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

ANNOUNCE = "announce"
OPEN_ENDED = ("if", "else")  # the semicolons on these lines belong to the condition
# NFKC turns some single characters into up to 18; more than this are no name and no number.
MOST_LETTERS = 4
UNKNOWN_SIGN = "\ufffd"

_NEXT = re.compile(r"[\s;]*")
# Up to three list markers: `1.`, `2)`, `[x]`, `-`, `*`, `+`. The bound keeps `1. 2. 3. ...` short.
_LISTED = re.compile(
    r"(?:(?:\d{1,3}[.)](?!\d)|\[[ x]?\]|[-*+\u2022](?!\S))[\s;]*){0,3}", re.IGNORECASE
)
_COMMENT = re.compile(r"//|#")
_END = re.compile(r";|//|#")
_VERB = re.compile(r"[^\s;:,.!/#]+")


class SourceLine(NamedTuple):
    """A line as it was written (`raw`), and normalized (`plain`: NFKC, no invisible characters).

    `columns` has the index in `raw` of every character of `plain`, then the length of `raw`.
    """

    number: int
    raw: str
    plain: str
    columns: Sequence[int]


class Part(NamedTuple):
    """The stretch of a line's normalized text that one order is written in."""

    source: SourceLine
    start: int
    stop: int

    @property
    def text(self) -> str:
        """The normalized text."""
        return self.source.plain[self.start : self.stop]

    @property
    def raw(self) -> str:
        """The text as it was written."""
        columns = self.source.columns
        return self.source.raw[columns[self.start] : columns[self.stop]]

    @property
    def verb(self) -> str:
        """The first word, in lower case."""
        found = _VERB.match(self.source.plain, self.start, self.stop)
        return found.group().casefold() if found else ""

    def column(self, at: int) -> int:
        """The column in the line, from 1, of the character `at` of this part."""
        return self.source.columns[min(self.start + at, self.stop)] + 1

    def cut(self, start: int, stop: int) -> "Part":
        """A stretch of this part, without spaces and punctuation around it."""
        return stretch(self.source, self.start + start, self.start + stop)


def stretch(source: SourceLine, start: int, stop: int) -> Part:
    """A stretch of a line, without spaces and punctuation around it."""
    text = source.plain[start:stop]
    bare = text.rstrip().rstrip(".!,; \t")
    first = len(text) - len(text.lstrip())
    return Part(source, start + first, start + len(bare))


def lines_of(text: str) -> list[str]:
    """The lines, which end with any of the three line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def source_of(number: int, raw: str) -> SourceLine:
    """A line with its normalized text."""
    # Almost every line is ASCII; only others need a table of columns.
    if raw.isascii() or (raw.isprintable() and unicodedata.is_normalized("NFKC", raw)):
        return SourceLine(number, raw, raw, range(len(raw) + 1))
    plain: list[str] = []
    columns: list[int] = []
    for at, sign in enumerate(raw):
        letters = _plain(sign)
        plain.append(letters)
        columns += [at] * len(letters)
    return SourceLine(number, raw, "".join(plain), [*columns, len(raw)])


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":  # marks of direction, joiners, soft hyphens
        return ""
    letters = unicodedata.normalize("NFKC", sign)
    return letters if len(letters) <= MOST_LETTERS else UNKNOWN_SIGN


def parts_of(source: SourceLine) -> Iterator[Part]:
    """The parts of a line between semicolons, without comments.

    A part that begins with IF or ELSE goes to the end of the line, or to a comment; one that
    begins with ANNOUNCE always goes to the end of the line.
    """
    at = order_start(source.plain)
    while (at := _skipped(source.plain, at)) < len(source.plain):
        if _COMMENT.match(source.plain, at):
            break
        verb = Part(source, at, len(source.plain)).verb
        if verb == ANNOUNCE:
            yield Part(source, at, len(source.plain))
            return
        # IF and ELSE keep their semicolons, which divide the orders of the condition.
        ending = _COMMENT if verb in OPEN_ENDED else _END
        found = ending.search(source.plain, at)
        stop = found.start() if found else len(source.plain)
        part = stretch(source, at, stop)
        if part.start < part.stop:
            yield part
        at = stop


def order_start(plain: str) -> int:
    """Where the first order of a line begins: behind spaces and list markers."""
    at = _skipped(plain, 0)
    found = _LISTED.match(plain, at)
    return found.end() if found else at


def divided(part: Part) -> list[Part]:
    """The parts between the semicolons of a part."""
    found: list[Part] = []
    at = 0
    for end in [*(match.start() for match in re.finditer(";", part.text)), len(part.text)]:
        piece = part.cut(at, end)
        if piece.start < piece.stop:
            found.append(piece)
        at = end + 1
    return found


def _skipped(plain: str, at: int) -> int:
    found = _NEXT.match(plain, at)
    return found.end() if found else at
