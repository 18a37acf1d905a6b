"""What an option is: its kind, its values as words, as Python values and as the kernel's numbers.

A value has three forms. Its *text* is what people write (`cards.deck=44`, `3:35 4:30`), its
*Python form* is a bool, an int, a str, a tuple of words or a read-only mapping, and its *number*
is what a cell of `tables.Rules` holds.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from rubicon.rules.board_parts import quoted
from rubicon.rules.suggestions import nearest

Counts: TypeAlias = Mapping[int, int]
Pairs: TypeAlias = Mapping[str, str] | Mapping[str, int]
Value: TypeAlias = bool | int | str | tuple[str, ...] | Counts | Pairs

EMPTY = "none"  # the text of a table without entries
LARGEST = 10**9  # of any number
LONGEST = 60  # of a name in a table


class BadValue(ValueError):
    """A value that an option cannot take; `suggestion` says what it takes."""

    def __init__(self, reason: str, suggestion: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.suggestion = suggestion


class NotOneNumber:
    """For kinds that fill several cells, or none."""

    def number(self, value: Value) -> int:
        """There is none: raises TypeError."""
        raise TypeError(f"{value!r} is not one number")


@dataclass(frozen=True)
class Choice:
    """One word of several."""

    words: tuple[str, ...]
    enum: type[IntEnum] | None = None

    def read(self, given: object) -> Value:
        """The word; a member of the enum and a number that is a word (44) will do too."""
        if self.enum is not None and isinstance(given, self.enum):
            return self.words[int(given)]
        number = whole(given) if type(given) is int else None
        word = given.strip().lower() if isinstance(given, str) else str(number)
        if word in self.words:
            return word
        hint = nearest(word, self.words)
        raise BadValue("is not one of its values", hint or f"It can be {self.allowed()}.")

    def text(self, value: Value) -> str:
        """The word itself."""
        return str(value)

    def allowed(self) -> str:
        """`a`, `a or b`, `a, b or c`."""
        *rest, last = self.words
        return f"{', '.join(rest)} or {last}" if rest else last

    def number(self, value: Value) -> int:
        """The place of the word, which is its value in the enum."""
        return self.words.index(str(value))


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

    def text(self, value: Value) -> str:
        """`true` or `false`."""
        return str(value).lower()

    def allowed(self) -> str:
        """`true or false`."""
        return " or ".join(self.text(value) for value in self.only)

    def number(self, value: Value) -> int:
        """1 or 0."""
        return int(value is True)


@dataclass(frozen=True)
class Number:
    """A whole number in a range; `only` names the few that are allowed, `words` stand for one."""

    low: int
    high: int
    only: tuple[int, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, given: object) -> Value:
        """An int, or the word that stands for one."""
        if isinstance(given, str) and given.strip().lower() in self.words:
            return given.strip().lower()
        number = whole(given)
        if number is None or number not in (self.only or range(self.low, self.high + 1)):
            hint = nearest(given, self.words) if isinstance(given, str) else ""
            raise BadValue("is not one of its values", hint or f"It can be {self.allowed()}.")
        return number

    def text(self, value: Value) -> str:
        """The digits, or the word."""
        return str(value)

    def allowed(self) -> str:
        """`0 or 2`, `0 to 100, or unlimited`."""
        numbers = [str(number) for number in self.only]
        if self.low <= self.high and not self.only:
            numbers = [f"{self.low} to {self.high}"]
        return " or ".join((*numbers, *self.words))

    def number(self, value: Value) -> int:
        """The number itself, or what the word stands for."""
        return self.words[value] if isinstance(value, str) else int(str(value))


@dataclass(frozen=True)
class WordSet(NotOneNumber):
    """At least one word of several, in the order in which they are listed."""

    words: tuple[str, ...]

    def read(self, given: object) -> Value:
        """A list of words, or a text with spaces or commas between them."""
        given_words = entries(given)
        for word in given_words:
            if word not in self.words:
                hint = nearest(word, self.words) or f"It can hold {self.allowed()}."
                raise BadValue(f"holds {quoted(word)}, which is none of its words", hint)
        if not given_words:
            raise BadValue("is empty", f"It can hold {self.allowed()}.")
        return tuple(word for word in self.words if word in given_words)

    def text(self, value: Value) -> str:
        """The words with spaces between them."""
        return " ".join(value) if isinstance(value, tuple) else EMPTY

    def allowed(self) -> str:
        """The words."""
        return "any of " + ", ".join(self.words)


@dataclass(frozen=True)
class Ids(NotOneNumber):
    """Ids of something on the board, each at most once; the board checks them."""

    what: str

    def read(self, given: object) -> Value:
        """A list of ids, or a text with spaces or commas between them."""
        ids = entries(given)
        if any(len(name) > LONGEST for name in ids):
            raise BadValue("holds what is no id", f"It takes {self.allowed()}.")
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice:
            raise BadValue(f"names {quoted(twice[0])} twice", "Name each once.")
        return ids

    def text(self, value: Value) -> str:
        """The ids with spaces between them, or `none`."""
        return " ".join(value) if isinstance(value, tuple) and value else EMPTY

    def allowed(self) -> str:
        """In words."""
        return f"a list of {self.what}"


@dataclass(frozen=True)
class CountTable(NotOneNumber):
    """Whole numbers by whole numbers, such as armies by number of players."""

    keys: range
    values: range

    def read(self, given: object) -> Value:
        """A mapping, or a text such as `3:35 4:30`."""
        table = {self._one(key, self.keys): self._one(n, self.values) for key, n in pairs(given)}
        return MappingProxyType(dict(sorted(table.items())))

    def _one(self, given: object, allowed: range) -> int:
        number = whole(given)
        if number is None or number not in allowed:
            raise BadValue(f"cannot hold {quoted(given)} there", f"It can be {self.allowed()}.")
        return number

    def text(self, value: Value) -> str:
        """`3:35 4:30`, or `none`."""
        return pair_text(value)

    def allowed(self) -> str:
        """The shape, with its ranges."""
        keys, values = self.keys, self.values
        return f"entries {keys[0]}…{keys[-1]}:{values[0]}…{values[-1]}, as in {keys[1]}:{values[1]}"


@dataclass(frozen=True)
class PairTable(NotOneNumber):
    """A word or a number for things of the board, by their names; the board checks the names."""

    what: str
    words: tuple[str, ...] = ()
    values: range = range(0)

    def read(self, given: object) -> Value:
        """A mapping, or a text such as `alaska:cavalry alberta:infantry`."""
        found: dict[str, Any] = {}
        for key, value in pairs(given):
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

    def text(self, value: Value) -> str:
        """`alaska:cavalry alberta:infantry`, or `none`."""
        return pair_text(value)

    def allowed(self) -> str:
        """The shape."""
        some = "|".join(self.words) or f"{self.values[0]}…{self.values[-1]}"
        return f"{self.what}:{some} entries"


AnyKind: TypeAlias = Choice | Flag | Number | WordSet | Ids | CountTable | PairTable


def whole(given: object) -> int | None:
    """A whole number that was given as such or as digits; None where it is none."""
    if isinstance(given, str):
        text = given.strip()
        plain = text.removeprefix("-")
        return int(text) if plain.isascii() and plain.isdecimal() and len(plain) < 10 else None
    if isinstance(given, bool) or not isinstance(given, int):
        return None
    return int(given) if abs(given) < LARGEST else None


def entries(given: object) -> tuple[str, ...]:
    """The words of a list, or of a text."""
    if isinstance(given, str):
        return tuple(word for word in given.replace(",", " ").split() if word != EMPTY)
    if isinstance(given, list | tuple | set | frozenset):
        return tuple(word for entry in given for word in _word(entry))
    raise BadValue("is not a list", "Write words with spaces between them.")


def _word(entry: object) -> tuple[str, ...]:
    if isinstance(entry, str) and len(entry.replace(",", " ").split()) == 1:
        return (entry.strip(" ,"),)
    raise BadValue(f"holds {quoted(entry)}, which is no single word", "Write a list of words.")


def pairs(given: object) -> list[tuple[object, object]]:
    """The entries of a mapping, or of a text such as `3:35 4:30`; no key twice."""
    if isinstance(given, Mapping):
        found = list(given.items())
    else:
        found = [_pair(entry) for entry in entries(given)]
    keys = Counter(" ".join(quoted(key).strip("'").split()) for key, _ in found)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        raise BadValue(f"holds {twice[0]!r} twice", "Name each once.")
    return found


def _pair(entry: str) -> tuple[object, object]:
    key, colon, value = entry.partition(":")
    if not (key and colon and value):
        raise BadValue(f"holds {quoted(entry)}", "Write entries such as 3:35.")
    return key, value


def pair_text(value: Value) -> str:
    """The text of a table."""
    if not isinstance(value, Mapping) or not value:
        return EMPTY
    return " ".join(f"{key}:{entry}" for key, entry in value.items())


class Use(Enum):
    """Where an option goes."""

    RULES = "rules"  # a field of tables.Rules
    BOARD = "board"  # the tables of the board, or a derived field of tables.Rules
    TABLE = "table"  # only the host and the display care
    BUILT_IN = "built in"  # one value, and the procedures know it


@dataclass(frozen=True)
class Option:
    """One option: what it is, its values and their meanings, and where they come from."""

    name: str
    group: str
    kind: AnyKind
    default: Value
    meaning: str
    sources: tuple[str, ...]
    values: Mapping[str, str]  # text: meaning; of kinds with few values all of them
    use: Use = Use.RULES
    why_fixed: str = ""  # why there is no other value

    @property
    def field(self) -> str:
        """Its name in `tables.Rules`."""
        return self.name.replace(".", "_")

    def read(self, given: object) -> Value:
        """The Python form of a value in any form; raises BadValue."""
        try:
            return self.kind.read(given)
        except BadValue as error:
            if not self.why_fixed:
                raise
            raise BadValue(f"is not possible: {self.why_fixed}", error.suggestion) from error

    def text(self, value: Value) -> str:
        """The text of a value in Python form."""
        return self.kind.text(value)

    @property
    def fixed(self) -> bool:
        """Whether it has one value only."""
        return bool(self.why_fixed)
