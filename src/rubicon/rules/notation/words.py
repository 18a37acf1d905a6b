"""A typed line as words with their columns, and the error that points at one of them."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from rubicon.errors import RubiconError
from rubicon.wording import quoted

LONGEST_LINE = 500
MOST_DIGITS = 10
ARROW = "->"
COMMA = ","
_POINT = ">→⇒⟶➔➜➝➞➡➤⇨↦»"
_SHAFT = "-=\u2010-\u2015\u2212"
# A word ends where an arrow begins, so that `alaska->kamchatka` is three tokens; the dash of a name
# such as `north-africa` is no arrow, since no point follows it.
_TOKEN = re.compile(
    rf"([{_SHAFT}]{{0,9}}[{_POINT}]+)|([,;])|((?:(?![{_SHAFT}]{{0,9}}[{_POINT}])[^\s,;])+)"
)
_SIGNS = ("", ARROW, COMMA)  # the plain forms of arrows and commas, groups 1 and 2
_WORD = 3


class TextError(RubiconError):
    """A text that cannot be read; `column` counts from 1 and is where the reading stopped."""

    def __init__(
        self, code: str, text: str, column: int, problem: str, suggestion: str = ""
    ) -> None:
        self.text = text
        self.column = column
        message = f"{quoted(text, 120)}, column {column}: {problem}"
        super().__init__(f"text/{code}", message, suggestion)


class Word(NamedTuple):
    """One word of a line, in lower case; `column` counts from 1."""

    text: str
    column: int


class TypedLine(NamedTuple):
    """A line and its words; commas and arrows are words of their own."""

    text: str
    words: tuple[Word, ...]

    def error(self, code: str, at: int, problem: str, suggestion: str = "") -> TextError:
        """An error at the word number `at` (from 0), or after the last word."""
        column = self.words[at].column if at < len(self.words) else len(self.text) + 1
        return TextError(code, self.text, column, problem, suggestion)


def read_line(text: object) -> TypedLine:
    """The words of a text; TextError where it is not a text, empty, or too long."""
    if not isinstance(text, str):
        raise TextError("not-text", repr(type(text)), 1, "this is not a text.")
    if len(text) > LONGEST_LINE:
        problem = f"the line has {len(text)} characters; the most is {LONGEST_LINE}."
        raise TextError("too-long", text, LONGEST_LINE + 1, problem)
    plain = unicodedata.normalize("NFKC", text).strip().rstrip(".!;, ")
    words = tuple(words_of(plain))
    if not words:
        raise TextError("empty", text, 1, "the line is empty.")
    return TypedLine(plain, words)


def words_of(plain: str, start: int = 0, stop: int | None = None) -> list[Word]:
    """The words of a text, or of a part of it, in Unicode's compatibility form (NFKC)."""
    end = len(plain) if stop is None else stop
    return [
        Word(found[0].casefold() if kind == _WORD else _SIGNS[kind], found.start() + 1)
        for found in _TOKEN.finditer(plain, start, end)
        if (kind := found.lastindex or 0)
    ]


def is_number(word: str) -> bool:
    """Whether a word is a whole number in plain digits."""
    return word.isascii() and word.isdecimal()


def beginnings(word: str, known: Iterable[str]) -> list[str]:
    """The known words that `word` may mean: itself, or else all that begin with it."""
    names = list(known)
    folded = [name.casefold() for name in names]
    if word in folded:
        return [names[folded.index(word)]]
    return [name for name, low in zip(names, folded, strict=True) if low.startswith(word)]
