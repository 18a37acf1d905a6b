"""The core of an independent dice server: one hash chain a game, given link by link, in order.

It knows a game by an opaque id; it knows no cards, names or positions. It does no input or output:
whoever uses it stores each game after a change, before the answer goes out.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rubicon.dice.errors import DiceError
from rubicon.dice.hash_chain import NONCE_SIZE, REQUIRED_LENGTH
from rubicon.dice.hashing import SIZE, same
from rubicon.dice.keys import is_signed, sign
from rubicon.dice.lines.deposit import Deposit, OwnChain
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import GivenLink, LinksLine
from rubicon.dice.lines.state import SERVER, given_hash, link_message


@dataclass(frozen=True, slots=True)
class LinkQuestion:
    """What a table tells of a request: its links line as it is signed, and of the genesis the head
    and the keys of the other participants."""

    game: str
    genesis: bytes
    server_key: bytes
    keys: Mapping[str, bytes]
    n: int
    line: str


@dataclass
class DiceServerGame:
    """One game of the dice server; `bound` is what its first question has fixed for ever."""

    game: str
    private_key: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    nonce: bytes
    bound: tuple[bytes, bytes] | None = None  # genesis head and the table server's key
    keys: dict[str, bytes] = field(default_factory=dict)
    next_request: int = 0
    last_head: bytes = b""  # of the links line that was answered last
    handed: dict[str, bytes] = field(default_factory=dict)  # by id, for the next request
    refusals: list[str] = field(default_factory=list)  # public

    @staticmethod
    def begin(game: str, private_key: bytes) -> DiceServerGame:
        """A new game with a chain of its own."""
        nonce = secrets.token_bytes(NONCE_SIZE)
        return DiceServerGame(game, private_key, secrets.token_bytes(SIZE), nonce)

    @cached_property
    def own(self) -> OwnChain:
        """The chain."""
        return OwnChain(
            table=self.game,
            seat="",
            private_key=self.private_key,
            secret=self.secret,
            nonce=self.nonce,
            length=REQUIRED_LENGTH,
        )

    def deposit(self) -> Deposit:
        """What the table puts into its genesis; the same for ever."""
        return self.own.deposit()

    def answer(self, question: LinkQuestion) -> GivenLink:
        """The link for the next request, or once more for the one before; DiceError refuses.

        A second line for a request that was answered is refused for ever, and noted for all to see.
        """
        asked_for = question.genesis, question.server_key
        if self.bound not in (None, asked_for):
            raise self._refuse("dice/other-genesis", "The game has another genesis.")
        entry, body = self._read(question)
        if body.n == self.next_request - 1:
            if not same(entry.head, self.last_head):
                message = f"Request {body.n} was answered behind another line."
                raise self._refuse("dice/answered", message)
        elif body.n == self.next_request:
            self._check_handed(body)
            self.next_request += 1
            self.last_head = entry.head
            self.handed.clear()
        else:
            message = f"Request {self.next_request} comes next, not {body.n}."
            raise DiceError("dice/out-of-order", message, "Ask for every request, in order.")
        self.bound = asked_for
        self.keys = {**question.keys, **self.keys}  # later chains are new, a known one stays
        link = self.own.chain.link(REQUIRED_LENGTH - 1 - body.n)
        message_to_sign = link_message(question.genesis, body.n, entry.head, link)
        return GivenLink(link, sign(self.private_key, message_to_sign))

    def hand_in(self, name: str, n: int, head: bytes, given: GivenLink) -> None:
        """A client's own copy of its link: no list may call it missing. DiceError refuses."""
        key = self.keys.get(name)
        if self.bound is None or key is None:
            raise DiceError("dice/unknown", f"No client {name[:40]!r} is known here.")
        if n != self.next_request:
            raise DiceError("dice/out-of-order", f"Request {self.next_request} comes next.")
        if not is_signed(key, link_message(self.bound[0], n, head, given.link), given.sig):
            raise DiceError("dice/wrong-signature", f"The link is not signed by {name}.")
        self.handed[name] = given_hash(given.link)

    def _read(self, question: LinkQuestion) -> tuple[Entry, LinksLine]:
        entry = Entry.parse(question.line)
        body = LinksLine.read(Fields(entry.body, "entry.links"))
        right = entry.kind == LinksLine.kind and body.n == question.n
        if not right or not is_signed(question.server_key, entry.head, entry.sig):
            raise DiceError("dice/wrong-line", "This is no signed links line of this request.")
        if body.given.get(SERVER) is None:
            raise DiceError("dice/wrong-line", "The links line does not fix the server's link.")
        return entry, body

    def _check_handed(self, body: LinksLine) -> None:
        for name, handed in self.handed.items():
            if body.given.get(name) != handed:
                message = f"The line for request {body.n} hides the link of {name}."
                raise self._refuse("dice/hidden-link", message)

    def _refuse(self, code: str, message: str) -> DiceError:
        if message not in self.refusals:
            self.refusals.append(message)
        return DiceError(code, message, "The refusal is public.")
