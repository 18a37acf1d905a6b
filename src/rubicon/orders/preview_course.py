"""How a battle of an attack order goes: every ending with its chance, or one that is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubicon.odds.fight import DICE, Plan, fight, outlook, plan_of
from rubicon.odds.kernel import SHIFT, STOP, fight_on, row_of
from rubicon.odds.rolls import Chances, Numbers, rolls
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import TO_THE_END, Stop
from rubicon.orders.chances import PathOdds

Payload = npt.NDArray[np.float64]  # the chance, then the armies beyond memory, each times it
Starts = Mapping[int, Payload]  # by the armies that attack
ROOM = 32  # plans are made a little larger than needed, so that other battles find them too
KEPT = 128  # tables, of so many
SMALL = 40_000  # pairs of armies each


class Ground(NamedTuple):
    """Everything that the chances of a battle depend on, beside the armies that begin it."""

    rule: DiceRule
    defend: int
    floor: int
    least: int  # percent, of `odds`
    odds: PathOdds | None
    rounds: int | None
    counted: bool  # roll by roll: the path goes on, and so does the counting


class Endings(NamedTuple):
    """Ways in which a battle ends, as columns: a row is one of them.

    `attack` armies are left. `other` is the defenders left, or the dice that took the territory.
    """

    attack: Numbers
    other: Numbers
    payloads: Payload


class Course(NamedTuple):
    """All endings of a battle: captures by the number of rolls, where that counts; the others."""

    won: tuple[tuple[int, Endings], ...]
    held: Endings


class Fought(NamedTuple):
    """The chances of one course: `won` by the number of rolls, [left, dice]; `held` as they are."""

    won: tuple[tuple[int, Chances], ...]
    held: Chances


class Courses:
    """Courses of battles; small ones are remembered."""

    def __init__(self) -> None:
        self._plans: dict[tuple[Ground, int], Plan] = {}
        self._fought: dict[tuple[Ground, int], Fought] = {}

    def plan(self, ground: Ground, most: int) -> Plan:
        """The dice of both sides, and where the attack stops."""
        known = self._plans.get((ground, most))
        if known is None:
            known = _plan(ground, most)
            if known.size <= SMALL and len(self._plans) < KEPT:
                self._plans[ground, most] = known
        return known

    def all_endings(self, ground: Ground, starts: Starts) -> Course:
        """Every ending of the battles that so many armies begin."""
        plan = self.plan(ground, max(starts))
        if len(starts) == 1:
            ((armies, payload),) = starts.items()
            alone = self._alone(ground, plan, armies)
            won = tuple((number, _outer(chances, payload)) for number, chances in alone.won)
            return Course(won, _outer(alone.held, payload))
        payloads = np.array(list(starts.values()))
        parts: dict[int, Fought] = {}
        for part in np.flatnonzero(payloads.any(axis=0)).tolist():
            begins = np.zeros(len(plan))
            begins[list(starts)] = payloads[:, part]
            parts[part] = _fought(ground, plan, begins)
        size = payloads.shape[1]
        won = tuple(
            (number, _joined({part: course.won[at][1] for part, course in parts.items()}, size))
            for at, (number, _) in enumerate(parts[0].won)
        )
        return Course(won, _joined({part: course.held for part, course in parts.items()}, size))

    def one_ending(self, ground: Ground, starts: Starts, rng: np.random.Generator) -> Course:
        """One battle, rolled on the spot, as if it were sure to go like this."""
        ((armies, payload),) = starts.items()
        plan = self.plan(ground, armies)
        attack, defend, dice, number = _drawn(ground, plan, armies, rng)
        nothing = Endings(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, len(payload))))
        ending = Endings(np.array([attack]), np.array([defend or dice]), payload[None, :].copy())
        if defend:
            return Course((), ending)
        return Course(((number, ending),), nothing)

    def _alone(self, ground: Ground, plan: Plan, armies: int) -> Fought:
        known = self._fought.get((ground, armies))
        if known is None:
            begins = np.zeros(armies + 1)
            begins[armies] = 1.0
            known = _fought(ground, plan, begins)
            if plan.size <= SMALL and len(self._fought) < KEPT:
                self._fought[ground, armies] = known
        return known


def best_plan(rule: DiceRule, most: int, defend: int) -> Plan:
    """The dice of both sides where the defender gives the answers that are worst for the attack.

    It holds for at least `most` against `defend` armies.
    """
    return _best_plan(rule, (most // ROOM + 1) * ROOM, (defend // ROOM + 1) * ROOM)


@lru_cache(maxsize=32)
def _best_plan(rule: DiceRule, most: int, defend: int) -> Plan:
    return outlook(most, defend, rule).plan


def _plan(ground: Ground, most: int) -> Plan:
    rule, defend = ground.rule, ground.defend
    if rule.defend_dice == "best":
        plan = best_plan(rule, most, defend)[: most + 1, : defend + 1].copy()
    else:
        plan = plan_of(most, defend, rule, TO_THE_END)
    plan[: ground.floor + 1] = STOP
    if ground.odds is not None:
        chances = ground.odds.table(most, defend)[: most + 1, : defend + 1]
        plan[chances * 100 < ground.least] = STOP
    return plan


def _fought(ground: Ground, plan: Plan, begins: Chances) -> Fought:
    most, defend = plan.shape[0] - 1, ground.defend
    if not ground.counted:
        fought = fight(begins, defend, ground.rule, Stop(rounds=ground.rounds), plan)
        return Fought(((ground.rounds or 1, fought.won),), fought.held)
    table = rolls(ground.rule)
    reach = np.zeros(plan.shape)
    reach[:, defend] = begins
    span = np.full((most + 1, 2), defend, np.int64)
    captures = []
    for number in range(1, min(ground.rounds or 0, most + defend) + 1):
        won = np.zeros((most + 1, DICE))
        fight_on(table.chances, table.losses, plan, reach, won, 1, span)
        captures.append((number, won))
    return Fought(tuple(captures), reach)


def _outer(chances: Chances, payload: Payload) -> Endings:
    attack, other = np.nonzero(chances)
    return Endings(attack, other, chances[attack, other][:, None] * payload)


def _joined(parts: Mapping[int, Chances], size: int) -> Endings:
    attack, other = np.nonzero(parts[0])
    payloads = np.zeros((len(attack), size))
    for part, chances in parts.items():
        payloads[:, part] = chances[attack, other]
    return Endings(attack, other, payloads)


def _drawn(
    ground: Ground, plan: Plan, attack: int, rng: np.random.Generator
) -> tuple[int, int, int, int]:
    """The armies on both sides when it was over, the attacker's last dice, and how many rolls."""
    table, defend = rolls(ground.rule), ground.defend
    most = attack + defend if ground.rounds is None else ground.rounds
    dice = number = 0
    while number < most and defend and (code := int(plan[attack, defend])) != STOP:
        dice = code // SHIFT
        row = row_of(attack, defend, dice, code % SHIFT)
        chances = table.chances[row].cumsum()
        fallen = int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))
        lost, won = table.losses[row, fallen].tolist()
        attack, defend, number = attack - lost, defend - won, number + 1
    return attack, defend, dice, number
