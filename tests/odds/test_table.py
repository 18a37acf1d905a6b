"""The table of all battles, and its lookup."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.engine.records import compiled
from rubicon.errors import RubiconError
from rubicon.odds.battle import battle, chance_to_win, win_table
from rubicon.odds.rule import DiceRule
from rubicon.rules.ruleset.ruleset import presets

TABLE = win_table(DiceRule.of("classic"), 40)


@compiled
def looked_up(chances: np.ndarray, attack: int, defend: int) -> float:
    """A lookup from compiled code, as a bot does it."""
    return chance_to_win(chances, attack, defend)


@given(st.integers(2, 40), st.integers(1, 40))
def test_the_table_has_every_battle(attack: int, defend: int) -> None:
    win = battle(attack, defend, TABLE.rule).win
    assert TABLE.win(attack, defend) == pytest.approx(win, rel=1e-12)
    assert looked_up(TABLE.chances, attack, defend) == TABLE.win(attack, defend)


def test_the_edges_of_the_table() -> None:
    assert TABLE.win(1, 3) == 0
    assert TABLE.win(0, 3) == 0
    assert TABLE.win(1, 0) == 1
    assert TABLE.win(-5, 3) == 0
    assert TABLE.chances.shape == (41, 41)
    assert not TABLE.chances.flags.writeable


def test_larger_armies_are_scaled_down() -> None:
    assert TABLE.win(80, 40) == TABLE.win(40, 20)
    assert TABLE.win(10**9, 1) == TABLE.win(40, 1)
    assert TABLE.win(3, 10**9) == TABLE.win(1, 40) == 0
    assert TABLE.win(400, 200) <= battle(400, 200, TABLE.rule).win


@pytest.mark.parametrize("preset", presets())
def test_tables_are_monotone(preset: str) -> None:
    for facts in ({}, {"attack_dice": "best", "defend_dice": "best"}, {"attack_dice": 2}):
        chances = win_table(DiceRule.of(preset, **facts), 50).chances[2:, 1:]
        assert (np.diff(chances, axis=0) > -1e-15).all()
        assert (np.diff(chances, axis=1) < 1e-15).all()


def test_tables_are_cached() -> None:
    assert win_table(DiceRule.of("classic"), 40) is TABLE


def test_sizes_that_are_refused() -> None:
    for size in (1, 10**6):
        with pytest.raises(RubiconError):
            win_table(DiceRule.of("classic"), size)
