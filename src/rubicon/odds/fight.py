"""A battle as arrays: from a chance for every number of attackers to a chance for every ending."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.odds.kernel import SHIFT, STOP, fight_on, follow, look_ahead
from rubicon.odds.limits import check_defend, check_size
from rubicon.odds.rolls import AMPLE, Chances, Rolls, rolls
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.stop import TO_THE_END, Stop
from rubicon.rules.procedures.attack import MOST_ATTACK_DICE

Plan = npt.NDArray[np.int8]
DICE = MOST_ATTACK_DICE + 1


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """`value[attackers, defenders]` is what a position is worth; `plan` the dice of both sides."""

    value: Chances
    plan: Plan


@dataclass(frozen=True, slots=True, eq=False)
class Fought:
    """How battles end: `won[left, dice]` captured with so many attackers left, by so many dice
    of the last roll; `held[attackers, defenders]` broken off, or out of attackers.
    """

    won: Chances
    held: Chances


def outlook(
    most: int,
    defend: int,
    rule: DiceRule,
    stop: Stop = TO_THE_END,
    prize: Chances | None = None,
) -> Outlook:
    """What each position of up to `most` against `defend` armies is worth, and what is rolled.

    `prize[left, dice]` is what a capture is worth: 1 if it is left out, so that the value is the
    chance to capture. `stop.lost` is counted from `most`; `stop.rounds` is not looked at.
    """
    check_rule(rule)
    table = rolls(rule)
    capture = np.ones((most + 1, DICE))
    left = stop.left_of(most)
    found = _looked_ahead(table, most, defend, left, capture if prize is None else prize)
    if stop.odds is None:
        return found
    hopeful = found if prize is None else _looked_ahead(table, most, defend, left, capture)
    found.plan[hopeful.value < stop.odds] = STOP
    value = np.zeros_like(found.value)
    follow(table.chances, table.losses, found.plan, capture if prize is None else prize, value)
    return Outlook(value, found.plan)


def plan_of(most: int, defend: int, rule: DiceRule, stop: Stop) -> Plan:
    """What is rolled in each position of up to `most` against `defend` armies."""
    if stop.odds is not None or "best" in {rule.attack_dice, rule.defend_dice}:
        return outlook(most, defend, rule, stop).plan
    table = rolls(rule)
    attack = table.attack_choice[np.minimum(np.arange(most + 1), AMPLE), 1]
    defence = table.defend_choice[np.minimum(np.arange(defend + 1), AMPLE), 1]
    plan: Plan = attack.astype(np.int8)[:, None] * np.int8(SHIFT) + defence.astype(np.int8)
    plan[: stop.left_of(most) + 1] = STOP
    return plan


def worth(rule: DiceRule, plan: Plan, prize: Chances) -> Chances:
    """What each position is worth if both sides follow a plan."""
    table = rolls(rule)
    value = np.zeros(plan.shape)
    follow(table.chances, table.losses, plan, prize, value)
    return value


def fight(
    starts: Chances,
    defend: int,
    rule: DiceRule,
    stop: Stop = TO_THE_END,
    plan: Plan | None = None,
) -> Fought:
    """Fight for a territory; `starts[n]` is the chance that n armies attack.

    Starts of fewer than two armies go nowhere: they are held. Under "best" dice each side plays
    for the capture, or by `plan` if there is one. Raises RubiconError, `odds/…`, for sizes.
    """
    check_defend(defend)
    check_size(len(starts) - 1)
    fought = Fought(np.zeros((len(starts), DICE)), np.zeros((len(starts), defend + 1)))
    if stop.lost is None:
        _fight(fought, starts, rule, stop, plan)
        return fought
    for attack in np.flatnonzero(starts).tolist():
        alone = np.zeros(attack + 1)
        alone[attack] = starts[attack]
        one = Fought(np.zeros((attack + 1, DICE)), np.zeros((attack + 1, defend + 1)))
        _fight(one, alone, rule, stop, None)
        fought.won[: attack + 1] += one.won
        fought.held[: attack + 1] += one.held
    return fought


def _looked_ahead(table: Rolls, most: int, defend: int, left: int, prize: Chances) -> Outlook:
    value = np.zeros((most + 1, defend + 1))
    plan = np.full(value.shape, STOP, np.int8)
    choices = table.attack_choice, table.defend_choice
    look_ahead(table.chances, table.losses, *choices, prize, left, value, plan)
    return Outlook(value, plan)


def _fight(fought: Fought, starts: Chances, rule: DiceRule, stop: Stop, plan: Plan | None) -> None:
    """Fill in how the battles end."""
    table = rolls(rule)
    most, defend = (length - 1 for length in fought.held.shape)
    if plan is None:
        plan = plan_of(most, defend, rule, stop)
    fought.held[:, defend] = starts
    rounds = 0 if stop.rounds is None else min(stop.rounds, most + defend)
    span = np.full((most + 1, 2), defend, np.int64)
    fight_on(table.chances, table.losses, plan, fought.held, fought.won, rounds, span)
