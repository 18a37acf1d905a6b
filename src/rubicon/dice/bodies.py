"""The seven kinds of entries, each with its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from rubicon.dice.asks import MOST_ROLLS, MOST_SEATS, Ask, Gives, Throw, read_ask, read_gives
from rubicon.dice.canonical import LARGEST, Json
from rubicon.dice.draws import BYTE
from rubicon.dice.hashing import FORMAT
from rubicon.dice.reading import Fields

MOST_LINKS = 4096
MOST_OPENED = 1_000_000
LONGEST_ORDER = 20_000
SEAT_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


class Keeper(StrEnum):
    """Who keeps a seat's hash chain."""

    SEAT = "seat"  # the seat's own program; nobody else knows the next link
    DICE = "dice"  # the dice side, for a seat without a program of its own


@dataclass(frozen=True, slots=True)
class Genesis:
    """The first entry: the game, both commitments, and the seats."""

    kind: ClassVar[str] = "genesis"
    game: str
    commit: bytes
    table: bytes
    seats: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "format": FORMAT,
            "game": self.game,
            "commit": self.commit.hex(),
            "table": self.table.hex(),
            "seats": list(self.seats),
        }

    @staticmethod
    def read(fields: Fields) -> Genesis:
        """From JSON."""
        version = fields.text("format")
        if version != FORMAT:
            raise fields.wrong(FORMAT, version, "format")
        game, commit, table = fields.text("game"), fields.hash("commit"), fields.hash("table")
        seats = fields.texts("seats", MOST_SEATS)
        if not seats or any(not set(seat) <= SEAT_LETTERS for seat in seats):
            raise fields.wrong("names of a-z, 0-9, - and _", seats, "seats")
        return Genesis(game, commit, table, seats)


@dataclass(frozen=True, slots=True)
class Deposit:
    """The end of a seat's hash chain; from here its links enter the rolls of the others."""

    kind: ClassVar[str] = "deposit"
    seat: str
    keeper: Keeper
    length: int
    link: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "seat": self.seat,
            "keeper": self.keeper.value,
            "length": self.length,
            "link": self.link.hex(),
        }

    @staticmethod
    def read(fields: Fields) -> Deposit:
        """From JSON."""
        seat, keeper = fields.text("seat"), fields.text("keeper")
        if keeper not in set(Keeper):
            raise fields.wrong(" or ".join(Keeper), keeper, "keeper")
        length = fields.whole("length", 1, MOST_LINKS)
        return Deposit(seat, Keeper(keeper), length, fields.hash("link"))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, and for which order; it stands here before anybody can know the answer.

    `seat` is whose decision was the last one before the dice; "" where the game itself asks.
    """

    kind: ClassVar[str] = "request"
    rid: bytes
    seat: str
    duty: int
    entry: int
    order: bytes
    ask: Ask

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "rid": self.rid.hex(),
            "seat": self.seat,
            "duty": self.duty,
            "entry": self.entry,
            "order": self.order.hex(),
            "ask": self.ask.form(),
        }

    @staticmethod
    def read(fields: Fields) -> Request:
        """From JSON."""
        return Request(
            fields.hash("rid"),
            fields.text("seat", shortest=0),
            fields.whole("duty", 0, LARGEST),
            fields.whole("entry", 0, LARGEST),
            fields.hash("order"),
            read_ask(fields.inner("ask")),
        )


@dataclass(frozen=True, slots=True)
class AnswerBody:
    """A request's key, the links that entered it (None: a silent seat), and what it gives."""

    kind: ClassVar[str] = "answer"
    rid: bytes
    key: bytes
    links: Mapping[str, bytes | None]
    gives: Gives

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "rid": self.rid.hex(),
            "key": self.key.hex(),
            "links": {
                seat: None if link is None else link.hex() for seat, link in self.links.items()
            },
            "gives": self.gives.form(),
        }

    @staticmethod
    def read(fields: Fields) -> AnswerBody:
        """From JSON."""
        rid, key = fields.hash("rid"), fields.hash("key")
        return AnswerBody(
            rid, key, fields.hashes_by_name("links"), read_gives(fields.inner("gives"))
        )


@dataclass(frozen=True, slots=True)
class RolledDice:
    """The rolls of a batch that were used, in order."""

    kind: ClassVar[str] = "rolled"
    rid: bytes
    rolls: tuple[Throw, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"rid": self.rid.hex(), "rolls": [thrown.form() for thrown in self.rolls]}

    @staticmethod
    def read(fields: Fields) -> RolledDice:
        """From JSON."""
        rid = fields.hash("rid")
        return RolledDice(rid, tuple(map(Throw.read, fields.inners("rolls", MOST_ROLLS))))


@dataclass(frozen=True, slots=True)
class Shown:
    """A secret pick that is now for all to see."""

    kind: ClassVar[str] = "shown"
    rid: bytes
    index: int
    thing: str
    salt: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "rid": self.rid.hex(),
            "index": self.index,
            "thing": self.thing,
            "salt": self.salt.hex(),
        }

    @staticmethod
    def read(fields: Fields) -> Shown:
        """From JSON."""
        rid, index = fields.hash("rid"), fields.whole("index", 0, BYTE - 1)
        return Shown(rid, index, fields.text("thing"), fields.hash("salt"))


@dataclass(frozen=True, slots=True)
class OpenedRequest:
    """What a request kept hidden: the words of the order, and the things of a secret pick."""

    rid: bytes
    order: str
    things: tuple[str, ...] = ()

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"rid": self.rid.hex(), "order": self.order, "things": list(self.things)}

    @staticmethod
    def read(fields: Fields) -> OpenedRequest:
        """From JSON."""
        rid, order = fields.hash("rid"), fields.text("order", LONGEST_ORDER, shortest=0)
        opened = OpenedRequest(rid, order, fields.texts("things", BYTE))
        fields.end()
        return opened


@dataclass(frozen=True, slots=True)
class Reveal:
    """The last entry: both seeds, and what every request kept hidden."""

    kind: ClassVar[str] = "reveal"
    seed: bytes
    table: bytes
    opened: tuple[OpenedRequest, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "seed": self.seed.hex(),
            "table": self.table.hex(),
            "opened": [opened.form() for opened in self.opened],
        }

    @staticmethod
    def read(fields: Fields) -> Reveal:
        """From JSON."""
        seed, table = fields.hash("seed"), fields.hash("table")
        return Reveal(
            seed, table, tuple(map(OpenedRequest.read, fields.inners("opened", MOST_OPENED)))
        )


Body = Genesis | Deposit | Request | AnswerBody | RolledDice | Shown | Reveal

_READERS: dict[str, Callable[[Fields], Body]] = {
    body.kind: body.read
    for body in (Genesis, Deposit, Request, AnswerBody, RolledDice, Shown, Reveal)
}


def read_body(kind: str, value: Json) -> Body:
    """The body of an entry of this kind, from JSON."""
    fields = Fields(value, kind)
    if kind not in _READERS:
        raise fields.wrong(" or ".join(_READERS), kind)
    body = _READERS[kind](fields)
    fields.end()
    return body
