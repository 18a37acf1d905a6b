"""What may be written next, for a cursor in an order text."""

from __future__ import annotations

import pytest

from rubicon.orders.completion import MOST_CANDIDATES, candidates
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.game import Game
from tests.orders.scenes import scene

GAME = scene(
    {"ukraine": "r9", "scandinavia": "r3", "northern_europe": "b6", "iceland": "r1"},
    seats="red standing_all=max hand=alaska,peru; blue standing_all=max hand=brazil; green",
)


def texts(written: str, game: Game = GAME) -> list[str]:
    """The candidates at a bar in a text."""
    before, _, behind = written.partition("|")
    return [one.text for one in candidates(before + behind, len(before), game, "red")]


def completed(written: str) -> str:
    """The text with the first candidate in its place."""
    before, _, behind = written.partition("|")
    text = before + behind
    best = candidates(text, len(before), GAME, "red")[0]
    return text[: best.start] + best.text + text[best.stop :]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("|", "TRADE"),
        ("att|", "ATTACK"),
        ("DEPLOY 3 ukraine\nfort|", "DEPLOY 3 ukraine\nFORTIFY"),
        ("1. FORTIFY scan|", "1. FORTIFY scandinavia"),
        ("FORTIFY ukraine -> |", "FORTIFY ukraine -> scandinavia"),
        ("FORTIFY scandinavia -> u|\nEND", "FORTIFY scandinavia -> ukraine\nEND"),
        ("ATTACK ukraine -> northern eu|", "ATTACK ukraine -> northern_europe"),
        ("attack ukraine > Northern Europe unt|", "attack ukraine > Northern Europe UNTIL LEFT"),
        ("IF WON: att|", "IF WON: ATTACK"),
        ("END t|", "END TURN"),
        ("TRADE per|", "TRADE peru"),
        ("DEPLOY 3 ukraine; ATTACK u|", "DEPLOY 3 ukraine; ATTACK ukraine"),
    ],
)
def test_the_best_candidate_takes_the_place_of_what_was_typed(written: str, expected: str) -> None:
    assert completed(written).startswith(expected)


def test_only_own_territories_with_armies_to_spare_can_attack() -> None:
    assert texts("ATTACK |")[:2] == ["scandinavia", "ukraine"]
    assert "iceland" not in texts("ATTACK |")


def test_an_attack_goes_on_to_what_the_last_territory_borders_on() -> None:
    assert "northern_europe" in texts("ATTACK ukraine -> |")
    assert "scandinavia" not in texts("ATTACK ukraine -> |")
    assert "western_europe" in texts("ATTACK ukraine -> northern_europe -> |")


def test_cards_of_others_are_not_offered() -> None:
    assert texts("TRADE |")[:2] == ["alaska", "peru"]
    assert "brazil" not in texts("TRADE |")


def test_nothing_is_offered_for_words_that_begin_nothing() -> None:
    assert texts("ATTACK xyz|") == []
    assert texts("xyz|") == []


def test_every_prefix_of_a_text_has_bounded_candidates_inside_of_it() -> None:
    text = "DEPLOY 3 ukraine\n- IF WON: ATTACK ukraine \u2192 ural; END\n\u00e9\u2028;; -> , x"
    for cursor in range(len(text) + 3):
        found = candidates(text, cursor, GAME, "red")
        assert len(found) <= MOST_CANDIDATES
        assert all(0 <= one.start <= one.stop <= len(text) for one in found)


@pytest.mark.parametrize(
    ("written", "behind", "exact"),
    [
        ("DEPLOY 3 u|", "", "DEPLOY 3 ukraine"),
        ("FORTIFY scandinavia -> u|", " ALL", "FORTIFY scandinavia -> ukraine ALL"),
        ("ATTACK ukr|", " -> ural", "ATTACK ukraine -> ural"),
    ],
)
def test_a_completed_name_can_be_read(written: str, behind: str, exact: str) -> None:
    orders = read_orders(completed(written) + behind, GAME.ruleset.board, GAME.colours)
    assert str(orders) == exact
