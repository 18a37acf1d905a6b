"""The chance of what is left of a path, for `UNTIL ODDS < p%`."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.odds.fight import fight
from rubicon.odds.limits import MOST_ARMIES
from rubicon.odds.rolls import AMPLE, rolls
from rubicon.odds.rule import DiceRule
from rubicon.orders.order import AllBut, Armies, Fewest
from rubicon.orders.sight import Sight
from rubicon.rules.position import copy_position


def chance_of_path(
    sight: Sight,
    position: Any,
    path: tuple[str, ...],
    dice: int | None,
    advance: Armies | None,
) -> float:
    """The chance to take all that follows the first territory of a path, going on to the end.

    Every defender answers with the dice that serve it best; what other stops would do is left out.
    """
    numbers = [sight.territory(name) for name in path]
    held = [at for at, t in enumerate(numbers[1:], 1) if position.owner[t] == sight.seat]
    if held:  # armies that stand on the way go on from there
        first = chance_of_path(sight, position, path[: held[0]], dice, advance)
        return first * chance_of_path(sight, position, path[held[0] :], dice, advance)
    trial = copy_position(position)
    rules, defenders = [], []
    for source, target in pairwise(numbers):
        trial.owner[source] = sight.seat
        rules.append(
            DiceRule.between(
                sight.game.ruleset,
                trial,
                source,
                target,
                attack_dice="most" if dice is None else dice,
                defend_dice="best",
            )
        )
        defenders.append(int(position.armies[target]))
    armies = int(position.armies[numbers[0]])
    most = max(armies, *defenders, 1) if defenders else 1
    if most > MOST_ARMIES:  # so many fight like fewer of the same proportion
        armies = max(2, armies * MOST_ARMIES // most)
        defenders = [max(1, defend * MOST_ARMIES // most) for defend in defenders]
    return _chance(armies, tuple(defenders), tuple(rules), advance)


@lru_cache(maxsize=4096)
def _chance(
    armies: int,
    defenders: tuple[int, ...],
    rules: tuple[DiceRule, ...],
    advance: Armies | None,
) -> float:
    starts = np.zeros(armies + 1)
    starts[armies] = 1.0
    if len(rules) and armies < 2:
        return 0.0
    for leg, (defend, rule) in enumerate(zip(defenders, rules, strict=True)):
        won = fight(starts, defend, rule).won
        if leg + 1 == len(rules):
            return float(won.sum())
        starts = _moved_in(won, rule, advance)
    return 1.0


def _moved_in(
    won: npt.NDArray[np.float64], rule: DiceRule, advance: Armies | None
) -> npt.NDArray[np.float64]:
    """From armies left and dice of the last roll to the armies that stand ready to go on."""
    starts = np.zeros(len(won))
    fewest = rolls(rule).occupy
    for left, dice in np.argwhere(won).tolist():
        least = int(fewest[min(left, AMPLE), dice])
        starts[wished(advance, left, least)] += won[left, dice]
    return starts


def wished(advance: Armies | None, left: int, fewest: int) -> int:
    """How many of `left` armies move in, as near to the wish as the rules allow."""
    if isinstance(advance, Fewest):
        wish = fewest
    elif isinstance(advance, int):
        wish = advance
    else:
        stay = advance.stay if isinstance(advance, AllBut) else 0
        wish = left - max(stay, 1)
    return max(fewest, min(left - 1, wish))
