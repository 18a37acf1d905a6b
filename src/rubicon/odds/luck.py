"""Luck: what the dice of a game gave and took, compared with the average of the same dice.

For each roll, X is the armies that it costs the defender less those that it costs the attacker.
The balance of a seat is the sum of X - E[X] over the rolls in which it attacked, less the same sum
over those in which it defended. E[X] and the variance are exact, for the numbers of dice, armies
and rewards of that roll. The deviation is the root of the sum of the variances; the percentile is
P(S < s) + P(S = s) / 2, where S is the sum of independent rolls of the same dice, and s what fell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import erfc, exp, pi, sqrt

import numpy as np
import numpy.typing as npt

from rubicon.engine.records import Position
from rubicon.odds.rule import AMPLE, LOSSES, DiceRule, roll_table
from rubicon.rules.actions import Roll
from rubicon.rules.event_diff import Transition, step_events
from rubicon.rules.events import Rolled
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

FACES = 6
MOST_LOST = LOSSES - 1
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BattleRoll:
    """One roll of a game: its number in the history, the losses, and the average ones."""

    number: int
    rolled: Rolled
    expected_attacker_lost: float
    expected_defender_lost: float
    balance: Chances = field(repr=False)  # the chance of each X, from -MOST_LOST on

    @property
    def beyond(self) -> float:
        """X less its average: positive where the attacker was lucky."""
        fell = self.rolled.defender_lost - self.rolled.attacker_lost
        return fell - (self.expected_defender_lost - self.expected_attacker_lost)


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a seat; all numbers but `rolls`, `percentile` and `faces` are armies.

    `percentile` is 0 to 100: higher than so many of 100 players who roll the same dice. `faces` is
    how often each face from 1 to 6 fell.
    """

    rolls: int
    lost: int
    expected_lost: float
    destroyed: int
    expected_destroyed: float
    balance: float
    deviation: float
    percentile: float
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FacesTest:
    """How often each face fell, chi squared (5 degrees of freedom), and the chance of as much."""

    faces: tuple[int, ...]
    chi_squared: float
    chance: float


def battle_rolls_of(game: Game) -> Iterator[BattleRoll]:
    """Every roll of a battle in the history of a game, in order."""
    positions = (*game.positions, game.position)
    for number, entry in enumerate(game.history):
        if isinstance(entry, Roll):
            before, after = positions[number], positions[number + 1]
            events = step_events(Transition(game.ruleset, game.ids, before, after, entry))
            rolled = next(event for event in events if isinstance(event, Rolled))
            yield _battle_roll(game.ruleset, number, before, rolled)


def luck_of(game: Game, rolls: Iterable[BattleRoll] | None = None) -> dict[str, Luck]:
    """The luck of each colour; `rolls` are those of the game, if they are known already."""
    found = list(battle_rolls_of(game) if rolls is None else rolls)
    return {colour: _luck(colour, found) for colour in game.colours}


def total_luck(parts: Sequence[Luck]) -> Luck:
    """The luck of several games together.

    The percentile is that of a normal distribution with the same deviation: the sum of so many
    independent rolls is close to it, and the exact one would need all rolls again.
    """
    balance = sum(each.balance for each in parts)
    deviation = sqrt(sum(each.deviation**2 for each in parts))
    return Luck(
        rolls=sum(each.rolls for each in parts),
        lost=sum(each.lost for each in parts),
        expected_lost=sum(each.expected_lost for each in parts),
        destroyed=sum(each.destroyed for each in parts),
        expected_destroyed=sum(each.expected_destroyed for each in parts),
        balance=balance,
        deviation=deviation,
        percentile=50.0 * erfc(-balance / deviation / sqrt(2)) if deviation else 50.0,
        faces=tuple(map(sum, zip(*(each.faces for each in parts), strict=True))) or (0,) * FACES,
    )


def faces_test(rolls: Iterable[BattleRoll]) -> FacesTest:
    """All dice of both sides of these rolls against fair dice."""
    faces = [0] * FACES
    for one in rolls:
        if one.rolled.roll is not None:
            _count(faces, (*one.rolled.roll.attack, *one.rolled.roll.defence))
    expected = sum(faces) / FACES
    squared = sum((count - expected) ** 2 / expected for count in faces) if expected else 0.0
    return FacesTest(tuple(faces), squared, chance_of_more(squared))


def chance_of_more(squared: float) -> float:
    """The chance that chi squared with 5 degrees of freedom is at least so large.

    In closed form: erfc(sqrt(x/2)) + sqrt(2x/pi) exp(-x/2) (1 + x/3).
    """
    tail = sqrt(2 * squared / pi) * exp(-squared / 2) * (1 + squared / 3)
    return min(1.0, erfc(sqrt(squared / 2)) + tail)


def _battle_roll(ruleset: Ruleset, number: int, before: Position, rolled: Rolled) -> BattleRoll:
    source, target = int(before.attack_source), int(before.attack_target)
    rule = DiceRule.between(ruleset, before, source, target)
    theirs, mine = int(before.armies[source]), int(before.armies[target])
    dice = int(before.attack_dice), int(before.defence_dice)
    lost, won, balance = _averages(rule, min(theirs, AMPLE), min(mine, AMPLE), *dice)
    return BattleRoll(number, rolled, lost, won, balance)


@lru_cache(maxsize=1024)
def _averages(
    rule: DiceRule, attack: int, defend: int, dice: int, against: int
) -> tuple[float, float, Chances]:
    """The average losses of both sides, and the chance of each X from -MOST_LOST on."""
    counts = roll_table(rule).counts[attack, defend, dice, against]
    shares = counts / max(1, int(counts.sum()))
    balance = np.zeros(2 * MOST_LOST + 1)
    for lost, won in np.argwhere(shares).tolist():
        balance[won - lost + MOST_LOST] += shares[lost, won]
    numbers = np.arange(LOSSES)
    return float(shares.sum(axis=1) @ numbers), float(shares.sum(axis=0) @ numbers), balance


def _luck(colour: str, rolls: Iterable[BattleRoll]) -> Luck:
    faces, fell = [0] * FACES, 0
    rolled = lost = destroyed = 0
    expected_lost = expected_destroyed = variance = 0.0
    sums = np.ones(1)  # the chance of each sum of X so far, from -MOST_LOST for each roll on
    for one in rolls:
        event = one.rolled
        losses = event.attacker_lost, event.defender_lost
        expected = one.expected_attacker_lost, one.expected_defender_lost
        if colour == event.attacker:
            balance = one.balance
            dice = () if event.roll is None else event.roll.attack
        elif colour == event.defender:
            balance, losses, expected = one.balance[::-1], losses[::-1], expected[::-1]
            dice = () if event.roll is None else event.roll.defence
        else:
            continue
        rolled += 1
        lost, destroyed = lost + losses[0], destroyed + losses[1]
        expected_lost += expected[0]
        expected_destroyed += expected[1]
        fell += losses[1] - losses[0]
        variance += _variance(balance)
        sums = np.convolve(sums, balance)
        _count(faces, dice)
    return Luck(
        rolls=rolled,
        lost=lost,
        expected_lost=expected_lost,
        destroyed=destroyed,
        expected_destroyed=expected_destroyed,
        balance=(destroyed - expected_destroyed) - (lost - expected_lost),
        deviation=sqrt(variance),
        percentile=_percentile(sums, fell + rolled * MOST_LOST),
        faces=tuple(faces),
    )


def _variance(balance: Chances) -> float:
    values = np.arange(-MOST_LOST, MOST_LOST + 1)
    mean = float(balance @ values)
    return float(balance @ (values - mean) ** 2)


def _percentile(sums: Chances, at: int) -> float:
    below = float(sums[:at].sum()) + float(sums[at]) / 2
    return 100 * min(1.0, max(0.0, below))


def _count(faces: list[int], dice: Iterable[int]) -> None:
    for face in dice:
        faces[face - 1] += 1
