"""The syntax of a position's line: six parts, their words, and what is wrong with a line.

Nothing here knows what the words mean; `position_writer` and `position_reader` do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_plus, unquote_plus

from rubicon.errors import RubiconError
from rubicon.rules.notation.position_fields import whole
from rubicon.wording import quoted

FORMAT = 1
LONGEST = 50_000  # characters; the largest board with every field fills a fifth of it
TITLE = "position"
END = "."
PARTS = ("the format", "the ruleset", "the board", "the territories", "the seats", "the table")


class PositionProblem(NamedTuple):
    """One thing that is wrong with a position; `code` without the group, as `chance`."""

    code: str
    sentence: str


class PositionError(RubiconError):
    """A text that is not a position, or an impossible one; `problems` has all that is wrong.

    `code` is that of the first problem.
    """

    def __init__(self, problems: Sequence[PositionProblem], suggestion: str = "") -> None:
        self.problems = tuple(problems)
        sentences = " ".join(problem.sentence for problem in problems)
        super().__init__(f"position/{problems[0].code}", sentences, suggestion)


def position_error(code: str, sentence: str, suggestion: str = "") -> PositionError:
    """The error for a line with a single problem."""
    return PositionError([PositionProblem(code, sentence)], suggestion)


class PositionText(NamedTuple):
    """A position in words: what its line says, part by part. `str` gives the line."""

    ruleset: tuple[str, int]  # the preset and its version
    options: Mapping[str, str]  # with `name` and `version` of a ruleset that is no preset
    board: tuple[str, int]
    territories: tuple[str, ...]
    seats: tuple[tuple[str, Mapping[str, str]], ...]  # colour and status, fields
    table: Mapping[str, str]

    def __str__(self) -> str:
        head = _head_text(self.ruleset, tuple(self.options.items()), self.board)
        seats = "; ".join(_fields_text(seat, fields) for seat, fields in self.seats)
        table = _fields_text("", self.table)
        return f"{head} / {' '.join(self.territories)} / {seats} /{table} {END}"

    @classmethod
    def parse(cls, text: object) -> PositionText:
        """The parts of a line; PositionError where it is cut short, too long or of another kind."""
        parts = _split(text)
        ruleset, *options = parts[1].split() or [""]
        seats = [seat.split() for seat in parts[4].split(";")]
        if not all(seats):
            raise position_error("seats", "A seat has no colour.", "Write a colour for each seat.")
        return cls(
            ruleset=(ruleset, _version(options[:1], "ruleset")),
            options={name: _unquoted(value) for name, value in _pairs(options[1:]).items()},
            board=_board(parts[2].split()),
            territories=tuple(parts[3].split()),
            seats=tuple((seat[0], _pairs(seat[1:])) for seat in seats),
            table=_pairs(parts[5].split()[:-1]),
        )


def _fields_text(first: str, fields: Mapping[str, str]) -> str:
    return " ".join((first, *(f"{name}={value}" for name, value in fields.items())))


@lru_cache(maxsize=256)
def _head_text(
    ruleset: tuple[str, int], options: tuple[tuple[str, str], ...], board: tuple[str, int]
) -> str:
    """The first three parts, which all positions of a game share."""
    given = {name: quote_plus(text, ":,", errors="replace") for name, text in options}
    return " / ".join(
        (
            f"{TITLE} {FORMAT}",
            _fields_text(f"{ruleset[0]} {ruleset[1]}", given),
            f"{quote_plus(board[0])} {board[1]}",
        )
    )


def _split(text: object) -> list[str]:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise position_error("too-long", f"This is not a text of at most {LONGEST} characters.")
    parts = text.split("/")
    title, _, number = " ".join(parts[0].split()).partition(" ")
    if title != TITLE or not number.isascii() or not number.isdecimal() or len(number) > 9:
        problem = f"{quoted(text, 40)} does not begin with `{TITLE} {FORMAT}`."
        raise position_error("not-a-position", problem)
    if int(number) > FORMAT:
        problem = f"The position has format {number}; this Rubicon reads formats up to {FORMAT}."
        raise position_error("newer", problem, "Use a newer Rubicon.")
    if len(parts) > len(PARTS):
        problem = f"There is text after {PARTS[-1]}."
        raise position_error("trailing", problem, f"End the line with ` {END}`.")
    if len(parts) < len(PARTS) or parts[-1].split()[-1:] != [END]:
        problem = f"The line is cut: it ends in {PARTS[len(parts) - 1]}, without a `{END}`."
        hint = f"A position has {len(PARTS)} parts and ends with ` {END}`."
        raise position_error("cut", problem, hint)
    return parts


def _version(words: Sequence[str], what: str) -> int:
    version = whole(words[0]) if words else None
    if version is None:
        problem = f"The {what} has no version."
        raise position_error(what, problem, "Write a name and a version, such as `classic 1`.")
    return version


def _board(words: list[str]) -> tuple[str, int]:
    if len(words) != 2:
        problem = "The board is not written as a name and a version."
        raise position_error("board", problem, "Write, for example, `world 1`.")
    return _unquoted(words[0]), _version(words[1:], "board")


def _unquoted(text: str) -> str:
    return unquote_plus(text, errors="replace")


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals or not value:
            raise position_error("field", f"{quoted(word, 40)} is not written as NAME=VALUE.")
        if name in pairs:
            raise position_error("twice", f"{quoted(name, 40)} is written twice.")
        pairs[name] = value
    return pairs
