"""Hash chains: a secret hashed many times, whose links are given away from the end backwards.

A person who knows one link can check the next, which hashes to it, but cannot work it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256

from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import SIZE, digest, tag_bytes

REQUIRED_LENGTH = 16_384  # of the server and a dice server: no table's log holds more requests
SHORTEST, LONGEST = 64, 4_096  # of a player's client
NONCE_SIZE = 16
_SECTION = 256  # links between two that are stored
_BLOCK = 32  # links that are kept in memory
_SIZE = SIZE.to_bytes(8, "big")


def chain_id_of(table: str, key: bytes, nonce: bytes) -> bytes:
    """The name of a chain, which enters each of its hashes: no chain serves two tables."""
    return digest("chain-id", table, key, nonce)


def forward(chain_id: bytes, link: bytes, number: int, steps: int) -> bytes:
    """From link `number` of a chain the one `steps` further: c_k = H("chain", id, k, c_(k-1))."""
    prefix = tag_bytes("chain") + _SIZE + chain_id
    for k in range(number + 1, number + steps + 1):
        written = str(k).encode()
        parts = prefix, len(written).to_bytes(8, "big"), written, _SIZE, link
        link = sha256(b"".join(parts)).digest()
    return link


@dataclass(frozen=True)
class HashChain:
    """A chain of `length` links behind its secret, c_0.

    `checkpoints` are every 256th link from c_0 on, where they were stored: then no more links
    than that are hashed again after a restart.
    """

    secret: bytes = field(repr=False)
    chain_id: bytes
    length: int
    checkpoints: Sequence[bytes] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != SIZE or not 1 <= self.length <= REQUIRED_LENGTH:
            message = f"A chain has a secret of {SIZE} bytes and 1 to {REQUIRED_LENGTH:,} links."
            raise DiceError("dice/chain-size", message)

    def stored_checkpoints(self) -> tuple[bytes, ...]:
        """What to store, to hand it in as `checkpoints` later."""
        return tuple(self._sections)

    def link(self, number: int) -> bytes:
        """Link c_number; c_length is the end, which is deposited."""
        if not 0 <= number <= self.length:
            message = f"A chain of {self.length:,} links has none with the number {number:,}."
            raise DiceError("dice/no-link", message)
        section, inside = divmod(number, _SECTION)
        block = inside // _BLOCK
        links = _links_from(self.chain_id, self._sections[section], section * _SECTION, _BLOCK)
        start = section * _SECTION + block * _BLOCK
        return _links_from(self.chain_id, links[block], start, 1)[number - start]

    @property
    def end(self) -> bytes:
        """The link that is deposited."""
        return self.link(self.length)

    @cached_property
    def _sections(self) -> Sequence[bytes]:
        if self.checkpoints:
            return self.checkpoints
        links = [self.secret]
        for number in range(0, self.length - _SECTION + 1, _SECTION):
            links.append(forward(self.chain_id, links[-1], number, _SECTION))
        return links


@lru_cache(maxsize=4096)  # 8 or 32 links each, some 6 MB
def _links_from(chain_id: bytes, link: bytes, number: int, step: int) -> tuple[bytes, ...]:
    """From a link the next ones: each single one of a block, or the first one of each block."""
    links = [link]
    for _ in range((_SECTION if step == _BLOCK else _BLOCK) // step - 1):
        links.append(forward(chain_id, links[-1], number, step))
        number += step
    return tuple(links)
