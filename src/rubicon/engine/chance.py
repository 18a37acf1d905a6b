"""Dice: what a roll costs each side, and outcomes drawn at random."""

from itertools import product
from typing import TYPE_CHECKING, Annotated

import numpy as np

from rubicon.engine import records
from rubicon.engine.codes import DEFENCE_BITS, BonusDie, ExtraDefenceDie
from rubicon.engine.records import Position, Rules, inlined

# The battle rule: the armies that a roll costs each side (S000-02 to S000-08, S004-22).

MOST_DICE = 4  # three, and a bonus die


def _sorted_rolls() -> tuple[np.ndarray, np.ndarray]:
    """Every roll of one to four dice, highest first, and the row where each number of dice begins.

    A roll's row is `START[dice] + code`, so that comparing dice is a look-up and no sort.
    """
    rows: list[list[int]] = []
    starts = [0]
    for count in range(1, MOST_DICE + 1):
        starts.append(len(rows))
        for faces in product(range(1, 7), repeat=count):
            rows.append(sorted(faces, reverse=True) + [0] * (MOST_DICE - count))
    return np.array(rows, np.int8), np.array(starts, np.int64)


SORTED, START = _sorted_rolls()


@inlined
def battle_losses(
    rules: Rules,
    attackers: int,
    defenders: int,
    attack_dice: int,
    defence_dice: int,
    attack_extra: int,
    defence_extra: int,
    attack_plus: int,
    defence_plus: int,
    attack_code: int,
    defence_code: int,
) -> tuple[int, int]:
    """Armies that the attacker and the defender lose by one roll.

    `attackers` and `defenders` are the armies on both territories, the codes are
    `outcomes.faces_code` of the dice rolled (announced and extra). An attacker's loss that
    would empty the source, or leave no army to occupy with, is not taken (A-16, A-17, A-49).
    """
    attack = START[attack_dice + attack_extra] + attack_code
    defence = START[defence_dice + defence_extra] + defence_code
    pairs = min(attack_dice, defence_dice)
    if rules.bonus_die == BonusDie.COMPARE_EXTRA:
        pairs = min(attack_dice + attack_extra, defence_dice + defence_extra)
    if rules.defend_extra_die == ExtraDefenceDie.BEST_ONLY:
        pairs = min(pairs, defenders)
    # Without branches: a mispredicted jump costs more than both comparisons together.
    lost = int(SORTED[attack, 0] + attack_plus <= SORTED[defence, 0] + defence_plus)
    lost += int(pairs > 1) & int(SORTED[attack, 1] <= SORTED[defence, 1])
    if pairs > 2:
        lost += int(SORTED[attack, 2] <= SORTED[defence, 2])
    defender_lost = min(pairs - lost, defenders)
    spare = attackers - 1 - int(defender_lost == defenders)
    return min(lost, spare), defender_lost


# Random outcomes for simulations, from a xoroshiro128+ generator that the caller owns.
#
# Hosted games never use this: their dice come from the provably fair dice.

POWERS = np.array([1, 6, 36, 216, 1296, 7776, 46656, 279936], np.int64)
_LOW = np.uint64(0xFFFFFFFF)
_16, _24, _27, _32, _37, _40 = (np.uint64(bits) for bits in (16, 24, 27, 32, 37, 40))


if TYPE_CHECKING:

    def signed(bits: np.uint64) -> int: ...

else:
    signed = np.int64


class Generator(records.RecordLayout):
    """The layout of a generator: a record, because the kernel counts references to arrays."""

    first: Annotated[np.uint64, np.uint64]
    second: Annotated[np.uint64, np.uint64]


GENERATOR = records.record_dtype(Generator)


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
    if position.chance == records.Chance.BATTLE:
        # One draw serves both sides: 32 bits each are plenty for at most 6 ** 4 outcomes.
        bits = next_bits(rng)
        attack = POWERS[position.attack_dice + position.attack_extra]
        defence = POWERS[position.defence_dice + position.defence_extra]
        return scaled(bits >> _32, attack) << DEFENCE_BITS | scaled(bits & _LOW, defence)
    if position.chance == records.Chance.DICE:
        seats = 0
        for seat in range(records.SEATS):
            seats += position.chance_seats[seat]
        return below(rng, POWERS[seats])
    return below(rng, position.chance_count)
