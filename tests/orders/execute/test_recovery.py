"""After a crash, orders replayed from the record come to the same progress."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.engine.chance import Generator, generator
from rubicon.engine.records import Standing
from rubicon.errors import RubiconError
from rubicon.orders.execute.executor import RunningOrders, Standstill
from rubicon.orders.syntax import EndKind, EndOrder, FailedCondition, WonCondition
from rubicon.rules.actions import Action, Place, StandingOrder
from rubicon.rules.game import Game
from tests.orders.scenes import attack, deploy, order_text, scene, when

HELD = {"alaska": "r6", "northwest_territory": "r4", "greenland": "g2", "kamchatka": "b2"}
SEATS = "red standing_all=max unplaced=4; blue standing_all=max; green standing_all=max"
ORDERS = order_text(
    deploy(alaska=3, northwest_territory=None),
    attack("alaska", "kamchatka", "irkutsk", left=2, lost=5),
    when(WonCondition("kamchatka"), attack("northwest_territory", "greenland", rounds=4)),
    when(FailedCondition(), attack("northwest_territory", "alberta")),
    EndOrder(EndKind.TURN),
)


def begun() -> tuple[Game, RunningOrders]:
    """The game when the orders are accepted."""
    game = scene(HELD, seats=SEATS)
    return game, RunningOrders(ORDERS, game, "red")


def carry_out(game: Game, orders: RunningOrders, rng: Generator) -> None:
    """What a server does: settle pending chance, ask, play, until there is no action."""
    while True:
        if game.pending is not None:
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
            assert second.next(restored).standstill is Standstill.PENDING
        second.play(restored, entry)
    assert second.next(restored) == first.next(whole)
    assert (second.actions, second.notes, second.progress) == (
        first.actions,
        first.notes,
        first.progress,
    )
    assert restored.position.tobytes() == whole.position.tobytes()


def test_pending_dice_come_first() -> None:
    game, orders = begun()
    while game.pending is None:
        orders.play(game, orders.next(game).action)  # type: ignore[arg-type]
    asked = orders.next(game)
    assert (asked.action, asked.standstill) == (None, Standstill.PENDING)
    assert "settle them" in asked.reason
    before = orders.progress
    game.settle(game.sample(generator(1)))
    assert orders.next(game).action is not None
    assert orders.progress == before


def test_actions_of_other_seats_are_allowed() -> None:
    game, orders = begun()
    first = orders.next(game)
    orders.play(game, StandingOrder("blue", "brazil", Standing.ONE))
    orders.play(game, StandingOrder("red", None, Standing.ONE))  # beside the orders
    assert orders.next(game) == first
    assert not orders.actions


def test_a_record_that_differs_is_refused() -> None:
    game, orders = begun()
    with pytest.raises(RubiconError) as caught:
        orders.play(game, Place("alaska", 1))
    assert caught.value.code == "orders/other-record"
