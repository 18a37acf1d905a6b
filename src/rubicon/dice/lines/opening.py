"""Sealed placements and secret picks, and how they are opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from rubicon.dice.crypto import BYTE, LARGEST, digest, is_signed, keyed
from rubicon.dice.errors import require, require_same
from rubicon.dice.lines import forms
from rubicon.dice.lines.request import MOST_ROLLS, SignedOrder
from rubicon.dice.lines.state import Placement, SealedDraw, State, card_hash, pick

# Sealed placements: each seat gives a salted hash first, and opens it when all have given theirs.
#
# So no one places after others whose armies he has seen: neither a player nor who runs the
# server.

LONGEST_PLACEMENT = 65_536  # characters


@dataclass(frozen=True, slots=True)
class Sealed(forms.Written):
    """The salted hash of a seat's placement; None for a seat that is out of the game.

    `signed` is its client's word; without it the server has sealed for the seat.
    """

    kind: ClassVar[str] = "sealed"
    seat: forms.Name
    decision: forms.Number
    hash: Annotated[bytes | None, forms.maybe(forms.hexadecimal())]
    signed: Annotated[SignedOrder | None, forms.maybe(forms.inner(SignedOrder))] = None

    def apply(self, state: State, *, trusted: bool) -> None:
        """Note the hash; BadEntry where the seat may not seal, or its client has not signed it."""
        state.require_free()
        known = ", ".join(state.seats)
        require(self.seat in state.seats, "seat", "There is no such seat.", known, self.seat)
        # None is opened before all have sealed: so no one seals after an opening either.
        fresh = self.seat not in state.placements
        message = f"{self.seat} has sealed its placement before."
        require(fresh, "sealed-again", message, "one hash of each seat", "another one")
        if self.signed is not None and not trusted:
            self._check(state, self.signed)
        message = "The server seals for no decision."
        numbered = self.signed is not None or self.decision == 0
        require(numbered, "wrong-form", message, "the decision 0", str(self.decision))
        name = "" if self.signed is None else self.signed.id
        state.placements[self.seat] = Placement(self.hash, name)

    def _check(self, state: State, signed: SignedOrder) -> None:
        one = state.participants.get(signed.id)
        fits = one is not None and one.seat == self.seat and one.present
        message = f"Who sealed the placement is no client of {self.seat} that takes part."
        require(fits, "signer-left-out", message, f"a client of {self.seat}", signed.id)
        assert one is not None
        message = "The placement was sealed for a head that is too old, or of no line here."
        known = signed.head in state.recent
        require(known, "stale-head", message, "a recent head", signed.head.hex())
        message = "Nothing that a client seals is empty."
        require(self.hash is not None, "wrong-form", message, "a hash", "null")
        assert self.hash is not None
        sealed = seal_message(state.genesis, self.decision, signed.head, self.hash)
        message = f"{signed.id} has not signed this."
        right = is_signed(one.key, sealed, signed.sig)
        require(right, "wrong-signature", message, "a signature of the hash", "")


@dataclass(frozen=True, slots=True)
class Opened(forms.Written):
    """What a seat had sealed: its actions, one a line; None where its client did not open it."""

    kind: ClassVar[str] = "opened"
    seat: forms.Name
    text: Annotated[str | None, forms.maybe(forms.text(LONGEST_PLACEMENT, shortest=0))] = None
    salt: Annotated[bytes | None, forms.maybe(forms.hexadecimal())] = None

    def apply(self, state: State, *, trusted: bool) -> None:
        """Note the opening; BadEntry before all have sealed, or where it is not what was sealed."""
        state.require_free()
        missing = ", ".join(seat for seat in state.seats if seat not in state.placements)
        message = "A placement is opened before all seats have sealed theirs."
        require(not missing, "opened-early", message, f"the hash of {missing}", "an opening")
        one = state.placements.get(self.seat)
        message = f"{self.seat} has nothing that is left to open."
        waits = one is not None and one.hash is not None and not one.opened
        require(waits, "wrong-opening", message, "a sealed placement", self.seat)
        assert one is not None
        assert one.hash is not None
        if self.text is None or self.salt is None:
            message = "Only a client can leave its placement unopened, with neither text nor salt."
            silent = self.text is None and self.salt is None and bool(one.id)
            require(silent, "wrong-opening", message, "text and salt", "null")
        elif not trusted:
            found = placement_hash(self.seat, self.salt, self.text)
            require_same("wrong-opening", "Not the sealed placement.", one.hash, found)
        state.placements[self.seat] = replace(one, opened=True)


def placement_hash(seat: str, salt: bytes, text: str) -> bytes:
    """What all see of a placement until it is opened; the seat, so that no one copies another's."""
    return digest("sealed", seat, salt, text)


def seal_message(genesis: bytes, decision: int, head: bytes, sealed: bytes) -> bytes:
    """What a client signs that seals."""
    return digest("seal", genesis, decision, head, sealed)


# Secret picks and how they are opened: one card for all to see, and everything at the end.

MOST_REQUESTS = 20_000
LONGEST_ORDER = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Card(forms.Written):
    """What a secret pick gave: its place among the things, the thing, and the salt."""

    index: Annotated[int, forms.whole(0, BYTE - 1)]
    thing: forms.Name
    salt: forms.Hash


@dataclass(frozen=True, slots=True)
class Secrets:
    """What follows from a game's secret seed, which only the server knows until the end."""

    seed: bytes
    genesis: bytes

    def pick(self, key: bytes, n: int, number: int, of: int) -> int:
        """The place that a secret pick gives: neither the seed nor the links alone say which."""
        # The seed was promised before the game, so the server cannot choose by it; the links come
        # later and are seen by all, so the players cannot know by them.
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
class Shown(forms.Written):
    """A sealed card that all may see from now on."""

    kind: ClassVar[str] = "shown"
    n: forms.Number
    number: Annotated[int, forms.whole(0, MOST_ROLLS - 1), "i"]
    card: Annotated[Card, forms.beside(Card)]

    def apply(self, state: State, *, trusted: bool) -> None:
        """Take the card from those that are sealed; BadEntry where it is none of them."""
        state.require_free()
        sealed = state.sealed.pop((self.n, self.number), None)
        message = "No sealed card has this number, or it was shown before."
        require(sealed is not None, "nothing-sealed", message, "a sealed card", str(self.n))
        assert sealed is not None
        found = card_hash(self.card.salt, self.card.index, self.card.thing)
        require_same("wrong-card", "This is not the card that was sealed.", sealed, found)


def _orders(given: forms.Fields, name: str) -> list[str]:
    orders = given.items(name, MOST_REQUESTS)
    where = f"{given.where}.{name}"
    return [forms.Fields({"order": one}, where).text("order", LONGEST_ORDER, 0) for one in orders]


ORDERS = forms.FieldForm(_orders, list)
CARDS = forms.rows(
    "request, number and thing",
    MOST_REQUESTS * MOST_ROLLS,
    n=forms.whole(0, LARGEST),
    i=forms.whole(0, MOST_ROLLS - 1),
    thing=forms.text(),
)


@dataclass(frozen=True, slots=True)
class End(forms.Written):
    """Everything is opened; `broken` where a request never got its answer."""

    kind: ClassVar[str] = "end"
    broken: Annotated[bool, forms.FLAG]
    seed: forms.Hash
    orders: Annotated[Sequence[str], ORDERS]
    cards: Annotated[Sequence[tuple[int, int, str]], CARDS]  # request, number of the draw, thing

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
