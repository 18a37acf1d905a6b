"""One battle: its endings in floats and in fractions, and tables of all battles."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np

from rubicon.engine.records import inlined
from rubicon.errors import RubiconError
from rubicon.odds import distribution
from rubicon.odds.rule import (
    AMPLE,
    LOSSES,
    MOST_ARMIES,
    TO_THE_END,
    Chances,
    DiceRule,
    RollTable,
    Stop,
    check_at_least,
    check_attack,
    check_chance,
    check_defend,
    check_fractions,
    check_rule,
    check_stop,
    roll_table,
)

# One battle: the distribution of its endings.

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
    lines = tuple(lines_of(distribution.ending_distribution(starts, defend, rule, stop)))
    return Battle(attack, defend, rule, stop, lines)


def check_battle(attack: int, defend: int, rule: DiceRule, stop: Stop) -> None:
    """RubiconError for a battle that cannot be computed."""
    check_attack(attack)
    check_defend(defend)
    check_rule(rule)
    check_stop(stop)


def lines_of(endings: distribution.EndingDistribution) -> Iterable[BattleEnding[float]]:
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


# Battles in fractions, without rounding.

Armies = tuple[int, int]
Dice = tuple[int, int]
ZERO, ONE = Fraction(0), Fraction(1)


def exact_battle(
    attack: int, defend: int, rule: DiceRule, stop: Stop = TO_THE_END
) -> Battle[Fraction]:
    """`battle` in fractions, for up to 150 armies in all.

    Raises RubiconError: what `battle` raises, and `odds/too-large-for-fractions`.
    """
    check_battle(attack, defend, rule, stop)
    check_fractions(attack, defend)
    endings = _endings(attack, defend, rule, stop)
    order = sorted(endings, key=lambda armies: (armies[1] > 0, -armies[0], -armies[1]))
    lines = tuple(BattleEnding(*armies, endings[armies]) for armies in order)
    return Battle(attack, defend, rule, stop, lines)


def costs(table: RollTable, armies: Armies, dice: Dice) -> list[tuple[Armies, Fraction]]:
    """The armies left after each possible roll, with its chance."""
    attackers, defenders = armies
    counts = table.counts[min(attackers, AMPLE), min(defenders, AMPLE), *dice]
    total = int(table.totals[dice])
    return [
        ((attackers - lost, defenders - won), Fraction(int(counts[lost, won]), total))
        for lost, won in np.argwhere(counts).tolist()
    ]


def _endings(attack: int, defend: int, rule: DiceRule, stop: Stop) -> dict[Armies, Fraction]:
    """The chance of every ending, computed one roll at a time."""
    table = roll_table(rule)
    policy = _policy(table, attack, defend, rule, stop)
    endings: defaultdict[Armies, Fraction] = defaultdict(Fraction)
    reach = {(attack, defend): ONE}
    rounds = 0
    while reach and (stop.rounds is None or rounds < stop.rounds):
        after: defaultdict[Armies, Fraction] = defaultdict(Fraction)
        for armies, chance in reach.items():
            for left, share in costs(table, armies, policy[armies]) if armies in policy else ():
                after[left] += chance * share
            if armies not in policy:
                endings[armies] += chance
        reach = dict(after)
        rounds += 1
    for armies, chance in reach.items():
        endings[armies] += chance
    return endings


def _policy(
    table: RollTable, attack: int, defend: int, rule: DiceRule, stop: Stop
) -> dict[Armies, Dice]:
    """The dice of both sides in every position in which the attack goes on."""
    # Without a choice the policy of the floats is exact too; only values need fractions.
    if stop.odds is None and "best" not in {rule.attack_dice, rule.defend_dice}:
        codes = distribution.policy_of(attack, defend, rule, stop)
        cells = ((a, d) for a, d in np.argwhere(codes).tolist() if d)
        return {(a, d): divmod(int(codes[a, d]), distribution.SHIFT) for a, d in cells}
    policy: dict[Armies, Dice] = {}
    value = {(left, 0): ONE for left in range(attack + 1)}
    for attackers in range(stop.left_of(attack) + 1, attack + 1):
        for defenders in range(1, defend + 1):
            armies = attackers, defenders
            value[armies], policy[armies] = _best(table, armies, value)
    floor = ZERO if stop.odds is None else stop.odds
    return {armies: dice for armies, dice in policy.items() if value[armies] >= floor}


def _best(table: RollTable, armies: Armies, value: dict[Armies, Fraction]) -> tuple[Fraction, Dice]:
    """The chance to capture, and the dice, if both sides choose their best dice."""
    attack_choice = table.attack_choice[min(armies[0], AMPLE)]
    defend_choice = table.defend_choice[min(armies[1], AMPLE)]

    # Ties go to the most dice, as in recursions.solve_backward: ranges run downward, and min and
    # max take the first of equals.
    def value_of(dice: Dice) -> Fraction:
        shares = costs(table, armies, dice)
        return sum((share * value.get(left, ZERO) for left, share in shares), ZERO)

    def answered(attack: int) -> tuple[Fraction, Dice]:
        replies = range(int(defend_choice[1]), int(defend_choice[0]) - 1, -1)
        return min(
            ((value_of((attack, j)), (attack, j)) for j in replies), key=lambda pair: pair[0]
        )

    numbers = range(int(attack_choice[1]), int(attack_choice[0]) - 1, -1)
    return max((answered(attack) for attack in numbers), key=lambda pair: pair[0])


# Tables of all battles up to a size, their lookup from compiled code, and armies needed.

FIRST_TRY = 64
MOST_LOST = LOSSES - 1  # armies, by one side in one roll


@dataclass(frozen=True, slots=True, eq=False)
class OddsTable:
    """`chances[attack, defend]`: the chance to capture in a battle to the end; read-only.

    Its shape is (size + 1, size + 1). Rows 0 and 1 are 0, since one of `attack` must stay;
    column 0, without a defender, is 1.
    """

    rule: DiceRule
    size: int
    chances: Chances

    def win(self, attack: int, defend: int) -> float:
        """The chance to capture; see `chance_to_win` for more armies than the table has."""
        return chance_to_win(self.chances, attack, defend)


@lru_cache(maxsize=64)
def win_table(rule: DiceRule, size: int = 100) -> OddsTable:
    """All battles of up to `size` armies a side; RubiconError where that is too large."""
    check_at_least(size, 2, "The size of a table")
    chances = distribution.solve(size, size, rule).value
    chances[:, 0] = 1.0
    chances.flags.writeable = False
    return OddsTable(rule, size, chances)


@inlined
def chance_to_win(chances: Chances, attack: int, defend: int) -> float:
    """Look up a chance in `OddsTable.chances`, from compiled code or from Python.

    More armies than the table has are scaled down on both sides by the same factor. Fewer rolls
    leave more to luck, so this understates the chance of the stronger side.
    """
    most = chances.shape[0] - 1
    larger = max(attack, defend)
    if larger > most:
        # One of the attackers stays one, and so does the last defender.
        attack = max(attack * most // larger, min(attack, 1))
        defend = max(defend * most // larger, min(defend, 1))
    return float(chances[max(attack, 0), max(defend, 0)])


def armies_needed(defend: int, rule: DiceRule, chance: float, stop: Stop = TO_THE_END) -> int:
    """The fewest armies on the attacking territory with at least this chance to capture.

    Raises RubiconError: `odds/bad-chance`, `odds/not-reached`, and what `battle` raises.
    """
    check_chance(chance)
    check_defend(defend)
    if stop.lost is not None or stop.rounds is not None:
        return first_army_count(
            lambda attack: battle(attack, defend, rule, stop).win, chance, enough(stop)
        )
    return first_index(
        lambda most: distribution.solve(most, defend, rule, stop).value[:, defend], chance
    )


def first_army_count(win: Callable[[int], float], chance: float, most: int) -> int:
    """The first number of armies, from 2 to `most`, for which `win` reaches a chance."""
    for attack in range(2, min(most, MOST_ARMIES) + 1):
        if win(attack) >= chance:
            return attack
    raise _not_reached(chance)


def enough(stop: Stop) -> int:
    """A number of armies above which more change nothing, for stops that count losses or rolls."""
    spent = [stop.lost or MOST_ARMIES, MOST_LOST * (stop.rounds or MOST_ARMIES)]
    return max(stop.left, AMPLE) + min(spent)


def first_index(wins: Callable[[int], Chances], chance: float) -> int:
    """The first index, from 2, at which `wins(most)`, of length most + 1, reaches a chance.

    Tables of doubled size are tried one after the other: most questions are about few armies.
    """
    most = FIRST_TRY
    while True:
        enough = np.flatnonzero(wins(most)[2:] >= chance)
        if len(enough):
            return int(enough[0]) + 2
        if most == MOST_ARMIES:
            raise _not_reached(chance)
        most = min(2 * most, MOST_ARMIES)


def _not_reached(chance: float) -> RubiconError:
    return RubiconError(
        "odds/not-reached",
        f"No number of armies has a chance of {chance * 100:.6g} %.",
        "Ask for a lower chance, or for a stop rule that goes on longer.",
    )
