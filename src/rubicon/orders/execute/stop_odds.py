"""The chance to take the rest of a path, for `UNTIL ODDS < p%`."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rubicon.engine.records import Position, copy_position
from rubicon.odds.distribution import DICE, solve
from rubicon.odds.rule import AMPLE, MOST_ARMIES, Chances, DiceRule, Numbers, Stop, roll_table
from rubicon.orders.execute.program import SeatView
from rubicon.orders.syntax import AllBut, Armies, AttackOrder, Fewest

# Pairs of armies for which one answer computes a chance, along the whole path; paths that need
# more are scaled down.
MOST_CELLS = 250_000
SIZE_STEP = 32  # table sizes are rounded up to a multiple, so that the next roll finds them cached


class PathTerritory(NamedTuple):
    """A territory of a path: its dice rule and defenders, or the seat's own armies on it."""

    rule: DiceRule
    defend: int  # 0 where the seat owns it
    standing: int  # the seat's armies, where it owns the territory


class RemainingPath(NamedTuple):
    """The rest of a path, without the armies on the attacking territory.

    `left` and `floor` are the numbers of armies there at which LEFT and LOST end the attack;
    `floor` is None without LOST. Losses further along the path count from the same `floor`.
    """

    legs: tuple[PathTerritory, ...]
    advance: Armies | None
    left: int
    floor: int | None


class PathOdds(NamedTuple):
    """The chance to take the rest of a path, for any number of armies that attack.

    `scale` is 1 except for huge battles, which are computed with fewer armies in proportion.
    """

    path: RemainingPath
    scale: float

    def chance(self, attack: int, defend: int) -> float:
        """The chance of `attack` armies where the first territory has `defend` armies."""
        attack, defend = _scaled(attack, self.scale, 2), _scaled(defend, self.scale, 1)
        return float(self.table(attack, defend)[attack, defend])

    def table(self, most: int, defend: int) -> Chances:
        """The chances for at least up to `most` against `defend` armies, both to scale."""
        return _table(self.path, _rounded_up(most), _rounded_up(defend))


def path_odds(
    seat_view: SeatView,
    position: Position,
    order: AttackOrder,
    leg: int,
    *,
    left: int,
    floor: int | None,
) -> PathOdds:
    """The rest of an order's path in a position, from leg `leg` on.

    The chance is that of going on under LEFT (`left`) and LOST (`floor`), which end the order for
    good. ROUNDS is ignored, since the player may attack again. Defenders roll their best dice.
    """
    numbers = [seat_view.territory(name) for name in order.path[leg:]]
    legs = _legs(seat_view, position, numbers, order.dice)
    scale = _scale(int(position.armies[numbers[0]]), legs, order.onward, floor)
    if scale == 1.0:
        return PathOdds(RemainingPath(legs, order.onward, left, floor), scale)
    legs = tuple(
        PathTerritory(
            rule, _scaled(defend, scale, min(defend, 1)), _scaled(standing, scale, min(standing, 1))
        )
        for rule, defend, standing in legs
    )
    advance = order.onward
    if isinstance(advance, int):
        advance = _scaled(advance, scale, 1)
    floor = None if floor is None else int(floor * scale)
    return PathOdds(RemainingPath(legs, advance, _scaled(left, scale, 1), floor), scale)


def _legs(
    seat_view: SeatView, position: Position, numbers: list[int], dice: int | None
) -> tuple[PathTerritory, ...]:
    # Each territory is attacked from the one before it, which the seat owns by then.
    trial = copy_position(position)
    legs = []
    for source, target in pairwise(numbers):
        trial.owner[source] = seat_view.seat
        rule = DiceRule.between(
            seat_view.game.ruleset,
            trial,
            source,
            target,
            attack_dice="most" if dice is None else dice,
            defend_dice="best",
        )
        armies = int(position.armies[target])
        held = position.owner[target] == seat_view.seat
        legs.append(PathTerritory(rule, 0 if held else armies, armies if held else 0))
    return tuple(legs)


def cells_of(
    attack: int, legs: tuple[PathTerritory, ...], advance: Armies | None, lost: bool
) -> int:
    """About how many pairs of armies need a chance."""
    most = max(attack, *(leg.standing for leg in legs))
    behind = sum(leg.defend for leg in legs[1:])
    onward = most
    if lost and isinstance(advance, int):  # a table for each number of losses still allowed
        onward = min(most, advance) ** 2
    return most * sum(leg.defend for leg in legs[:1]) + onward * behind


def _scale(
    attack: int, legs: tuple[PathTerritory, ...], advance: Armies | None, floor: int | None
) -> float:
    """The factor for all armies: a larger battle goes like a smaller one in proportion."""
    # Half the armies on both sides take a quarter of the cells, hence the square root.
    cells = cells_of(attack, legs, advance, floor is not None)
    fitting = 1.0 if cells <= MOST_CELLS else float((MOST_CELLS / cells) ** 0.5)
    most = max(attack, *(max(leg.defend, leg.standing) for leg in legs))
    return min(fitting, MOST_ARMIES / most) if most > MOST_ARMIES else fitting


def _scaled(armies: int, scale: float, least: int) -> int:
    return armies if scale == 1.0 else max(least, int(armies * scale))


def _rounded_up(armies: int) -> int:
    return (armies // SIZE_STEP + 1) * SIZE_STEP


@lru_cache(maxsize=16)
def _table(path: RemainingPath, most: int, defend: int) -> Chances:
    return _chances(path, most, defend)


def _chances(path: RemainingPath, most: int, defend: int) -> Chances:
    """The chances to take the path, by the armies that attack and those that defend first."""
    first, rest = path.legs[0], path.legs[1:]
    capture_value = np.ones((most + 1, DICE))
    if rest:
        _fill_capture_values(capture_value, path, first.rule, rest)
    floor = path.left if path.floor is None else max(path.left, path.floor)
    stop = Stop(left=max(1, min(floor, most)))
    return solve(most, defend, first.rule, stop, capture_value).value


def _fill_capture_values(
    capture_value: Chances, path: RemainingPath, rule: DiceRule, rest: tuple[PathTerritory, ...]
) -> None:
    """The value of a capture: the chance to take the rest of the path from there.

    With LOST the rest has another floor for every number of armies left, so a table for each.
    """
    left, dice = np.indices(capture_value.shape)[:, 2:, 1:].reshape(2, -1)
    moved = armies_to_move(
        path.advance, left, roll_table(rule).occupy[np.minimum(left, AMPLE), dice]
    )
    most = int(moved.max())
    if path.floor is None:
        capture_value[left, dice] = _chances_by_armies(path._replace(legs=rest), most)[moved]
        return
    floors = np.minimum(moved - (left - path.floor), most)
    if all(leg.defend for leg in rest):  # no own armies join in, so no more than these can be lost
        floors = np.maximum(floors, 1)
    for floor in np.unique(floors).tolist():
        those = floors == floor
        onward = _chances_by_armies(path._replace(legs=rest, floor=floor), most)
        capture_value[left[those], dice[those]] = onward[moved[those]]


@lru_cache(maxsize=2048)
def _chances_by_armies(path: RemainingPath, most: int) -> Chances:
    """The chance to take the path with n armies, for n up to `most`.

    Where the seat owns the first territory, its armies there go on.
    """
    if not path.legs:
        return np.ones(most + 1)
    leg = path.legs[0]
    if leg.defend:
        return _chances(path, most, leg.defend)[:, leg.defend].copy()
    found = np.zeros(most + 1)
    onward: dict[int | None, float] = {}
    for armies in range(most + 1):
        floor = None if path.floor is None else leg.standing - (armies - path.floor)
        if floor not in onward:
            rest = path._replace(legs=path.legs[1:], floor=floor)
            onward[floor] = float(_chances_by_armies(rest, _rounded_up(leg.standing))[leg.standing])
        found[armies] = onward[floor]
    return found


def armies_to_move(advance: Armies | None, left: Numbers, fewest: Numbers) -> Numbers:
    """How many of `left` armies move in: the wanted number, or the nearest that is legal."""
    if isinstance(advance, Fewest):
        return fewest
    if isinstance(advance, int):
        return np.maximum(fewest, np.minimum(left - 1, advance))
    stay = advance.stay if isinstance(advance, AllBut) else 0
    return np.maximum(fewest, left - max(stay, 1))
