"""How values, numbers and lists of words are written in messages; suggestions for unknown
words.
"""

import difflib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

# Values, numbers and lists of words.


def quoted(value: object, most: int = 60) -> str:
    """A value as Python writes it, a text in quotes, cut after `most` characters."""
    try:
        text = repr(value[:most] if isinstance(value, str) else value)
    except ValueError:  # Python refuses to print numbers of more than 4,300 digits
        return "a very long number"
    return text if len(text) <= most + 4 else text[:most] + "..."


def printable(line: str) -> str:
    """The line as a terminal may be sent it: nothing in it moves, hides or turns what it shows.

    A character that cannot be printed becomes `�`, white space of any kind a space.
    """
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "�" for sign in line)


def printable_text(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.splitlines()))


def quoted_path(path: Path) -> str:
    """A path in quotes, cut after 300 characters."""
    return quoted(str(path), 300)


@cache
def snake_case(name: str) -> str:
    """The name of a class as JSON has it: `EndAttack` is `end_attack`."""
    letters = (f"_{x.lower()}" if x.isupper() and at else x.lower() for at, x in enumerate(name))
    return "".join(letters)


def one_of(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


def number_word(number: int) -> str:
    """A number up to ten in words, others in digits; `no` for 0."""
    return DIGITS[number] if 0 <= number < len(DIGITS) else str(number)


def counted(number: int, one: str, many: str = "") -> str:
    """`one army`, `two armies`; the plural adds an s unless it is given."""
    return f"{number_word(number)} {one if number == 1 else many or one + 's'}"


def numbered(number: int, one: str, many: str = "") -> str:
    """`1 army`, `2,000 armies`; the plural adds an s unless it is given."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; "" for none."""
    *rest, end = words or [""]
    return f"{', '.join(rest)} {last} {end}" if rest else end


# Suggestions for unknown words in error messages: `Did you mean 'attack'?`.

LONGEST = 100  # letters that are compared: difflib takes time with the square of the length
LIKENESS = 0.6  # of difflib, from 0 to 1; below it suggestions are rarely what was meant


def nearest(word: str, known: Iterable[str]) -> str:
    """`Did you mean 'attack'?`, or "" where no known word is similar."""
    by_folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word[:LONGEST].casefold(), list(by_folded), 1, LIKENESS)
    return f"Did you mean {by_folded[close[0]]!r}?" if close else ""
