"""The odds to show with a decision: of an attack by its stop rule, of each number of
defending dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rubicon.engine.records import HIDDEN, Position
from rubicon.odds.battle import battle
from rubicon.odds.campaign import campaign, path
from rubicon.odds.distribution import ending_distribution
from rubicon.odds.rule import (
    AMPLE,
    TO_THE_END,
    Chances,
    DiceRule,
    Stop,
    check_attack,
    check_defend,
    roll_table,
)
from rubicon.rules.ruleset.ruleset import Ruleset

# What a defender must know before choosing dice: the odds of each number of dice.

MOST_SHOWN = 500  # armies of one side, above which the chance of the whole battle is left out


@dataclass(frozen=True, slots=True)
class RollOutcome:
    """The armies that one roll costs both sides, and its chance."""

    attacker_loses: int
    defender_loses: int
    chance: float


def roll_outcomes(ruleset: Ruleset, view: Position, dice: int) -> tuple[RollOutcome, ...]:
    """What a roll of the pending attack costs if so many dice defend, best for the defender first.

    () where the attacker's number of dice is hidden from the view (A-29).
    """
    if view.attack_dice == HIDDEN:
        return ()
    table = roll_table(rule_of(ruleset, view))
    mine = min(int(view.armies[int(view.attack_target)]), AMPLE)
    theirs = min(int(view.armies[int(view.attack_source)]), AMPLE)
    counts = table.counts[theirs, mine, int(view.attack_dice), dice]
    total = max(1, int(counts.sum()))
    found = [
        RollOutcome(int(lost), int(won), int(counts[lost, won]) / total)
        for lost, won in zip(*counts.nonzero(), strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (one.defender_loses, -one.attacker_loses)))


def chance_to_hold(ruleset: Ruleset, view: Position) -> float | None:
    """The chance that the pending attack fails if it goes on to the end; None for large armies."""
    attack = int(view.armies[int(view.attack_source)])
    defend = int(view.armies[int(view.attack_target)])
    if not (2 <= attack <= MOST_SHOWN and 1 <= defend <= MOST_SHOWN):
        return None
    return _held(attack, defend, rule_of(ruleset, view))


def rule_of(ruleset: Ruleset, view: Position) -> DiceRule:
    """The dice rule between the two territories of the pending attack."""
    return DiceRule.between(ruleset, view, int(view.attack_source), int(view.attack_target))


@lru_cache(maxsize=256)
def _held(attack: int, defend: int, rule: DiceRule) -> float:
    return 1 - float(battle(attack, defend, rule).win)


# The odds of an attack under each stop rule "until n armies are left", for a chart of them.

MOST_STOPS = 100  # of one attack; larger attacks have every second stop, every third …
MOST_CELLS = 3_600_000  # positions of all stops together: about a tenth of a second


@dataclass(frozen=True, slots=True)
class Outlook:
    """The odds of an attack under one stop rule.

    `taken` is the chance that the last territory is captured, `held` that it is not. `taken_left`
    and `held_left` part the two by n, the armies left on the attacking territory before any move
    in: the chance of n is at index n. On a path it is the territory from which was attacked last.
    """

    stop: Stop
    taken: float
    held: float
    expected_attack_losses: float
    expected_defend_losses: float
    taken_left: tuple[float, ...]
    held_left: tuple[float, ...]


def stop_levels(attack: int, defend: Sequence[int]) -> range:
    """The numbers of armies left at which an attack may stop: 1, 2 … `attack` - 1.

    Of a large attack the range has fewer, at equal distances: at most `MOST_STOPS`, and 38 for 300
    against 300.
    """
    most = max(1, min(MOST_STOPS, MOST_CELLS // (attack * sum(defend))))
    return range(1, attack, -(-(attack - 1) // most))


@lru_cache(maxsize=16)
def outlooks(attack: int, defend: tuple[int, ...], rule: DiceRule) -> tuple[Outlook, ...]:
    """The odds under each of `stop_levels`; the first is to the end. Raises as `outlook`."""
    _check(attack, defend)
    levels = stop_levels(attack, defend)
    return tuple(outlook(attack, defend, rule, Stop(left=left)) for left in levels)


@lru_cache(maxsize=512)
def outlook(
    attack: int, defend: tuple[int, ...], rule: DiceRule, stop: Stop = TO_THE_END
) -> Outlook:
    """The odds of `attack` armies, one of which must stay, against the defenders of a path.

    All armies but one go on from each captured territory. Raises RubiconError: `odds/…` for sizes.
    """
    _check(attack, defend)
    if len(defend) != 1:
        return _path_outlook(attack, defend, rule, stop)
    starts = np.zeros(attack + 1)
    starts[attack] = 1.0
    endings = ending_distribution(starts, defend[0], rule, stop)
    taken, held = endings.won.sum(axis=1), endings.held.sum(axis=1)
    armies = np.arange(attack + 1)
    survivors = endings.held.sum(axis=0) @ np.arange(defend[0] + 1)
    return Outlook(
        stop=stop,
        taken=float(taken.sum()),
        held=float(held.sum()),
        expected_attack_losses=attack - float((taken + held) @ armies),
        expected_defend_losses=defend[0] - float(survivors),
        taken_left=_row(taken),
        held_left=_row(held),
    )


def _check(attack: int, defend: Sequence[int]) -> None:
    check_attack(attack)
    for armies in defend:
        check_defend(armies)


def _path_outlook(attack: int, defend: tuple[int, ...], rule: DiceRule, stop: Stop) -> Outlook:
    found = campaign(attack, path(defend), rule, stop=stop)
    taken, held = np.zeros(attack + 1), np.zeros(attack + 1)
    standing: Sequence[float] = found.home_left
    for stage in found.stages:
        held[1 : len(standing)] += standing[1:]
        held[1] -= stage.taken  # one army stays where a captured territory was attacked from
        standing = stage.left
    taken[2 : len(standing) + 1] = standing[1:]  # with the one that stayed behind
    return Outlook(
        stop=stop,
        taken=found.win,
        held=1 - found.win,
        expected_attack_losses=found.expected_attack_losses,
        expected_defend_losses=found.expected_defend_losses,
        taken_left=_row(taken),
        held_left=_row(np.maximum(held, 0.0)),
    )


def _row(chances: Chances) -> tuple[float, ...]:
    """The chances up to the last one that is not zero."""
    last = int(np.flatnonzero(chances)[-1]) if chances.any() else 0
    return tuple(chances[: last + 1].tolist())
