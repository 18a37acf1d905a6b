"""Tables of one roll: every roll of the dice is counted through the engine's battle rule."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.dice import MOST_DICE, battle_losses
from rubicon.engine.phases.attack import (
    MOST_ATTACK_DICE,
    MOST_DEFENCE_DICE,
    capture,
    most_attack_dice,
    most_defence_dice,
)
from rubicon.engine.records.layout import unlocked
from rubicon.engine.records.position import NEUTRAL, NONE, Position, empty_position
from rubicon.engine.records.tables import Rules
from rubicon.odds.rule import Dice, DiceRule
from rubicon.rules.outcomes import faces_code

Numbers = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]

# Armies on a territory above which nothing about a roll changes: no ruleset allows more dice, or
# makes more armies move in, from six armies on. Tables therefore end at six.
AMPLE = 6
LOSSES = 4  # armies lost in one roll, 0 to 3
ATTACK_NUMBERS = MOST_ATTACK_DICE + 1  # numbers of dice, 0 included
DEFENCE_NUMBERS = MOST_DEFENCE_DICE + 1
SOURCE, TARGET, ELSEWHERE = 0, 1, 2


def _falling_rolls() -> tuple[Numbers, Numbers]:
    """For each number of dice: the codes of sorted rolls, highest die first, and their weights.

    The weight is the number of orders in which the same faces can fall; 0 fills the rows. Sorted
    rolls are few: 252 instead of 7,776 for five dice.
    """
    rolls = [
        Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, 7), repeat=count))
        for count in range(MOST_DICE + 1)
    ]
    codes = np.zeros((MOST_DICE + 1, len(rolls[-1])), np.int64)
    weights = np.zeros_like(codes)
    for count, falling in enumerate(rolls):
        codes[count, : len(falling)] = [faces_code(faces) for faces in falling]
        weights[count, : len(falling)] = list(falling.values())
    return codes, weights


CODES, WEIGHTS = _falling_rolls()


@unlocked
def count_rolls(
    game: Position,
    rules: Rules,
    attack_extra: int,
    defence_extra: int,
    attack_plus: int,
    defence_plus: int,
    counts: Numbers,
) -> None:
    """Count the rolls by their losses: counts[attackers, defenders, dice, dice, lost, won].

    `game` is a scratch position, on which the engine says how many dice the armies allow.
    """
    for attackers in range(2, AMPLE + 1):
        for defenders in range(1, AMPLE + 1):
            game.armies[SOURCE] = attackers
            game.armies[TARGET] = defenders
            for attack in range(1, most_attack_dice(game, rules, SOURCE) + 1):
                for defence in range(1, most_defence_dice(game, rules, TARGET) + 1):
                    for i in range(CODES.shape[1]):
                        for j in range(CODES.shape[1]):
                            weight = WEIGHTS[attack + attack_extra, i]
                            weight *= WEIGHTS[defence + defence_extra, j]
                            if weight == 0:
                                break
                            lost, won = battle_losses(
                                rules,
                                attackers,
                                defenders,
                                attack,
                                defence,
                                attack_extra,
                                defence_extra,
                                attack_plus,
                                defence_plus,
                                CODES[attack + attack_extra, i],
                                CODES[defence + defence_extra, j],
                            )
                            counts[attackers, defenders, attack, defence, lost, won] += weight


@dataclass(frozen=True, slots=True, eq=False)
class RollTable:
    """The losses of one roll under a dice rule. Armies above `AMPLE` count as `AMPLE`.

    `counts[attackers, defenders, attack dice, defence dice, lost, won]` are numbers of rolls out
    of `totals[attack dice, defence dice]`. `chances[row, n]` and `losses[row, n]`, which is
    (lost, won), are the same with the first four axes as one, possible losses first.
    `attack_choice[attackers]` and `defend_choice[defenders]` are the fewest and the most dice
    that the side may choose. `occupy[left, dice]` is the fewest armies that must move in.
    """

    counts: Numbers
    totals: Numbers
    chances: Chances
    losses: Numbers
    attack_choice: Numbers
    defend_choice: Numbers
    occupy: Numbers


@lru_cache(maxsize=256)
def roll_table(rule: DiceRule) -> RollTable:
    """The table of a dice rule; cached, since counting takes some milliseconds."""
    counts = _counts(rule)
    totals = np.zeros((ATTACK_NUMBERS, DEFENCE_NUMBERS), np.int64)
    for attack, defence in product(range(1, ATTACK_NUMBERS), range(1, DEFENCE_NUMBERS)):
        extra = rule.attack_die + rule.defence_die
        totals[attack, defence] = 6 ** (attack + defence + extra)
    chances, losses = _steps(counts, totals)
    rolled = counts.sum(axis=(4, 5))
    return RollTable(
        counts=counts,
        totals=totals,
        chances=chances,
        losses=losses,
        attack_choice=_choice(rolled.sum(axis=(1, 3)), rule.attack_dice),
        defend_choice=_choice(rolled.sum(axis=(0, 2)), rule.defend_dice),
        occupy=_occupation(rule),
    )


def _counts(rule: DiceRule) -> Numbers:
    shape = (AMPLE + 1, AMPLE + 1, ATTACK_NUMBERS, DEFENCE_NUMBERS, LOSSES, LOSSES)
    counts = np.zeros(shape, np.int64)
    game = empty_position()
    game.owner[TARGET] = NEUTRAL if rule.neutral else 1
    extra = int(rule.attack_die), int(rule.defence_die)
    plus = int(rule.attack_airfield), int(rule.defence_airfield)
    count_rolls(game, rule.ruleset.rules, *extra, *plus, counts)
    return counts


def _steps(counts: Numbers, totals: Numbers) -> tuple[Chances, Numbers]:
    """The counts as chances, without the impossible losses."""
    # Dense counts waste time in the recursions: a row of four (chance, losses) pairs is enough.
    shares = (counts / np.maximum(totals, 1)[..., None, None]).reshape(-1, LOSSES, LOSSES)
    chances = np.zeros((len(shares), LOSSES))
    losses = np.zeros((len(shares), LOSSES, 2), np.int64)
    filled: Counter[int] = Counter()
    for row, lost, won in np.argwhere(shares).tolist():
        chances[row, filled[row]] = shares[row, lost, won]
        losses[row, filled[row]] = lost, won
        filled[row] += 1
    return chances, losses


def _choice(allowed: Numbers, dice: Dice) -> Numbers:
    """The fewest and the most dice that a side chooses from, for each number of armies."""
    most = np.array([max(np.flatnonzero(row), default=0) for row in allowed], np.int64)
    if isinstance(dice, int):
        most = np.minimum(most, dice)
    # A side that chooses has a range of dice; otherwise fewest and most are the same.
    fewest = np.minimum(most, 1) if dice == "best" else most
    return np.ascontiguousarray(np.stack([fewest, most], axis=1))


def _occupation(rule: DiceRule) -> Numbers:
    """The fewest armies that must move in, by armies left and dice rolled, from the engine."""
    fewest = np.zeros((AMPLE + 1, ATTACK_NUMBERS), np.int64)
    for left, dice in product(range(2, AMPLE + 1), range(1, ATTACK_NUMBERS)):
        game = _about_to_fall(left, dice)
        capture(game, rule.ruleset.rules, rule.ruleset.tables, SOURCE, TARGET)
        fewest[left, dice] = game.occupy_minimum
    return fewest


def _about_to_fall(left: int, dice: int) -> Any:
    """A position in which the last army on `TARGET` was just lost, and no seat is eliminated."""
    game = empty_position()
    game.seats = 2
    game.owner[TARGET] = game.owner[ELSEWHERE] = 1
    game.armies[SOURCE] = left
    game.armies[ELSEWHERE] = 1
    game.territories[0] = 1
    game.territories[1] = 2
    game.attack_dice = dice
    game.capital[:] = NONE  # the capture takes no headquarters
    return game
