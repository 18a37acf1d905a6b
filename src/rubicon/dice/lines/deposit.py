"""The deposit of a hash chain: who owns it, its end, and the owner's signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rubicon.dice.canonical import Json
from rubicon.dice.errors import require
from rubicon.dice.hash_chain import (
    LONGEST,
    NONCE_SIZE,
    REQUIRED_LENGTH,
    SHORTEST,
    HashChain,
    chain_id_of,
)
from rubicon.dice.hashing import SIZE, digest
from rubicon.dice.keys import SIGNATURE_SIZE, is_signed, is_usable, public_key, sign
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.state import Participant


@dataclass(frozen=True)
class Deposit:
    """A chain of `length` links that ends with `end`; `seat` is "" for a required participant."""

    seat: str
    key: bytes
    nonce: bytes
    end: bytes
    length: int
    sig: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "seat": self.seat,
            "key": self.key.hex(),
            "nonce": self.nonce.hex(),
            "end": self.end.hex(),
            "length": self.length,
            "sig": self.sig.hex(),
        }

    @staticmethod
    def read(fields: Fields) -> Deposit:
        """From JSON; more fields may follow."""
        return Deposit(
            seat=fields.text("seat", shortest=0),
            key=fields.hash("key"),
            nonce=fields.hash("nonce", NONCE_SIZE),
            end=fields.hash("end"),
            length=fields.whole("length", 1, REQUIRED_LENGTH),
            sig=fields.hash("sig", SIGNATURE_SIZE),
        )

    def check(self, table: str) -> None:
        """BadEntry where the length, key or signature is not right."""
        required = not self.seat
        right = self.length == REQUIRED_LENGTH if required else SHORTEST <= self.length <= LONGEST
        wanted = f"{REQUIRED_LENGTH:,}" if required else f"{SHORTEST} to {LONGEST:,}"
        require(right, "chain-length", "The chain has a wrong length.", wanted, str(self.length))
        require(
            is_usable(self.key), "weak-key", "The key is no usable Ed25519 key.", "", self.key.hex()
        )
        require(
            is_signed(self.key, self._message(table), self.sig),
            "wrong-signature",
            "The deposit is not signed by its key for this table.",
            "a signature of the deposit",
            self.sig.hex()[:32],
        )

    def participant(self, table: str, name: str, first: int, seq: int) -> Participant:
        """The participant that the deposit makes."""
        return Participant(
            id=name,
            seat=self.seat,
            key=self.key,
            chain_id=chain_id_of(table, self.key, self.nonce),
            length=self.length,
            first=first,
            known=self.length,
            link=self.end,
            changed=seq,
        )

    def _message(self, table: str) -> bytes:
        parts = self.seat, self.key, self.nonce, self.end, self.length
        return digest("deposit", table, *parts)


@dataclass(frozen=True)
class OwnChain:
    """A chain as its owner holds it: 32 bytes of secret, private key, 16 bytes of nonce."""

    table: str
    seat: str
    private_key: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    nonce: bytes
    length: int
    checkpoints: Sequence[bytes] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        assert len(self.private_key) == len(self.secret) == SIZE
        assert len(self.nonce) == NONCE_SIZE

    @cached_property
    def key(self) -> bytes:
        """The public key."""
        return public_key(self.private_key)

    @cached_property
    def chain(self) -> HashChain:
        """The links."""
        chain_id = chain_id_of(self.table, self.key, self.nonce)
        return HashChain(self.secret, chain_id, self.length, self.checkpoints)

    def deposit(self) -> Deposit:
        """What is published of it, signed."""
        bare = Deposit(
            seat=self.seat,
            key=self.key,
            nonce=self.nonce,
            end=self.chain.end,
            length=self.length,
            sig=b"",
        )
        return replace(bare, sig=sign(self.private_key, bare._message(self.table)))

    def link(self, participant: Participant, request: int) -> bytes:
        """Its link for a request."""
        return self.chain.link(participant.number(request))


def certificate_message(table: str, seat: str, key: bytes) -> bytes:
    """What an earlier key of a seat signs to certify a new one."""
    return digest("device", table, seat, key)
