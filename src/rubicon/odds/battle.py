"""One battle: the distribution of its endings."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from rubicon.odds.distribution import EndingDistribution, ending_distribution
from rubicon.odds.limits import check_attack, check_defend
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.stop import TO_THE_END, Stop, check_stop

N = TypeVar("N", float, Fraction)


@dataclass(frozen=True, slots=True)
class BattleEnding(Generic[N]):
    """One ending: the armies left on both territories, before any move in."""

    attack: int
    defend: int  # 0: captured
    chance: N


@dataclass(frozen=True, slots=True)
class Battle(Generic[N]):
    """All endings of a battle: captures first, and those with most attackers left first.

    `attack` and `defend` are the armies on both territories before the first roll; one of
    `attack` must stay. Chances are floats or Fractions.
    """

    attack: int
    defend: int
    rule: DiceRule
    stop: Stop
    lines: tuple[BattleEnding[N], ...]

    @property
    def win(self) -> N:
        """The chance that the territory is captured."""
        return total(line.chance * (line.defend == 0) for line in self.lines)

    @property
    def repelled(self) -> N:
        """The chance that the attacker has one army left, and the territory is not captured."""
        return total(line.chance * (line.defend > 0 and line.attack == 1) for line in self.lines)

    @property
    def broken_off(self) -> N:
        """The chance that a stop rule ends the attack before."""
        return total(line.chance * (line.defend > 0 and line.attack > 1) for line in self.lines)

    @property
    def expected_attack_losses(self) -> N:
        """The average number of armies that the attacker loses."""
        return total(line.chance * (self.attack - line.attack) for line in self.lines)

    @property
    def expected_defend_losses(self) -> N:
        """The average number of armies that the defender loses."""
        return total(line.chance * (self.defend - line.defend) for line in self.lines)

    def as_dict(self) -> dict[str, object]:
        """The battle for JSON; Fractions become text."""
        return {
            "attack": self.attack,
            "defend": self.defend,
            "rule": str(self.rule),
            "stop": str(self.stop),
            "win": plain(self.win),
            "repelled": plain(self.repelled),
            "broken_off": plain(self.broken_off),
            "expected_attack_losses": plain(self.expected_attack_losses),
            "expected_defend_losses": plain(self.expected_defend_losses),
            "distribution": [
                {"attack": line.attack, "defend": line.defend, "chance": plain(line.chance)}
                for line in self.lines
            ],
        }


def battle(attack: int, defend: int, rule: DiceRule, stop: Stop = TO_THE_END) -> Battle[float]:
    """The battle of `attack` armies, one of which must stay, against `defend`.

    Chances have a relative error below 1e-12, down to 1e-290. Raises RubiconError:
    `odds/attack-too-small`, `odds/defend-too-small`, `odds/too-large`; `odds/not-whole`,
    `odds/not-a-rule`, `odds/not-a-stop` for values of the wrong type.

        >>> f"{battle(11, 10, DiceRule.of('classic')).win:.3f}"
        '0.568'
    """
    check_battle(attack, defend, rule, stop)
    starts = np.zeros(attack + 1)
    starts[attack] = 1.0
    lines = tuple(lines_of(ending_distribution(starts, defend, rule, stop)))
    return Battle(attack, defend, rule, stop, lines)


def check_battle(attack: int, defend: int, rule: DiceRule, stop: Stop) -> None:
    """RubiconError for a battle that cannot be computed."""
    check_attack(attack)
    check_defend(defend)
    check_rule(rule)
    check_stop(stop)


def lines_of(endings: EndingDistribution) -> Iterable[BattleEnding[float]]:
    """The endings that are possible, in the order of `Battle.lines`."""
    captures = endings.won.sum(axis=1)  # the dice of the last roll do not matter here
    for left in np.flatnonzero(captures)[::-1].tolist():
        yield BattleEnding(left, 0, float(captures[left]))
    rows = endings.held.shape[1]
    for place in np.flatnonzero(endings.held != 0)[::-1].tolist():
        left, against = divmod(place, rows)
        yield BattleEnding(left, against, float(endings.held[left, against]))


def total(chances: Iterable[N]) -> N:
    """The sum of the chances; of floats with one rounding at the end."""
    # fsum is exact up to one rounding, so that the chances of all endings add up to 1.
    terms = list(chances)
    if terms and isinstance(terms[0], Fraction):
        return sum(terms)  # type: ignore[return-value]
    return math.fsum(terms)  # type: ignore[return-value]


def plain(chance: float | Fraction) -> float | str:
    """A chance for JSON: a float, or a fraction as text."""
    return str(chance) if isinstance(chance, Fraction) else chance
