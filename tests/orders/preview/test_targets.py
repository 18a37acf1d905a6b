"""The odds against all targets of a territory agree with the preview of an order for each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rubicon.errors import RubiconError
from rubicon.odds.rule import Stop
from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import MOST_AT_ONCE, preview, stop_of, target_odds
from rubicon.orders.syntax import AttackOrder
from rubicon.rules.game import Game
from tests.orders.scenes import scene

HELD = {
    "ukraine": "r9",
    "northern_europe": "b6",
    "scandinavia": "r3",
    "ural": "g4",
    "afghanistan": "b2",
    "middle_east": "g7",
}
PHASE = "phase=attack turn=red first=red round_number=2"
ASKED = "red; blue; green"


def game(preset: str, seats: str = ASKED) -> Game:
    """A game in which Red may attack from Ukraine."""
    return scene(HELD, preset=preset, seats=seats, table=PHASE)


@pytest.mark.parametrize("seats", [ASKED, "red; blue standing_all=max; green standing_all=1"])
@pytest.mark.parametrize("preset", ["classic", "email", "basic", "digest"])
@pytest.mark.parametrize(
    "stop",
    ["", "UNTIL LEFT 3", "UNTIL ODDS < 60%", "DICE 2", "UNTIL LOST 3", "UNTIL ROUNDS 2", "ONCE"],
)
def test_it_agrees_with_the_preview_of_each_attack(preset: str, seats: str, stop: str) -> None:
    played = game(preset, seats)
    board = played.ruleset.board
    found = list(target_odds(played, "red", "ukraine", stop))
    names = [board.territories[odds.target].id for odds in found]
    assert sorted(names) == sorted(
        ["northern_europe", "southern_europe", "ural", "afghanistan", "middle_east"]
    )
    for name, odds in zip(names, found, strict=True):
        orders = read_orders(f"ATTACK ukraine -> {name} {stop}", board, played.colours)
        seen = preview(orders, played, "red")
        assert odds.outlook is not None
        assert odds.outlook.taken == pytest.approx(seen.lines[0][1].chance, abs=1e-9)
        assert odds.outlook.expected_attack_losses == pytest.approx(seen.lost)
        assert odds.outlook.expected_defend_losses == pytest.approx(seen.destroyed)


def test_defenders_choose_best_only_where_they_are_asked() -> None:
    dice = {}
    for preset in ("classic", "email"):
        found = target_odds(game(preset), "red", "ukraine")
        dice[preset] = {odds.armies: odds.rule.defend_dice for odds in found}
    assert (dice["classic"][7], dice["email"][7]) == ("best", "most")


def test_other_armies_on_the_source() -> None:
    more = next(target_odds(game("classic"), "red", "ukraine", armies=20)).outlook
    fewer = next(target_odds(game("classic"), "red", "ukraine")).outlook
    assert more is not None
    assert fewer is not None
    assert more.taken > fewer.taken


@pytest.mark.parametrize("armies", [1, MOST_AT_ONCE + 1])
def test_too_few_or_too_many_armies_have_no_odds(armies: int) -> None:
    found = list(target_odds(game("classic"), "red", "ukraine", armies=armies))
    assert len(found) == 5
    assert all(odds.outlook is None for odds in found)


def test_the_position_does_not_change() -> None:
    played = game("classic")
    before = played.position.tobytes()
    list(target_odds(played, "red", "ukraine", armies=50))
    assert played.position.tobytes() == before


def test_stops_as_the_odds_write_them() -> None:
    played = game("classic")
    text = "ATTACK ukraine -> ural UNTIL LEFT 3 OR LOST 4 OR ROUNDS 5 OR ODDS < 30%"
    (order,) = read_orders(text, played.ruleset.board, played.colours).orders
    assert isinstance(order, AttackOrder)
    assert stop_of(order) == Stop(left=3, lost=4, rounds=5, odds=0.3)
    assert stop_of(replace(order, stops=())) == Stop()


@pytest.mark.parametrize("stop", ["UNTIL LEFT 3\nEND", "-> siberia", "\nATTACK ural -> siberia"])
def test_only_a_stop_is_read(stop: str) -> None:
    with pytest.raises(RubiconError) as caught:
        list(target_odds(game("classic"), "red", "ukraine", stop))
    assert caught.value.code == "odds/bad-stop"


def test_a_stop_that_cannot_be_read() -> None:
    with pytest.raises(OrdersError):
        list(target_odds(game("classic"), "red", "ukraine", "UNTIL LEFT many"))
