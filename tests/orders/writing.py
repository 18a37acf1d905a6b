"""Every value of the order language, for hypothesis."""

from datetime import date

from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.orders.execute.program import compile_orders
from rubicon.orders.syntax import (
    ABOUT_TERRITORIES,
    AbsenceRequest,
    AdvanceOrder,
    AllBut,
    Armies,
    Ask,
    AskRequest,
    AttackOrder,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    Condition,
    ConfirmRequest,
    DeclineOrder,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    EliminatedCondition,
    EndKind,
    EndOrder,
    FailedCondition,
    Fewest,
    FortifyOrder,
    HelpRequest,
    HistoryRequest,
    Holds,
    IfOrder,
    LeftOpen,
    ManoeuvreOrder,
    MasterAct,
    MasterRequest,
    Motion,
    ObjectiveOrder,
    Order,
    OrderText,
    PressRequest,
    Request,
    ResignRequest,
    RevealOrder,
    SealOrder,
    SetChoice,
    SimpleOrder,
    StopKind,
    StopRule,
    TradeOrder,
    VoteRequest,
    WonCondition,
)
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.notation.actions import OBJECTIVE_IDS, WILD_IDS

BOARDS = [Board.load("world"), Board.load("skerries")]

numbers = st.integers(1, MOST_ARMIES) | st.integers(1, 9)
all_but = st.builds(AllBut, st.integers(0, MOST_ARMIES))
armies: st.SearchStrategy[Armies] = numbers | all_but | st.just(Fewest.MIN)
moved: st.SearchStrategy[int | AllBut] = numbers | all_but
seats = st.sampled_from(COLOURS)
stops: st.SearchStrategy[StopRule] = (
    st.just(StopRule(StopKind.WON))
    | st.builds(StopRule, st.just(StopKind.ODDS), st.integers(1, 100))
    | st.builds(StopRule, st.sampled_from([StopKind.LEFT, StopKind.ROUNDS, StopKind.LOST]), numbers)
)
bots = st.from_regex(r"\A[a-z0-9]([a-z0-9_.+-]{0,20}[a-z0-9])?\Z").filter(
    lambda name: "//" not in name
)
# Text that somebody writes to somebody: any signs but line ends, which are `\n`.
message_lines = st.text(st.characters(exclude_characters="\r\n"), max_size=30)
messages = (
    st.lists(message_lines, max_size=5)
    .filter(lambda lines: "endpress" not in [line.strip().casefold() for line in lines])
    .map("\n".join)
)
announcements = (
    st.text(max_size=60).map(lambda text: " ".join(text.split()).lstrip(": ")).filter(bool)
)


def simple_orders(board: Board) -> st.SearchStrategy[SimpleOrder]:
    """Any order without a condition."""
    land = st.sampled_from([territory.id for territory in board.territories])
    lands = st.lists(land, min_size=1, max_size=12).map(tuple)
    path = st.lists(land, min_size=2, max_size=6).map(tuple)
    hand = st.lists(land | st.sampled_from(WILD_IDS), min_size=2, max_size=10).map(tuple)
    placement = st.tuples(numbers, land)
    rest = st.tuples(st.tuples(st.none(), land))  # comes last
    placements = st.builds(
        lambda first, last: (*first, *last), st.lists(placement, max_size=12), rest
    )
    return st.one_of(
        st.builds(TradeOrder, hand | st.sampled_from(SetChoice), st.none() | land),
        st.builds(
            DeployOrder, placements | st.lists(placement, min_size=1, max_size=12).map(tuple)
        ),
        st.builds(
            AttackOrder,
            path,
            st.none() | st.integers(1, 3),
            st.lists(stops, max_size=3).map(tuple),
            st.none() | armies | st.just(LeftOpen.ASK),
        ),
        st.builds(AdvanceOrder, armies),
        st.builds(FortifyOrder, land, land, moved),
        st.builds(ManoeuvreOrder, land, land, moved),
        st.builds(DefendOrder, st.sampled_from(DefenceDice), st.none() | land),
        st.builds(ClaimOrder, lands),
        st.builds(CapitalOrder, lands),
        st.builds(ObjectiveOrder, st.none() | st.sampled_from(OBJECTIVE_IDS), st.none() | land),
        st.sampled_from([RevealOrder(), DeclineOrder(), SealOrder()]),
        st.builds(EndOrder, st.sampled_from(EndKind)),
    )


def conditions(board: Board) -> st.SearchStrategy[Condition]:
    """Any condition."""
    land = st.sampled_from([territory.id for territory in board.territories])
    return st.one_of(
        st.builds(WonCondition, st.none() | land),
        st.builds(FailedCondition, st.none() | land),
        st.builds(Holds, land, st.sampled_from(Comparison), st.integers(0, MOST_ARMIES)),
        st.just(CardEarned()),
        st.builds(EliminatedCondition, seats),
    )


def orders(board: Board) -> st.SearchStrategy[Order]:
    """Any order."""
    simple = simple_orders(board)
    branch = st.lists(simple, min_size=1, max_size=3).map(tuple)
    other = st.lists(simple, max_size=2).map(tuple)
    return simple | st.builds(IfOrder, conditions(board), branch, other)


def requests(board: Board) -> st.SearchStrategy[Request]:
    """Any request."""
    lands = st.sampled_from([territory.id for territory in board.territories])
    days = st.dates(date(1000, 1, 1)).map(date.isoformat)
    spans = st.tuples(days, days).map(sorted)
    return st.one_of(
        st.builds(AskRequest, st.sampled_from(Ask)),
        st.builds(AskRequest, st.sampled_from(ABOUT_TERRITORIES), st.none() | lands),
        st.builds(HistoryRequest, st.none() | numbers),
        st.builds(HelpRequest, st.none() | st.from_regex(r"\A[A-Z0-9_]{1,20}\Z")),
        st.builds(lambda span, bot: AbsenceRequest(span[0], span[1], bot), spans, st.none() | bots),
        st.builds(VoteRequest, st.sampled_from(Motion), st.booleans()),
        st.builds(ResignRequest, st.booleans()),
        st.builds(ConfirmRequest, st.from_regex(r"\A[A-Z0-9]{4,20}\Z")),
        st.builds(PressRequest, seats | st.sampled_from(["ALL", "GM"]), messages),
        masters(),
    )


def masters() -> st.SearchStrategy[Request]:
    """Any command of the game master."""
    act, yes = MasterAct, st.booleans()
    return st.one_of(
        st.just(MasterRequest(act.PROCESS)),
        st.builds(MasterRequest, st.just(act.FORK), number=numbers, confirmed=yes),
        st.builds(MasterRequest, st.just(act.EXTEND), number=st.integers(1, 10_000)),
        st.builds(MasterRequest, st.just(act.REPLACE), seats, confirmed=yes),
        st.builds(MasterRequest, st.just(act.BOT), seats, words=bots),
        st.builds(MasterRequest, st.just(act.ANNOUNCE), words=announcements),
    )


def order_texts(board: Board) -> st.SearchStrategy[OrderText]:
    """Any order text that compiles."""
    return st.builds(
        OrderText,
        st.lists(orders(board), max_size=6).map(tuple),
        st.lists(requests(board), max_size=4).map(tuple),
        st.booleans(),
    ).filter(speaks_of_attacks)


def speaks_of_attacks(order_text: OrderText) -> bool:
    """Whether every WON and FAILED has an attack before it."""
    try:
        compile_orders(order_text.orders)
    except RubiconError:
        return False
    return True
