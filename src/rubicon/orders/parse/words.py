"""The text of orders as lines, words and names, within limits on the work that one text
may cause.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rubicon.orders.errors import MOST_PROBLEMS, OrderProblem, OrderSyntaxError, Replacement
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.board.board import Board
from rubicon.rules.board.format import BoardNames, compact, words
from rubicon.rules.notation.words import ARROW, COMMA, MOST_DIGITS, Word, is_number, words_of
from rubicon.wording import one_of, quoted

# Splits a text into lines with normalized characters, and a line into its orders.

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

    def cut(self, start: int, stop: int) -> Part:
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
    """Where the first order of a line begins: after spaces and list markers."""
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


# Names, resolved within limits on the work that one text may cause.

MOST_SEARCHES = 10  # for names similar to an unknown word, which is the slowest work
MOST_LOOKUPS = 400  # different spellings of names
MOST_ORDERS = 200  # in a text, with requests and the orders after IF
MOST_ORDER_CHARACTERS = 6_000  # of all of them together, without messages
PLAUSIBLE = 0.75  # likeness, 0 to 1, from which a misspelt word is corrected
CLEARLY = 0.06  # by which the likeness must be greater than that of the next best name
SHORTEST = 3  # letters with which a name may begin in prose
WILD = ("wild", "wildcard", "joker")
_WILD_CARD = re.compile(r"(?:wild|wildcard|joker)s?_?([12])")


Candidates: TypeAlias = list[tuple[float, str, str]]  # likeness, id and name, most alike first


class TooLongError(Exception):
    """The text is longer, or takes more work to parse, than the limits allow."""


class TerritoryIndex:
    """The territories of a board by what players type; like `Board.index`, but with bounded work.

    A name and its abbreviation begin with the same letter, so only names with that first letter
    are compared.
    """

    def __init__(self, board: Board) -> None:
        spellings = [(t.id, t.name, *t.aliases) for t in board.territories]
        translated = [[name for _, name in t.names] for t in board.territories]
        letters = {_letter(text) for texts in (*spellings, *translated) for text in texts}
        self.ids = [territory.id for territory in board.territories]
        self.labels = [territory.name for territory in board.territories]
        self.spellings = spellings
        self.neighbours = _neighbours(board)
        self.all = BoardNames(spellings)
        self.openings = frozenset(
            part[:count]
            for texts in spellings
            for text in texts
            for part in (compact(text), *words(text))
            for count in range(SHORTEST if len(compact(text)) > 2 else 2, len(part) + 1)
        )
        self.by_letter = {
            letter: BoardNames(_beginning(letter, spellings), _beginning(letter, translated))
            for letter in letters
        }

    def find(self, text: str) -> tuple[int, ...]:
        """The indices of the territories that a text may mean."""
        names = self.by_letter.get(_letter(text))
        return tuple(sorted(names.find(text))) if names else ()

    def begins(self, word: str) -> bool:
        """Whether a word, of at least three letters, begins a name or one of its words."""
        return compact(word) in self.openings

    def nearest(self, text: str) -> list[tuple[float, int]]:
        """Likeness (0 to 1) and index of the most similar territories, best first."""
        # SequenceMatcher takes quadratic time, so the text is cut.
        typed = compact(text)[:100]
        found = [(self._likeness(typed, index), index) for index in self.all.nearest(text)]
        return sorted(found, reverse=True)

    def _likeness(self, typed: str, index: int) -> float:
        texts = self.spellings[index]
        return max(SequenceMatcher(None, compact(text), typed).ratio() for text in texts)


def _neighbours(board: Board) -> dict[str, tuple[str, ...]]:
    """The ids of the neighbours of every territory, optional borders included."""
    ids = [territory.id for territory in board.territories]
    found: dict[str, list[str]] = {name: [] for name in ids}
    for low, high in board.borders:
        found[ids[low]].append(ids[high])
        found[ids[high]].append(ids[low])
    return {name: tuple(others) for name, others in found.items()}


def _beginning(letter: str, spellings: Sequence[Iterable[str]]) -> list[list[str]]:
    """Of each territory the names with this first letter."""
    return [[text for text in texts if _letter(text) == letter] for texts in spellings]


def _letter(text: str) -> str:
    found = words(text)
    return found[0][:1] if found else ""


@lru_cache(maxsize=8)
def territory_index(board: Board) -> TerritoryIndex:
    """The index of a board, built once per board."""
    return TerritoryIndex(board)


class NameResolver:
    """Names of one text: the board, the players, the problems so far, and the work done."""

    def __init__(self, board: Board, colours: Sequence[str], names: Mapping[str, str]) -> None:
        self.board = board
        self.territories = territory_index(board)
        self.colours = tuple(colours)
        self.people = {_key(name): colour for name, colour in names.items() if colour in colours}
        self.people |= {_key(colour): colour for colour in colours}
        self.problems: list[OrderProblem] = []
        self.total = 0  # number of problems
        self.searches = 0
        self.orders = 0
        self.characters = 0
        self.looked_up: dict[str, tuple[int, ...]] = {}
        self._near: dict[str, Candidates] = {}

    def note(self, problem: OrderProblem) -> None:
        """Record a problem; those beyond the first twenty are only counted."""
        self.total += 1
        if self.total <= MOST_PROBLEMS:
            self.problems.append(problem)

    def count_orders(self, number: int, characters: int = 0) -> None:
        """Count orders; TooLongError beyond the limit of orders or of characters."""
        self.orders += number
        self.characters += characters
        if self.orders > MOST_ORDERS:
            raise TooLongError(f"A text has at most {MOST_ORDERS} orders and requests.")
        self.check_length(self.characters)

    def check_length(self, characters: int) -> None:
        """TooLongError beyond the limit of characters of all orders together."""
        if characters > MOST_ORDER_CHARACTERS:
            raise TooLongError(
                f"All orders together have at most {MOST_ORDER_CHARACTERS:,} characters."
            )

    def places(self, text: str) -> tuple[int, ...]:
        """The indices of the territories that a text may mean."""
        # Counted by spelling, so that a long text with few names stays cheap and allowed.
        if text not in self.looked_up:
            if len(self.looked_up) == MOST_LOOKUPS:
                raise TooLongError(
                    f"A text has at most {MOST_LOOKUPS} different spellings of names."
                )
            self.looked_up[text] = self.territories.find(text)
        return self.looked_up[text]

    def place(self, text: str) -> str | None:
        """The id of the one territory that a text means."""
        found = self.places(text)
        return self.territories.ids[found[0]] if len(found) == 1 else None

    def card(self, text: str) -> str | None:
        """The id of the one card that a text means."""
        if text.startswith(WILD):
            joined = text.replace(" ", "")
            if found := _WILD_CARD.fullmatch(joined):
                return f"wild{found[1]}"
            if joined in WILD:  # without a number it fits both
                return None
        return self.place(text)

    def near_places(self, text: str) -> Candidates:
        """The territories that a misspelt text may mean, most alike first."""
        if text not in self._near:
            if not self._may_search():
                return []
            territories = self.territories
            near = [
                (like, territories.ids[t], territories.labels[t])
                for like, t in territories.nearest(text)
            ]
            self._near[text] = near
        return self._near[text]

    def near_words(self, word: str, known: Iterable[str]) -> Candidates:
        """The known words that a misspelt word may mean, most alike first."""
        if not self._may_search():
            return []
        close = get_close_matches(word[:100], list(known), 3, 0.6)
        return [(SequenceMatcher(None, name, word[:100]).ratio(), name, name) for name in close]

    def _may_search(self) -> bool:
        # Beyond the limit names are reported as unknown without a suggestion.
        self.searches += 1
        return self.may_search

    @property
    def may_search(self) -> bool:
        """Whether every search so far was carried out, so that no similar name was missed."""
        return self.searches <= MOST_SEARCHES

    def players(self, text: str, *, in_full: bool = True) -> set[str]:
        """The colours of the players that a colour, a name or the beginning of one may mean."""
        typed = _key(text)
        if typed in self.people:
            return {self.people[typed]}
        if in_full or not typed:
            return set()
        return {colour for name, colour in self.people.items() if name.startswith(typed)}


def plausible(near: Candidates) -> str | None:
    """The best candidate, where it is likely and clearly better than the next; else None."""
    if not near or near[0][0] < PLAUSIBLE:
        return None
    return near[0][1] if len(near) == 1 or near[0][0] - near[1][0] >= CLEARLY else None


def did_you_mean(near: Candidates) -> str:
    """The suggestion of these candidates; "" where there are none."""
    return f"Did you mean {one_of([label for _, _, label in near])}?" if near else ""


def _key(name: str) -> str:
    plain = "".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain.rstrip(".,!;") or plain


# One order as words with their columns, and the error that points at one of them.

LONGEST_ORDER = 5_000  # characters of one order, without its condition
FILLERS = ("armies", "army", "troops", "troop", "with", "using")
AT = ("on", "in", "at")
AND = (COMMA, "and", "+", "&")
ALL = ("all", "max", "maximum", "most", "rest", "everything")
TOWARDS = (ARROW, "to", "against", "into", "onto")
FROM = ("from",)
NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        1,
    )
}
_SIGN = re.compile(r"[<%:]")
_PIECE = re.compile(r"[<%:]|[^<%:]+")


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of an order, or some of them, with the names that they may mean."""

    resolver: NameResolver
    line: int
    words: tuple[Word, ...]
    end: int  # the column after the last word

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self.words)

    @property
    def text(self) -> str:
        """The words, separated by single spaces."""
        return " ".join(word.text for word in self.words)

    def word(self, at: int) -> str:
        """A word in lower case; "" after the last."""
        return self.words[at].text if at < len(self.words) else ""

    def problem(self, code: str, at: int, message: str, suggestion: str = "") -> OrderProblem:
        """A problem at a word, or after the last one."""
        column, length = self.end, 0
        if at < len(self.words):
            column, length = self.words[at].column, len(self.words[at].text)
        code = f"orders/{code}"
        return OrderProblem(self.line, column, code, message, suggestion, length=length)

    def error(self, code: str, at: int, message: str, suggestion: str = "") -> OrderSyntaxError:
        """A problem because of which the order cannot be parsed."""
        return OrderSyntaxError(self.problem(code, at, message, suggestion))

    def replaced_by(self, text: str) -> Replacement:
        """These words, at least one, spelt as `text`; exact where the line is ASCII."""
        last = self.words[-1]
        return Replacement(self.words[0].column, last.column + len(last.text), text)

    def part(self, start: int, stop: int) -> Clause:
        """Consecutive words."""
        end = self.words[stop].column if stop < len(self.words) else self.end
        return Clause(self.resolver, self.line, self.words[start:stop], end)

    def only(self, places: Iterable[int]) -> Clause:
        """Some of the words, as if the others were not there."""
        return Clause(self.resolver, self.line, tuple(self.words[at] for at in places), self.end)

    def without(self, unwanted: Callable[[str], bool], start: int = 0) -> Clause:
        """The words, less the unwanted ones from `start` on."""
        places = range(self.count)
        return self.only(at for at in places if at < start or not unwanted(self.words[at].text))

    def divided(self, separators: Iterable[str] = AND) -> list[Clause]:
        """The parts between the separators; empty parts are left out."""
        parts: list[Clause] = []
        start = 0
        for at in range(self.count + 1):
            if at == self.count or self.words[at].text in separators:
                if at > start:
                    parts.append(self.part(start, at))
                start = at + 1
        return parts

    def nothing_from(self, at: int) -> None:
        """Raise an error where words are left."""
        if at < self.count:
            found = quoted(self.part(at, self.count).text)
            message = f"The order ends before {found}."
            raise self.error("extra-words", at, message, "Delete these words.")

    def number(self, at: int, least: int = 1, most: int = MOST_ARMIES) -> int:
        """The number at a word, from `least` to `most`."""
        word = self.word(at)
        if not is_number(word):
            raise self.number_error(at)
        digits = word.lstrip("0") or "0"
        # The length is checked first: int() is slow on texts of thousands of digits.
        if len(digits) > MOST_DIGITS or not least <= int(digits) <= most:
            message = f"A number from {least:,} to {most:,} was expected here, not {quoted(word)}."
            raise self.error("bad-number", at, message)
        return int(digits)

    def number_error(self, at: int) -> OrderSyntaxError:
        """Why there is no number at a word, and how to write one."""
        word = self.word(at)
        if not word:
            return self.error("missing-number", at, "A number is missing here.")
        if word in NUMBER_WORDS:
            message = f"Numbers are written in digits, not as {quoted(word)}."
            return self.error("bad-number", at, message, f"Write: {NUMBER_WORDS[word]}")
        message = f"A number was expected here, not {quoted(word)}."
        hint = "Numbers are written in digits, like 3."
        if self.resolver.territories.begins(word):
            hint = "Before the name of a territory, write an arrow: alaska -> kamchatka"
        return self.error("bad-number", at, message, hint)


def clause_of(resolver: NameResolver, part: Part) -> Clause:
    """The words of a part of a line."""
    line = part.source.number
    if part.stop - part.start > LONGEST_ORDER:
        message = f"An order has at most {LONGEST_ORDER:,} characters."
        hint = "Divide it into several orders."
        raise OrderSyntaxError(OrderProblem(line, part.column(0), "orders/too-long", message, hint))
    source = part.source
    words = words_of(source.plain, part.start, part.stop)
    if _SIGN.search(source.plain, part.start, part.stop):
        words = [piece for word in words for piece in _pieces(word)]
    if len(words) > 1 and words[1].text == ":":  # `Deploy: 3 kamchatka`
        del words[1]
    columns = source.columns
    if not isinstance(columns, range):  # a range: every character is where it was written
        words = [Word(text, columns[min(at - 1, part.stop)] + 1) for text, at in words]
    return Clause(resolver, line, tuple(words), columns[part.stop] + 1)


def _pieces(word: Word) -> list[Word]:
    """A word divided before and after `<`, `%` and `:`."""
    found = _PIECE.finditer(word.text)
    return [Word(piece[0], word.column + piece.start()) for piece in found]
