"""Checks of options: every problem, the options involved, and the values that result."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import CheckedOptions, Ruleset, check_options, preset_names

WORLD = Board.load("world")


def checked(given: dict[str, Any], preset: str = "classic") -> CheckedOptions:
    """The check of some options on the world board."""
    return check_options(preset, given, WORLD)


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_is_possible(preset: str) -> None:
    found = checked({}, preset)
    assert (found.ruleset, found.problems) == (Ruleset.load(preset), ())


def test_the_result_is_the_ruleset_that_would_be_played() -> None:
    given = {"setup.claim": "random", "attack.truce": "2"}
    found = checked(given)
    assert found.ruleset == Ruleset.load("classic", given)
    assert found.options == Ruleset.load("classic", given).options


def test_impossible_values_name_the_options() -> None:
    found = checked({"missions.deck": "custom", "missions.custom": "M99"})
    assert found.ruleset is None
    assert [(p.code, p.options) for p in found.problems] == [
        ("ruleset/impossible", ("missions.deck", "missions.custom"))
    ]
    assert "M99" in found.problems[0].message
    assert found.options["missions.deck"] == "custom"


def test_all_problems_come_at_once() -> None:
    found = checked({"cards.decks": 1, "cards.deck": 7, "players.min": 6, "players.max": 3})
    codes = {(problem.code, problem.options) for problem in found.problems}
    assert ("ruleset/unknown-option", ("cards.decks",)) in codes
    assert ("ruleset/bad-value", ("cards.deck",)) in codes
    assert any(c == "ruleset/impossible" and "players.min" in names for c, names in codes)
    assert found.options["cards.deck"] == OPTIONS["cards.deck"].default


def test_names_that_the_board_does_not_have() -> None:
    given = {"cards.design_table": "custom", "cards.custom_designs": "atlantis:cavalry"}
    assert [problem.code for problem in checked(given).problems] == ["board/unknown-territory"]


def test_an_unknown_preset() -> None:
    with pytest.raises(RubiconError) as caught:
        checked({}, "clasic")
    assert caught.value.code == "ruleset/unknown-preset"
