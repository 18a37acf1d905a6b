"""Whole battles as one step and merged positions give exactly the results of the reference."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rubicon.orders.preview.preview import preview
from rubicon.orders.syntax import (
    AllBut,
    Armies,
    AttackOrder,
    CardEarned,
    Comparison,
    Condition,
    EliminatedCondition,
    EndKind,
    EndOrder,
    FailedCondition,
    Fewest,
    FortifyOrder,
    Holds,
    Order,
    OrderText,
    SetChoice,
    SimpleOrder,
    StopKind,
    StopRule,
    TradeOrder,
    WonCondition,
)
from rubicon.rules.game import Game
from tests.orders.preview.plainly import agree, plainly
from tests.orders.scenes import deploy, scene, when

LANDS = ("alaska", "kamchatka", "northwest_territory", "greenland", "alberta", "irkutsk", "ontario")
PATHS = (
    ("alaska", "kamchatka"),
    ("alaska", "kamchatka", "irkutsk"),
    ("alaska", "northwest_territory", "greenland"),
    ("northwest_territory", "alberta", "ontario"),
    ("alberta", "ontario", "greenland"),
    ("kamchatka", "irkutsk"),
    ("greenland", "iceland"),
    ("alaska", "brazil"),  # no neighbours
)

few = st.integers(1, 4)
advances: st.SearchStrategy[Armies | None] = (
    st.none() | few | st.builds(AllBut, st.integers(0, 3)) | st.just(Fewest.MIN)
)
stops = st.one_of(
    st.builds(StopRule, st.sampled_from([StopKind.LEFT, StopKind.ROUNDS, StopKind.LOST]), few),
    st.builds(StopRule, st.just(StopKind.ODDS), st.sampled_from([20, 40, 60, 80])),
)
attacks = st.builds(
    AttackOrder,
    st.sampled_from(PATHS),
    st.none() | st.integers(1, 3),
    st.lists(stops, max_size=2).map(tuple),
    advances,
)
amounts: st.SearchStrategy[int | AllBut] = few | st.builds(AllBut, st.integers(0, 3))
moves = st.builds(FortifyOrder, st.sampled_from(LANDS), st.sampled_from(LANDS), amounts)
simple: st.SearchStrategy[SimpleOrder] = st.one_of(
    attacks, attacks, moves, st.just(TradeOrder(SetChoice.BEST)), st.just(EndOrder(EndKind.ATTACK))
)
lands = st.none() | st.sampled_from(LANDS)
conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(WonCondition, lands),
    st.builds(FailedCondition, lands),
    st.builds(Holds, st.sampled_from(LANDS), st.sampled_from(Comparison), st.integers(0, 5)),
    st.just(CardEarned()),
    st.just(EliminatedCondition("green")),
)
branches = st.lists(simple, min_size=1, max_size=2).map(tuple)
lines: st.SearchStrategy[Order] = st.one_of(
    attacks,
    moves,
    st.builds(lambda c, a, b: when(c, *a, otherwise=b), conditions, branches, branches),
)
texts = st.builds(
    lambda first, rest, ended: OrderText((deploy(alaska=2), first, *rest), (), ended),
    attacks,
    st.lists(lines, max_size=3),
    st.booleans(),
)
PRESETS = ("classic", "email", "basic", "secret-mission", "revised", "capital", "digest")
HANDS = (
    "red {0} unplaced=2 hand=alaska,alberta; blue {0} hand=brazil,peru; "
    "green {0} hand=congo,egypt,ontario"
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    preset = draw(st.sampled_from(PRESETS))
    owners = {
        "alaska": "r",
        "northwest_territory": draw(st.sampled_from("rb")),
        "alberta": draw(st.sampled_from("rb")),
        "kamchatka": "b",
        "irkutsk": "b",
        "ontario": "b",
        "greenland": "g",
    }
    held = {t: f"{owner}{draw(st.integers(1, 5))}" for t, owner in owners.items()}
    held |= {"siam": "r2", "india": "r2"} if draw(st.booleans()) else {}
    held |= {"brazil": "g1"} if draw(st.booleans()) else {}
    seats = HANDS.format("" if preset in ("email", "revised") else "standing_all=max")
    return scene(held, preset=preset, seats=seats)


@given(texts, games())
@settings(max_examples=100, deadline=None)
def test_the_explorer_agrees_with_the_reference(text: OrderText, game: Game) -> None:
    seen = preview(text, game, "red", most_work=1e9)
    agree(seen, plainly(text, game, "red"), game, "red")
