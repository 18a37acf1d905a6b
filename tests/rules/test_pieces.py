"""Pieces on a table, T205: the fewest that show exactly a number of armies."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.rules.game import Game
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.rules.situation import NAMES, named_pieces, pieces, pieces_on_board

CLASSIC, REVISED = Ruleset.load("classic"), Ruleset.load("revised")


@pytest.mark.parametrize(
    ("ruleset", "armies", "expected"),
    [
        (REVISED, 8, {3: 2, 1: 2}),  # T205, S001-05
        (CLASSIC, 28, {10: 2, 5: 1, 1: 3}),  # S003-05, S004-03
        (CLASSIC, 10, {10: 1, 5: 0, 1: 0}),
        (CLASSIC, 0, {10: 0, 5: 0, 1: 0}),
    ],
)
def test_pieces(ruleset: Ruleset, armies: int, expected: dict[int, int]) -> None:
    assert pieces(ruleset, armies) == expected


def test_names() -> None:
    assert named_pieces(CLASSIC, 16) == {"artillery": 1, "cavalry": 1, "infantry": 1}
    assert named_pieces(REVISED, 8) == {"large": 2, "small": 2}


def test_every_denomination_has_names_whose_values_are_its_own() -> None:
    assert NAMES.keys() == OPTIONS["pieces.denominations"].values.keys()
    for denominations, names in NAMES.items():
        assert sorted(names) == sorted(int(value) for value in denominations.split("/"))
        assert list(names) == sorted(names, reverse=True)


@given(st.integers(0, 10_000), st.sampled_from([CLASSIC, REVISED]))
def test_pieces_show_exactly_the_armies(armies: int, ruleset: Ruleset) -> None:
    found = pieces(ruleset, armies)
    assert sum(value * count for value, count in found.items()) == armies
    for larger, smaller in pairwise(found):
        assert found[smaller] * smaller < larger  # else pieces could be exchanged for a larger one


def test_the_pieces_of_a_whole_board() -> None:
    game = Game.new(CLASSIC, 3)
    board = pieces_on_board(game.ruleset, game.view(None))
    assert len(board) == 42
    assert board["alaska"] == {}
