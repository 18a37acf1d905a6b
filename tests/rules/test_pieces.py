"""Pieces on a table, T205."""

import pytest

from rubicon.rules.pieces import pieces
from rubicon.rules.ruleset import Ruleset


@pytest.mark.parametrize(
    ("preset", "armies", "expected"),
    [
        ("revised", 8, {3: 2, 1: 2}),  # T205, S001-05
        ("classic", 28, {10: 2, 5: 1, 1: 3}),  # S003-05, S004-03
        ("classic", 0, {10: 0, 5: 0, 1: 0}),
    ],
)
def test_pieces(preset: str, armies: int, expected: dict[int, int]) -> None:
    assert pieces(Ruleset.load(preset), armies) == expected
