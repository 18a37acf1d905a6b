"""Random outcomes for simulations, from a xoroshiro128+ generator that the caller owns.

Hosted games never use this: their dice come from the provably fair dice.
"""

from typing import TYPE_CHECKING, Annotated

import numpy as np

from rubicon.engine.records.action_codes import DEFENCE_BITS
from rubicon.engine.records.layout import RecordLayout, inlined, record_dtype
from rubicon.engine.records.position import SEATS, Chance, Position

POWERS = np.array([1, 6, 36, 216, 1296, 7776, 46656, 279936], np.int64)
_LOW = np.uint64(0xFFFFFFFF)
_16, _24, _27, _32, _37, _40 = (np.uint64(bits) for bits in (16, 24, 27, 32, 37, 40))


if TYPE_CHECKING:

    def signed(bits: np.uint64) -> int: ...

else:
    signed = np.int64


class Generator(RecordLayout):
    """The layout of a generator: a record, because the kernel counts references to arrays."""

    first: Annotated[np.uint64, np.uint64]
    second: Annotated[np.uint64, np.uint64]


GENERATOR = record_dtype(Generator)


def generator(seed: int) -> Generator:
    """Two words of state spread from a seed by splitmix64; the same seed, the same game."""
    words = []
    state = seed & 0xFFFFFFFFFFFFFFFF
    for _ in range(2):
        state = (state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        word = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        words.append(word ^ (word >> 31))
    made: Generator = np.array([tuple(words)], GENERATOR)[0]
    return made


@inlined
def next_bits(rng: Generator) -> np.uint64:
    """The next 64 random bits (Blackman and Vigna 2018)."""
    first, second = rng.first, rng.second
    result = first + second
    second ^= first
    rng.first = ((first << _24) | (first >> _40)) ^ second ^ (second << _16)
    rng.second = (second << _37) | (second >> _27)
    return np.uint64(result)


@inlined
def scaled(bits: np.uint64, count: int) -> int:
    """32 random bits as a whole number from 0 to count - 1."""
    return signed((bits * np.uint64(count)) >> _32)


@inlined
def below(rng: Generator, count: int) -> int:
    """A whole number from 0 to count - 1; count at most 2**31, bias below count / 2**32."""
    return scaled(next_bits(rng) >> _32, count)


@inlined
def sample(position: Position, rng: Generator) -> int:
    """An outcome of the pending chance event; all are equally likely."""
    if position.chance == Chance.BATTLE:
        # One draw serves both sides: 32 bits each are plenty for at most 6 ** 4 outcomes.
        bits = next_bits(rng)
        attack = POWERS[position.attack_dice + position.attack_extra]
        defence = POWERS[position.defence_dice + position.defence_extra]
        return scaled(bits >> _32, attack) << DEFENCE_BITS | scaled(bits & _LOW, defence)
    if position.chance == Chance.DICE:
        seats = 0
        for seat in range(SEATS):
            seats += position.chance_seats[seat]
        return below(rng, POWERS[seats])
    return below(rng, position.chance_count)
