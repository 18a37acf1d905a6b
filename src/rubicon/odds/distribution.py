"""A battle as arrays: from a distribution over attackers to a distribution over endings."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.engine.phases.attack import MOST_ATTACK_DICE
from rubicon.odds.limits import check_defend, check_size
from rubicon.odds.recursions import SHIFT, STOP, evaluate_policy, propagate, solve_backward
from rubicon.odds.rolls import AMPLE, Chances, RollTable, roll_table
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.stop import TO_THE_END, Stop

DicePolicy = npt.NDArray[np.int8]
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
    # LOST counts from the armies at the start, so each start has a policy of its own.
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
