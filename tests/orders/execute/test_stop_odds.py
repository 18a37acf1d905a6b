"""ODDS is the chance to take the rest of the path under LEFT and LOST."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.orders.execute.program import Progress, SeatView
from rubicon.orders.execute.stop_odds import MOST_CELLS, path_odds
from rubicon.orders.execute.turn import stop_levels
from rubicon.orders.syntax import AllBut, Armies, AttackOrder, Fewest, OrderText, StopKind, StopRule
from rubicon.rules.game import Game
from tests.orders.preview.plainly import plainly
from tests.orders.scenes import attack, scene

PATH = ("alaska", "kamchatka", "irkutsk", "mongolia")
few = st.integers(1, 4)
advances: st.SearchStrategy[Armies | None] = (
    st.none() | few | st.builds(AllBut, st.integers(0, 3)) | st.just(Fewest.MIN)
)
stops = st.builds(StopRule, st.sampled_from([StopKind.LEFT, StopKind.LOST]), few)
orders = st.builds(
    AttackOrder,
    st.sampled_from([PATH[:2], PATH[:3], PATH]),
    st.none() | st.integers(1, 3),
    st.lists(stops, max_size=2).map(tuple),
    advances,
)


def chance(game: Game, order: AttackOrder) -> float:
    """What ODDS compares with before the first roll."""
    seat_view, position = SeatView(game, "red"), game.position
    progress = Progress(start=seat_view.own_armies(position))
    left, floor = stop_levels(seat_view, position, order, progress)
    odds = path_odds(seat_view, position, order, 0, left=left, floor=floor)
    ends = [seat_view.armies(position, name) for name in order.path[:2]]
    return odds.chance(*ends)


@given(orders, st.tuples(st.integers(2, 8), few, few, few), st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_is_the_chance_that_the_order_takes_the_path(
    order: AttackOrder, armies: tuple[int, ...], joined: bool
) -> None:
    """The seat's armies on the path go on from there."""
    owners = "rb" + ("r" if joined else "b") + "b"
    held = {t: f"{o}{n}" for t, o, n in zip(PATH, owners, armies, strict=True)}
    game = scene(held)
    found = plainly(OrderText((order,)), game, "red")
    numbers = [game.territories.index(name) for name in order.path]
    taken = found.share(lambda p: all(p.owner[t] == 0 for t in numbers))
    assert chance(game, order) == pytest.approx(taken, abs=1e-12)


def test_rounds_do_not_count() -> None:
    game = scene({"alaska": "r9", "kamchatka": "b5"})
    once = attack("alaska", "kamchatka", rounds=1)
    assert chance(game, once) == chance(game, attack("alaska", "kamchatka")) > 0.5


def test_huge_battles_are_scaled_down() -> None:
    game = scene({"alaska": "r9000", "kamchatka": "b3500", "irkutsk": "b3000"})
    assert MOST_CELLS < 9000 * 3500
    assert chance(game, attack("alaska", "kamchatka", "irkutsk")) > 0.99
    assert chance(game, attack("alaska", "kamchatka", "irkutsk", lost=900)) < 0.01
