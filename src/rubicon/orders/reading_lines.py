"""The lines of a text, with plain signs, and the parts of a line that are one order each."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

ANNOUNCE = "announce"
OPEN_ENDED = ("if", "else")  # their orders are divided by semicolons of their own
MOST_LETTERS = 4  # that a sign may be written out as
UNKNOWN_SIGN = "\ufffd"

_NEXT = re.compile(r"[\s;]*")
_LISTED = re.compile(
    r"(?:(?:\d{1,3}[.)](?!\d)|\[[ x]?\]|[-*+\u2022](?!\S))[\s;]*){0,3}", re.IGNORECASE
)
_COMMENT = re.compile(r"//|#")
_END = re.compile(r";|//|#")
_VERB = re.compile(r"[^\s;:,.!/#]+")


class Source(NamedTuple):
    """A line as it was written, and with plain signs (NFKC, without invisible marks).

    `columns` has, for every letter of `plain`, its index in `raw`, and the length of `raw` at
    the end.
    """

    number: int
    raw: str
    plain: str
    columns: Sequence[int]


class Part(NamedTuple):
    """What one order may be written in: a stretch of a line's plain text."""

    source: Source
    start: int
    stop: int

    @property
    def text(self) -> str:
        """The plain text."""
        return self.source.plain[self.start : self.stop]

    @property
    def raw(self) -> str:
        """The same as it was written."""
        columns = self.source.columns
        return self.source.raw[columns[self.start] : columns[self.stop]]

    @property
    def verb(self) -> str:
        """The first word, in lower case."""
        found = _VERB.match(self.source.plain, self.start, self.stop)
        return found.group().casefold() if found else ""

    def column(self, at: int) -> int:
        """The column, from 1, of a letter of the plain text, counted from the part's start."""
        return self.source.columns[min(self.start + at, self.stop)] + 1

    def cut(self, start: int, stop: int) -> "Part":
        """A stretch of this part, without the spaces and the punctuation around it."""
        return stretch(self.source, self.start + start, self.start + stop)


def stretch(source: Source, start: int, stop: int) -> Part:
    """A stretch of a line, without the spaces and the punctuation around it."""
    text = source.plain[start:stop]
    bare = text.rstrip().rstrip(".!,; \t")
    first = len(text) - len(text.lstrip())
    return Part(source, start + first, start + len(bare))


def lines_of(text: str) -> list[str]:
    """The lines, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def source_of(number: int, raw: str) -> Source:
    """A line with plain signs."""
    if raw.isascii() or (raw.isprintable() and unicodedata.is_normalized("NFKC", raw)):
        return Source(number, raw, raw, range(len(raw) + 1))
    plain: list[str] = []
    columns: list[int] = []
    for at, sign in enumerate(raw):
        letters = _plain(sign)
        plain.append(letters)
        columns += [at] * len(letters)
    return Source(number, raw, "".join(plain), [*columns, len(raw)])


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":  # marks of direction, joiners, soft hyphens
        return ""
    letters = unicodedata.normalize("NFKC", sign)
    return letters if len(letters) <= MOST_LETTERS else UNKNOWN_SIGN


def parts_of(source: Source) -> Iterator[Part]:
    """The parts of a line between semicolons; comments are left out.

    What belongs to IF or ELSE goes to the end of the line, and what is announced is not even cut
    at a comment.
    """
    at = order_start(source.plain)
    while (at := _skipped(source.plain, at)) < len(source.plain):
        if _COMMENT.match(source.plain, at):
            break
        verb = Part(source, at, len(source.plain)).verb
        if verb == ANNOUNCE:
            yield Part(source, at, len(source.plain))
            return
        ending = _COMMENT if verb in OPEN_ENDED else _END
        found = ending.search(source.plain, at)
        stop = found.start() if found else len(source.plain)
        part = stretch(source, at, stop)
        if part.start < part.stop:
            yield part
        at = stop


def order_start(plain: str) -> int:
    """Where the first order of a line begins: behind space, and the marks of a list."""
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
