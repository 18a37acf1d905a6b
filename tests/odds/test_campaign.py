"""Campaigns equal the sum over every course that they can take, in fractions."""

import doctest
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubicon.odds.battle
import rubicon.odds.campaign
from rubicon.errors import RubiconError
from rubicon.odds.battle import armies_needed, battle, costs
from rubicon.odds.campaign import (
    Target,
    campaign,
    campaign_needed,
    parse_targets,
    path,
    with_behind,
)
from rubicon.odds.rule import AMPLE, DiceRule, Stop, roll_table
from rubicon.rules.ruleset.ruleset import presets

CLASSIC = DiceRule.of("classic")
PRECISE = 1e-12
Captures = dict[tuple[int, int], Fraction]


@cache
def captures(rule: DiceRule, attack: int, defend: int) -> Captures:
    """The chance of each pair of armies left and dice of the last roll."""
    if attack < 2:
        return {}
    table, found = roll_table(rule), defaultdict[tuple[int, int], Fraction](Fraction)
    dice = int(table.attack_choice[min(attack, AMPLE), 1])
    reply = int(table.defend_choice[min(defend, AMPLE), 1])
    for (left, against), share in costs(table, (attack, defend), (dice, reply)):
        if against == 0:
            found[left, dice] += share
        else:
            for ending, chance in captures(rule, left, against).items():
                found[ending] += share * chance
    return dict(found)


def fewest(rule: DiceRule, left: int, dice: int) -> int:
    return int(roll_table(rule).occupy[min(left, AMPLE), dice])


def best(rule: DiceRule, armies: int, targets: Sequence[Target], behind: int) -> Fraction:
    """The chance to take everything with the best division of armies."""
    if not targets:
        return Fraction(1)
    first, *others = targets
    total = Fraction(0)
    for (left, dice), chance in captures(rule, armies, first.defend).items():
        least = fewest(rule, left, dice)
        moves = range(least, left) if others else [max(least, left - behind)]
        total += chance * max(
            best(rule, moved, first.then, first.behind) * best(rule, left - moved, others, behind)
            for moved in moves
        )
    return total


trees = st.recursive(
    st.builds(Target, st.integers(1, 3)),
    lambda inner: st.builds(
        Target, st.integers(1, 3), st.lists(inner, max_size=2).map(tuple), st.integers(1, 3)
    ),
    max_leaves=3,
)


@given(st.integers(2, 9), st.lists(trees, min_size=1, max_size=2), st.integers(1, 3))
def test_the_best_division(attack: int, targets: list[Target], home: int) -> None:
    found = campaign(attack, targets, CLASSIC, home=home)
    assert found.win == pytest.approx(float(best(CLASSIC, attack, targets, home)), rel=PRECISE)


@pytest.mark.parametrize("preset", presets())
def test_paths_under_every_preset(preset: str) -> None:
    rule = DiceRule.of(preset)
    targets = path([2, 1, 2], [2, 1])
    found = campaign(9, targets, rule, home=2)
    assert found.win == pytest.approx(float(best(rule, 9, targets, 2)), rel=PRECISE)


@given(
    st.integers(2, 16),
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_a_path_and_its_prefixes(attack: int, defend: list[int], stay: int, home: int) -> None:
    targets = with_behind(path(defend), [stay])
    found = campaign(attack, targets, CLASSIC, home=home)
    assert found.is_path
    for number, stage in enumerate(found.stages):
        prefix = path(defend[: number + 1], [stay] * number)
        exact = float(best(CLASSIC, attack, prefix, home))
        assert stage.taken == pytest.approx(exact, rel=PRECISE)
    assert found.win == found.stages[-1].taken


@given(st.integers(2, 20), st.lists(trees, min_size=1, max_size=2))
def test_every_army_is_on_the_board_or_lost(attack: int, targets: list[Target]) -> None:
    found = campaign(attack, targets, CLASSIC)
    for left in (found.home_left, *(stage.left for stage in found.stages)):
        assert sum(left) == pytest.approx(1, rel=PRECISE)
    for stage in found.stages:
        assert sum(stage.left[1:]) == pytest.approx(stage.taken, rel=PRECISE)
        assert 0 <= stage.expected_defend_losses <= stage.target.defend
    assert 0 <= found.expected_attack_losses <= attack - 1
    assert found.win <= min(stage.taken for stage in found.stages) * (1 + PRECISE)


def test_one_territory_is_a_battle() -> None:
    alone, fight = campaign(9, path([6]), CLASSIC), battle(9, 6, CLASSIC)
    assert alone.win == pytest.approx(fight.win, rel=PRECISE)
    assert alone.expected_attack_losses == pytest.approx(fight.expected_attack_losses, rel=PRECISE)
    assert alone.expected_defend_losses == pytest.approx(fight.expected_defend_losses, rel=PRECISE)


def test_armies_that_stay_lower_the_chance() -> None:
    wins = [campaign(14, path([3, 5, 2], [n, n]), CLASSIC).win for n in (1, 2, 3, 4)]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > wins[-1]


def test_no_fewer_move_in_than_the_rules_demand() -> None:
    """As many armies as the dice of the last roll move in, even if more are to stay."""
    found = campaign(6, path([1, 1]), CLASSIC, home=30)
    assert found.stages[0].move_in(6) == 3
    assert found.stages[0].move_in(2) == 1
    one = DiceRule(CLASSIC.ruleset.with_options({"occupy.min": "one"}))
    assert campaign(6, path([1, 1]), one, home=30).stages[0].move_in(6) == 1


def test_a_territory_can_have_its_own_rule() -> None:
    plain = DiceRule.of("revised")
    strong = DiceRule.of("revised", defence_airfield=True)
    weak = campaign(9, path([3, 3]), plain).stages
    hard = campaign(9, (Target(3, (Target(3, rule=strong),)),), plain).stages
    assert hard[0].taken == weak[0].taken
    assert hard[1].taken < weak[1].taken


def test_a_division_gives_each_direction_enough() -> None:
    found = campaign(20, parse_targets("3,5(2)(4,1)"), CLASSIC)
    assert [stage.source for stage in found.stages] == [-1, 0, 1, 1, 3]
    two = found.stages[2]
    assert two.move_in(10) == 3, "two armies are worth no more than the rules demand"
    assert not found.is_path
    assert found.expected_taken == pytest.approx(sum(stage.taken for stage in found.stages))


def test_stops_are_for_each_battle() -> None:
    whole = campaign(12, path([3, 4]), CLASSIC)
    for stop in (Stop(left=3), Stop(lost=4), Stop(rounds=3), Stop(odds=0.5)):
        found = campaign(12, path([3, 4]), CLASSIC, stop=stop)
        assert 0 < found.win < whole.win
        first = battle(12, 3, CLASSIC, stop).win
        assert found.stages[0].taken == pytest.approx(first, rel=PRECISE)


def test_losses_are_counted_from_each_start() -> None:
    """The second battle begins with the armies that the first one left."""
    stop = Stop(lost=2)
    found = campaign(9, path([1, 2]), CLASSIC, stop=stop)
    total = 0.0
    for line in battle(9, 1, CLASSIC, stop).lines:
        if line.defend == 0:
            total += line.chance * battle(line.attack - 1, 2, CLASSIC, stop).win
    assert found.win == pytest.approx(total, rel=PRECISE)


def test_counting_stops_are_refused_where_the_path_divides() -> None:
    for stop in (Stop(lost=3), Stop(rounds=3)):
        with pytest.raises(RubiconError) as caught:
            campaign(12, parse_targets("3(2)(1)"), CLASSIC, stop=stop)
        assert caught.value.code == "odds/stop-and-split"
    assert campaign(12, parse_targets("3(2)(1)"), CLASSIC, stop=Stop(odds=0.4)).win > 0


@pytest.mark.parametrize("text", ["7", "3,5,2", "(3)(2)", "3(2)(4,1)"])
@pytest.mark.parametrize("chance", [0.2, 0.8, 0.99])
def test_armies_needed_for_a_campaign(text: str, chance: float) -> None:
    targets = parse_targets(text)
    needed = campaign_needed(targets, CLASSIC, chance)
    assert campaign(needed, targets, CLASSIC).win >= chance
    assert needed == 2 or campaign(needed - 1, targets, CLASSIC).win < chance


@pytest.mark.parametrize(
    "stop", [Stop(), Stop(left=3), Stop(odds=0.4), Stop(lost=9), Stop(rounds=9)]
)
def test_armies_needed_for_a_battle(stop: Stop) -> None:
    needed = armies_needed(6, CLASSIC, 0.8, stop)
    assert battle(needed, 6, CLASSIC, stop).win >= 0.8
    assert battle(needed - 1, 6, CLASSIC, stop).win < 0.8
    assert campaign_needed(path([6]), CLASSIC, 0.8, stop=stop) == needed


def test_a_chance_that_no_number_reaches_is_refused() -> None:
    for stop in (Stop(lost=2), Stop(rounds=2)):
        with pytest.raises(RubiconError) as caught:
            armies_needed(30, CLASSIC, 0.5, stop)
        assert caught.value.code == "odds/not-reached"
        with pytest.raises(RubiconError) as caught:
            campaign_needed(path([30, 1]), CLASSIC, 0.5, stop=stop)
        assert caught.value.code == "odds/not-reached"
    with pytest.raises(RubiconError) as caught:
        armies_needed(3000, DiceRule.of("classic", attack_dice=1), 0.999)
    assert caught.value.code == "odds/not-reached"


@pytest.mark.parametrize(
    ("targets", "home", "code"),
    [
        ((), 1, "odds/bad-list"),
        (path([1] * 128), 1, "odds/bad-list"),
        (path([0]), 1, "odds/defend-too-small"),
        (path([3]), 0, "odds/bad-number"),
        (path([3, 1], [0]), 1, "odds/bad-number"),
        ([2, 3], 1, "odds/bad-list"),
        (5, 1, "odds/bad-list"),
        (Target(3), 1, "odds/bad-list"),
        (path([3, "1"]), 1, "odds/not-whole"),  # type: ignore[list-item]
        (path([3]), 1.5, "odds/not-whole"),
    ],
)
def test_campaigns_that_are_refused(targets: Any, home: Any, code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        campaign(9, targets, CLASSIC, home=home)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ((3, "classic", 0.5), "odds/not-a-rule"),
        (("3", CLASSIC, 0.5), "odds/not-whole"),
        ((3, CLASSIC, "50 %"), "odds/bad-chance"),
    ],
)
def test_wrong_types_are_refused(given: tuple[Any, Any, Any], code: str) -> None:
    defend, rule, chance = given
    for reckon in (armies_needed, lambda d, *more: campaign_needed(path([d]), *more)):
        with pytest.raises(RubiconError) as caught:
            reckon(defend, rule, chance)
        assert caught.value.code == code


@pytest.mark.parametrize("module", [rubicon.odds.battle, rubicon.odds.campaign])
def test_examples(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted
    assert not results.failed


def test_as_a_dictionary() -> None:
    said = campaign(12, path([3, 5, 2]), CLASSIC).as_dict()
    assert said["defend"] == [3, 5, 2]
    assert said["source"] == [-1, 0, 1]
    assert np.sum(said["distribution"][2]) == pytest.approx(1)  # type: ignore[index]
