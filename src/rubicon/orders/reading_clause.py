"""One order as words with their columns, and the fault that points at one of them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rubicon.orders.problems import Fault, Problem
from rubicon.orders.reading_lines import Part
from rubicon.orders.reading_names import Desk
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.board_parts import quoted
from rubicon.rules.text.words import COMMA, MOST_DIGITS, Word, is_number, words_of

LONGEST_ORDER = 5_000  # characters of one order, without its condition
FILLERS = ("armies", "army", "troops", "troop", "with", "using")
AT = ("on", "in", "at")
AND = (COMMA, "and", "+", "&")
_SIGN = re.compile(r"[<%:]")
_PIECE = re.compile(r"[<%:]|[^<%:]+")


@dataclass(frozen=True, slots=True)
class Clause:
    """Words of a line, at a desk that knows what they may mean; or some of these words."""

    desk: Desk
    line: int
    words: tuple[Word, ...]
    end: int  # the column behind the last word

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self.words)

    @property
    def text(self) -> str:
        """The words, divided by single spaces."""
        return " ".join(word.text for word in self.words)

    def word(self, at: int) -> str:
        """A word in lower case; "" behind the last."""
        return self.words[at].text if at < len(self.words) else ""

    def problem(self, code: str, at: int, message: str, suggestion: str = "") -> Problem:
        """A problem at a word, or behind the last."""
        column = self.words[at].column if at < len(self.words) else self.end
        return Problem(self.line, column, f"orders/{code}", message, suggestion)

    def fault(self, code: str, at: int, message: str, suggestion: str = "") -> Fault:
        """A problem that makes the order unreadable."""
        return Fault(self.problem(code, at, message, suggestion))

    def part(self, start: int, stop: int) -> "Clause":
        """Some words in a row."""
        end = self.words[stop].column if stop < len(self.words) else self.end
        return Clause(self.desk, self.line, self.words[start:stop], end)

    def only(self, places: Iterable[int]) -> "Clause":
        """Some of the words, as if the others were not there."""
        return Clause(self.desk, self.line, tuple(self.words[at] for at in places), self.end)

    def without(self, wanted: Callable[[str], bool], start: int = 0) -> "Clause":
        """The words but those, from `start`, that are wanted away."""
        places = range(self.count)
        return self.only(at for at in places if at < start or not wanted(self.words[at].text))

    def divided(self, marks: Iterable[str] = AND) -> list["Clause"]:
        """The parts between marks; empty ones are passed over."""
        parts: list[Clause] = []
        start = 0
        for at in range(self.count + 1):
            if at == self.count or self.words[at].text in marks:
                if at > start:
                    parts.append(self.part(start, at))
                start = at + 1
        return parts

    def nothing_from(self, at: int) -> None:
        """A fault where words are left."""
        if at < self.count:
            found = quoted(self.part(at, self.count).text)
            raise self.fault("extra-words", at, f"Nothing was expected here, but there is {found}.")

    def number(self, at: int, least: int = 1, most: int = MOST_ARMIES) -> int:
        """The number that a word writes."""
        word = self.word(at)
        if not is_number(word):
            found = f", not {quoted(word)}" if word else ""
            code = "bad-number" if word else "missing-number"
            raise self.fault(code, at, f"A number was expected here{found}.")
        digits = word.lstrip("0") or "0"
        if len(digits) > MOST_DIGITS or not least <= int(digits) <= most:
            raise self.fault("bad-number", at, f"A number from {least} to {most} was expected.")
        return int(digits)


def clause_of(desk: Desk, part: Part) -> Clause:
    """The words of a part of a line."""
    line = part.source.number
    if part.stop - part.start > LONGEST_ORDER:
        message = f"One order has at most {LONGEST_ORDER} characters."
        raise Fault(Problem(line, part.column(0), "orders/too-long", message))
    source = part.source
    words = words_of(source.plain, part.start, part.stop)
    if _SIGN.search(source.plain, part.start, part.stop):
        words = [piece for word in words for piece in _pieces(word)]
    if len(words) > 1 and words[1].text == ":":  # `Deploy: 3 kamchatka`
        del words[1]
    columns = source.columns
    if not isinstance(columns, range):  # else every sign stands where it was written
        words = [Word(text, columns[min(at - 1, part.stop)] + 1) for text, at in words]
    return Clause(desk, line, tuple(words), columns[part.stop] + 1)


def _pieces(word: Word) -> list[Word]:
    """A word divided before and behind `<`, `%` and `:`."""
    found = _PIECE.finditer(word.text)
    return [Word(piece[0], word.column + piece.start()) for piece in found]
