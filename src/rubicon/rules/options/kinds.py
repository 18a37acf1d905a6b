"""The kinds of values that options have: how values are read and described.

A value has three forms. Its *text* is what people write (`cards.deck=44`, `3:35 4:30`), its
*Python form* is a bool, an int, a str, a tuple of words or a read-only mapping, and its *number*
is what a field of `engine.records.Rules` holds.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from rubicon.wording import nearest, quoted

Counts: TypeAlias = Mapping[int, int]
Pairs: TypeAlias = Mapping[str, str] | Mapping[str, int]
Value: TypeAlias = bool | int | str | tuple[str, ...] | Counts | Pairs
Form: TypeAlias = dict[str, Any]  # what a web form needs to know of a kind, as JSON

EMPTY = "none"  # the text of an empty table or list
LARGEST = 10**9  # of any whole number
LONGEST = 60  # characters of a name in a table


class BadValue(ValueError):
    """A value that an option cannot take; `suggestion` says what it takes."""

    def __init__(self, reason: str, suggestion: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.suggestion = suggestion


class NotOneNumber:
    """For kinds that fill several fields of the rules, or none."""

    def number(self, value: Value) -> int:
        """Raises TypeError."""
        raise TypeError(f"{value!r} is not one number")


@dataclass(frozen=True)
class Choice:
    """One word of several; the words are in the order of the enumeration's numbers."""

    words: tuple[str, ...]
    enum: type[IntEnum] | None = None

    def read(self, given: object) -> Value:
        """The word; also from a member of the enumeration, or a number that is a word (44)."""
        if self.enum is not None and isinstance(given, self.enum):
            return self.words[int(given)]
        number = whole(given) if type(given) is int else None
        word = given.strip().lower() if isinstance(given, str) else str(number)
        if word in self.words:
            return word
        hint = nearest(word, self.words)
        raise BadValue("is not one of its values", hint or f"It can be {self.allowed()}.")

    def allowed(self) -> str:
        """`a`, `a or b`, `a, b or c`."""
        *rest, last = self.words
        return f"{', '.join(rest)} or {last}" if rest else last

    def number(self, value: Value) -> int:
        """The place of the word, which is its number in the enumeration."""
        return self.words.index(str(value))

    def form(self) -> Form:
        """One of the option's values."""
        return {"type": "choice"}


@dataclass(frozen=True)
class Flag:
    """True or false."""

    only: tuple[bool, ...] = (True, False)

    def read(self, given: object) -> Value:
        """A bool, or `true` or `false` written out."""
        words = {"true": True, "false": False}
        value = words.get(given.strip().lower()) if isinstance(given, str) else given
        if isinstance(value, bool) and value in self.only:
            return value
        raise BadValue("is not one of its values", f"It can be {self.allowed()}.")

    def allowed(self) -> str:
        """`true or false`."""
        return " or ".join(value_text(value) for value in self.only)

    def number(self, value: Value) -> int:
        """1 or 0."""
        return int(value is True)

    def form(self) -> Form:
        """A check box."""
        return {"type": "flag"}


@dataclass(frozen=True)
class Number:
    """A whole number from `low` to `high`.

    `only` lists the numbers that are allowed where there are few; `words` may stand for numbers.
    """

    low: int
    high: int
    only: tuple[int, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, given: object) -> Value:
        """An int, its digits, or one of the words."""
        if isinstance(given, str) and given.strip().lower() in self.words:
            return given.strip().lower()
        number = whole(given)
        if number is None or number not in (self.only or range(self.low, self.high + 1)):
            hint = nearest(given, self.words) if isinstance(given, str) else ""
            raise BadValue("is not one of its values", hint or f"It can be {self.allowed()}.")
        return number

    def allowed(self) -> str:
        """`0 or 2`, `0 to 100 or unlimited`."""
        numbers = [str(number) for number in self.only]
        if self.low <= self.high and not self.only:
            numbers = [f"{self.low} to {self.high}"]
        return " or ".join((*numbers, *self.words))

    def number(self, value: Value) -> int:
        """The number itself, or the one that the word stands for."""
        return self.words[value] if isinstance(value, str) else int(str(value))

    def form(self) -> Form:
        """A number field, or a list where few numbers are allowed."""
        few = {"only": list(self.only)} if self.only else {}
        return {
            "type": "number",
            "low": self.low,
            "high": self.high,
            **few,
            "words": list(self.words),
        }


@dataclass(frozen=True)
class WordSet(NotOneNumber):
    """One word or more of several, in the order in which the option lists them."""

    words: tuple[str, ...]

    def read(self, given: object) -> Value:
        """A list of words, or a text with spaces or commas between them."""
        given_words = entries(given, f"Write words with spaces between them: {self.allowed()}.")
        for word in given_words:
            if word not in self.words:
                hint = nearest(word, self.words) or f"It can hold {self.allowed()}."
                raise BadValue(f"holds {quoted(word)}, which is not one of its words", hint)
        if not given_words:
            raise BadValue("is empty", f"It can hold {self.allowed()}.")
        return tuple(word for word in self.words if word in given_words)

    def allowed(self) -> str:
        """The words."""
        return "any of " + ", ".join(self.words)

    def form(self) -> Form:
        """A check box for each word."""
        return {"type": "words", "words": list(self.words)}


@dataclass(frozen=True)
class Ids(NotOneNumber):
    """Ids of things on the board, each at most once; the board checks that it has them."""

    what: str

    def read(self, given: object) -> Value:
        """A list of ids, or a text with spaces or commas between them."""
        ids = entries(given, f"Write {self.what} with spaces between them.")
        if any(len(name) > LONGEST for name in ids):
            raise BadValue("holds a word that is too long for an id", f"It takes {self.allowed()}.")
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice:
            raise BadValue(f"names {quoted(twice[0])} twice", "Name each once.")
        return ids

    def allowed(self) -> str:
        """In words."""
        return f"a list of {self.what}"

    def form(self) -> Form:
        """A list of ids."""
        return {"type": "ids", "of": self.what}


@dataclass(frozen=True)
class CountTable(NotOneNumber):
    """A whole number for each of several whole numbers: armies by number of players."""

    keys: range
    values: range
    what: str = "number"  # what one value counts
    per: str = "number"  # what one key counts
    example: str = ""

    def read(self, given: object) -> Value:
        """A mapping, or a text such as `3:35 4:30`."""
        table = {
            self._one(key, self.keys): self._one(number, self.values)
            for key, number in pairs(given, self.hint(given))
        }
        return MappingProxyType(dict(sorted(table.items())))

    def hint(self, given: object) -> str:
        """What to write instead of something that is no table at all."""
        wanted = f"It needs {self.what} for each {self.per}."
        return f"{wanted} Write {self.example}." if self.example else wanted

    def _one(self, given: object, allowed: range) -> int:
        number = whole(given)
        if number is None or number not in allowed:
            raise BadValue(f"cannot hold {quoted(given)} there", f"It can be {self.allowed()}.")
        return number

    def allowed(self) -> str:
        """The shape, with its ranges and an example."""
        keys, values = self.keys, self.values
        return (
            f"{self.what} ({values[0]} to {values[-1]}) for each {self.per} "
            f"({keys[0]} to {keys[-1]}), as in {self.example or f'{keys[1]}:{values[1]}'}"
        )

    def form(self) -> Form:
        """A number field for each key."""
        keys, values = self.keys, self.values
        return {
            "type": "counts",
            "keys": list(keys),
            "per": self.per,
            "low": values[0],
            "high": values[-1],
        }


@dataclass(frozen=True)
class PairTable(NotOneNumber):
    """A word or a number for things of the board, by their names; the board checks the names."""

    what: str
    words: tuple[str, ...] = ()
    values: range = range(0)

    def read(self, given: object) -> Value:
        """A mapping, or a text such as `alaska:cavalry alberta:infantry`."""
        found: dict[str, Any] = {}
        for key, value in pairs(given, f"It takes {self.allowed()}."):
            name = "_".join(key.split()) if isinstance(key, str) else ""
            if not name or len(name) > LONGEST or ":" in name or "," in name:
                raise BadValue(f"names {quoted(key)}", f"It takes {self.allowed()}.")
            found[name] = self._one(value)
        return MappingProxyType(dict(sorted(found.items())))

    def _one(self, given: object) -> str | int:
        number = whole(given)
        if self.words and isinstance(given, str) and given in self.words:
            return given
        if not self.words and number is not None and number in self.values:
            return number
        hint = nearest(given, self.words) if isinstance(given, str) else ""
        raise BadValue(f"cannot hold {quoted(given)}", hint or f"It takes {self.allowed()}.")

    def allowed(self) -> str:
        """The shape."""
        some = ", ".join(self.words) or f"{self.values[0]} to {self.values[-1]}"
        return f"a list of entries {self.what}:VALUE, with a value of {some}"

    def form(self) -> Form:
        """A word or a number for each thing of the board."""
        if self.words:
            return {"type": "pairs", "of": self.what, "words": list(self.words)}
        return {"type": "pairs", "of": self.what, "low": self.values[0], "high": self.values[-1]}


AnyKind: TypeAlias = Choice | Flag | Number | WordSet | Ids | CountTable | PairTable


def value_text(value: Value) -> str:
    """The text of a value in Python form; `none` for an empty table or list."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(value) or EMPTY
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{entry}" for key, entry in value.items()) or EMPTY
    return str(value)


def whole(given: object) -> int | None:
    """A whole number, given as such or as digits; None for anything else."""
    if isinstance(given, str):
        text = given.strip()
        plain = text.removeprefix("-")
        return int(text) if plain.isascii() and plain.isdecimal() and len(plain) < 10 else None
    if isinstance(given, bool) or not isinstance(given, int):
        return None
    return int(given) if abs(given) < LARGEST else None


def entries(given: object, hint: str) -> tuple[str, ...]:
    """The words of a list or a text; raises BadValue, with this hint, for anything else."""
    if isinstance(given, str):
        return tuple(word for word in given.replace(",", " ").split() if word != EMPTY)
    if isinstance(given, list | tuple | set | frozenset):
        return tuple(word for entry in given for word in _word(entry))
    raise BadValue("is not a list", hint)


def _word(entry: object) -> tuple[str, ...]:
    if isinstance(entry, str) and len(entry.replace(",", " ").split()) == 1:
        return (entry.strip(" ,"),)
    raise BadValue(f"holds {quoted(entry)}, which is not a single word", "Write a list of words.")


def pairs(given: object, hint: str) -> list[tuple[object, object]]:
    """The entries of a mapping, or of a text such as `3:35 4:30`; no key twice."""
    if isinstance(given, Mapping):
        found = list(given.items())
    elif isinstance(given, str | list | tuple | set | frozenset):
        found = [_pair(entry, hint) for entry in entries(given, hint)]
    else:
        raise BadValue("is not a table", hint)
    keys = Counter(" ".join(quoted(key).strip("'").split()) for key, _ in found)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        raise BadValue(f"holds {twice[0]!r} twice", "Name each once.")
    return found


def _pair(entry: str, hint: str) -> tuple[object, object]:
    key, colon, value = entry.partition(":")
    if not (key and colon and value):
        raise BadValue(f"holds {quoted(entry)}, which is not a pair", hint)
    return key, value
