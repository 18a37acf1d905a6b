"""All problems come at once, and the corrected text asks for no more than the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.orders.errors import MOST_PROBLEMS, OrdersError
from rubicon.orders.parse.parser import NO_NAMES, OrdersParser, read_orders
from rubicon.orders.parse.repair import NOT_UNDERSTOOD
from rubicon.orders.parse.words import MOST_SEARCHES, NameResolver
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import COLOURS, Board
from tests.orders.writing import order_texts

WORLD = Board.load("world")


def error_of(text: str) -> OrdersError:
    with pytest.raises(OrdersError) as caught:
        read_orders(text, WORLD, COLOURS)
    return caught.value


def corrected(text: str) -> str:
    error = error_of(text)
    read_orders(error.corrected, WORLD, COLOURS)
    return error.corrected


def places(text: str) -> list[tuple[int, int]]:
    return [(problem.line, problem.column) for problem in error_of(text).problems]


def test_all_problems_come_at_once_with_their_places() -> None:
    text = "  atack alsaka > kamm\nstop\n\n deploy 3 kam; fort alsaka kam 3\n> old\n"
    assert places(text) == [(1, 3), (1, 9), (1, 18), (4, 21), (5, 1)]
    error = error_of(text)
    assert error.code == "orders/unreadable"
    assert str(error).startswith("5 problems found in these orders; nothing was done.\n  Line 1")
    assert all(problem.message and problem.code.startswith("orders/") for problem in error.problems)


def test_columns_are_those_of_what_was_written() -> None:
    assert places("att\u200back \ufb01nland > kam") == [(1, 9)]
    assert places("ａttack\tala → \u202exyz") == [(1, 15)]


def test_the_nearest_name_is_suggested() -> None:
    (problem,) = error_of("deploy 3 kamchatcka").problems
    assert problem.code == "orders/unknown-territory"
    assert problem.message == "World has no territory 'kamchatcka'."
    assert problem.suggestion == "Did you mean Kamchatka?"
    assert str(problem).startswith("Line 1, column 10: World has no territory")


def test_every_unclear_name_of_an_order_is_a_problem() -> None:
    assert places("att ala > n > kamchatcka > xyz") == [(1, 11), (1, 15), (1, 28)]
    assert places("dep 3 kam, 2 n, one ala, 4 xyz") == [(1, 14), (1, 17), (1, 28)]
    assert places("att ala > n until left 3 and odds < 4%") == [(1, 11), (1, 26)]
    assert places("att n > ala until") == [(1, 5), (1, 18)]


def test_at_most_twenty_problems_are_listed() -> None:
    error = error_of("nonsense\n" * 30)
    assert (len(error.problems), error.more) == (MOST_PROBLEMS, 10)
    assert "and 10 more" in str(error)
    assert error.corrected.count(NOT_UNDERSTOOD) == 30


def test_similar_names_are_searched_a_few_times_only() -> None:
    """A repeated word is searched once, and only some different words are searched."""
    same = OrdersParser("deploy 3 kamchatcka\n" * 100, NameResolver(WORLD, COLOURS, NO_NAMES))
    same.read()
    assert (same.resolver.total, len(same.resolver.looked_up), same.resolver.searches) == (
        100,
        1,
        1,
    )
    names = [f"kamch{'a' * n}tcka" for n in range(2, 50)]
    problems = error_of("".join(f"deploy 3 {name}\n" for name in names)).problems
    assert [bool(problem.suggestion) for problem in problems] == [
        n < MOST_SEARCHES for n in range(MOST_PROBLEMS)
    ]


INTRODUCTIONS = (
    "On Monday Tom wrote:",
    "On Mon, 2 Nov 2026 at 10:00, Tom <tom@example.org> wrote:",
    "Am 02.11.26 um 10:00 schrieb Tom:",
    "Le 2 nov. 2026 à 10:00, Tom a écrit :",
    "-----Original Message-----",
    "---------- Forwarded message ---------",
    "=== reply above this line ===",
    "________________________________",
    "From: Tom",
    "Von: Tom",
    "Begin forwarded message:",
)
BELOW = "// ??? resign confirm\n\n// ??? pass"
CORRECTED = [
    ("atack alsaka > kamchatcka until left 3", "ATTACK alaska -> kamchatka UNTIL LEFT 3"),
    ("attack alsaka kam", "ATTACK alaska -> kamchatka"),
    ("attack ala kamchatcka", "ATTACK alaska -> kamchatka"),
    ("deploy 3 eastern astralia", "DEPLOY 3 eastern_australia"),
    ("deploy 3 ern australia", "// ??? deploy 3 ern australia"),
    ("trade alsaka, kam, wild1", "TRADE alaska, kamchatka, wild1"),
    ("stop; status; foo > bar # hm", "END ATTACK\nSTATUS\n// ??? foo > bar"),
    ("> attack ala kam\n| attack", "// ??? > attack ala kam\n// ??? | attack"),
    ("foo\npass\nEND\nattack", "// ??? foo\nEND TURN\nEND"),
    ("a\0b\u202ec", "// ??? a�b�c"),
    ("deploy rest ala, 3 kam", "DEPLOY 3 kamchatka, REST alaska"),
    ("deploy rest ala, rest kam", "// ??? deploy rest ala, rest kam"),
    # A name that is not clear leaves the others of its order alone.
    (
        "att ala > n > kamchatcka until left 3",
        "// ??? att alaska > n > kamchatka until left 3",
    ),
    ("dep 3 kam, 2 n, 1 xyz, 4 ala", "// ??? dep 3 kamchatka, 2 n, 1 xyz, 4 alaska"),
    (
        "att ala > n > kam until left 3 and odds < 4%",
        "// ??? att alaska > n > kamchatka until left 3 and odds < 4%",
    ),
    ("claim e, kam & s", "// ??? claim e, kamchatka & s"),
    (
        "att ala > kam\nif won att kam > irk",
        "ATTACK alaska -> kamchatka\nIF WON: ATTACK kamchatka -> irkutsk",
    ),
    ("if card stop else pass", "IF CARD: END ATTACK ELSE: END TURN"),
    # What ends or leaves something is not guessed.
    ("resing", "// ??? resing"),
    ("resig confirm", "// ??? resig confirm"),
    ("resign confrim", "// ??? resign confrim"),
    ("vote drew confirm", "// ??? vote drew confirm"),
    ("procces\nreveel\nvotee draw", "// ??? procces\n// ??? reveel\n// ??? votee draw"),
    ("replace bleu confirm", "// ??? replace bleu confirm"),
    # A message is sent as it was meant, or not at all.
    ("press to red\natt ala kam\nstop", "// ??? press to red\n// ??? att ala kam\n// ??? stop"),
    (
        "press to rde\nstop\nendpress\npass",
        "// ??? press to rde\n// ??? stop\n// ??? endpress\nEND TURN",
    ),
    (
        "pass\npres to red\nstop\nendpress",
        "END TURN\n// ??? pres to red\n// ??? stop\n// ??? endpress",
    ),
    ("pass\nendpress", "// ??? pass\n// ??? endpress"),
    # An order that depends on something never comes to depend on nothing.
    ("if card: foo; stop else: pass", "// ??? if card: foo; stop else: pass"),
    ("if card: stop\nelse: foo", "// ??? if card: stop\n// ??? else: foo"),
    ("if foo: stop\nelse: pass", "// ??? if foo: stop\n// ??? else: pass"),
    (
        "if card:\nstop\npass\n\nclaim ala",
        "// ??? if card:\n// ??? stop\n// ??? pass\nCLAIM alaska",
    ),
    ("if card\n  stop\nelse\n  pass", "// ??? if card\n// ??? stop\n// ??? else\n// ??? pass"),
    ("if card: stop;\n  pass", "// ??? if card: stop\n// ??? pass"),
    # Nothing final is kept below what was not understood, and nothing at all of an older letter.
    ("> old\nresign confirm\nstop", "// ??? > old\n// ??? resign confirm\nEND ATTACK"),
    ("foo\nconfirm 7g3k\nvote pause", "// ??? foo\n// ??? confirm 7g3k\nVOTE PAUSE"),
    ("vote draw confirm\nfoo 3", "VOTE DRAW CONFIRM\n// ??? foo 3"),
    ("stop\nsee you\nfork 3 confirm", "END ATTACK\n// ??? see you\n// ??? fork 3 confirm"),
    *[
        (f"stop\n{line}\nresign confirm\n\npass", f"END ATTACK\n// ??? {line}\n{BELOW}")
        for line in INTRODUCTIONS
    ],
    # Nor on another attack than it was written behind.
    ("att ala > kam\natt xyz > irk\nif won: stop", None),
    ("att xyz > irk\nif won: stop\nif won irk: pass", None),
]


@pytest.mark.parametrize(("text", "wanted"), CORRECTED, ids=[text for text, _ in CORRECTED])
def test_corrections(text: str, wanted: str | None) -> None:
    if wanted is None:
        assert "\n// ??? if won: stop" in corrected(text)
    else:
        assert corrected(text) == wanted


def test_a_condition_is_kept_behind_a_later_attack() -> None:
    text = "att xyz > irk\natt ala > kam\nif won: stop\n"
    assert corrected(text).endswith("ATTACK alaska -> kamchatka\nIF WON: END ATTACK\n".rstrip())


@given(order_texts(WORLD), st.integers(0, 20))
def test_clear_lines_are_kept_beside_unclear_ones(order_text: OrderText, at: int) -> None:
    lines = str(OrderText(order_text.orders)).splitlines()
    lines.insert(min(at, len(lines)), "gibberish of 3 people")
    kept = corrected("\n".join(lines)).splitlines()
    assert "// ??? gibberish of 3 people" in kept
    assert {line for line in kept if not line.startswith("//")} <= set(lines)
    lost = [line for line in kept if line.startswith("// ??? IF")]
    assert all("WON:" in line or "FAILED:" in line for line in lost)


@given(st.text("abcdekst >:;#", max_size=60))
def test_a_correction_needs_no_second_one(text: str) -> None:
    try:
        read_orders(text, WORLD, COLOURS)
    except OrdersError as error:
        order_text = read_orders(error.corrected, WORLD, COLOURS)
        assert read_orders(str(order_text), WORLD, COLOURS) == order_text


@pytest.mark.parametrize("line", INTRODUCTIONS)
def test_quoted_mail_is_one_mistake_and_end_keeps_it_out(line: str) -> None:
    error = error_of(f"stop\n  {line}\nfoo\nbar\n> old")
    assert [(problem.line, problem.column) for problem in error.problems] == [(2, 3)]
    assert error.problems[0].code == "orders/quoted"
    assert str(read_orders(f"stop\nEND\n{line}\nfoo", WORLD, COLOURS)) == "END ATTACK\nEND"


@pytest.mark.parametrize("line", ["announce Tom wrote:", "press to red\nTom wrote:\nendpress"])
def test_messages_do_not_introduce_quoted_mail(line: str) -> None:
    assert len(read_orders(f"{line}\nstop", WORLD, COLOURS).orders) == 1


@pytest.mark.parametrize("sign", ["--", "-- ", " -- ", "\u2014", "\u2013"])
def test_nothing_is_read_below_a_signature(sign: str) -> None:
    order_text = read_orders(f"stop\n{sign}\nTom Smith\n555 1234", WORLD, COLOURS)
    assert (str(order_text), order_text.warnings) == ("END ATTACK", ())
    (warning,) = read_orders(f"stop\n{sign}\nresign confirm", WORLD, COLOURS).warnings
    assert (warning.line, warning.code) == (2, "orders/signature")
    assert "// ???" not in corrected(f"foo 3; stop\n{sign}\nresign confirm").split("\n", 1)[1]


def warned(text: str) -> list[int]:
    """The lines that are ignored."""
    warnings = read_orders(text, WORLD, COLOURS, names={"Ann": "red", "Bob": "blue"}).warnings
    assert all(warning.code == "orders/passed-over" for warning in warnings)
    return [warning.line for warning in warnings]


@pytest.mark.parametrize(
    "line",
    [
        "Thanks, Tom",
        "Cheers!",
        "Best wishes",
        "I hope this works :)",
        "See you",
        "Sent from my iPhone",
        "hello everyone",
        "Your move!",
        "Ann",
        "bob.",
        "looking good // is it not?",
    ],
)
def test_pleasantries_behind_an_order_are_ignored(line: str) -> None:
    assert warned(f"stop\n{line}") == [2]
    assert warned(f"status\n{line}\natt ala kam\n{line}\nif won: stop") == [2, 4]
    assert warned(f"stop; {line}\nEND") == [1]
    with pytest.raises(OrdersError):
        warned(f"{line}\nstop")


@pytest.mark.parametrize(
    "line",
    [
        "attck now",
        "stpo",
        "ned turn",
        "resing",
        "undoo",
        "send 3 over",
        "conquer alaska",
        "take a bow",
        "so > there",
        "please stop",
        "please attack them",
        "message to red",
        "tell Bob:",
        "mail tom@example.org",
        "-----",
        "w",
        "more armies please",
        "east",
    ],
)
def test_a_line_that_may_be_an_order_is_never_ignored(line: str) -> None:
    (problem,) = error_of(f"stop\n{line}").problems[:1]
    assert problem.line == 2


def test_nothing_is_ignored_behind_an_open_if_or_above_a_final_request() -> None:
    assert places("stop\nif card:\nnice one") == [(2, 9), (3, 1)]
    assert places("stop\nnice one\nresign confirm") == [(2, 1)]
    assert warned("stop\nresign confirm\nnice one") == [3]


def test_only_searched_words_are_ignored() -> None:
    text = "stop\n" + "".join(f"nice {'o' * n}ne\n" for n in range(1, 31))
    error = error_of(text)
    assert len(error.warnings) == MOST_SEARCHES
    assert len(error.problems) == 30 - MOST_SEARCHES


def test_warnings_beside_mistakes_are_kept() -> None:
    error = error_of("stop\nnice one\nfoo 3")
    assert [warning.line for warning in error.warnings] == [2]
    assert [problem.line for problem in error.problems] == [3]
    assert error.corrected == "END ATTACK\n// ??? nice one\n// ??? foo 3"
