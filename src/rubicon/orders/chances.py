"""The chance of what is left of a path, for `UNTIL ODDS < p%`."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rubicon.odds.fight import DICE, outlook
from rubicon.odds.limits import MOST_ARMIES
from rubicon.odds.rolls import AMPLE, Chances, Numbers, rolls
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import Stop
from rubicon.orders.order import AllBut, Armies, AttackOrder, Fewest
from rubicon.orders.sight import Sight
from rubicon.rules.position import copy_position

MOST_CELLS = 250_000  # pairs of armies that one answer looks at, along the whole path
ROOM = 32  # tables are made a little larger than needed, so that the next roll finds them too


class Leg(NamedTuple):
    """A territory of a path: how it is fought for, or who stands there already."""

    rule: DiceRule
    defend: int  # 0 where it is held
    standing: int  # the armies on it where it is held


class Way(NamedTuple):
    """What is left of a path, the attacking territory's own armies apart.

    `floor` is the number of armies there at which LOST ends the attack: what is lost later on
    counts from it. None without LOST.
    """

    legs: tuple[Leg, ...]
    advance: Armies | None
    left: int
    floor: int | None


class PathOdds(NamedTuple):
    """The chance to take all that is left of a path, for any armies that attack its beginning.

    `scale` is that of the armies which are reckoned with: 1 for all but huge battles.
    """

    way: Way
    scale: float

    def chance(self, attack: int, defend: int) -> float:
        """The chance of so many armies against so many defenders of the first territory."""
        attack, defend = _scaled(attack, self.scale, 2), _scaled(defend, self.scale, 1)
        return float(self.table(attack, defend)[attack, defend])

    def table(self, most: int, defend: int) -> Chances:
        """The chances of up to `most` armies against up to `defend`, and of some more; to scale."""
        return _table(self.way, _roomy(most), _roomy(defend))


def path_odds(
    sight: Sight, position: Any, order: AttackOrder, leg: int, left: int, floor: int | None
) -> PathOdds:
    """What is left of an order's path in a position, from leg `leg` on.

    The line goes on under its LEFT (`left`) and LOST (`floor`), which end it for good; ROUNDS
    only says when to look again. Every defender answers with the dice that serve it best.
    """
    numbers = [sight.territory(name) for name in order.path[leg:]]
    legs = _legs(sight, position, numbers, order.dice)
    scale = _scale(int(position.armies[numbers[0]]), legs, order.advance, floor)
    if scale == 1.0:
        return PathOdds(Way(legs, order.advance, left, floor), scale)
    legs = tuple(
        Leg(
            rule, _scaled(defend, scale, min(defend, 1)), _scaled(standing, scale, min(standing, 1))
        )
        for rule, defend, standing in legs
    )
    advance = order.advance
    if isinstance(advance, int):
        advance = _scaled(advance, scale, 1)
    floor = None if floor is None else int(floor * scale)
    return PathOdds(Way(legs, advance, _scaled(left, scale, 1), floor), scale)


def _legs(sight: Sight, position: Any, numbers: list[int], dice: int | None) -> tuple[Leg, ...]:
    trial = copy_position(position)
    legs = []
    for source, target in pairwise(numbers):
        trial.owner[source] = sight.seat
        rule = DiceRule.between(
            sight.game.ruleset,
            trial,
            source,
            target,
            attack_dice="most" if dice is None else dice,
            defend_dice="best",
        )
        armies = int(position.armies[target])
        held = position.owner[target] == sight.seat
        legs.append(Leg(rule, 0 if held else armies, armies if held else 0))
    return tuple(legs)


def cells_of(attack: int, legs: tuple[Leg, ...], advance: Armies | None, lost: bool) -> int:
    """About how many pairs of armies must be looked at."""
    most = max(attack, *(leg.standing for leg in legs))
    behind = sum(leg.defend for leg in legs[1:])
    onward = most
    if lost and isinstance(advance, int):  # a table for each number of losses still allowed
        onward = min(most, advance) ** 2
    return most * sum(leg.defend for leg in legs[:1]) + onward * behind


def _scale(attack: int, legs: tuple[Leg, ...], advance: Armies | None, floor: int | None) -> float:
    """So many armies fight like fewer of the same proportion."""
    cells = cells_of(attack, legs, advance, floor is not None)
    fitting = 1.0 if cells <= MOST_CELLS else float((MOST_CELLS / cells) ** 0.5)
    most = max(attack, *(max(leg.defend, leg.standing) for leg in legs))
    return min(fitting, MOST_ARMIES / most) if most > MOST_ARMIES else fitting


def _scaled(armies: int, scale: float, least: int) -> int:
    return armies if scale == 1.0 else max(least, int(armies * scale))


def _roomy(armies: int) -> int:
    return (armies // ROOM + 1) * ROOM


@lru_cache(maxsize=16)
def _table(way: Way, most: int, defend: int) -> Chances:
    return _reckoned(way, most, defend)


def _reckoned(way: Way, most: int, defend: int) -> Chances:
    """The chances to take the whole way, by armies on its first two territories."""
    first, rest = way.legs[0], way.legs[1:]
    prize = np.ones((most + 1, DICE))
    if rest:
        _fill(prize, way, first.rule, rest)
    floor = way.left if way.floor is None else max(way.left, way.floor)
    stop = Stop(left=max(1, min(floor, most)))
    return outlook(most, defend, first.rule, stop, prize).value


def _fill(prize: Chances, way: Way, rule: DiceRule, rest: tuple[Leg, ...]) -> None:
    """What a capture is worth: the chance to go on from there and take the rest."""
    left, dice = np.indices(prize.shape)[:, 2:, 1:].reshape(2, -1)
    moved = wished(way.advance, left, rolls(rule).occupy[np.minimum(left, AMPLE), dice])
    most = int(moved.max())
    if way.floor is None:
        prize[left, dice] = _ready(way._replace(legs=rest), most)[moved]
        return
    floors = np.minimum(moved - (left - way.floor), most)
    if all(leg.defend for leg in rest):  # nobody else joins in: no more than these can be lost
        floors = np.maximum(floors, 1)
    for floor in np.unique(floors).tolist():
        those = floors == floor
        onward = _ready(way._replace(legs=rest, floor=floor), most)
        prize[left[those], dice[those]] = onward[moved[those]]


@lru_cache(maxsize=2048)
def _ready(way: Way, most: int) -> Chances:
    """The chance to take the whole way with up to `most` armies, which may stand on it already."""
    if not way.legs:
        return np.ones(most + 1)
    leg = way.legs[0]
    if leg.defend:
        return _reckoned(way, most, leg.defend)[:, leg.defend].copy()
    found = np.zeros(most + 1)
    onward: dict[int | None, float] = {}
    for armies in range(most + 1):
        floor = None if way.floor is None else leg.standing - (armies - way.floor)
        if floor not in onward:
            rest = way._replace(legs=way.legs[1:], floor=floor)
            onward[floor] = float(_ready(rest, _roomy(leg.standing))[leg.standing])
        found[armies] = onward[floor]
    return found


def wished(advance: Armies | None, left: Numbers, fewest: Numbers) -> Numbers:
    """How many of `left` armies move in, as near to the wish as the rules allow."""
    if isinstance(advance, Fewest):
        return fewest
    if isinstance(advance, int):
        return np.maximum(fewest, np.minimum(left - 1, advance))
    stay = advance.stay if isinstance(advance, AllBut) else 0
    return np.maximum(fewest, left - max(stay, 1))
