"""Sealed placements: each seat gives a salted hash first, and opens it when all have given theirs.

So nobody places behind others whose armies he has seen: neither a player nor who runs the server.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rubicon.dice.canonical import LARGEST, Json
from rubicon.dice.errors import require, require_same
from rubicon.dice.hashing import digest
from rubicon.dice.keys import is_signed
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import SignedOrder
from rubicon.dice.lines.state import Placement, State

LONGEST_PLACEMENT = 65_536  # characters


@dataclass(frozen=True, slots=True)
class Sealed:
    """The salted hash of a seat's placement; None for a seat that is out of the game.

    `signed` is its client's word; without it the server has sealed for the seat.
    """

    kind: ClassVar[str] = "sealed"
    seat: str
    decision: int
    hash: bytes | None
    signed: SignedOrder | None = None

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "seat": self.seat,
            "decision": self.decision,
            "hash": None if self.hash is None else self.hash.hex(),
            "signed": None if self.signed is None else self.signed.form(),
        }

    @staticmethod
    def read(fields: Fields) -> Sealed:
        """From JSON."""
        return Sealed(
            fields.text("seat"),
            fields.whole("decision", 0, LARGEST),
            fields.hash("hash") if fields.maybe("hash") else None,
            SignedOrder.read(fields.inner("signed")) if fields.maybe("signed") else None,
        )

    def apply(self, state: State, *, trusted: bool) -> None:
        """Note the hash; BadEntry where the seat may not seal, or its client has not signed it."""
        state.require_free()
        known = ", ".join(state.seats)
        require(self.seat in state.seats, "seat", "There is no such seat.", known, self.seat)
        # None is opened before all have sealed: so nobody seals behind an opening either.
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
class Opened:
    """What a seat had sealed: its actions, one a line; None where its client did not open it."""

    kind: ClassVar[str] = "opened"
    seat: str
    text: str | None = None
    salt: bytes | None = None

    def form(self) -> dict[str, Json]:
        """As JSON."""
        salt = None if self.salt is None else self.salt.hex()
        return {"seat": self.seat, "text": self.text, "salt": salt}

    @staticmethod
    def read(fields: Fields) -> Opened:
        """From JSON."""
        seat = fields.text("seat")
        text = fields.text("text", LONGEST_PLACEMENT, shortest=0) if fields.maybe("text") else None
        return Opened(seat, text, fields.hash("salt") if fields.maybe("salt") else None)

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
    """What all see of a placement until it is opened; the seat, so that nobody copies another's."""
    return digest("sealed", seat, salt, text)


def seal_message(genesis: bytes, decision: int, head: bytes, sealed: bytes) -> bytes:
    """What a client signs that seals."""
    return digest("seal", genesis, decision, head, sealed)
