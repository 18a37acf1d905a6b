"""Luck against every possible roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from rubicon.engine.records import Chance
from rubicon.odds.luck import (
    MOST_LOST,
    battle_rolls_of,
    chance_of_more,
    faces_test,
    luck_of,
    total_luck,
)
from rubicon.rules.actions import Roll
from rubicon.rules.game import Game
from tests.orders.scenes import scene


def fight(*rolls: str) -> Game:
    """Alaska attacks Kamchatka with so many rolls, three dice against two."""
    game = scene({"alaska": "r30", "kamchatka": "b30"})
    for roll in rolls:
        game.play("attack alaska -> kamchatka dice 3")
        assert game.pending is not None
        assert game.pending.chance == Chance.BATTLE
        game.settle(roll)
    return game


def every_balance() -> dict[int, Fraction]:
    """The chance of each X for three dice against two, by counting all 7,776 rolls."""
    found: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=5):
        attack, defence = sorted(faces[:3], reverse=True), sorted(faces[3:], reverse=True)
        won = sum(mine > theirs for mine, theirs in zip(attack, defence, strict=False))
        balance = won - (2 - won)
        found[balance] = found.get(balance, Fraction(0)) + Fraction(1, 6**5)
    return found


CHANCES = every_balance()
MEAN = sum(value * chance for value, chance in CHANCES.items())
VARIANCE = sum((value - MEAN) ** 2 * chance for value, chance in CHANCES.items())


@pytest.mark.parametrize(
    ("rolls", "sums"),
    [
        (["6 6 6 v 1 1"], [2]),
        (["1 1 1 v 6 6"], [-2]),
        (["6 6 6 v 1 1", "1 1 1 v 6 6"], [2, -2]),
        (["6 6 6 v 1 1", "6 1 1 v 5 5", "6 5 4 v 3 2"], [2, 0, 2]),
    ],
)
def test_luck_is_what_counting_every_roll_gives(rolls: list[str], sums: list[int]) -> None:
    luck = luck_of(fight(*rolls))
    total = sum(sums)
    below, equal = Fraction(0), Fraction(0)
    for values in product(CHANCES, repeat=len(sums)):
        chance = Fraction(1)
        for value in values:
            chance *= CHANCES[value]
        below += chance if sum(values) < total else 0
        equal += chance if sum(values) == total else 0
    red, blue = luck["red"], luck["blue"]
    assert red.rolls == blue.rolls == len(rolls)
    assert red.balance == pytest.approx(float(total - len(sums) * MEAN))
    assert blue.balance == pytest.approx(-red.balance)
    assert red.deviation == pytest.approx(sqrt(len(sums) * VARIANCE))
    assert red.percentile == pytest.approx(float(100 * (below + equal / 2)))
    assert blue.percentile == pytest.approx(100 - red.percentile)
    assert (red.lost, red.destroyed) == (blue.destroyed, blue.lost)
    assert red.expected_destroyed - red.expected_lost == pytest.approx(float(len(sums) * MEAN))


def test_faces_are_counted_for_both_sides() -> None:
    game = fight("6 6 6 v 1 1", "6 5 4 v 3 2")
    luck = luck_of(game)
    assert luck["red"].faces == (0, 0, 0, 1, 1, 4)
    assert luck["blue"].faces == (2, 1, 1, 0, 0, 0)
    assert luck["green"].rolls == 0
    assert luck["green"].percentile == 50.0
    assert faces_test(battle_rolls_of(game)).faces == (2, 1, 1, 1, 1, 4)


def test_each_roll_knows_its_place_and_its_average() -> None:
    game = fight("6 6 6 v 1 1", "1 1 1 v 6 6")
    first, second = battle_rolls_of(game)
    assert [game.history[one.number] for one in (first, second)] == [
        Roll((6, 6, 6), (1, 1)),
        Roll((1, 1, 1), (6, 6)),
    ]
    assert first.beyond == pytest.approx(float(2 - MEAN))
    assert second.beyond == pytest.approx(float(-2 - MEAN))
    assert {int(x) - MOST_LOST for x in first.balance.nonzero()[0]} == set(CHANCES)


@pytest.mark.parametrize(("squared", "chance"), [(0.0, 1.0), (11.0705, 0.05), (15.0863, 0.01)])
def test_the_chance_of_more_is_that_of_the_tables(squared: float, chance: float) -> None:
    assert chance_of_more(squared) == pytest.approx(chance, abs=1e-5)


def test_the_luck_of_several_games_is_their_sum() -> None:
    first = luck_of(fight("6 6 6 v 1 1"))["red"]
    both = total_luck([first, first])
    assert (both.rolls, both.destroyed) == (2 * first.rolls, 2 * first.destroyed)
    assert both.balance == pytest.approx(2 * first.balance)
    assert both.deviation == pytest.approx(2**0.5 * first.deviation)
    assert both.faces == tuple(2 * count for count in first.faces)
    assert 50 < total_luck([first] * 4).percentile < 100


def test_no_games_have_no_luck() -> None:
    nothing = total_luck([])
    assert (nothing.rolls, nothing.balance, nothing.percentile) == (0, 0, 50.0)
    assert nothing.faces == (0, 0, 0, 0, 0, 0)
