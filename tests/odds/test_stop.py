"""Stop rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule, Stop

CLASSIC = DiceRule.of("classic")


def endings(attack: int, defend: int, stop: Stop) -> set[tuple[int, int]]:
    return {(line.attack, line.defend) for line in battle(attack, defend, CLASSIC, stop).lines}


def test_stop_with_armies_left() -> None:
    found = battle(8, 6, CLASSIC, Stop(left=4))
    assert all(line.attack > 2 for line in found.lines)
    assert all(line.attack in {3, 4} for line in found.lines if line.defend)
    assert found.repelled == 0
    assert 0 < found.win < battle(8, 6, CLASSIC).win


def test_lost_armies_are_armies_left() -> None:
    assert battle(8, 6, CLASSIC, Stop(lost=3)).lines == battle(8, 6, CLASSIC, Stop(left=5)).lines
    assert battle(8, 6, CLASSIC, Stop(lost=30)).lines == battle(8, 6, CLASSIC).lines


def test_one_round() -> None:
    assert endings(6, 4, Stop(rounds=1)) == {(6, 2), (5, 3), (4, 4)}
    assert endings(6, 4, Stop(rounds=2)) == {(6, 0), (5, 1), (4, 2), (3, 3), (2, 4)}


@given(st.integers(2, 20), st.integers(1, 20))
def test_enough_rounds_are_no_limit(attack: int, defend: int) -> None:
    limited = battle(attack, defend, CLASSIC, Stop(rounds=attack + defend)).win
    assert limited == pytest.approx(battle(attack, defend, CLASSIC).win, rel=1e-12)


@given(st.integers(2, 20), st.integers(1, 20), st.integers(1, 20))
def test_more_rounds_win_more(attack: int, defend: int, rounds: int) -> None:
    wins = [battle(attack, defend, CLASSIC, Stop(rounds=n)).win for n in (rounds, rounds + 1)]
    assert wins[0] <= wins[1] * (1 + 1e-12)


@given(st.integers(2, 20), st.integers(1, 20), st.floats(0.05, 0.95))
def test_odds_below(attack: int, defend: int, odds: float) -> None:
    found = battle(attack, defend, CLASSIC, Stop(odds=odds))
    for line in found.lines:
        if line.defend and line.attack > 1:
            assert battle(line.attack, line.defend, CLASSIC).win < odds
    if battle(attack, defend, CLASSIC).win < odds:
        assert found.broken_off == 1


def test_stops_work_together() -> None:
    found = battle(12, 9, CLASSIC, Stop(left=3, lost=6, rounds=4, odds=0.3))
    assert all(line.attack >= 5 for line in found.lines)
    assert str(found.stop) == "3 left or 6 lost or 4 rounds or odds below 30 %"


def test_nothing_begins_where_the_stop_is_reached() -> None:
    assert endings(5, 3, Stop(left=5)) == {(5, 3)}
    assert endings(5, 3, Stop(left=3000)) == {(5, 3)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"left": 0},
        {"lost": 0},
        {"rounds": -1},
        {"odds": 0.0},
        {"odds": 1.0},
        {"odds": float("nan")},
        {"odds": "30 %"},
        {"left": 4.0},
        {"lost": "4"},
    ],
)
def test_stops_that_are_refused(wrong: dict[str, float | str]) -> None:
    with pytest.raises(RubiconError) as caught:
        Stop(**wrong)  # type: ignore[arg-type]
    assert caught.value.code in {"odds/bad-number", "odds/bad-chance", "odds/not-whole"}
