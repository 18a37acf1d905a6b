"""After a crash, fed with the recorded facts, orders stand where they stood."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.orders.carrying import Report, carry_out
from rubicon.orders.order import Ending, EndOrder, Failed, Won
from rubicon.rules.actions import Action
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
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


def play_through(game: Game, rng: object, recorded: tuple[object, ...] = ()) -> Report:
    """Carry the orders out to their end, behind what is recorded."""
    report = Report()
    going = carry_out(ORDERS, game, "red", recorded=recorded, report=report)  # type: ignore[arg-type]
    for action in going:
        game.play(action)
        while game.owed is not None:
            game.settle(game.sample(rng))
    return report


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=25, deadline=None)
def test_a_crash_anywhere_changes_nothing(seed: int, data: st.DataObject) -> None:
    whole = scene(HELD, seats=SEATS)
    report = play_through(whole, generator(seed))
    decisions = [n for n, entry in enumerate(whole.history) if isinstance(entry, Action)]
    cut = data.draw(st.sampled_from([*decisions, len(whole.history)]))
    restored = scene(HELD, seats=SEATS)
    later = Report()
    going = carry_out(ORDERS, restored, "red", recorded=whole.history[:cut], report=later)
    entries = list(whole.history[cut:])
    for action in going:
        assert action == entries.pop(0)
        restored.play(action)
        while entries and not isinstance(entries[0], Action):
            restored.settle(entries.pop(0))  # type: ignore[arg-type]
    assert not entries
    assert (later.actions, later.notes, later.progress) == (
        report.actions,
        report.notes,
        report.progress,
    )


def test_another_record_is_refused() -> None:
    game = scene(HELD, seats=SEATS)
    game.play("place alaska 1")
    other = scene(HELD, seats=SEATS)
    with pytest.raises(RubiconError) as caught:
        list(carry_out(ORDERS, other, "red", recorded=game.history))
    assert caught.value.code == "orders/other-record"
