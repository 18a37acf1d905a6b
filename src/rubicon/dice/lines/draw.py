"""What chance is asked for, and what it gives: battle dice, a die a seat, a pick, a sealed pick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rubicon.dice.canonical import Json
from rubicon.dice.draws import BYTE, FACES, below, faces, stream
from rubicon.dice.errors import require
from rubicon.dice.hashing import digest, keyed
from rubicon.dice.lines.reading import Fields

MOST_DICE = 16  # of one side in one roll
MOST_SEATS = 16


@dataclass(frozen=True, slots=True)
class BattleAsk:
    """One roll: so many dice for the attack and so many for the defence."""

    attack: int
    defence: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"battle": [self.attack, self.defence]}


@dataclass(frozen=True, slots=True)
class SeatsAsk:
    """One die for each of these seats."""

    seats: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class PickAsk:
    """One of so many things, for all to see."""

    of: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"pick": self.of}


@dataclass(frozen=True, slots=True)
class SealedAsk:
    """One of so many things, for its owner's eyes."""

    of: int
    owner: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"owner": self.owner, "secret": self.of}


Ask = BattleAsk | SeatsAsk | PickAsk | SealedAsk


@dataclass(frozen=True, slots=True)
class BattleDraw:
    """The dice of one roll, in the order they fell."""

    what: ClassVar[str] = "battle"
    attack: tuple[int, ...]
    defence: tuple[int, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"battle": [list(self.attack), list(self.defence)]}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return BattleAsk(len(self.attack), len(self.defence))


@dataclass(frozen=True, slots=True)
class SeatsDraw:
    """One die for each seat, in the order in which they were named."""

    what: ClassVar[str] = "seats"
    faces: tuple[tuple[str, int], ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"seats": [[seat, face] for seat, face in self.faces]}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return SeatsAsk(tuple(seat for seat, _ in self.faces))


@dataclass(frozen=True, slots=True)
class PickDraw:
    """The thing that was picked, and its place among `of`, from 0."""

    what: ClassVar[str] = "pick"
    index: int
    of: int
    thing: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"pick": {"index": self.index, "of": self.of, "thing": self.thing}}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return PickAsk(self.of)


@dataclass(frozen=True, slots=True)
class SealedDraw:
    """A secret pick: a salted hash of the place and the thing."""

    what: ClassVar[str] = "sealed"
    hash: bytes
    of: int
    owner: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"sealed": {"hash": self.hash.hex(), "of": self.of, "owner": self.owner}}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return SealedAsk(self.of, self.owner)


Draw = BattleDraw | SeatsDraw | PickDraw | SealedDraw


def roll_key(key: bytes, number: int) -> bytes:
    """The key of draw `number`, from 0, of a request with this key."""
    return keyed(key, digest("roll", number))


def battle(key: bytes, attack: int, defence: int) -> BattleDraw:
    """The dice of a draw's key: those of the attack first."""
    numbers = stream(key)
    thrown = faces(attack, numbers)
    return BattleDraw(thrown, faces(defence, numbers))


def seat_dice(key: bytes, seats: Sequence[str]) -> SeatsDraw:
    """A die for each seat."""
    return SeatsDraw(tuple(zip(seats, faces(len(seats), stream(key)), strict=True)))


def pick(key: bytes, of: int) -> int:
    """The place of the thing that a draw's key picks."""
    return below(of, stream(key))


def card_hash(salt: bytes, index: int, thing: str) -> bytes:
    """What all see of a secret pick."""
    return digest("card", salt, index, thing)


def check_draw(draw: Draw, key: bytes) -> None:
    """BadEntry where a draw does not follow from its key; a sealed one is checked at the end."""
    match draw:
        case BattleDraw(attack, defence):
            expected: Draw = battle(key, len(attack), len(defence))
        case SeatsDraw(found):
            expected = seat_dice(key, [seat for seat, _ in found])
        case PickDraw(_, of, thing):
            expected = PickDraw(pick(key, of), of, thing)
        case SealedDraw():
            return
    require(
        draw == expected,
        "wrong-dice",
        "The dice do not follow from the links.",
        str(expected.form()),
        str(draw.form()),
    )


def read_ask(fields: Fields) -> Ask:
    """What is asked, from JSON."""
    ask: Ask
    if "battle" in fields.left:
        sizes = fields.wholes("battle", 1, MOST_DICE, 2)
        if len(sizes) != 2:
            raise fields.wrong("two numbers of dice", list(sizes), "battle")
        ask = BattleAsk(*sizes)
    elif "seats" in fields.left:
        ask = SeatsAsk(_some(fields, "seats", MOST_SEATS))
    elif "pick" in fields.left:
        ask = PickAsk(fields.whole("pick", 1, BYTE))
    else:
        ask = SealedAsk(fields.whole("secret", 1, BYTE), fields.text("owner"))
    fields.end()
    return ask


def read_draw(fields: Fields) -> Draw:
    """What chance gave, from JSON."""
    what = next(iter(fields.left), "")
    if what not in _READERS:
        raise fields.wrong(" or ".join(_READERS), sorted(fields.left))
    draw = _READERS[what](fields)
    fields.end()
    return draw


def _read_battle(fields: Fields) -> Draw:
    sides = fields.items("battle", 2)
    if len(sides) != 2:
        raise fields.wrong("the dice of two sides", sides, "battle")
    dice = Fields({"attack": sides[0], "defence": sides[1]}, f"{fields.where}.battle")
    attack = dice.wholes("attack", 1, FACES, MOST_DICE)
    defence = dice.wholes("defence", 1, FACES, MOST_DICE)
    if not attack or not defence:
        raise fields.wrong("dice of both sides", sides, "battle")
    return BattleDraw(attack, defence)


def _read_seats(fields: Fields) -> Draw:
    faces: list[tuple[str, int]] = []
    for pair in fields.items("seats", MOST_SEATS):
        if not isinstance(pair, list) or len(pair) != 2:
            raise fields.wrong("a seat and its die", pair, "seats")
        read = Fields({"seat": pair[0], "face": pair[1]}, f"{fields.where}.seats")
        faces.append((read.text("seat"), read.whole("face", 1, FACES)))
    if not faces or len({seat for seat, _ in faces}) < len(faces):
        raise fields.wrong("each seat once", [seat for seat, _ in faces], "seats")
    return SeatsDraw(tuple(faces))


def _read_pick(fields: Fields) -> Draw:
    inner = fields.inner("pick")
    of = inner.whole("of", 1, BYTE)
    draw = PickDraw(inner.whole("index", 0, of - 1), of, inner.text("thing"))
    inner.end()
    return draw


def _read_sealed(fields: Fields) -> Draw:
    inner = fields.inner("sealed")
    draw = SealedDraw(inner.hash("hash"), inner.whole("of", 1, BYTE), inner.text("owner"))
    inner.end()
    return draw


_READERS: dict[str, Callable[[Fields], Draw]] = {
    "battle": _read_battle,
    "seats": _read_seats,
    "pick": _read_pick,
    "sealed": _read_sealed,
}


def _some(fields: Fields, name: str, most: int) -> tuple[str, ...]:
    found = fields.texts(name, most)
    if not found:
        raise fields.wrong("at least one", [], name)
    return found
