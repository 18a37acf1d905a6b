"""The odds under every stop rule agree with the battle and the campaign computed for each."""

from __future__ import annotations

import pytest

from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.campaign import campaign, path
from rubicon.odds.outlook import MOST_STOPS, outlook, outlooks, stop_levels
from rubicon.odds.rule import DiceRule, Stop

CLASSIC = DiceRule.of("classic")
BEST = DiceRule.of("classic", defend_dice="best")
REVISED = DiceRule.of("revised", attack_die=True, defence_airfield=True)


@pytest.mark.parametrize("rule", [CLASSIC, BEST, REVISED], ids=["most", "best", "revised"])
@pytest.mark.parametrize("stop", [Stop(), Stop(left=4), Stop(lost=3), Stop(odds=0.4)], ids=str)
def test_one_battle(rule: DiceRule, stop: Stop) -> None:
    found, expected = outlook(11, (7,), rule, stop), battle(11, 7, rule, stop)
    assert found.taken == pytest.approx(expected.win)
    assert found.held == pytest.approx(expected.repelled + expected.broken_off)
    assert found.expected_attack_losses == pytest.approx(expected.expected_attack_losses)
    assert found.expected_defend_losses == pytest.approx(expected.expected_defend_losses)
    taken = {line.attack: line.chance for line in expected.lines if line.defend == 0}
    assert dict(enumerate(found.taken_left)) == pytest.approx(
        {left: taken.get(left, 0.0) for left in range(len(found.taken_left))}
    )
    assert sum(found.held_left) == pytest.approx(found.held)


def test_every_stop_comes_at_once() -> None:
    found = outlooks(9, (6,), CLASSIC)
    assert [each.stop.left for each in found] == list(range(1, 9))
    assert [each.taken for each in found] == sorted((each.taken for each in found), reverse=True)
    assert found[2] == outlook(9, (6,), CLASSIC, Stop(left=3))


@pytest.mark.parametrize("left", [1, 3])
def test_a_path(left: int) -> None:
    found = outlook(12, (3, 5), CLASSIC, Stop(left=left))
    expected = campaign(12, path([3, 5]), CLASSIC, stop=Stop(left=left))
    assert found.taken == pytest.approx(expected.win)
    assert found.expected_attack_losses == pytest.approx(expected.expected_attack_losses)
    assert sum(found.taken_left) == pytest.approx(found.taken)
    assert sum(found.held_left) == pytest.approx(found.held)
    # All that is lost and all that is left are the armies of the start, one left on the way.
    armies = sum(n * chance for n, chance in enumerate(found.taken_left))
    armies += sum(n * chance for n, chance in enumerate(found.held_left))
    behind = expected.stages[0].taken
    assert armies + behind + found.expected_attack_losses == pytest.approx(12)


def test_a_path_of_one_is_a_battle() -> None:
    alone = campaign(8, path([5]), CLASSIC, stop=Stop(left=2))
    found = outlook(8, (5,), CLASSIC, Stop(left=2))
    assert found.taken == pytest.approx(alone.win)
    assert found.taken_left[2:] == pytest.approx(alone.stages[0].left[1:])


@pytest.mark.parametrize("attack", [2, 40, 101, 102, 300])
def test_large_attacks_have_fewer_stops(attack: int) -> None:
    levels = stop_levels(attack, [attack])
    assert levels[0] == 1
    assert levels[-1] < attack
    assert len(levels) <= MOST_STOPS
    assert len(levels) == -(-(attack - 1) // levels.step) >= min(attack - 1, 38)


@pytest.mark.parametrize(("attack", "defend"), [(1, (3,)), (5, (0,)), (5, (3, 0)), (5, (4_000,))])
def test_impossible_sizes(attack: int, defend: tuple[int, ...]) -> None:
    for compute in (outlook, outlooks):
        with pytest.raises(RubiconError, match="arm"):
            compute(attack, defend, CLASSIC)
