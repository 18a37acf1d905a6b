"""ODDS: the chance to take the rest of the path if the line goes on under its LEFT and LOST."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.orders.carrying import Spoils
from rubicon.orders.carrying_attack import floors
from rubicon.orders.chances import MOST_CELLS, path_odds
from rubicon.orders.order import AllBut, Armies, AttackOrder, Fewest, Stop, StopKind
from rubicon.orders.plan import Progress
from rubicon.orders.sheet import Sheet
from rubicon.orders.sight import Sight
from rubicon.rules.game import Game
from tests.orders.plainly import plainly
from tests.orders.scenes import attack, scene

PATH = ("alaska", "kamchatka", "irkutsk", "mongolia")
few = st.integers(1, 4)
advances: st.SearchStrategy[Armies | None] = (
    st.none() | few | st.builds(AllBut, st.integers(0, 3)) | st.just(Fewest.MIN)
)
stops = st.builds(Stop, st.sampled_from([StopKind.LEFT, StopKind.LOST]), few)
orders = st.builds(
    AttackOrder,
    st.sampled_from([PATH[:2], PATH[:3], PATH]),
    st.none() | st.integers(1, 3),
    st.lists(stops, max_size=2).map(tuple),
    advances,
)


def chance(game: Game, order: AttackOrder) -> float:
    """What ODDS compares with before the first roll."""
    sight, position = Sight(game, "red"), game.position
    progress = Progress(start=sight.own_armies(position))
    odds = path_odds(sight, position, order, 0, *floors(sight, position, order, progress))
    ends = [sight.armies(position, name) for name in order.path[:2]]
    return odds.chance(*ends)


@given(orders, st.tuples(st.integers(2, 8), few, few, few), st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_is_what_the_line_comes_to(
    order: AttackOrder, armies: tuple[int, ...], joined: bool
) -> None:
    """Armies of one's own on the way go on from there."""
    owners = "rb" + ("r" if joined else "b") + "b"
    held = {t: f"{o}{n}" for t, o, n in zip(PATH, owners, armies, strict=True)}
    game = scene(held)
    found = plainly(Sheet((order,)), game, "red", Spoils.PAUSE)
    numbers = [game.territories.index(name) for name in order.path]
    taken = found.share(lambda p: all(p.owner[t] == 0 for t in numbers))
    assert chance(game, order) == pytest.approx(taken, abs=1e-12)


def test_rounds_only_say_when_to_look_again() -> None:
    game = scene({"alaska": "r9", "kamchatka": "b5"})
    once = attack("alaska", "kamchatka", rounds=1)
    assert chance(game, once) == chance(game, attack("alaska", "kamchatka")) > 0.5


def test_huge_battles_are_reckoned_to_scale() -> None:
    game = scene({"alaska": "r9000", "kamchatka": "b3500", "irkutsk": "b3000"})
    assert MOST_CELLS < 9000 * 3500
    assert chance(game, attack("alaska", "kamchatka", "irkutsk")) > 0.99
    assert chance(game, attack("alaska", "kamchatka", "irkutsk", lost=900)) < 0.01
