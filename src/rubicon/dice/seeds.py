"""The two seeds of a game, and everything that follows from them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat

from rubicon.dice.draws import below, stream
from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import SIZE, digest, keyed


@dataclass(frozen=True, slots=True)
class Seeds:
    """`dice` makes the rolls; `table` hides secret picks and the words of orders.

    Each is 32 random bytes (`secrets.token_bytes`), of this game only. A dice server of its own
    knows only the first, the table then only the second.
    """

    dice: bytes = field(repr=False)
    table: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not len(self.dice) == len(self.table) == SIZE:
            raise DiceError("dice/seed-size", f"A seed has {SIZE} bytes.")
        if self.dice == self.table:
            raise DiceError("dice/seed-twice", "The two seeds of a game must differ.")


def commitment(seed: bytes) -> bytes:
    """What is published of the dice seed before the game."""
    return digest("commit", seed)


def table_commitment(seed: bytes) -> bytes:
    """What is published of the table's seed before the game."""
    return digest("table", seed)


def order_hash(table: bytes, game: str, seat: str, duty: int, entry: int, order: str) -> bytes:
    """The words of an order, hidden by a salt that the table's seed fixes."""
    salt = keyed(table, digest("salt/order", game, seat, duty, entry))
    return digest("order", salt, order)


def request_id(game: str, seat: str, duty: int, entry: int, order: bytes) -> bytes:
    """The name of a request; `order` is the `order_hash`."""
    return digest("request", game, seat, duty, entry, order)


def things_hash(table: bytes, rid: bytes, things: Sequence[str]) -> bytes:
    """The things of a secret pick, fixed before it is made."""
    return digest("things", keyed(table, digest("salt/things", rid)), *things)


def secret_index(table: bytes, key: bytes, of: int) -> int:
    """Which of the things a secret pick gives: neither the key nor the table's seed alone says."""
    return below(of, stream(keyed(table, digest("secret", key))))


def card_salt(table: bytes, rid: bytes) -> bytes:
    """The salt of a sealed card: its owner has it at once, all others when it is shown."""
    return keyed(table, digest("salt/card", rid))


def sealed_card(salt: bytes, index: int, thing: str) -> bytes:
    """What all see of a secret pick."""
    return digest("sealed", salt, index, thing)


def next_down(link: bytes) -> bytes:
    """The link that was opened before this one."""
    return digest("link", link)


def links_from(secret: bytes, length: int) -> tuple[bytes, ...]:
    """A seat's hash chain: the deposit first, then the links in the order of opening."""
    links = [secret]
    for _ in repeat(None, length):
        links.append(next_down(links[-1]))
    return tuple(reversed(links))


@lru_cache(maxsize=1024)  # of 128 links each, some 10 MB
def kept_links(seed: bytes, game: str, seat: str, epoch: int, length: int) -> tuple[bytes, ...]:
    """The chain that the dice side keeps for a seat: its seed leaves it no choice."""
    return links_from(keyed(seed, digest("kept", game, seat, epoch)), length)
