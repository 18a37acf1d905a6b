"""A seat's own secret in the dice of the others: a hash chain whose links are given one by one.

What it protects against is in docs/fair-dice.md; the format is rdice/1, as it stands there.
"""

from __future__ import annotations

import hashlib
import secrets

LINK_TAG = b"rdice/1/link"
SIZE = 32  # bytes of a link
LENGTH = 512  # links of a chain, one a roll of another seat
MOST = 4096


class Entropy:
    """A chain of links; `secret` is its last one, 32 bytes that nobody else may know.

    With `secret` and `given`, how many links were given, a program goes on after a restart.

    It remembers the head of the dice chain for which each link was given: `witnesses` show whether
    a transcript is of the game that was played (`rubicon verify --head`).
    """

    def __init__(self, secret: bytes | None = None, length: int = LENGTH, given: int = 0) -> None:
        self.secret = secrets.token_bytes(SIZE) if secret is None else secret
        if len(self.secret) != SIZE or not 1 <= length <= MOST:
            raise ValueError(f"A chain has a secret of {SIZE} bytes, and 1 to {MOST} links.")
        self.length = length
        self.witnesses: list[str] = []
        self._links = _links(self.secret, length)
        self.given = given
        self._last: tuple[str, str] | None = None  # the request and head of the last link

    @property
    def deposit(self) -> str:
        """The end of the chain: it tells nothing of the links, and each of them fits it."""
        return self._links[0].hex()

    def give(self, number: int, request: str, witness: str) -> str:
        """A link, from 1, for a request behind a head.

        A link is never given for two requests, nor before its turn: whoever asks for that wants to
        know dice beforehand. ValueError then, and where there is no such link.
        """
        if not 1 <= number <= self.length:
            raise ValueError(f"There is no link {number} in a chain of {self.length}.")
        if number == self.given + 1:
            self.given, self._last = number, (request, witness)
            self.witnesses.append(witness)
        elif number != self.given or self._last != (request, witness):
            raise ValueError(
                f"Link {number} is not the next one, or was given for another request."
            )
        return self._links[number].hex()

    def next(self) -> Entropy:
        """A new chain with a secret of its own, which remembers the same heads."""
        new = Entropy(length=self.length)
        new.witnesses = self.witnesses
        return new


def _links(secret: bytes, length: int) -> tuple[bytes, ...]:
    """The deposit first, then the links in the order in which they are given."""
    links = [secret]
    for _ in range(length):
        hashed = hashlib.sha256()
        for part in (LINK_TAG, links[-1]):
            hashed.update(len(part).to_bytes(8, "big") + part)
        links.append(hashed.digest())
    return tuple(reversed(links))
