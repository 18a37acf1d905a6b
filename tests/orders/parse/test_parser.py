"""Exact texts are parsed back, short forms are understood, and everything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.parse.places import IN_FULL, MEANINGS
from rubicon.orders.parse.repair import exact_orders
from rubicon.orders.syntax import (
    Ask,
    AskRequest,
    Order,
    OrderText,
    PressRequest,
    Request,
    ResignRequest,
)
from rubicon.rules.board.board import COLOURS, Board
from tests.orders.writing import BOARDS, messages, order_texts

WORLD = Board.load("world")
NAMES = {"Ann": "red", "Bob B.": "blue", "Green": "red", "Zoë": "green"}


def read(text: str) -> OrderText:
    return read_orders(text, WORLD, COLOURS, names=NAMES)


def code_of(text: str) -> str:
    with pytest.raises(OrdersError) as caught:
        read(text)
    return caught.value.problems[0].code.removeprefix("orders/")


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.id)
@given(data=st.data())
def test_what_is_printed_is_read_back(board: Board, data: st.DataObject) -> None:
    order_text = data.draw(order_texts(board))
    assert read_orders(str(order_text), board, COLOURS) == order_text


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.id)
@given(data=st.data())
def test_parsed_orders_need_not_be_printed_and_parsed_again(
    board: Board, data: st.DataObject
) -> None:
    orders = exact_orders(data.draw(order_texts(board)), board)
    again = read_orders(str(orders), board, COLOURS)
    assert orders == again
    assert (orders.warnings, orders.order_places) == (again.warnings, again.order_places)


@given(order_texts(WORLD))
def test_line_ends_do_not_matter(order_text: OrderText) -> None:
    for end in ("\r\n", "\r"):
        assert read(str(order_text).replace("\n", end)) == order_text


@given(
    order_texts(WORLD).map(lambda order_text: OrderText(order_text.orders, (), order_text.ended))
)
def test_capitals_spaces_and_comments_do_not_matter(order_text: OrderText) -> None:
    lines = str(order_text).splitlines()
    for change in (str.lower, str.upper, str.swapcase):
        loose = [f"  {change(line).replace(' ', '   ')} . // what a turn" for line in lines]
        assert read("# mine\n\n" + "\n\n// so\n".join(loose)) == order_text


@pytest.mark.parametrize("below", ["PREVIEW", "  preview.\nBest wishes", "Ann\n\nPreview"])
def test_a_preview_counts_below_end(below: str) -> None:
    found = read(f"DEPLOY 3 alaska\nEND\n{below}")
    assert found.requests == (AskRequest(Ask.PREVIEW),)
    assert found.ended
    assert read(str(found)) == found


@pytest.mark.parametrize("below", ["no preview", "-- \nPREVIEW", "STATUS", "> PREVIEW"])
def test_nothing_else_counts_below_end(below: str) -> None:
    assert read(f"DEPLOY 3 alaska\nEND\n{below}").requests == ()


@given(messages)
def test_messages_keep_every_character(text: str) -> None:
    assert read(f"press to blue\n{text}\nendpress\nstatus").requests[0] == PressRequest(
        "blue", text
    )


TYPED = [
    ("att ala kam", "ATTACK alaska -> kamchatka"),
    ("att ala kam 2", "ATTACK alaska -> kamchatka DICE 2"),
    ("attack 2 ala > kam", "ATTACK alaska -> kamchatka DICE 2"),
    ("attack with 2 dice kam from ala", "ATTACK alaska -> kamchatka DICE 2"),
    ("attack from ala to kam to irk", "ATTACK alaska -> kamchatka -> irkutsk"),
    ("attack kam -> irk from ala", "ATTACK alaska -> kamchatka -> irkutsk"),
    ("attack kam, from ala", "ATTACK alaska -> kamchatka"),
    ("attack western united states eastern united states", None),
    ("attack w us e us", None),
    ("ＡＴＴＡＣＫ ala⇒kam ｄice ２", "ATTACK alaska -> kamchatka DICE 2"),
    ("attack ala —> kam dice max", "ATTACK alaska -> kamchatka"),
    (
        "attack ala>kam advance 3 dice 2 until odds<40% or 3 left, or won",
        "ATTACK alaska -> kamchatka DICE 2 UNTIL ODDS < 40% OR LEFT 3 OR WON ADVANCE 3",
    ),
    (
        "attack ala>kam until odds below 40 percent or 2 rounds advance with 3 armies",
        "ATTACK alaska -> kamchatka UNTIL ODDS < 40% OR ROUNDS 2 ADVANCE 3",
    ),
    ("attack ala>kam adv all except 2", "ATTACK alaska -> kamchatka ADVANCE ALL BUT 2"),
    ("attack ala>kam advance all but 0", "ATTACK alaska -> kamchatka ADVANCE ALL"),
    ("attack ala>kam advance ask once", "ATTACK alaska -> kamchatka UNTIL ROUNDS 1 ADVANCE ASK"),
    ("attack ala>kam advance minimum", "ATTACK alaska -> kamchatka ADVANCE MIN"),
    ("deploy: 3 on great britain & 2 in kam", "DEPLOY 3 great_britain, 2 kamchatka"),
    ("reinforce kam with 3 armies", "DEPLOY 3 kamchatka"),
    # Without a number all armies, or as many dice as possible.
    ("deploy kam", "DEPLOY REST kamchatka"),
    ("occupy", "ADVANCE ALL"),
    ("fortify ala kam", "FORTIFY alaska -> kamchatka ALL"),
    ("maneuver ala > kam", "MANOEUVRE alaska -> kamchatka ALL"),
    (
        "attack ala > kam advance until left 3",
        "ATTACK alaska -> kamchatka UNTIL LEFT 3 ADVANCE ALL",
    ),
    ("defend", "DEFEND MAX"),
    ("defend kam", "DEFEND MAX kamchatka"),
    ("standing kam none", "DEFEND ASK kamchatka"),
    ("trade", "TRADE BEST"),
    ("trade best", "TRADE BEST"),
    ("withdraw", "TRADE NO"),
    ("decline; seal", "DECLINE\nSEAL"),
    # Placements without a comma, and without a verb.
    ("deploy 3 kam 2 ala", "DEPLOY 3 kamchatka, 2 alaska"),
    ("dep kam 3 ala 2 and irk 1", "DEPLOY 3 kamchatka, 2 alaska, 1 irkutsk"),
    ("dep 3 ala rest kam", "DEPLOY 3 alaska, REST kamchatka"),
    ("indonesia 3", "DEPLOY 3 indonesia"),
    ("3 armies on indonesia, e aus 2", "DEPLOY 3 indonesia, 2 eastern_australia"),
    ("2 kam 3 ala; stop", "DEPLOY 2 kamchatka, 3 alaska\nEND ATTACK"),
    ("attack ala > kam once", "ATTACK alaska -> kamchatka UNTIL ROUNDS 1"),
    ("map e aus; legal kam", "MAP eastern_australia\nLEGAL kamchatka"),
    ("log 5; hand; rules; legal; map", "HISTORY 5\nHAND\nRULES\nLEGAL\nMAP"),
    ("draft 003 kam", "DEPLOY 3 kamchatka"),
    ("1. deploy 3 kam", "DEPLOY 3 kamchatka"),
    ("  2) deploy 3 kam; stop", "DEPLOY 3 kamchatka\nEND ATTACK"),
    ("[ ] deploy: 3 kam", "DEPLOY 3 kamchatka"),
    ("- [x] deploy 3 kam", "DEPLOY 3 kamchatka"),
    ("* pass\n\u2022 END\nfoo", "END TURN\nEND"),
    ("3.\n-\npass", "END TURN"),
    ("10. if kam > 3: stop\n11. else: pass", "IF kamchatka > 3: END ATTACK ELSE: END TURN"),
    ("deploy 3 kam, REST ala,", "DEPLOY 3 kamchatka, REST alaska"),
    ("fort all but 1 from ala to kam", "FORTIFY alaska -> kamchatka ALL BUT 1"),
    ("fortify kam from ala 2", "FORTIFY alaska -> kamchatka 2"),
    ("move with 2 armies ala kam", "FORTIFY alaska -> kamchatka 2"),
    ("manoeuvre ala kam max", "MANOEUVRE alaska -> kamchatka ALL"),
    ("def two in kam", "DEFEND 2 kamchatka"),
    ("defence none", "DEFEND ASK"),
    ("trade joker 1, kam and wild2 on kam", "TRADE wild1, kamchatka, wild2 ON kamchatka"),
    ("trade none", "TRADE NO"),
    ("trade ala, kam", "TRADE alaska, kamchatka"),
    ("hq congo and egypt", "CAPITAL congo, egypt"),
    ("take ala", "CLAIM alaska"),
    ("objective 3 with airfield on kam", "OBJECTIVE OB03 AIRFIELD kamchatka"),
    ("objective none", "OBJECTIVE NO"),
    ("show my mission", "REVEAL"),
    ("finish turn", "END TURN"),
    ("history 5", "HISTORY 5"),
    ("stat", "STATUS"),
    ("help att", "HELP ATT"),
    ("absent 2026-12-24 2026-12-24 bot Greedy", "ABSENCE 2026-12-24 2026-12-24 BOT greedy"),
    ("vote for draw", "VOTE DRAW"),
    ("confirm 7g3k-qq", "CONFIRM 7G3K-QQ"),
    ("press to: bob b.\nendpress", "PRESS TO blue\nENDPRESS"),
    ("press green\nhi\n EndPress ", "PRESS TO green\nhi\nENDPRESS"),
    ("press to gm\n\n\nendpress", "PRESS TO GM\n\n\nENDPRESS"),
    ("press to everybody // all\n// no comment\nend\nendpress", None),
    ("extend 12h", "EXTEND 12 HOURS"),
    ("extend by 2 days", "EXTEND 48 HOURS"),
    ("replace zoe\u0308 confirm", "REPLACE green CONFIRM"),
    ("bot ann random", "BOT red random"),
    ("announce: all; of // this!", "ANNOUNCE all; of // this!"),
    ("if eliminated ann then stop else pass", "IF ELIMINATED red: END ATTACK ELSE: END TURN"),
    ("if eliminated bl: stop", None),
    ("if eliminated zo: stop", "IF ELIMINATED green: END ATTACK"),
    ("if gb ≥ 3 armies then: stop", "IF great_britain >= 3: END ATTACK"),
    ("if kam != 3: stop; else pass", "IF kamchatka <> 3: END ATTACK ELSE: END TURN"),
    ("if kam =< 3: stop\n\n// or\nelse pass", "IF kamchatka <= 3: END ATTACK ELSE: END TURN"),
    ("if won kam: stop;\nelse: pass", "IF WON kamchatka: END ATTACK ELSE: END TURN"),
    ("pass; end; nonsense", "END TURN\nEND"),
    ("pass\nEnd.\nnonsense", "END TURN\nEND"),
    ("pass\n-- \nAnn, who attacks", "END TURN"),
    ("\ufeffpa\u200bss", "END TURN"),
    (" ;; ; # nothing", ""),
]


@pytest.mark.parametrize(("typed", "meant"), TYPED, ids=[typed for typed, _ in TYPED])
def test_what_people_write(typed: str, meant: str | None) -> None:
    if meant is None:
        try:
            again = str(read(typed))
        except OrdersError:
            return
        meant = again
    assert str(read(typed)) == meant
    assert str(read(meant)) == meant


def test_names_that_divide_in_one_way_only_need_no_arrow() -> None:
    assert str(read("attack western united states eastern united states")) == (
        "ATTACK western_united_states -> eastern_united_states"
    )


def test_a_colour_wins_over_a_player_of_that_name() -> None:
    assert read("press to green\nendpress").requests == (PressRequest("green", ""),)


def test_a_comment_in_a_message_is_a_part_of_it() -> None:
    (message,) = read("press to all\n// so\nEND\n-- \nendpress").requests
    assert message == PressRequest("ALL", "// so\nEND\n-- ")


@pytest.mark.parametrize("word", sorted(IN_FULL - {"ELSE", "ENDPRESS", "IF"}))
def test_what_must_be_written_in_full(word: str) -> None:
    safe = {name for name, verb in MEANINGS.items() if verb not in IN_FULL}
    for length in range(1, len(word)):
        short = word[:length]
        assert all(type(order).__name__ != "EndOrder" for order in orders_in(short))
        if not any(name.startswith(short.lower()) for name in safe) and len(short) > 3:
            assert code_of(short) in ("in-full", "unknown-order")


def orders_in(text: str) -> tuple[Order | Request, ...]:
    try:
        order_text = read(text)
    except OrdersError:
        return ()
    return (*order_text.simple(), *order_text.requests)


def test_resign_is_never_guessed() -> None:
    assert read("resign").requests == (ResignRequest(),)
    assert read("Resign CONFIRM.").requests == (ResignRequest(True),)
    for prose in ("I resign", "resign!?", "resign now", "resigning", "surrender", "resign confrim"):
        code_of(prose)


WRONG = [
    ("> attack ala kam", "quoted"),
    ("  -> attack ala kam", "quoted"),
    ("→ attack", "quoted"),
    ("| attack ala kam", "quoted"),
    ("1. > attack ala kam", "quoted"),
    ("- -> attack ala kam", "quoted"),
    ("1.5 kam", "unknown-order"),
    ("- 1. - 2. - pass", "unknown-order"),
    ("I attack kam from ala", "ambiguous-order"),
    ("e ala, bra, kam", "ambiguous-order"),
    ("w", "ambiguous-order"),
    ("x 3 kam", "unknown-order"),
    ("atk xyz", "unknown-order"),
    ("d 3 kam", "ambiguous-order"),
    ("retreat", "unknown-order"),
    ("attack ala > n", "ambiguous-territory"),
    ("attack ala", "missing-territory"),
    ("attack", "missing-territory"),
    ("attack > kam", "missing-territory"),
    ("attack ala > > kam", "missing-territory"),
    ("attack ala, kam", "extra-words"),
    ("attack ala > kam dice 4", "bad-number"),
    ("attack ala > kam dice 2 dice 3", "twice"),
    ("attack ala > kam until", "unknown-stop"),
    ("attack ala > kam until bored", "unknown-stop"),
    ("attack ala > kam until odds 60", "unknown-stop"),
    ("attack ala > kam until left 3 and odds < 40%", "unknown-stop"),
    ("attack ala > kam until left 3 rounds 2", "unknown-stop"),
    ("attack ala > kam until left 3 once", "twice"),
    ("attack ala kam one", "bad-number"),
    ("attack ala > kam until odds < 140%", "bad-number"),
    ("ind 3", "ambiguous-territory"),
    ("kam ala 3", "unknown-order"),
    ("save", "terminal-only"),
    ("offer alaska", "terminal-only"),
    ("map nowhere", "unknown-territory"),
    ("hand kam", "extra-words"),
    ("decline it", "extra-words"),
    ("decl", "in-full"),
    ("attack ala > kam until odds < 101%", "bad-number"),
    ("attack ala > kam until left", "missing-number"),
    ("attack ala from kam from irk", "unclear-path"),
    ("attack ala from kam to irk", "unclear-path"),
    ("deploy", "missing-number"),
    ("deploy armies", "missing-number"),
    ("attack from alaska", "missing-territory"),
    ("fortify from siberia 3", "missing-territory"),
    ("deploy kam, ala", "missing-number"),
    ("deploy one kam", "bad-number"),
    ("deploy 0 kam", "bad-number"),
    ("deploy kam 3 ala", "missing-number"),
    ("deploy rest kam, 2 ala", "rest-not-last"),
    ("deploy 2 ala, rest kam, rest irk", "rest-not-last"),
    ("deploy 99999999999 kam", "bad-number"),
    ("deploy 3", "missing-territory"),
    ("fortify ala kam min", "bad-number"),
    ("fortify ala > kam > irk 3", "extra-words"),
    ("advance 3 4", "extra-words"),
    ("defend kam 3", "bad-number"),
    ("trade ala", "bad-set"),
    ("trade wild, ala, kam", "ambiguous-card"),
    ("claim", "missing-territory"),
    ("objective", "missing-objective"),
    ("objective 13", "unknown-objective"),
    ("objective 3 kam", "extra-words"),
    ("reveal everything", "extra-words"),
    ("end well", "unknown-ending"),
    ("end", None),
    ("status now", "extra-words"),
    ("history 0", "bad-number"),
    ("help me!?", "bad-word"),
    ("absence 2026-02-30 2026-03-01", "bad-date"),
    ("absence 2026-03-02 2026-03-01", "bad-date"),
    ("absence 2026-03-02", "missing-date"),
    ("absence tomorrow", "bad-date"),
    ("absence 2026-03-02 2026-03-02 bot", "missing-bot"),
    ("absence 2026-03-02 2026-03-02 bot gr/ee", "unknown-bot"),
    ("vote", "missing-motion"),
    ("vote dr", "unknown-motion"),
    ("confirm", "missing-code"),
    ("confirm me", "bad-code"),
    ("fork", "missing-number"),
    ("extend 12", "unknown-unit"),
    ("extend 0 days", "bad-number"),
    ("extend 99999h", "bad-number"),
    ("replace purple", "unknown-player"),
    ("replace", "missing-player"),
    ("bot red", "missing-bot"),
    ("announce", "missing-text"),
    ("press to red\nhello", "unfinished-press"),
    ("press to b\nendpress", "unknown-player"),
    ("press to red hello\nendpress", "unknown-player"),
    ("endpress", "endpress-without-press"),
    ("if: stop", "missing-condition"),
    ("if won", "missing-colon"),
    ("if won:", "empty-if"),
    ("if won kam: stop else", "empty-if"),
    ("if won kam:\nstop", "empty-if"),
    ("if won kam: stop;\nstop", "empty-if"),
    ("if it rains: stop", "unknown-condition"),
    ("if kam > : stop", "missing-number"),
    ("if kam > many: stop", "bad-number"),
    ("if > 3: stop", "missing-territory"),
    ("if card: if card: stop", "nested-if"),
    ("if card: resign confirm", "not-in-if"),
    ("if card: end", "unknown-ending"),
    ("if card: stop else: stop else: stop", "second-else"),
    ("else: stop", "else-without-if"),
    ("if won: stop", "no-attack-before"),
    ("if failed: stop; attack ala > kam", "no-attack-before"),
    ("if eliminated purple: stop", "unknown-player"),
    ("announce%", "unknown-order"),
    ("press<to red\nendpress", "unknown-order"),
]


@pytest.mark.parametrize(("text", "code"), WRONG, ids=[text for text, _ in WRONG])
def test_what_is_refused(text: str, code: str | None) -> None:
    if code is None:
        assert read(text) == OrderText((), (), True)
    else:
        assert code_of(text) == code


SUGGESTED = [
    ("advance one", "Numbers are written in digits, not as 'one'.", "Write: 1"),
    ("deploy two kam", "Numbers are written in digits, not as 'two'.", "Write: 2"),
    (
        "attack ala with kam",
        "A number was expected here, not 'kam'.",
        "Before the name of a territory, write an arrow: alaska -> kamchatka",
    ),
    (
        "attack ala > kam until left 3 and odds < 40%",
        "OR was expected here: the attack ends when one of its stops holds.",
        "Write: UNTIL LEFT 3 OR ODDS < 40%",
    ),
    (
        "if card att kam > ala",
        "A colon is missing after the condition.",
        "Write: if card: att kam > ala",
    ),
    (
        "attack ala > kam until odds < 140%",
        "A number from 1 to 100 was expected here, not '140'.",
        "",
    ),
    ("save", "'save' is a command of the terminal, not an order.", "HELP lists the orders."),
]


@pytest.mark.parametrize(("text", "message", "suggestion"), SUGGESTED)
def test_an_error_says_what_is_wrong_and_what_to_write(
    text: str, message: str, suggestion: str
) -> None:
    with pytest.raises(OrdersError) as caught:
        read(text)
    problem = caught.value.problems[0]
    assert (problem.message, problem.suggestion) == (message, suggestion)


WARNED = [
    ("resign", "unconfirmed", "RESIGN does nothing without CONFIRM.", "Write: RESIGN CONFIRM"),
    (
        "fork 3",
        "unconfirmed",
        "FORK 3 does nothing without CONFIRM.",
        "Write: FORK 3 CONFIRM",
    ),
    (
        "attack alaska > brazil",
        "not-adjacent",
        "Alaska does not border Brazil: no attack.",
        "Alaska borders: Northwest Territory, Alberta, Kamchatka.",
    ),
    (
        "if card: stop else: att kam > ala > kam > peru",
        "not-adjacent",
        "Kamchatka does not border Peru: no attack.",
        "Kamchatka borders: Alaska, Yakutsk, Irkutsk, Mongolia, Japan.",
    ),
]


@pytest.mark.parametrize(("text", "code", "message", "suggestion"), WARNED)
def test_a_warning_about_an_order_that_will_do_nothing(
    text: str, code: str, message: str, suggestion: str
) -> None:
    (warning,) = read(text).warnings
    assert (warning.code, warning.message) == (f"orders/{code}", message)
    assert (
        set(suggestion.rstrip(".").split(", ")) == set(warning.suggestion.rstrip(".").split(", "))
        or suggestion.split(": ", maxsplit=1)[0] == warning.suggestion.split(": ")[0]
    )


@pytest.mark.parametrize(
    "text", ["resign confirm", "vote pause", "vote draw confirm", "att ala kam"]
)
def test_no_warning_without_a_reason(text: str) -> None:
    assert read(text).warnings == ()


def test_only_text_is_read() -> None:
    with pytest.raises(OrdersError) as caught:
        read_orders(b"END", WORLD, COLOURS)  # type: ignore[arg-type]
    assert caught.value.code == "orders/unreadable"


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 70_000,
        "stop\n" * 201,
        "> a\n" * 201,
        "if card: " + "stop;" * 201,
        "press to red\nendpress\n" * 201,
        "deploy " + "1 northwest_territory, " * 600,
        "claim " + "nwt, " * 100 + "\n" + ("claim " + "nwt, " * 100 + "\n") * 10,
    ],
    ids=["characters", "orders", "quoted", "branches", "press", "long", "expanding"],
)
def test_too_much_is_refused_at_once(text: str) -> None:
    with pytest.raises(OrdersError) as caught:
        read(text)
    assert {problem.code for problem in caught.value.problems} <= {
        "orders/too-long",
        "orders/too-many",
        "orders/quoted",
    }
    read(caught.value.corrected)


def test_a_message_is_not_too_long() -> None:
    text = "x" * 20_000
    assert read(f"press to red\n{text}\nendpress").requests == (PressRequest("red", text),)
    assert code_of(f"press to red\n{text}x\nendpress") == "too-long"


@pytest.mark.parametrize(
    "text",
    [
        "claim ala bra",
        "capital ala bra",
        "claim peru brazil",
        "att ala kam irk",
        "attack ala kam > irk",
        "deploy 3 ala kam",
        "objective 1 airfield ala bra",
    ],
)
def test_several_names_are_not_taken_for_one_misspelt(text: str) -> None:
    with pytest.raises(OrdersError) as refused:
        read_orders(text, Board.load("world"), COLOURS)
    assert refused.value.corrected.startswith("// ???")
