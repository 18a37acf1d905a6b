"""Exact odds of one battle to the end, as tables that compiled decisions look up.

`armies` of the attacker are those that may be lost: one more stays on the source. Both sides roll
as many dice as they may. The tables are computed once, from the engine's sorted rolls; above
`LARGEST` armies both sides are scaled down.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.attack import MOST_ATTACK_DICE, MOST_DEFENCE_DICE
from rubicon.engine.chance import SORTED, START
from rubicon.engine.codes import DefendDiceCap, NeutralDice
from rubicon.engine.records import NEUTRAL, Rules, compiled, inlined

Table = npt.NDArray[Any]
LARGEST = 64
BY_ARMIES, ALWAYS_TWO = 0, 1  # how many dice the defender rolls
LOWEST = 0.01  # for a smaller chance, any number of armies may be missing
ROUNDING = 1.0e-6  # more than any sum of armies is rounded by
GROWTH = 1.702  # of the logistic curve that is nearest to the normal distribution


def _roll(attack: int, defence: int) -> list[float]:
    """The chances that the attacker loses 0, 1 or 2 armies in one roll."""
    pairs = min(attack, defence)
    highest = SORTED[START[attack] : START[attack] + 6**attack, None, :pairs]
    against = SORTED[None, START[defence] : START[defence] + 6**defence, :pairs]
    lost = (highest <= against).sum(axis=2)
    chances: list[float] = (np.bincount(lost.ravel(), minlength=pairs + 1) / lost.size).tolist()
    return chances


def _tables(rolls: int) -> tuple[Table, Table]:
    """By armies of both sides: the chance of success, and the attackers that are then left."""
    known = {
        (a, d): _roll(a, d)
        for a in range(1, MOST_ATTACK_DICE + 1)
        for d in range(1, MOST_DEFENCE_DICE + 1)
    }
    chance = [[1.0] + [0.0] * LARGEST for _ in range(LARGEST + 1)]
    left = [[float(armies)] + [0.0] * LARGEST for armies in range(LARGEST + 1)]
    for a in range(1, LARGEST + 1):
        for d in range(1, LARGEST + 1):
            dice = min(a, MOST_ATTACK_DICE)
            against = MOST_DEFENCE_DICE if rolls == ALWAYS_TWO else min(d, MOST_DEFENCE_DICE)
            chances = known[dice, against]
            for lost, probability in enumerate(chances):
                to = a - min(lost, a), d - min(len(chances) - 1 - lost, d)
                chance[a][d] += probability * chance[to[0]][to[1]]
                left[a][d] += probability * left[to[0]][to[1]]
    return np.array(chance), np.array(left)


_BY_ARMIES, _ALWAYS_TWO = _tables(BY_ARMIES), _tables(ALWAYS_TWO)
CHANCE = np.array([_BY_ARMIES[0], _ALWAYS_TWO[0]])
LEFT = np.array([_BY_ARMIES[1], _ALWAYS_TWO[1]])


def _losses() -> tuple[Table, Table]:
    """By defenders: mean and variance of the losses of an attacker who never runs out of armies."""
    mean, square = np.zeros((2, LARGEST + 1)), np.zeros((2, LARGEST + 1))
    for rolls in (BY_ARMIES, ALWAYS_TWO):
        for d in range(1, LARGEST + 1):
            against = MOST_DEFENCE_DICE if rolls == ALWAYS_TWO else min(d, MOST_DEFENCE_DICE)
            chances = _roll(MOST_ATTACK_DICE, against)
            # A roll in which the attacker loses everything leaves the number of defenders.
            stay = chances[-1]
            worst = len(chances) - 1
            after = [(p, i, max(0, d - (worst - i))) for i, p in enumerate(chances[:-1])]
            total = sum(p * (i + mean[rolls, to]) for p, i, to in after)
            mean[rolls, d] = (total + stay * worst) / (1 - stay)
            total = sum(
                p * (i * i + 2 * i * mean[rolls, to] + square[rolls, to]) for p, i, to in after
            )
            total += stay * (worst * worst + 2 * worst * mean[rolls, d])
            square[rolls, d] = total / (1 - stay)
    return mean, square - mean * mean


LOSS, VARIANCE = _losses()


@inlined
def defence_rolls(rules: Rules, owner: int) -> int:
    """Which table holds for the territories of an owner."""
    if owner == NEUTRAL:
        return int(rules.neutral_dice == NeutralDice.ALWAYS_TWO)
    return int(rules.defend_dice_cap == DefendDiceCap.TWO_ALWAYS)


@compiled
def chance_of(rolls: int, armies: int, defenders: int) -> float:
    """The chance that `armies` capture a territory with `defenders`."""
    if armies < 1:
        return 0.0
    largest = max(armies, defenders)
    if largest > LARGEST:
        armies = armies * LARGEST // largest
        defenders = max(1, defenders * LARGEST // largest)
    return float(CHANCE[rolls, armies, defenders])


@compiled
def armies_left(rolls: int, armies: int, defenders: int) -> float:
    """The expected number of `armies` left of a battle; 0 counts for a defeat."""
    if armies < 1:
        return 0.0
    largest = max(armies, defenders)
    if largest <= LARGEST:
        return float(LEFT[rolls, armies, defenders])
    scaled = LEFT[rolls, armies * LARGEST // largest, max(1, defenders * LARGEST // largest)]
    return float(scaled * largest / LARGEST)


@inlined
def loss_of(rolls: int, defenders: int) -> float:
    """The expected losses of an attacker with plenty of armies."""
    if defenders <= LARGEST:
        return float(LOSS[rolls, defenders])
    return float(LOSS[rolls, LARGEST] * defenders / LARGEST)


@inlined
def variance_of(rolls: int, defenders: int) -> float:
    """The variance of these losses."""
    if defenders <= LARGEST:
        return float(VARIANCE[rolls, defenders])
    return float(VARIANCE[rolls, LARGEST] * defenders / LARGEST)


@compiled
def chance_to_last(spare: float, variance: float) -> float:
    """The chance that a series of battles costs at most `spare` armies more than expected."""
    steepness = GROWTH / math.sqrt(variance + 0.25)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, steepness * spare))))


@compiled
def most_missing(chance: float, variance: float) -> float:
    """How many armies a series of battles may lack and still succeed with this chance.

    The inverse of `chance_to_last`, but at least 0, as `variance` is the largest that the series
    may have; and a little more, for rounding.
    """
    if chance >= 0.5:
        return ROUNDING
    if chance < LOWEST:
        return math.inf
    return ROUNDING + math.log(1.0 / chance - 1.0) * math.sqrt(variance + 0.25) / GROWTH
