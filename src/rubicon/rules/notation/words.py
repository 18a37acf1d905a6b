"""Words of the notation, and places that are named in them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.wording import nearest, one_of, quoted

# A typed line as words with their columns, and the error that points at one of them.

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


def number_at(line: TypedLine, at: int, most: int) -> int:
    """The number that a word writes; TextError, `text/bad-number`, above `most`."""
    digits = line.words[at].text.lstrip("0") or "0"
    if len(digits) > MOST_DIGITS or int(digits) > most:
        raise line.error("bad-number", at, f"a number up to {most} was expected.")
    return int(digits)


def beginnings(word: str, known: Iterable[str]) -> list[str]:
    """The known words that `word` may mean: itself, or else all that begin with it."""
    names = list(known)
    folded = [name.casefold() for name in names]
    if word in folded:
        return [names[folded.index(word)]]
    return [name for name, low in zip(names, folded, strict=True) if low.startswith(word)]


def one_known(line: TypedLine, at: int, known: Sequence[str], what: str) -> str:
    """The known word that a word or its beginning means; TextError for none or several."""
    word = line.words[at].text
    found = beginnings(word, known)
    if len(found) == 1:
        return found[0]
    if found:
        problem = f"{quoted(word)} may mean {one_of(found)}."
        raise line.error(f"ambiguous-{what}", at, problem, "Write more of it.")
    problem = f"there is no {what} {quoted(word)}; expected {one_of(list(known))}."
    raise line.error(f"unknown-{what}", at, problem, nearest(word, known))


# The territories and cards that the words of a line name, one or several in a row.

MOST_WORDS = 12  # of all the names in one place of a line
_WILD = re.compile(r"(?:wild|wildcard|joker)s?_?([12])")
# `wild` without a number fits both wild cards.
_WILDS = re.compile(r"(?:w|wi|wil|wild|wildcard|joker)")

Reader = Callable[[str], str]


def read_territory(board: Board, text: str) -> str:
    """The id of the territory that a text means; RubiconError for none or several."""
    return board.territories[board.index(text)].id


def read_card(board: Board, text: str) -> str:
    """The id of the card that a text means: a territory's, `wild1` or `wild2`."""
    compact = text.replace(" ", "")
    if found := _WILD.fullmatch(compact):
        return f"wild{found[1]}"
    if _WILDS.fullmatch(compact):
        raise RubiconError("board/ambiguous-card", f"{quoted(text)} may mean wild1 or wild2.")
    return read_territory(board, text)


def territory_at(board: Board, line: TypedLine, span: range) -> str:
    """The territory that the words of a span name."""
    return _one(line, span, partial(read_territory, board), "territory")


def two_territories(board: Board, line: TypedLine, span: range) -> tuple[str, str]:
    """The two territories that the words of a span name, in this order."""
    first, second = _several(line, span, partial(read_territory, board), 2, "territory")
    return first, second


def cards_at(board: Board, line: TypedLine, span: range) -> tuple[str, ...]:
    """The cards that the words of a span name: separated by commas, or three in a row."""
    read = partial(read_card, board)
    pieces = list(_pieces(line, span))
    if len(pieces) > 1:
        return tuple(_one(line, piece, read, "card") for piece in pieces)
    return _several(line, span, read, 3, "card")


def card_at(board: Board, line: TypedLine, span: range) -> str:
    """The card that the words of a span name."""
    return _one(line, span, partial(read_card, board), "card")


def _pieces(line: TypedLine, span: range) -> Iterator[range]:
    """The parts of a span between commas and `and`, without empty ones."""
    start = span.start
    for at in (*span, span.stop):
        if at == span.stop or line.words[at].text in (COMMA, "and", "+", "&"):
            if at > start:
                yield range(start, at)
            start = at + 1


def _text(line: TypedLine, span: range) -> str:
    return " ".join(line.words[at].text for at in span)


def _one(line: TypedLine, span: range, read: Reader, what: str) -> str:
    if not span:
        raise line.error(f"missing-{what}", span.start, f"a {what} is missing here.")
    if len(span) > MOST_WORDS:
        raise line.error("extra-words", span.start, f"these are too many words for a {what}.")
    try:
        return read(_text(line, span))
    except RubiconError as error:
        kind = "ambiguous" if "ambiguous" in error.code else "unknown"
        raise line.error(f"{kind}-{what}", span.start, error.message, error.suggestion) from None


def _several(line: TypedLine, span: range, read: Reader, count: int, what: str) -> tuple[str, ...]:
    """`count` names in a row.

    Names have one to several words and may be shortened, so every division of the words is tried.
    """
    if not span:
        raise line.error(f"missing-{what}", span.start, f"a {what} is missing here.")
    if len(span) > MOST_WORDS:
        raise line.error("extra-words", span.start, "these are too many words for names.")
    ways = _divisions(line, span, read, count, {})
    if len(ways) == 1:
        return next(iter(ways))
    if ways:
        problem = f"{quoted(_text(line, span))} can be divided into names in several ways."
        raise line.error(
            f"ambiguous-{what}", span.start, problem, "Write an arrow or commas between the names."
        )
    raise _indivisible(line, span, read, count, what)


Known = dict[range, str | None]


def _divisions(
    line: TypedLine, span: range, read: Reader, count: int, known: Known
) -> set[tuple[str, ...]]:
    if count == 1:
        name = _attempt(line, span, read, known)
        return set() if name is None else {(name,)}
    # The names already read are kept in `known`: without them the time would grow exponentially.
    ways: set[tuple[str, ...]] = set()
    for middle in range(span.start + 1, span.stop):
        first = _attempt(line, range(span.start, middle), read, known)
        if first is None:
            continue
        rest = _divisions(line, range(middle, span.stop), read, count - 1, known)
        ways |= {(first, *others) for others in rest}
    return ways


def _attempt(line: TypedLine, span: range, read: Reader, known: Known) -> str | None:
    if span not in known:
        try:
            known[span] = read(_text(line, span))
        except RubiconError:
            known[span] = None
    return known[span]


def _indivisible(line: TypedLine, span: range, read: Reader, count: int, what: str) -> RubiconError:
    """Why words are not `count` names: one is missing, one is unknown, or one is too many."""
    known: Known = {}
    start = span.start
    for _ in range(count):
        if start == span.stop:
            return line.error(f"missing-{what}", start, f"{count} names are needed.")
        # The longest name that fits comes first, as a reader would take it.
        ends = range(span.stop, start, -1)
        end = next((e for e in ends if _attempt(line, range(start, e), read, known)), None)
        if end is None:
            return _failure(line, range(start, start + 1), read, what)
        start = end
    return line.error("extra-words", start, f"there is text after {count} names.")


def _failure(line: TypedLine, span: range, read: Reader, what: str) -> RubiconError:
    try:
        _one(line, span, read, what)
    except RubiconError as error:
        return error
    return line.error(f"unknown-{what}", span.start, f"this is not a {what}.")
