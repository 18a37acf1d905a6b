"""What a defender must know before choosing dice: the odds of each number of dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rubicon.engine.records.position import HIDDEN, Position
from rubicon.odds.battle import battle
from rubicon.odds.rolls import AMPLE, roll_table
from rubicon.odds.rule import DiceRule
from rubicon.rules.ruleset.ruleset import Ruleset

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
