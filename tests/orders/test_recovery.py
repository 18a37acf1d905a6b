"""After a crash, fed with the recorded facts, orders stand where they stood."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.orders.carrying import Standstill
from rubicon.orders.order import Ending, EndOrder, Failed, Won
from rubicon.orders.underway import Underway
from rubicon.rules.actions import Action, Place, StandingOrder
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import Standing
from rubicon.rules.procedures.sampling import generator
from tests.orders.scenes import attack, deploy, scene, sheet, when

HELD = {"alaska": "r6", "northwest_territory": "r4", "greenland": "g2", "kamchatka": "b2"}
SEATS = "red standing_all=max unplaced=4; blue standing_all=max; green standing_all=max"
ORDERS = sheet(
    deploy(alaska=3, northwest_territory=None),
    attack("alaska", "kamchatka", "irkutsk", left=2, lost=5),
    when(Won("kamchatka"), attack("northwest_territory", "greenland", rounds=4)),
    when(Failed(), attack("northwest_territory", "alberta")),
    EndOrder(Ending.TURN),
)


def begun() -> tuple[Game, Underway]:
    """The game as it stands when the orders come."""
    game = scene(HELD, seats=SEATS)
    return game, Underway(ORDERS, game, "red")


def carry_out(game: Game, orders: Underway, rng: object) -> None:
    """What a host does: settle what is owed, ask, play, until there is no action."""
    while True:
        if game.owed is not None:
            orders.play(game, game.sample(rng))
            continue
        decision = orders.next(game)
        if decision.action is None:
            return
        orders.play(game, decision.action)


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=25, deadline=None)
def test_a_crash_anywhere_changes_nothing(seed: int, data: st.DataObject) -> None:
    """Between an action and its dice too."""
    whole, first = begun()
    carry_out(whole, first, generator(seed))
    cut = data.draw(st.integers(0, len(whole.history)))
    restored, second = begun()
    for entry in whole.history[:cut]:
        second.play(restored, entry)
    for entry in whole.history[cut:]:
        if isinstance(entry, Action):
            assert second.next(restored).action == entry
        else:
            assert second.next(restored).standstill is Standstill.OWED
        second.play(restored, entry)
    assert second.next(restored) == first.next(whole)
    assert (second.actions, second.notes, second.progress) == (
        first.actions,
        first.notes,
        first.progress,
    )
    assert restored.position.tobytes() == whole.position.tobytes()


def test_dice_that_are_owed_come_first() -> None:
    game, orders = begun()
    while game.owed is None:
        orders.play(game, orders.next(game).action)  # type: ignore[arg-type]
    asked = orders.next(game)
    assert (asked.action, asked.standstill) == (None, Standstill.OWED)
    assert "settle it" in asked.reason
    before = orders.progress
    game.settle(game.sample(generator(1)))
    assert orders.next(game).action is not None
    assert orders.progress == before


def test_what_others_do_is_no_fault() -> None:
    game, orders = begun()
    first = orders.next(game)
    orders.play(game, StandingOrder("blue", "brazil", Standing.ONE))
    orders.play(game, StandingOrder("red", None, Standing.ONE))  # beside the orders
    assert orders.next(game) == first
    assert not orders.actions


def test_another_record_is_refused() -> None:
    game, orders = begun()
    with pytest.raises(RubiconError) as caught:
        orders.play(game, Place("alaska", 1))
    assert caught.value.code == "orders/other-record"
