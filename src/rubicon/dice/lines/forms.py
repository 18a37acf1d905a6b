"""The fields of JSON objects, each declared once with its form, and read strictly.

What a line says is declared at the class of its kind: each field has a `FieldForm`, with which
`Written` reads and writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Self, get_type_hints

from rubicon.dice.crypto import LARGEST, SIGNATURE_SIZE, SIZE, Json
from rubicon.dice.errors import BadEntry, quoted

LONGEST_NAME = 200
LOWER_HEX = frozenset("0123456789abcdef")


class Fields:
    """The fields of one object, each to be asked for once: all there, none too many."""

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


# The forms of fields, and the one writer and the one reader of what is declared with them.


@dataclass(frozen=True, slots=True)
class FieldForm:
    """How a field is read, with a BadEntry where it is of another form, and how it is written."""

    read: Callable[[Fields, str], Any]
    write: Callable[[Any], Any] | None = None  # None for what is its own JSON
    flat: bool = False  # it has fields of its own, beside the others of the object


class Written:
    """What is a JSON object: each annotation of the class with a form is one of its fields.

    `Annotated[int, whole(1, 6)]` has the name of the attribute; a text behind the form is another
    name, and `"waits.roll"` is the field `roll` of the object `waits`. Attributes without a form
    are not written: who reads knows them.
    """

    __slots__ = ()

    def form(self) -> dict[str, Json]:
        """As JSON."""
        made: dict[str, Any] = {}
        for name, outer, key, form in _declared(type(self)):
            value = getattr(self, name)
            written = value if form.write is None else form.write(value)
            if form.flat:
                made |= written
            elif outer:
                made.setdefault(outer, {})[key] = written
            else:
                made[key] = written
        return made

    @classmethod
    def read(cls, given: Fields, **known: Any) -> Self:
        """From JSON, BadEntry where it is none; more fields may follow.

        `known` are the attributes that are not written.
        """
        objects = {"": given}
        for name, outer, key, form in _declared(cls):
            if outer not in objects:
                objects[outer] = given.inner(outer)
            known[name] = form.read(objects[outer], key)
        for outer, one in objects.items():
            if outer:
                one.end()
        return cls(**known)

    @classmethod
    def read_alone(cls, value: Json, where: str, **known: Any) -> Self:
        """The same from an object that must have no other fields; `where` names it in errors."""
        given = Fields(value, where)
        found = cls.read(given, **known)
        given.end()
        return found


# Python resolves annotations slowly, and a transcript has thousands of lines of each kind.
_DECLARED: dict[type[Written], tuple[tuple[str, str, str, FieldForm], ...]] = {}


def _declared(written: type[Written]) -> tuple[tuple[str, str, str, FieldForm], ...]:
    """The fields of a class: attribute, name of an object around it or "", name, form."""
    if written not in _DECLARED:
        hints = get_type_hints(written, include_extras=True)
        names = [one.name for one in fields(written)]  # type: ignore[arg-type]
        _DECLARED[written] = tuple(_forms(names, hints))
    return _DECLARED[written]


def _forms(
    names: Iterable[str], hints: Mapping[str, Any]
) -> Iterator[tuple[str, str, str, FieldForm]]:
    for name in names:
        extras = getattr(hints[name], "__metadata__", ())
        forms = [extra for extra in extras if isinstance(extra, FieldForm)]
        path = next((extra for extra in extras if isinstance(extra, str)), name)
        if forms:
            outer, _, key = path.rpartition(".")
            yield name, outer, key, forms[0]


def text(longest: int = LONGEST_NAME, shortest: int = 1) -> FieldForm:
    """A text of so many characters."""
    return FieldForm(lambda given, name: given.text(name, longest, shortest))


def whole(least: int, most: int) -> FieldForm:
    """A whole number."""
    return FieldForm(lambda given, name: given.whole(name, least, most))


def hexadecimal(size: int = SIZE) -> FieldForm:
    """Bytes, as hexadecimal digits."""
    return FieldForm(lambda given, name: given.hash(name, size), bytes.hex)


def maybe(form: FieldForm) -> FieldForm:
    """A value of a form, or null for None."""
    write = form.write
    return FieldForm(
        lambda given, name: form.read(given, name) if given.maybe(name) else None,
        None if write is None else lambda value: None if value is None else write(value),
    )


def inner(written: type[Written]) -> FieldForm:
    """An object with the fields of a class, and no others."""
    return FieldForm(lambda given, name: _alone(written, given, name), written_form)


def inners(written: type[Written], most: int) -> FieldForm:
    """A list of such objects."""
    return FieldForm(
        lambda given, name: tuple(
            written.read_alone(one, f"{given.where}.{name}") for one in given.items(name, most)
        ),
        lambda values: [one.form() for one in values],
    )


def beside(written: type[Written]) -> FieldForm:
    """The fields of a class, beside those of the object that holds it."""
    return FieldForm(lambda given, _: written.read(given), written_form, flat=True)


def rows(what: str, most: int, **columns: FieldForm) -> FieldForm:
    """A list of tuples, each of them a list of as many values as there are columns."""

    def read(given: Fields, name: str) -> tuple[tuple[Any, ...], ...]:
        found = []
        for row in given.items(name, most):
            if not isinstance(row, list) or len(row) != len(columns):
                raise given.wrong(what, row, name)
            one = Fields(dict(zip(columns, row, strict=True)), f"{given.where}.{name}")
            found.append(tuple(form.read(one, column) for column, form in columns.items()))
        return tuple(found)

    return FieldForm(read, lambda value: [list(row) for row in value])


def _alone(written: type[Written], given: Fields, name: str) -> Written:
    return written.read_alone(given.take(name), f"{given.where}.{name}")


def written_form(value: Written) -> Json:
    """The JSON of a value."""
    return value.form()


FLAG = FieldForm(Fields.flag)
Name = Annotated[str, text()]
Number = Annotated[int, whole(0, LARGEST)]
Hash = Annotated[bytes, hexadecimal()]  # or a key, a seed or a link
Signature = Annotated[bytes, hexadecimal(SIGNATURE_SIZE)]
