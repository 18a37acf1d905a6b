"""Secret picks and how they are opened: one card for all to see, and everything at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rubicon.dice.canonical import LARGEST, Json
from rubicon.dice.draws import BYTE
from rubicon.dice.errors import require, require_same
from rubicon.dice.hashing import digest, keyed
from rubicon.dice.lines.draw import SealedDraw, card_hash, pick
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import MOST_ROLLS
from rubicon.dice.lines.state import State

MOST_REQUESTS = 20_000
LONGEST_ORDER = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Card:
    """What a secret pick gave: its place among the things, the thing, and the salt."""

    index: int
    thing: str
    salt: bytes


@dataclass(frozen=True, slots=True)
class Secrets:
    """What follows from a game's secret seed, which only the server knows until the end."""

    seed: bytes
    genesis: bytes

    def pick(self, key: bytes, n: int, number: int, of: int) -> int:
        """The place that a secret pick gives: neither the seed nor the links alone say which."""
        hidden = keyed(self.seed, digest("pick", self.genesis, n, number))
        return pick(keyed(key, hidden), of)

    def salt(self, n: int, number: int) -> bytes:
        """The salt of a sealed card; its owner gets it at once."""
        return keyed(self.seed, digest("salt", self.genesis, n, number))

    def order_salt(self, n: int) -> bytes:
        """The salt of a request's words."""
        return keyed(self.seed, digest("salt/order", self.genesis, n))

    def placement_salt(self, seat: str) -> bytes:
        """The salt of a placement that the server seals for a seat."""
        return keyed(self.seed, digest("salt/placement", self.genesis, seat))


def commitment_of(seed: bytes) -> bytes:
    """What the genesis says of the secret seed."""
    return digest("commit", seed)


@dataclass(frozen=True, slots=True)
class Shown:
    """A sealed card that all may see from now on."""

    kind: ClassVar[str] = "shown"
    n: int
    number: int
    card: Card

    def form(self) -> dict[str, Json]:
        """As JSON."""
        card = self.card
        return {
            "n": self.n,
            "i": self.number,
            "index": card.index,
            "thing": card.thing,
            "salt": card.salt.hex(),
        }

    @staticmethod
    def read(fields: Fields) -> Shown:
        """From JSON."""
        n, number = fields.whole("n", 0, LARGEST), fields.whole("i", 0, MOST_ROLLS - 1)
        index = fields.whole("index", 0, BYTE - 1)
        return Shown(n, number, Card(index, fields.text("thing"), fields.hash("salt")))

    def apply(self, state: State, *, trusted: bool) -> None:
        """Take the card from those that are sealed; BadEntry where it is none of them."""
        state.require_free()
        sealed = state.sealed.pop((self.n, self.number), None)
        message = "No sealed card has this number, or it was shown before."
        require(sealed is not None, "nothing-sealed", message, "a sealed card", str(self.n))
        assert sealed is not None
        found = card_hash(self.card.salt, self.card.index, self.card.thing)
        require_same("wrong-card", "This is not the card that was sealed.", sealed, found)


@dataclass(frozen=True, slots=True)
class End:
    """Everything is opened; `broken` where a request never got its answer."""

    kind: ClassVar[str] = "end"
    broken: bool
    seed: bytes
    orders: Sequence[str]
    cards: Sequence[tuple[int, int, str]]  # request, number of the draw, thing

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "broken": self.broken,
            "seed": self.seed.hex(),
            "orders": list(self.orders),
            "cards": [list(card) for card in self.cards],
        }

    @staticmethod
    def read(fields: Fields) -> End:
        """From JSON."""
        cards: list[tuple[int, int, str]] = []
        for card in fields.items("cards", MOST_REQUESTS * MOST_ROLLS):
            if not isinstance(card, list) or len(card) != 3:
                raise fields.wrong("request, number and thing", card, "cards")
            one = Fields({"n": card[0], "i": card[1], "thing": card[2]}, "entry.cards")
            n, number = one.whole("n", 0, LARGEST), one.whole("i", 0, MOST_ROLLS - 1)
            cards.append((n, number, one.text("thing")))
        orders: list[str] = []
        for order in fields.items("orders", MOST_REQUESTS):
            words = Fields({"order": order}, "entry.orders")
            orders.append(words.text("order", LONGEST_ORDER, shortest=0))
        return End(fields.flag("broken"), fields.hash("seed"), orders, cards)

    def apply(self, state: State, *, trusted: bool) -> None:
        """Close the transcript; BadEntry for another seed than the genesis has promised."""
        waits = state.pending is not None
        message = "An end is broken exactly where a request waits."
        require(self.broken == waits, "broken", message, str(waits), str(self.broken))
        commitment = commitment_of(self.seed)
        require_same("wrong-seed", "Not the promised seed.", state.commitment, commitment)
        state.closed = True


@dataclass(frozen=True, slots=True)
class Asked:
    """What a checker remembers of a request until the end."""

    seq: int
    order: bytes
    decision: int
    key: bytes  # of the draws; empty where the request got no answer
    sealed: Sequence[tuple[int, SealedDraw]]
    answer_seq: int = -1


def check_opened(end: End, genesis: bytes, asked: Sequence[Asked]) -> None:
    """BadEntry where an order or a secret pick does not follow from the opened seed.

    It names the line of the request or answer that is to blame.
    """
    secrets = Secrets(end.seed, genesis)
    message = "Not every request's words are opened."
    require(
        len(end.orders) == len(asked), "not-opened", message, str(len(asked)), str(len(end.orders))
    )
    for n, (words, one) in enumerate(zip(end.orders, asked, strict=True)):
        found = digest("order-hash", secrets.order_salt(n), words)
        message = "The opened words are not those of the request."
        require_same("wrong-order", message, one.order, found, one.seq)
    expected = [(n, number) for n, one in enumerate(asked) for number, _ in one.sealed]
    found_cards = [(n, number) for n, number, _ in end.cards]
    message = "Not every secret pick is opened, each once and in order."
    require(expected == found_cards, "not-opened", message, str(expected), str(found_cards))
    for n, number, thing in end.cards:
        one = asked[n]
        draw = dict(one.sealed)[number]
        index = secrets.pick(one.key, n, number, draw.of)
        card = card_hash(secrets.salt(n, number), index, thing)
        require_same("wrong-sealed", "Not the card of chance.", card, draw.hash, one.answer_seq)
