"""A preview as data: each attack with its endings, what changes, and continents."""

from __future__ import annotations

import pytest

from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule, Stop
from rubicon.orders.preview.preview import preview
from rubicon.orders.syntax import AllBut, WonCondition
from tests.orders.scenes import attack, deploy, order_text, scene, when

RULE = DiceRule.of("classic", defend_dice="best")
UNPLACED = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"


@pytest.mark.parametrize(("attackers", "defenders", "left"), [(3, 1, 1), (9, 6, 3), (20, 9, 5)])
def test_the_endings_of_an_attack_are_those_of_its_battle(
    attackers: int, defenders: int, left: int
) -> None:
    game = scene({"alaska": f"r{attackers}", "kamchatka": f"b{defenders}"})
    seen = preview(order_text(attack("alaska", "kamchatka", left=left)), game, "red")
    exact = battle(attackers, defenders, RULE, Stop(left=left))
    (leg,) = seen.legs
    assert (leg.line, leg.source, leg.target) == (1, "alaska", "kamchatka")
    assert leg.reached.chance == pytest.approx(1.0)
    assert leg.taken.chance == pytest.approx(exact.win)
    expected: dict[tuple[int, bool], float] = {}
    for line in exact.lines:
        key = line.attack, line.defend == 0
        expected[key] = expected.get(key, 0.0) + line.chance
    assert {(one.armies, one.taken): one.chance for one in leg.endings} == pytest.approx(expected)


def test_a_later_attack_is_reached_as_often_as_the_first_one_succeeds() -> None:
    game = scene({"alaska": "r9", "kamchatka": "b3", "irkutsk": "b2"})
    path = attack("alaska", "kamchatka", "irkutsk", advance=AllBut(1))
    first, second = preview(order_text(path), game, "red").legs
    assert (second.source, second.target) == ("kamchatka", "irkutsk")
    assert second.reached.chance == pytest.approx(
        sum(one.chance for one in first.endings if one.taken and one.armies > 2), abs=0.05
    )
    assert second.reached.chance <= first.taken.chance + 1e-12
    assert sum(one.chance for one in second.endings) == pytest.approx(second.reached.chance)


def test_territories_that_change_have_their_averages() -> None:
    game = scene({"alaska": "r5", "kamchatka": "b2", "peru": "r2"})
    seen = preview(order_text(attack("alaska", "kamchatka")), game, "red")
    found = {one.territory: one for one in seen.territories}
    assert set(found) == {"alaska", "kamchatka"}
    assert found["alaska"].held.chance == 1.0
    assert found["kamchatka"].held.chance == pytest.approx(seen.legs[0].taken.chance)
    own = sum(one.held.chance * one.armies for one in seen.territories)
    assert own == pytest.approx(5 - seen.lost)


def test_continents_have_the_chance_to_own_all_of_them() -> None:
    names = ["venezuela", "peru", "brazil"]
    game = scene(dict.fromkeys(names, "r3") | {"brazil": "r9", "argentina": "b2"})
    seen = preview(order_text(attack("brazil", "argentina")), game, "red")
    chances = {name: chance.chance for name, chance in seen.continents}
    assert chances["south_america"] == pytest.approx(seen.legs[0].taken.chance)


def test_a_sample_has_the_endings_too() -> None:
    held = {"alaska": "r9", "kamchatka": "b6", "northwest_territory": "r8", "greenland": "g4"}
    game = scene(held)
    second = when(WonCondition(), attack("northwest_territory", "greenland"))
    orders = order_text(attack("alaska", "kamchatka"), second)
    exact = preview(orders, game, "red")
    sampled = preview(orders, game, "red", most_work=1.0)
    assert sampled.runs is not None
    for one, other in zip(exact.legs, sampled.legs, strict=True):
        assert other.taken.low - 0.05 <= one.taken.chance <= other.taken.high + 0.05
        assert sum(each.chance for each in other.endings) == pytest.approx(other.reached.chance)


def test_deployed_armies_count_in_the_averages() -> None:
    game = scene({"alaska": "r5", "kamchatka": "b2"}, seats=UNPLACED)
    seen = preview(order_text(deploy(alaska=3)), game, "red")
    assert seen.legs == ()
    assert [(one.territory, one.armies) for one in seen.territories] == [("alaska", 8.0)]
