"""Plans a campaign from its end backwards: the value of armies, and how many move in where."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubicon.odds.distribution import DICE, DicePolicy, policy_value, solve
from rubicon.odds.rolls import AMPLE, Chances, Numbers, roll_table
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import Stop
from rubicon.odds.target import Target


@dataclass(frozen=True, slots=True, eq=False)
class CampaignStep:
    """The attack on one territory: the dice `policy`, and how many armies move in.

    `moves[left, dice]` move in when `left` armies are left after a last roll of `dice` dice.
    `then` are the steps from there.
    """

    target: Target
    rule: DiceRule
    policy: DicePolicy
    moves: Numbers
    then: tuple["CampaignStep", ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArmiesValue:
    """The value of n armies on a territory, as arrays over n.

    `everything` is the chance to take all targets from there, `number` the average number of
    territories taken.
    """

    everything: Chances
    number: Chances


def plan_campaign(
    targets: Sequence[Target], most: int, behind: int, rule: DiceRule, stop: Stop
) -> tuple[tuple[CampaignStep, ...], ArmiesValue]:
    """The steps that take `targets`, in their order, from a territory with up to `most` armies.

    Where the path divides, armies move in so that the chance to take everything is highest; among
    equals, so that the average number of territories is. The recursion goes over the targets from
    the last: the value of a capture is that of the armies that move in times that of those that
    stay for the remaining targets.
    """
    if not targets:
        return (), ArmiesValue(np.ones(most + 1), np.zeros(most + 1))
    first, *others = targets
    own = first.rule or rule
    onward, into = plan_campaign(first.then, most, first.behind, rule, stop)
    following, rest = plan_campaign(others, most, behind, rule, stop)
    fewest = _fewest(own, most)
    moves = _divided(fewest, into, rest) if others else _all_but(fewest, behind)
    both = _both(moves, into.everything, rest.everything)
    solution = solve(most, first.defend, own, stop, both)
    number = 1 + _sum(moves, into.number, rest.number)
    taken = policy_value(own, solution.policy, number)
    step = CampaignStep(first, own, solution.policy, moves, onward)
    defend = first.defend
    value = ArmiesValue(solution.value[:, defend].copy(), taken[:, defend].copy())
    return (step, *following), value


def _fewest(rule: DiceRule, most: int) -> Numbers:
    """The fewest armies that move in, by armies left and dice."""
    fewest: Numbers = roll_table(rule).occupy[np.minimum(np.arange(most + 1), AMPLE)]
    return fewest


def _all_but(fewest: Numbers, behind: int) -> Numbers:
    """All armies move in but those that stay behind."""
    left = np.arange(len(fewest))[:, None]
    moves: Numbers = np.where(left > 1, np.maximum(fewest, left - behind), 0)
    return moves


def _divided(fewest: Numbers, into: ArmiesValue, rest: ArmiesValue) -> Numbers:
    """The number that moves in with the highest value for both directions together."""
    moves = np.zeros_like(fewest)
    for left in range(2, len(fewest)):
        # Index n of both products: n armies move in, left - n stay.
        everything = into.everything[:left] * rest.everything[left:0:-1]
        number = into.number[:left] + rest.number[left:0:-1]
        for dice in range(1, DICE):
            first = int(fewest[left, dice])
            equal = everything[first:] >= everything[first:].max()
            moves[left, dice] = first + np.where(equal, number[first:], -1.0).argmax()
    return moves


def _both(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """The chance that both directions succeed; they are independent once the armies are divided."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] * rest[left - moves])


def _sum(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """The average number of territories taken in both directions."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] + rest[left - moves])
