"""One battle: the chance of every way in which it can end."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from rubicon.odds.fight import Fought, fight
from rubicon.odds.limits import check_attack, check_defend
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.stop import TO_THE_END, Stop, check_stop

N = TypeVar("N", float, Fraction)


@dataclass(frozen=True, slots=True)
class Line(Generic[N]):
    """One ending: the armies left on both territories, before anybody moves in."""

    attack: int
    defend: int  # 0: captured
    chance: N


@dataclass(frozen=True, slots=True)
class Battle(Generic[N]):
    """All endings of a battle, captures first, those that leave the attacker most first.

    `attack` and `defend` are the armies on both territories before the first roll; one of
    `attack` must stay. Chances are floats or Fractions.
    """

    attack: int
    defend: int
    rule: DiceRule
    stop: Stop
    lines: tuple[Line[N], ...]

    @property
    def win(self) -> N:
        """The chance that the territory is captured."""
        return total(line.chance * (line.defend == 0) for line in self.lines)

    @property
    def repelled(self) -> N:
        """The chance that the attacker is down to one army."""
        return total(line.chance * (line.defend > 0 and line.attack == 1) for line in self.lines)

    @property
    def broken_off(self) -> N:
        """The chance that a stop rule ends the attack first."""
        return total(line.chance * (line.defend > 0 and line.attack > 1) for line in self.lines)

    @property
    def expected_attack_losses(self) -> N:
        """Armies that the attacker loses on average."""
        return total(line.chance * (self.attack - line.attack) for line in self.lines)

    @property
    def expected_defend_losses(self) -> N:
        """Armies that the defender loses on average."""
        return total(line.chance * (self.defend - line.defend) for line in self.lines)

    def as_dict(self) -> dict[str, object]:
        """The battle as programs get it; Fractions as texts."""
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
    """Fight `attack` armies, one of which must stay, against `defend`.

    Chances are right to 1e-12 of themselves, down to 1e-290. Raises RubiconError:
    `odds/attack-too-small`, `odds/defend-too-small`, `odds/too-large`; `odds/not-whole`,
    `odds/not-a-rule`, `odds/not-a-stop` for values of the wrong kind.

        >>> f"{battle(11, 10, DiceRule.of('classic')).win:.3f}"
        '0.568'
    """
    check_battle(attack, defend, rule, stop)
    starts = np.zeros(attack + 1)
    starts[attack] = 1.0
    lines = tuple(lines_of(fight(starts, defend, rule, stop)))
    return Battle(attack, defend, rule, stop, lines)


def check_battle(attack: int, defend: int, rule: DiceRule, stop: Stop) -> None:
    """Refuse a battle that cannot be reckoned."""
    check_attack(attack)
    check_defend(defend)
    check_rule(rule)
    check_stop(stop)


def lines_of(fought: Fought) -> Iterable[Line[float]]:
    """The endings with a chance, in the order of `Battle.lines`."""
    captures = fought.won.sum(axis=1)
    for left in np.flatnonzero(captures)[::-1].tolist():
        yield Line(left, 0, float(captures[left]))
    rows = fought.held.shape[1]
    for place in np.flatnonzero(fought.held != 0)[::-1].tolist():
        left, against = divmod(place, rows)
        yield Line(left, against, float(fought.held[left, against]))


def total(chances: Iterable[N]) -> N:
    """Their sum, rounded once."""
    terms = list(chances)
    if terms and isinstance(terms[0], Fraction):
        return sum(terms)  # type: ignore[return-value]
    return math.fsum(terms)  # type: ignore[return-value]


def plain(chance: float | Fraction) -> float | str:
    """A chance for JSON: a float, or a fraction as text."""
    return str(chance) if isinstance(chance, Fraction) else chance
