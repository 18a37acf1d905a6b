"""What may be asked of chance, and what it gives: battle dice, a die a seat, one of some things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rubicon.dice.canonical import Json
from rubicon.dice.draws import BYTE, FACES, below, faces, stream
from rubicon.dice.hashing import digest, keyed
from rubicon.dice.reading import Fields

MOST_DICE = 16  # of one side in one roll
MOST_SEATS = 16
MOST_ROLLS = 10_000  # of one order line


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice of one roll, in the order they fell."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"attack": list(self.attack), "defence": list(self.defence)}

    @staticmethod
    def read(fields: Fields) -> Throw:
        """From JSON."""
        attack = fields.wholes("attack", 1, FACES, MOST_DICE)
        thrown = Throw(attack, fields.wholes("defence", 1, FACES, MOST_DICE))
        fields.end()
        return thrown

    def __str__(self) -> str:
        return f"{_spaced(self.attack)} v {_spaced(self.defence)}"


@dataclass(frozen=True, slots=True)
class Faces:
    """One die for each seat that was named, in that order."""

    faces: tuple[int, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"faces": list(self.faces)}

    def __str__(self) -> str:
        return f"dice {_spaced(self.faces)}"


@dataclass(frozen=True, slots=True)
class Picked:
    """The thing that was picked, and its place among those named, from 0."""

    index: int
    thing: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"index": self.index, "thing": self.thing}

    def __str__(self) -> str:
        return f"pick {self.thing}"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret pick: a hash of the salt, the place and the thing."""

    sealed: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"sealed": self.sealed.hex()}

    def __str__(self) -> str:
        return f"sealed {self.sealed.hex()}"


@dataclass(frozen=True, slots=True)
class KeyOnly:
    """Nothing but the answer's key: the rolls follow from it one by one."""

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {}

    def __str__(self) -> str:
        return "key"


Gives = Throw | Faces | Picked | Sealed | KeyOnly


@dataclass(frozen=True, slots=True)
class BattleRequest:
    """One roll: so many dice for the attack and so many for the defence."""

    what: ClassVar[str] = "battle"
    attack: int
    defence: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"what": self.what, "attack": self.attack, "defence": self.defence}

    @staticmethod
    def read(fields: Fields) -> BattleRequest:
        """From JSON."""
        return BattleRequest(
            fields.whole("attack", 1, MOST_DICE), fields.whole("defence", 1, MOST_DICE)
        )

    def given(self, key: bytes) -> Throw:
        """The dice of a key: those of the attack first."""
        numbers = stream(key)
        attack = faces(self.attack, numbers)
        return Throw(attack, faces(self.defence, numbers))


@dataclass(frozen=True, slots=True)
class SeatDice:
    """One die for each of these seats."""

    what: ClassVar[str] = "seats"
    seats: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"what": self.what, "seats": list(self.seats)}

    @staticmethod
    def read(fields: Fields) -> SeatDice:
        """From JSON."""
        return SeatDice(_some(fields, "seats", MOST_SEATS))

    def given(self, key: bytes) -> Faces:
        """The dice of a key."""
        return Faces(faces(len(self.seats), stream(key)))


@dataclass(frozen=True, slots=True)
class PickRequest:
    """One of these things, for all to see."""

    what: ClassVar[str] = "pick"
    things: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"what": self.what, "things": list(self.things)}

    @staticmethod
    def read(fields: Fields) -> PickRequest:
        """From JSON."""
        return PickRequest(_some(fields, "things", BYTE))

    def given(self, key: bytes) -> Picked:
        """The pick of a key."""
        index = below(len(self.things), stream(key))
        return Picked(index, self.things[index])


@dataclass(frozen=True, slots=True)
class SecretPick:
    """One of `of` things for the owner's eyes; `things` is a salted hash of their names."""

    what: ClassVar[str] = "secret"
    owner: str
    of: int
    things: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"what": self.what, "owner": self.owner, "of": self.of, "things": self.things.hex()}

    @staticmethod
    def read(fields: Fields) -> SecretPick:
        """From JSON."""
        return SecretPick(fields.text("owner"), fields.whole("of", 1, BYTE), fields.hash("things"))


@dataclass(frozen=True, slots=True)
class Batch:
    """At most so many rolls of one order line; all its decisions are fixed before the first die."""

    what: ClassVar[str] = "batch"
    rolls: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"what": self.what, "rolls": self.rolls}

    @staticmethod
    def read(fields: Fields) -> Batch:
        """From JSON."""
        return Batch(fields.whole("rolls", 1, MOST_ROLLS))

    def given(self, key: bytes) -> KeyOnly:
        """Nothing yet: `batch_roll` gives the rolls."""
        return KeyOnly()


Ask = BattleRequest | SeatDice | PickRequest | SecretPick | Batch

_READERS: dict[str, Callable[[Fields], Ask]] = {
    ask.what: ask.read for ask in (BattleRequest, SeatDice, PickRequest, SecretPick, Batch)
}


def read_ask(fields: Fields) -> Ask:
    """What is asked, from JSON."""
    what = fields.text("what")
    if what not in _READERS:
        raise fields.wrong(" or ".join(_READERS), what, "what")
    ask = _READERS[what](fields)
    fields.end()
    return ask


def read_gives(fields: Fields) -> Gives:
    """What chance gave, from JSON; the fields say which it is."""
    if "attack" in fields.left:
        return Throw.read(fields)
    gives: Gives = KeyOnly()
    if "faces" in fields.left:
        gives = Faces(fields.wholes("faces", 1, FACES, MOST_SEATS))
    elif "index" in fields.left:
        gives = Picked(fields.whole("index", 0, BYTE - 1), fields.text("thing"))
    elif "sealed" in fields.left:
        gives = Sealed(fields.hash("sealed"))
    fields.end()
    return gives


def batch_roll(key: bytes, number: int, attack: int, defence: int) -> Throw:
    """Roll `number`, from 0, of a batch with this key: it has a key of its own."""
    return BattleRequest(attack, defence).given(keyed(key, digest("roll", number)))


def _some(fields: Fields, name: str, most: int) -> tuple[str, ...]:
    found = fields.texts(name, most)
    if not found:
        raise fields.wrong("at least one", [], name)
    return found


def _spaced(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))
