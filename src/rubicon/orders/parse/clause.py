"""One order as words with their columns, and the error that points at one of them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rubicon.orders.errors import OrderProblem, OrderSyntaxError, Replacement
from rubicon.orders.parse.lexer import Part
from rubicon.orders.parse.names import NameResolver
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.notation.words import COMMA, MOST_DIGITS, Word, is_number, words_of
from rubicon.wording import quoted

LONGEST_ORDER = 5_000  # characters of one order, without its condition
FILLERS = ("armies", "army", "troops", "troop", "with", "using")
AT = ("on", "in", "at")
AND = (COMMA, "and", "+", "&")
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
    end: int  # the column behind the last word

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self.words)

    @property
    def text(self) -> str:
        """The words, separated by single spaces."""
        return " ".join(word.text for word in self.words)

    def word(self, at: int) -> str:
        """A word in lower case; "" behind the last."""
        return self.words[at].text if at < len(self.words) else ""

    def problem(self, code: str, at: int, message: str, suggestion: str = "") -> OrderProblem:
        """A problem at a word, or behind the last one."""
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

    def part(self, start: int, stop: int) -> "Clause":
        """Consecutive words."""
        end = self.words[stop].column if stop < len(self.words) else self.end
        return Clause(self.resolver, self.line, self.words[start:stop], end)

    def only(self, places: Iterable[int]) -> "Clause":
        """Some of the words, as if the others were not there."""
        return Clause(self.resolver, self.line, tuple(self.words[at] for at in places), self.end)

    def without(self, unwanted: Callable[[str], bool], start: int = 0) -> "Clause":
        """The words, less the unwanted ones from `start` on."""
        places = range(self.count)
        return self.only(at for at in places if at < start or not unwanted(self.words[at].text))

    def divided(self, separators: Iterable[str] = AND) -> list["Clause"]:
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
    if not isinstance(columns, range):  # a range: every character stands where it was written
        words = [Word(text, columns[min(at - 1, part.stop)] + 1) for text, at in words]
    return Clause(resolver, line, tuple(words), columns[part.stop] + 1)


def _pieces(word: Word) -> list[Word]:
    """A word divided before and behind `<`, `%` and `:`."""
    found = _PIECE.finditer(word.text)
    return [Word(piece[0], word.column + piece.start()) for piece in found]
