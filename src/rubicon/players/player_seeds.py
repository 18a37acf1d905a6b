"""The seeds of players: nobody can tell from one how the dice or another player will fall."""

from __future__ import annotations

from hashlib import blake2b

BITS = 53  # every language reads such a number in JSON exactly
PERSON = b"rubicon player"


def seed_of_player(seed: int, seat: int, rotation: int = 0) -> int:
    """The seed of the player in a seat of the game with this seed; less than 2**53.

    It is a hash, so the game's seed cannot be computed from it; a small one can be found by
    trying. `rotation` is that of an arena's game: the same player draws other numbers in each.
    """
    return _hash(f"{seed} {rotation} {seat}")


def _hash(text: str) -> int:
    made = int.from_bytes(blake2b(text.encode(), digest_size=8, person=PERSON).digest())
    return made >> (64 - BITS)
