"""A battle as arrays: from a distribution over attackers to a distribution over endings."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.engine.attack import MOST_ATTACK_DICE
from rubicon.engine.records import inlined, unlocked
from rubicon.odds.rule import (
    AMPLE,
    ATTACK_NUMBERS,
    DEFENCE_NUMBERS,
    LOSSES,
    TO_THE_END,
    Chances,
    DiceRule,
    Numbers,
    RollTable,
    Stop,
    check_defend,
    check_rule,
    check_size,
    roll_table,
)

# The compiled recursions over the positions of a battle.
#
# A battle is a Markov chain on pairs (attackers, defenders) in which every roll costs armies, so
# no position comes twice. Carried backward from the endings the chain gives values and the best
# dice (`solve_backward`, `evaluate_policy`); carried forward from the start, the chance of every
# ending (`propagate`). `RollTable` describes the tables of single rolls.
#
# A *policy* is a number for every position: `STOP`, or the dice of both sides, as attack dice
# times `SHIFT` plus defence dice. A *capture value* is the value of a capture, indexed by the
# armies that are left and the attack dice of the last roll.

DicePolicy = npt.NDArray[np.int8]

STOP = 0
SHIFT = 4
# Two values that differ by less than this share are equal. Sums in another order differ in the last
# digits; without the margin such rounding would choose between equally good dice.
TIE = 1e-13


@inlined
def row_of(attackers: int, defenders: int, attack: int, defence: int) -> int:
    """The row of the roll tables for these armies and dice."""
    state = min(attackers, AMPLE) * (AMPLE + 1) + min(defenders, AMPLE)
    return (state * ATTACK_NUMBERS + attack) * DEFENCE_NUMBERS + defence


@unlocked
def solve_backward(
    chances: Chances,
    losses: Numbers,
    attack_choice: Numbers,
    defend_choice: Numbers,
    capture_value: Chances,
    left: int,
    value: Chances,
    policy: DicePolicy,
) -> None:
    """Fill in value and policy of every position with more than `left` attackers.

    Backward induction over a game of two players: the attacker names the dice with the highest
    value, and the defender answers with those that make it lowest. Among equals, the most dice.
    """
    for attackers in range(left + 1, value.shape[0]):
        a = min(attackers, AMPLE)
        for defenders in range(1, value.shape[1]):
            d = min(defenders, AMPLE)
            best = 0.0
            for attack in range(attack_choice[a, 0], attack_choice[a, 1] + 1):
                worst, reply = np.inf, 0
                for defence in range(defend_choice[d, 0], defend_choice[d, 1] + 1):
                    row = row_of(attackers, defenders, attack, defence)
                    expected = 0.0
                    for n in range(LOSSES):
                        chance = chances[row, n]
                        if chance == 0.0:  # the possible losses come first in a row
                            break
                        to = attackers - losses[row, n, 0]
                        against = defenders - losses[row, n, 1]
                        expected += chance * (
                            capture_value[to, attack] if against == 0 else value[to, against]
                        )
                    if expected <= worst * (1 + TIE):
                        worst, reply = expected, defence
                if worst >= best * (1 - TIE):
                    best = worst
                    policy[attackers, defenders] = attack * SHIFT + reply
            value[attackers, defenders] = best


@unlocked
def evaluate_policy(
    chances: Chances,
    losses: Numbers,
    policy: DicePolicy,
    capture_value: Chances,
    value: Chances,
) -> None:
    """Fill in the value of every position if both sides roll by the policy."""
    for attackers in range(2, value.shape[0]):
        for defenders in range(1, value.shape[1]):
            # int(): without compilation, eight bits are too few for the products below.
            code = int(policy[attackers, defenders])
            if code == STOP:
                continue
            attack = code // SHIFT
            row = row_of(attackers, defenders, attack, code % SHIFT)
            expected = 0.0
            for n in range(LOSSES):
                chance = chances[row, n]
                if chance == 0.0:
                    break
                to = attackers - losses[row, n, 0]
                against = defenders - losses[row, n, 1]
                expected += chance * (
                    capture_value[to, attack] if against == 0 else value[to, against]
                )
            value[attackers, defenders] = expected


@unlocked
def propagate(
    chances: Chances,
    losses: Numbers,
    policy: DicePolicy,
    reach: Chances,
    won: Chances,
    rounds: int,
    span: Numbers,
) -> None:
    """Carry the chances in `reach` forward by `rounds` rolls; to the end where that is 0.

    `reach[attackers, defenders]` is the chance of each position at the start, and afterwards of
    each position in which the attack stops. `won[left, dice]` gains the captures.
    `span[attackers]` holds the fewest and the most defenders that are reached, so that a roll
    touches only positions that have a chance.

    Every roll costs armies. Visited from the largest position down, all positions that a roll
    leads to are still to come, so one pass goes on to the end. Visited from the smallest up, all
    of them are past, so one pass is exactly one roll.
    """
    rows = reach.shape[0]
    for _ in range(max(rounds, 1)):
        for i in range(2, rows):
            attackers = i if rounds > 0 else rows + 1 - i
            first, last = span[attackers, 0] if rounds > 0 else 1, span[attackers, 1]
            span[attackers, 0], span[attackers, 1] = reach.shape[1], 0
            for j in range(first, last + 1):
                defenders = j if rounds > 0 else first + last - j
                here, code = reach[attackers, defenders], int(policy[attackers, defenders])
                if code == STOP or here == 0.0:
                    continue
                reach[attackers, defenders] = 0.0
                attack = code // SHIFT
                row = row_of(attackers, defenders, attack, code % SHIFT)
                for n in range(LOSSES):
                    chance = chances[row, n]
                    if chance == 0.0:
                        break
                    to = attackers - losses[row, n, 0]
                    against = defenders - losses[row, n, 1]
                    if against == 0:
                        won[to, attack] += here * chance
                    else:
                        reach[to, against] += here * chance
                        span[to, 0] = min(span[to, 0], against)
                        span[to, 1] = max(span[to, 1], against)


DICE = MOST_ATTACK_DICE + 1


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """`value[attackers, defenders]` of each position, and the `policy` of both sides."""

    value: Chances
    policy: DicePolicy


@dataclass(frozen=True, slots=True, eq=False)
class EndingDistribution:
    """The chances of all endings.

    `won[left, dice]`: captured, with `left` attackers after a last roll of `dice` attack dice.
    `held[attackers, defenders]`: not captured; the attack stopped, or ran out of attackers.
    """

    won: Chances
    held: Chances


def solve(
    most: int,
    defend: int,
    rule: DiceRule,
    stop: Stop = TO_THE_END,
    capture_value: Chances | None = None,
) -> Solution:
    """The value and the dice of each position of up to `most` against `defend` armies.

    `capture_value[left, dice]` is the value of a capture. Without it a capture is worth 1, so that
    the value is the chance to capture. `stop.lost` counts from `most`; `stop.rounds` is ignored.
    """
    check_rule(rule)
    table = roll_table(rule)
    sure = np.ones((most + 1, DICE))
    worth = sure if capture_value is None else capture_value
    left = stop.left_of(most)
    solution = _solved(table, most, defend, left, worth)
    if stop.odds is None:
        return solution
    # `stop.odds` is about the chance to capture, also where the value is something else.
    hopeful = solution if capture_value is None else _solved(table, most, defend, left, sure)
    solution.policy[hopeful.value < stop.odds] = STOP
    value = np.zeros_like(solution.value)
    evaluate_policy(table.chances, table.losses, solution.policy, worth, value)
    return Solution(value, solution.policy)


def policy_of(most: int, defend: int, rule: DiceRule, stop: Stop) -> DicePolicy:
    """The dice in each position of up to `most` against `defend` armies."""
    if stop.odds is not None or "best" in {rule.attack_dice, rule.defend_dice}:
        return solve(most, defend, rule, stop).policy
    table = roll_table(rule)
    attack = table.attack_choice[np.minimum(np.arange(most + 1), AMPLE), 1]
    defence = table.defend_choice[np.minimum(np.arange(defend + 1), AMPLE), 1]
    policy: DicePolicy = attack.astype(np.int8)[:, None] * np.int8(SHIFT) + defence.astype(np.int8)
    policy[: stop.left_of(most) + 1] = STOP
    return policy


def policy_value(rule: DiceRule, policy: DicePolicy, capture_value: Chances) -> Chances:
    """The value of each position if both sides roll by a policy."""
    table = roll_table(rule)
    value = np.zeros(policy.shape)
    evaluate_policy(table.chances, table.losses, policy, capture_value, value)
    return value


def ending_distribution(
    starts: Chances,
    defend: int,
    rule: DiceRule,
    stop: Stop = TO_THE_END,
    policy: DicePolicy | None = None,
) -> EndingDistribution:
    """The distribution of endings; `starts[n]` is the chance that n armies attack.

    Starts with fewer than two armies count as not captured. Both sides roll by `policy`; without
    it by the rule, where "best" dice aim at the capture. Raises RubiconError, `odds/…`, for sizes.
    """
    check_defend(defend)
    check_size(len(starts) - 1)
    shape = len(starts), defend + 1
    endings = EndingDistribution(np.zeros((shape[0], DICE)), np.zeros(shape))
    if stop.lost is None:
        _fill(endings, starts, rule, stop, policy)
        return endings
    # LOST counts from the armies at the start, so each start has its own policy.
    for attack in np.flatnonzero(starts).tolist():
        alone = np.zeros(attack + 1)
        alone[attack] = starts[attack]
        one = EndingDistribution(np.zeros((attack + 1, DICE)), np.zeros((attack + 1, defend + 1)))
        _fill(one, alone, rule, stop, None)
        endings.won[: attack + 1] += one.won
        endings.held[: attack + 1] += one.held
    return endings


def _solved(
    table: RollTable, most: int, defend: int, left: int, capture_value: Chances
) -> Solution:
    value = np.zeros((most + 1, defend + 1))
    policy = np.full(value.shape, STOP, np.int8)
    choices = table.attack_choice, table.defend_choice
    solve_backward(table.chances, table.losses, *choices, capture_value, left, value, policy)
    return Solution(value, policy)


def _fill(
    endings: EndingDistribution,
    starts: Chances,
    rule: DiceRule,
    stop: Stop,
    policy: DicePolicy | None,
) -> None:
    """Fill in the distribution of endings."""
    table = roll_table(rule)
    most, defend = (length - 1 for length in endings.held.shape)
    if policy is None:
        policy = policy_of(most, defend, rule, stop)
    endings.held[:, defend] = starts
    # Each roll costs an army, so no battle has more rolls than armies; 0 means to the end.
    rounds = 0 if stop.rounds is None else min(stop.rounds, most + defend)
    span = np.full((most + 1, 2), defend, np.int64)
    propagate(table.chances, table.losses, policy, endings.held, endings.won, rounds, span)
