"""Battles: known values, properties, and precision."""

import math
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.odds.battle import Battle, battle, exact_battle
from rubicon.odds.rule import MOST_ARMIES, MOST_FOR_FRACTIONS, DiceRule, Stop
from rubicon.rules.ruleset.ruleset import presets

CLASSIC = DiceRule.of("classic")
PRECISE = 1e-12

rules = st.builds(
    DiceRule.of,
    st.sampled_from(sorted(presets())),
    attack_dice=st.sampled_from([1, 2, 3, "most", "best"]),
    defend_dice=st.sampled_from([1, 2, "most", "best"]),
    neutral=st.booleans(),
)
rewarded = st.builds(
    DiceRule.of,
    st.sampled_from(["revised", "revised-conquest"]),
    defend_dice=st.sampled_from([1, "most", "best"]),
    attack_die=st.booleans(),
    defence_die=st.booleans(),
    attack_airfield=st.booleans(),
    defence_airfield=st.booleans(),
)
stops = st.builds(
    Stop,
    left=st.integers(1, 6),
    lost=st.none() | st.integers(1, 8),
    rounds=st.none() | st.integers(1, 12),
    odds=st.none() | st.floats(0.05, 0.95),
)
attacks, defends = st.integers(2, 14), st.integers(1, 12)


@pytest.mark.parametrize(
    ("attack", "defend", "win"),
    [(6, 5, 0.506), (11, 10, 0.568), (2, 1, 0.417), (3, 2, 0.363), (4, 3, 0.470)],
)
def test_known_values(attack: int, defend: int, win: float) -> None:
    """Osborne 2003, whose attacking armies are those free to move."""
    assert battle(attack, defend, CLASSIC).win == pytest.approx(win, abs=0.0005)


def test_a_small_battle_in_fractions() -> None:
    found = exact_battle(3, 2, CLASSIC)
    assert found.win == Fraction(235, 648)
    assert [(line.attack, line.defend) for line in found.lines] == [(3, 0), (2, 0), (1, 2), (1, 1)]
    assert found.lines[0].chance == Fraction(295, 1296)


@given(st.one_of(rules, rewarded), attacks, defends, stops)
def test_floats_and_fractions_agree(rule: DiceRule, attack: int, defend: int, stop: Stop) -> None:
    floats, fractions = battle(attack, defend, rule, stop), exact_battle(attack, defend, rule, stop)
    assert [(line.attack, line.defend) for line in floats.lines] == [
        (line.attack, line.defend) for line in fractions.lines
    ]
    for line, exact in zip(floats.lines, fractions.lines, strict=True):
        assert line.chance == pytest.approx(float(exact.chance), rel=PRECISE)
    assert floats.win == pytest.approx(float(fractions.win), rel=PRECISE)


@given(st.one_of(rules, rewarded), attacks, defends, stops)
def test_chances_of_all_endings_sum_to_one(
    rule: DiceRule, attack: int, defend: int, stop: Stop
) -> None:
    found = exact_battle(attack, defend, rule, stop)
    assert sum(line.chance for line in found.lines) == 1
    assert found.win + found.repelled + found.broken_off == 1
    assert len({(line.attack, line.defend) for line in found.lines}) == len(found.lines)
    for line in found.lines:
        assert 1 <= line.attack <= attack
        assert 0 <= line.defend <= defend
        assert line.attack > 1 or line.defend


@given(rules, st.integers(2, 60), st.integers(1, 60))
def test_more_attackers_win_more_and_more_defenders_less(
    rule: DiceRule, attack: int, defend: int
) -> None:
    win = battle(attack, defend, rule).win
    assert battle(attack + 1, defend, rule).win > win * (1 - PRECISE)
    assert battle(attack, defend + 1, rule).win < win * (1 + PRECISE)


@given(attacks, defends)
def test_losses_follow_from_the_armies_left(attack: int, defend: int) -> None:
    found = exact_battle(attack, defend, CLASSIC)
    left = sum(line.chance * line.attack for line in found.lines)
    against = sum(line.chance * line.defend for line in found.lines)
    assert found.expected_attack_losses == attack - left
    assert found.expected_defend_losses == defend - against


@given(attacks, defends)
def test_ties_explain_the_difference_of_one_die_each(attack: int, defend: int) -> None:
    """One die each: the attacker wins a roll in 15 of 36, the defender in 21."""
    one = DiceRule.of("classic", attack_dice=1, defend_dice=1)
    won, lost = Fraction(15, 36), Fraction(21, 36)
    chances = {(attack, defend): Fraction(1)}
    for total in range(attack + defend, 1, -1):
        for a in range(2, attack + 1):
            here = chances.pop((a, total - a), Fraction(0)) if total > a else Fraction(0)
            if here:
                chances[a, total - a - 1] = (
                    chances.get((a, total - a - 1), Fraction(0)) + here * won
                )
                chances[a - 1, total - a] = (
                    chances.get((a - 1, total - a), Fraction(0)) + here * lost
                )
    found = exact_battle(attack, defend, one)
    assert {(line.attack, line.defend): line.chance for line in found.lines} == chances


@given(rules, attacks, defends)
def test_best_dice_are_never_worse_than_chosen_ones(
    rule: DiceRule, attack: int, defend: int
) -> None:
    ruleset = rule.ruleset
    best = exact_battle(attack, defend, DiceRule(ruleset, "best", "best")).win
    for dice in (1, 2, 3):
        assert exact_battle(attack, defend, DiceRule(ruleset, dice, "best")).win <= best
    for dice in (1, 2):
        assert exact_battle(attack, defend, DiceRule(ruleset, "best", dice)).win >= best


def test_a_defender_with_rewards_does_better_to_choose() -> None:
    """docs/odds.md has these numbers."""
    facts = {"attack_die": True, "defence_die": True, "defence_airfield": True}
    rule = DiceRule.of("revised", **facts)
    clever = DiceRule.of("revised", **facts, defend_dice="best")
    assert battle(60, 31, rule).win == pytest.approx(0.596, abs=0.0005)
    assert battle(60, 31, clever).win == pytest.approx(0.287, abs=0.0005)


@pytest.mark.parametrize("preset", presets())
def test_without_rewards_the_most_dice_are_the_best(preset: str) -> None:
    most = DiceRule.of(preset)
    for choice in ({"attack_dice": "best"}, {"defend_dice": "best"}):
        best = DiceRule.of(preset, **choice)
        for attack, defend in ((2, 1), (3, 4), (20, 15), (30, 60)):
            found = battle(attack, defend, best).win
            assert found == pytest.approx(battle(attack, defend, most).win, rel=PRECISE)


def fixed_point(attack: int, defend: int, bits: int) -> Fraction:
    """The chance to capture under the classic rule: an independent program in whole numbers."""
    shares = {}
    for i, j in product((1, 2, 3), (1, 2)):
        counts = [0, 0, 0]
        for faces in product(range(6), repeat=i + j):
            compared = zip(sorted(faces[:i])[::-1], sorted(faces[i:])[::-1], strict=False)
            counts[sum(a > d for a, d in compared)] += 1
        shares[i, j] = [(count << bits) // 6 ** (i + j) for count in counts]
    rows = [[0] * (defend + 1), [0] * (defend + 1)]
    for a in range(2, attack + 1):
        row = [1 << bits]
        for d in range(1, defend + 1):
            dice = min(a - 1, 3), min(d, 2)
            pairs = min(dice)
            total = 0
            for won, share in enumerate(shares[dice][: pairs + 1]):
                lost = pairs - won
                from_row = row if lost == 0 else rows[a - lost]
                total += share * from_row[d - won]
            row.append(total >> bits)
        rows.append(row)
    return Fraction(rows[attack][defend], 1 << bits)


LARGE = pytest.param(1001, 1000, marks=pytest.mark.full)


@pytest.mark.parametrize(("attack", "defend"), [(31, 30), (101, 100), (20, 60), (401, 400), LARGE])
def test_precision(attack: int, defend: int) -> None:
    exact = fixed_point(attack, defend, 320)
    found = battle(attack, defend, CLASSIC)
    assert abs(Fraction(found.win) / exact - 1) < PRECISE
    assert abs(math.fsum(line.chance for line in found.lines) - 1) < PRECISE
    lost = 1 - exact
    assert abs(Fraction(found.repelled) / lost - 1) < PRECISE


def test_the_largest_battle() -> None:
    found = battle(MOST_ARMIES, MOST_ARMIES, DiceRule.of("email"))
    assert 0.0 < float(found.win) < 1.0


@pytest.mark.parametrize(
    ("attack", "defend", "code"),
    [
        (1, 5, "odds/attack-too-small"),
        (0, 5, "odds/attack-too-small"),
        (-3, 5, "odds/attack-too-small"),
        (5, 0, "odds/defend-too-small"),
        (MOST_ARMIES + 1, 5, "odds/too-large"),
        (5, 10**30, "odds/too-large"),
    ],
)
def test_sizes_that_are_refused(attack: int, defend: int, code: str) -> None:
    for reckon in (battle, exact_battle):
        with pytest.raises(RubiconError) as caught:
            reckon(attack, defend, CLASSIC)
        assert caught.value.code == code
        assert caught.value.suggestion


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ((11.0, 10, CLASSIC), "odds/not-whole"),
        (("11", 10, CLASSIC), "odds/not-whole"),
        ((11, None, CLASSIC), "odds/not-whole"),
        ((11, True, CLASSIC), "odds/not-whole"),
        ((11, 10, "classic"), "odds/not-a-rule"),
        ((11, 10, CLASSIC.ruleset), "odds/not-a-rule"),
        ((11, 10, CLASSIC, 3), "odds/not-a-stop"),
    ],
)
def test_wrong_types_are_refused(given: tuple[Any, ...], code: str) -> None:
    for reckon in (battle, exact_battle):
        with pytest.raises(RubiconError) as caught:
            reckon(*given)
        assert caught.value.code == code
        assert caught.value.suggestion


def test_fractions_have_a_limit_of_their_own() -> None:
    with pytest.raises(RubiconError, match="too large for fractions"):
        exact_battle(MOST_FOR_FRACTIONS, 1, CLASSIC)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"attack_dice": 4}, "odds/bad-dice"),
        ({"attack_dice": 0}, "odds/bad-dice"),
        ({"defend_dice": 3}, "odds/bad-dice"),
        ({"defend_dice": "few"}, "odds/bad-dice"),
        ({"attack_dice": [3]}, "odds/bad-dice"),
        ({"attack_die": True}, "odds/no-rewards"),
        ({"defence_airfield": True}, "odds/no-rewards"),
    ],
)
def test_rules_that_are_refused(facts: dict[str, Any], code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        DiceRule.of("classic", **facts)
    assert caught.value.code == code


@pytest.mark.parametrize("given", ["classic", None])
def test_a_rule_is_one_of_a_ruleset(given: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        DiceRule(given)
    assert caught.value.code == "ruleset/not-one"


def test_as_a_dictionary() -> None:
    found: Battle[float] = battle(3, 2, CLASSIC)
    said = found.as_dict()
    assert said["attack"] == 3
    assert said["win"] == found.win
    assert exact_battle(3, 2, CLASSIC).as_dict()["win"] == "235/648"


def test_rules_have_a_text() -> None:
    rule = DiceRule.of("revised", attack_dice=2, attack_die=True, neutral=True)
    assert str(rule) == "revised, attack dice: 2, neutral, attack die"
    assert rule == DiceRule.of("revised", attack_dice=2, attack_die=True, neutral=True)
    assert hash(rule) == hash(DiceRule.of("revised", attack_dice=2, attack_die=True, neutral=True))
    assert rule != CLASSIC


def test_without_compilation_the_result_is_the_same() -> None:
    code = "from tests.odds.test_battle import CLASSIC, Stop, battle\n" + (
        "print(repr([battle(7, 6, CLASSIC, Stop(left=2, rounds=n)).win for n in (3, 9)]))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert said.strip() == repr([battle(7, 6, CLASSIC, Stop(left=2, rounds=n)).win for n in (3, 9)])
