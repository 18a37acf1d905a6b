"""Computes a battle of an ATTACK: every ending with its chance, or one random ending."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubicon.engine.chance import battle_losses
from rubicon.engine.codes import DEFENCE_BITS
from rubicon.engine.records import Position
from rubicon.odds import distribution
from rubicon.odds.rule import (
    AMPLE,
    CODES,
    TO_THE_END,
    WEIGHTS,
    Chances,
    DiceRule,
    Numbers,
    Stop,
    roll_table,
)
from rubicon.orders.execute.stop_odds import PathOdds
from rubicon.rules.ruleset.ruleset import Ruleset

# The outcomes of a pending roll, grouped by losses, with their chances.


def battle_rolls(ruleset: Ruleset, position: Position) -> tuple[tuple[int, float], ...]:
    """One outcome for each pair of losses, with the chance of all rolls that have them."""
    source, target = int(position.attack_source), int(position.attack_target)
    return _rolls(
        ruleset,
        min(int(position.armies[source]), AMPLE),
        min(int(position.armies[target]), AMPLE),
        (int(position.attack_dice), int(position.defence_dice)),
        (int(position.attack_extra), int(position.defence_extra)),
        (int(position.attack_plus), int(position.defence_plus)),
    )


@lru_cache(maxsize=1024)
def _rolls(
    ruleset: Ruleset,
    attackers: int,
    defenders: int,
    dice: tuple[int, int],
    extra: tuple[int, int],
    plus: tuple[int, int],
) -> tuple[tuple[int, float], ...]:
    # Many rolls have the same losses, and the engine treats them alike: one outcome stands for all.
    found: dict[tuple[int, int], tuple[int, int]] = {}
    attack, defence = dice[0] + extra[0], dice[1] + extra[1]
    for attack_code, attack_weight in zip(CODES[attack], WEIGHTS[attack], strict=True):
        for defence_code, defence_weight in zip(CODES[defence], WEIGHTS[defence], strict=True):
            weight = int(attack_weight * defence_weight)
            if weight == 0:  # zeros fill the end of each row
                break
            codes = (int(attack_code), int(defence_code))
            lost = battle_losses(ruleset.rules, attackers, defenders, *dice, *extra, *plus, *codes)
            outcome = codes[0] << DEFENCE_BITS | codes[1]
            first, before = found.get(lost, (outcome, 0))
            found[lost] = (first, before + weight)
    total = sum(weight for _, weight in found.values())
    return tuple((outcome, weight / total) for outcome, weight in found.values())


Payload = npt.NDArray[np.float64]  # the chance; then, times the chance, the armies kept as averages
Starts = Mapping[int, Payload]  # by the armies that attack
SIZE_STEP = 32  # policy sizes are rounded up to a multiple, so that other battles find them cached
CACHED = 128  # results of at most SMALL pairs of armies
SMALL = 40_000


class BattleSpec(NamedTuple):
    """Everything that the odds of a battle depend on, alongside the armies that begin it."""

    rule: DiceRule
    defend: int
    floor: int  # the attack stops at this many armies
    least: int  # percent; the attack stops where `odds` are lower
    odds: PathOdds | None
    rounds: int | None
    counted: bool  # captures are kept apart by rolls: the path goes on, and so does the count


class EndingColumns(NamedTuple):
    """Endings of a battle as columns.

    `attack` are the attackers left. `other` are the defenders left, or for captures the attack
    dice of the last roll.
    """

    attack: Numbers
    other: Numbers
    payloads: Payload


class BattleOutcomes(NamedTuple):
    """All endings of a battle: captures, by the number of rolls where that counts, and others."""

    won: tuple[tuple[int, EndingColumns], ...]
    held: EndingColumns


class EndingChances(NamedTuple):
    """The chances of endings: `won` by the number of rolls, as [left, dice]; `held` as they are."""

    won: tuple[tuple[int, Chances], ...]
    held: Chances


class BattleSolver:
    """Solves battles; small ones are cached."""

    def __init__(self) -> None:
        self._policies: dict[tuple[BattleSpec, int], distribution.DicePolicy] = {}
        self._cached: dict[tuple[BattleSpec, int], EndingChances] = {}

    def policy(self, spec: BattleSpec, most: int) -> distribution.DicePolicy:
        """The dice of both sides, and where the attack stops."""
        known = self._policies.get((spec, most))
        if known is None:
            known = _policy(spec, most)
            if known.size <= SMALL and len(self._policies) < CACHED:
                self._policies[spec, most] = known
        return known

    def all_endings(self, spec: BattleSpec, starts: Starts) -> BattleOutcomes:
        """Every ending of the battles that these armies begin."""
        policy = self.policy(spec, max(starts))
        if len(starts) == 1:
            ((armies, payload),) = starts.items()
            alone = self._alone(spec, policy, armies)
            won = tuple((number, _outer(chances, payload)) for number, chances in alone.won)
            return BattleOutcomes(won, _outer(alone.held, payload))
        # The distribution is linear in its start, so each part of the payload goes through the
        # same battle as if it were a chance.
        payloads = np.array(list(starts.values()))
        parts: dict[int, EndingChances] = {}
        for part in np.flatnonzero(payloads.any(axis=0)).tolist():
            begins = np.zeros(len(policy))
            begins[list(starts)] = payloads[:, part]
            parts[part] = _endings(spec, policy, begins)
        size = payloads.shape[1]
        won = tuple(
            (number, _joined({part: outcomes.won[at][1] for part, outcomes in parts.items()}, size))
            for at, (number, _) in enumerate(parts[0].won)
        )
        return BattleOutcomes(
            won, _joined({part: outcomes.held for part, outcomes in parts.items()}, size)
        )

    def one_ending(
        self, spec: BattleSpec, starts: Starts, rng: np.random.Generator
    ) -> BattleOutcomes:
        """One random ending, with the whole chance."""
        ((armies, payload),) = starts.items()
        policy = self.policy(spec, armies)
        attack, defend, dice, number = _drawn(spec, policy, armies, rng)
        nothing = EndingColumns(
            np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, len(payload)))
        )
        ending = EndingColumns(
            np.array([attack]), np.array([defend or dice]), payload[None, :].copy()
        )
        if defend:
            return BattleOutcomes((), ending)
        return BattleOutcomes(((number, ending),), nothing)

    def _alone(
        self, spec: BattleSpec, policy: distribution.DicePolicy, armies: int
    ) -> EndingChances:
        known = self._cached.get((spec, armies))
        if known is None:
            begins = np.zeros(armies + 1)
            begins[armies] = 1.0
            known = _endings(spec, policy, begins)
            if policy.size <= SMALL and len(self._cached) < CACHED:
                self._cached[spec, armies] = known
        return known


def best_policy(rule: DiceRule, most: int, defend: int) -> distribution.DicePolicy:
    """The policy in which the defender answers with the dice that are worst for the attack.

    It covers at least `most` against `defend` armies.
    """
    return _best_policy(
        rule, (most // SIZE_STEP + 1) * SIZE_STEP, (defend // SIZE_STEP + 1) * SIZE_STEP
    )


@lru_cache(maxsize=32)
def _best_policy(rule: DiceRule, most: int, defend: int) -> distribution.DicePolicy:
    return distribution.solve(most, defend, rule).policy


def _policy(spec: BattleSpec, most: int) -> distribution.DicePolicy:
    rule, defend = spec.rule, spec.defend
    if rule.defend_dice == "best":
        policy = best_policy(rule, most, defend)[: most + 1, : defend + 1].copy()
    else:
        policy = distribution.policy_of(most, defend, rule, TO_THE_END)
    # A stop is a policy that does not roll, so one recursion computes every kind of stop.
    policy[: spec.floor + 1] = distribution.STOP
    if spec.odds is not None:
        chances = spec.odds.table(most, defend)[: most + 1, : defend + 1]
        policy[chances * 100 < spec.least] = distribution.STOP
    return policy


def _endings(spec: BattleSpec, policy: distribution.DicePolicy, begins: Chances) -> EndingChances:
    most, defend = policy.shape[0] - 1, spec.defend
    if not spec.counted:
        endings = distribution.ending_distribution(
            begins, defend, spec.rule, Stop(rounds=spec.rounds), policy
        )
        return EndingChances(((spec.rounds or 1, endings.won),), endings.held)
    table = roll_table(spec.rule)
    reach = np.zeros(policy.shape)
    reach[:, defend] = begins
    span = np.full((most + 1, 2), defend, np.int64)
    captures = []
    # The path goes on and ROUNDS counts over all of it, so captures are separated by the roll.
    for number in range(1, min(spec.rounds or 0, most + defend) + 1):
        won = np.zeros((most + 1, distribution.DICE))
        distribution.propagate(table.chances, table.losses, policy, reach, won, 1, span)
        captures.append((number, won))
    return EndingChances(tuple(captures), reach)


def _outer(chances: Chances, payload: Payload) -> EndingColumns:
    attack, other = np.nonzero(chances)
    return EndingColumns(attack, other, chances[attack, other][:, None] * payload)


def _joined(parts: Mapping[int, Chances], size: int) -> EndingColumns:
    attack, other = np.nonzero(parts[0])
    payloads = np.zeros((len(attack), size))
    for part, chances in parts.items():
        payloads[:, part] = chances[attack, other]
    return EndingColumns(attack, other, payloads)


def _drawn(
    spec: BattleSpec, policy: distribution.DicePolicy, attack: int, rng: np.random.Generator
) -> tuple[int, int, int, int]:
    """A random battle: attackers and defenders left, the last attack dice, the number of rolls."""
    table, defend = roll_table(spec.rule), spec.defend
    most = attack + defend if spec.rounds is None else spec.rounds
    dice = number = 0
    while number < most and defend and (code := int(policy[attack, defend])) != distribution.STOP:
        dice = code // distribution.SHIFT
        row = distribution.row_of(attack, defend, dice, code % distribution.SHIFT)
        # Inverse transform: the losses whose share of the unit interval contains the number.
        chances = table.chances[row].cumsum()
        fallen = int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))
        lost, won = table.losses[row, fallen].tolist()
        attack, defend, number = attack - lost, defend - won, number + 1
    return attack, defend, dice, number
