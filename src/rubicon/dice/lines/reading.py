"""Reads the fields of a JSON object strictly: all there, none too many, each of its type."""

from __future__ import annotations

from rubicon.dice.canonical import Json
from rubicon.dice.errors import BadEntry, quoted
from rubicon.dice.hashing import SIZE

LONGEST_NAME = 200
LOWER_HEX = frozenset("0123456789abcdef")


class Fields:
    """The fields of one object, each to be asked for once."""

    def __init__(self, value: Json, where: str) -> None:
        self.where = where
        if not isinstance(value, dict):
            raise self.wrong("an object", value)
        self.left = dict(value)

    def wrong(self, expected: str, found: object, name: str = "") -> BadEntry:
        """The error for a value that is not what its place is for."""
        where = f"{self.where}.{name}" if name else self.where
        return BadEntry("wrong-form", f"{where} has not the right form.", expected, quoted(found))

    def take(self, name: str) -> Json:
        """Any value."""
        if name not in self.left:
            raise self.wrong(f"a field {name!r}", sorted(self.left))
        return self.left.pop(name)

    def end(self) -> None:
        """See that nothing else is there."""
        if self.left:
            raise self.wrong("no other field", sorted(self.left))

    def text(self, name: str, longest: int = LONGEST_NAME, shortest: int = 1) -> str:
        """A text."""
        return self._text(name, self.take(name), longest, shortest)

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """A list of texts, none of them twice."""
        values = self.items(name, most)
        found = tuple(self._text(name, value, LONGEST_NAME) for value in values)
        if len(set(found)) < len(found):
            raise self.wrong("each only once", values, name)
        return found

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number."""
        return self._whole(name, self.take(name), least, most)

    def wholes(self, name: str, least: int, most: int, longest: int) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._whole(name, value, least, most) for value in self.items(name, longest))

    def hash(self, name: str, size: int = SIZE) -> bytes:
        """A hash, key, seed or link, or `size` other bytes: hexadecimal digits in small letters."""
        return self._hash(name, self.take(name), size)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.take(name)
        if not isinstance(value, bool):
            raise self.wrong("true or false", value, name)
        return value

    def hashes_by_name(self, name: str) -> dict[str, bytes | None]:
        """An object of hashes, or null for one that is missing."""
        return {
            key: None if value is None else self._hash(name, value)
            for key, value in self.by_name(name).items()
        }

    def inners_by_name(self, name: str) -> dict[str, Fields | None]:
        """An object of objects, or null for one that is missing."""
        where = f"{self.where}.{name}"
        return {
            key: None if value is None else Fields(value, f"{where}.{key}")
            for key, value in self.by_name(name).items()
        }

    def by_name(self, name: str) -> dict[str, Json]:
        """An object with names of the table's choice, all in ASCII."""
        values = self.take(name)
        if not isinstance(values, dict) or not all(map(str.isascii, values)):
            raise self.wrong("an object with names in ASCII", values, name)
        return values

    def maybe(self, name: str) -> bool:
        """Whether the field, which must be there, is not null; null counts as read."""
        value = self.take(name)
        if value is None:
            return False
        self.left[name] = value
        return True

    def items(self, name: str, most: int) -> list[Json]:
        """A list of anything."""
        value = self.take(name)
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(f"a list of at most {most:,}", value, name)
        return value

    def inner(self, name: str) -> Fields:
        """An object within."""
        return Fields(self.take(name), f"{self.where}.{name}")

    def inners(self, name: str, most: int) -> list[Fields]:
        """A list of objects."""
        where = f"{self.where}.{name}"
        return [Fields(value, where) for value in self.items(name, most)]

    def _text(self, name: str, value: Json, longest: int, shortest: int = 1) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= longest or _broken(value):
            raise self.wrong(f"a text of {shortest} to {longest:,} characters", value, name)
        return value

    def _whole(self, name: str, value: Json, least: int, most: int) -> int:
        right = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        if not right:
            raise self.wrong(f"a whole number from {least} to {most:,}", value, name)
        assert isinstance(value, int)
        return value

    def _hash(self, name: str, value: Json, size: int = SIZE) -> bytes:
        if not isinstance(value, str) or len(value) != 2 * size or not set(value) <= LOWER_HEX:
            raise self.wrong(f"{2 * size} hexadecimal digits in small letters", value, name)
        return bytes.fromhex(value)


def _broken(text: str) -> bool:
    """Whether it has half a character (a lone surrogate), which no file can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)
