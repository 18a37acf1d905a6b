"""Campaigns planned from the end backwards: what armies are worth, and where they go."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubicon.odds.fight import DICE, Plan, outlook, worth
from rubicon.odds.rolls import AMPLE, Chances, Numbers, rolls
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import Stop
from rubicon.odds.target import Target


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """How one territory is attacked: `plan` the dice, `moves[left, dice]` who moves in then.

    `then` are the steps from there.
    """

    target: Target
    rule: DiceRule
    plan: Plan
    moves: Numbers
    then: tuple["Step", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Prospect:
    """What n armies on a territory achieve from there: the chance to take all that is to be
    taken, and the number of territories taken on average.
    """

    everything: Chances
    number: Chances


def steps_from(
    targets: Sequence[Target], most: int, behind: int, rule: DiceRule, stop: Stop
) -> tuple[tuple[Step, ...], Prospect]:
    """The steps that take `targets`, in their order, from a territory with up to `most` armies.

    Where the way divides, armies move in so that everything is taken most often; among equals
    so that most territories are taken.
    """
    if not targets:
        return (), Prospect(np.ones(most + 1), np.zeros(most + 1))
    first, *others = targets
    own = first.rule or rule
    onward, into = steps_from(first.then, most, first.behind, rule, stop)
    following, rest = steps_from(others, most, behind, rule, stop)
    fewest = _fewest(own, most)
    moves = _divided(fewest, into, rest) if others else _all_but(fewest, behind)
    seen = outlook(most, first.defend, own, stop, _both(moves, into.everything, rest.everything))
    taken = worth(own, seen.plan, 1 + _sum(moves, into.number, rest.number))
    step = Step(first, own, seen.plan, moves, onward)
    prospect = Prospect(seen.value[:, first.defend].copy(), taken[:, first.defend].copy())
    return (step, *following), prospect


def _fewest(rule: DiceRule, most: int) -> Numbers:
    """The fewest armies that move in, by armies left and dice."""
    fewest: Numbers = rolls(rule).occupy[np.minimum(np.arange(most + 1), AMPLE)]
    return fewest


def _all_but(fewest: Numbers, behind: int) -> Numbers:
    """All move in but those that stay behind."""
    left = np.arange(len(fewest))[:, None]
    moves: Numbers = np.where(left > 1, np.maximum(fewest, left - behind), 0)
    return moves


def _divided(fewest: Numbers, into: Prospect, rest: Prospect) -> Numbers:
    """As many move in as serve both ways best."""
    moves = np.zeros_like(fewest)
    for left in range(2, len(fewest)):
        everything = into.everything[:left] * rest.everything[left:0:-1]
        number = into.number[:left] + rest.number[left:0:-1]
        for dice in range(1, DICE):
            first = int(fewest[left, dice])
            equal = everything[first:] >= everything[first:].max()
            moves[left, dice] = first + np.where(equal, number[first:], -1.0).argmax()
    return moves


def _both(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """The chance that both ways succeed."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] * rest[left - moves])


def _sum(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """What is taken both ways."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] + rest[left - moves])
