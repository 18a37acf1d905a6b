"""Battles in fractions, without rounding."""

from collections import defaultdict
from fractions import Fraction

import numpy as np

from rubicon.odds.battle import Battle, BattleEnding, check_battle
from rubicon.odds.distribution import policy_of
from rubicon.odds.limits import check_fractions
from rubicon.odds.recursions import SHIFT
from rubicon.odds.rolls import AMPLE, RollTable, roll_table
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import TO_THE_END, Stop

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
        codes = policy_of(attack, defend, rule, stop)
        cells = ((a, d) for a, d in np.argwhere(codes).tolist() if d)
        return {(a, d): divmod(int(codes[a, d]), SHIFT) for a, d in cells}
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
