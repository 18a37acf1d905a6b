"""The tables of battle odds that compiled bots look up agree with the exact odds."""

import pytest

from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.players.scripted.battle_odds import (
    ALWAYS_TWO,
    BY_ARMIES,
    LARGEST,
    armies_left,
    chance_of,
    chance_to_last,
    loss_of,
    most_missing,
    variance_of,
)

TABLES = [("classic", BY_ARMIES), ("email", ALWAYS_TWO)]


@pytest.mark.parametrize(("preset", "rolls"), TABLES)
@pytest.mark.parametrize(("armies", "defenders"), [(1, 1), (3, 1), (9, 9), (12, 30), (40, 35)])
def test_a_battle_has_its_exact_odds(preset: str, rolls: int, armies: int, defenders: int) -> None:
    exact = battle(armies + 1, defenders, DiceRule.of(preset))
    assert chance_of(rolls, armies, defenders) == pytest.approx(exact.win, abs=1e-9)
    left = sum(line.chance * (line.attack - 1) for line in exact.lines)
    assert armies_left(rolls, armies, defenders) == pytest.approx(left, abs=1e-9)


@pytest.mark.parametrize(("preset", "rolls"), TABLES)
@pytest.mark.parametrize("defenders", [1, 2, 7])
def test_losses_are_those_of_an_attacker_with_plenty_of_armies(
    preset: str, rolls: int, defenders: int
) -> None:
    exact = battle(60, defenders, DiceRule.of(preset))
    lost = sum(line.chance * (60 - line.attack) for line in exact.lines)
    square = sum(line.chance * (60 - line.attack) ** 2 for line in exact.lines)
    assert loss_of(rolls, defenders) == pytest.approx(lost, abs=1e-6)
    assert variance_of(rolls, defenders) == pytest.approx(square - lost * lost, abs=1e-6)


def test_armies_beyond_the_table_are_scaled_down() -> None:
    assert chance_of(BY_ARMIES, 3 * LARGEST, 2 * LARGEST) > 0.99
    assert chance_of(BY_ARMIES, LARGEST, 3 * LARGEST) < 0.01
    assert armies_left(BY_ARMIES, 4 * LARGEST, LARGEST) == pytest.approx(3.1 * LARGEST, rel=0.05)


def test_without_armies_there_is_no_attack() -> None:
    assert chance_of(BY_ARMIES, 0, 1) == 0.0
    assert armies_left(BY_ARMIES, 0, 1) == 0.0


@pytest.mark.parametrize("chance", [0.01, 0.15, 0.4, 0.5, 0.8])
@pytest.mark.parametrize("most_variance", [0.0, 3.0, 40.0])
def test_whoever_lacks_more_armies_has_a_smaller_chance(
    chance: float, most_variance: float
) -> None:
    missing = most_missing(chance, most_variance)
    for share in (0.0, 0.3, 1.0):
        assert chance_to_last(-missing, share * most_variance) < chance
    if chance < 0.5:
        assert chance_to_last(-missing + 0.01, most_variance) > chance


def test_for_hardly_any_chance_any_number_of_armies_may_be_missing() -> None:
    assert most_missing(0.0, 1.0) == float("inf")
