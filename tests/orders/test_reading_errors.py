"""All that is wrong is told at once, and the correction asks for no more than was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.orders.correcting import NOT_UNDERSTOOD
from rubicon.orders.problems import MOST_PROBLEMS, OrdersError
from rubicon.orders.reading import NOBODY, Reading, read_orders
from rubicon.orders.reading_names import MOST_SEARCHES, Desk
from rubicon.orders.sheet import Sheet
from rubicon.rules.board import COLOURS, Board
from tests.orders.writing import sheets

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


def test_everything_is_told_at_once_with_its_place() -> None:
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


def test_no_more_than_twenty_are_told() -> None:
    error = error_of("nonsense\n" * 30)
    assert (len(error.problems), error.more) == (MOST_PROBLEMS, 10)
    assert "and 10 more" in str(error)
    assert error.corrected.count(NOT_UNDERSTOOD) == 30


def test_nearest_names_are_searched_a_few_times_only() -> None:
    reading = Reading("deploy 3 kamchatcka\n" * 100, Desk(WORLD, COLOURS, NOBODY))
    reading.read()
    assert reading.desk.total == 100
    assert len(reading.desk.looked_up) == 1
    assert reading.desk.searches >= 100 > MOST_SEARCHES


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


def test_a_condition_finds_its_attack_again() -> None:
    text = "att xyz > irk\natt ala > kam\nif won: stop\n"
    assert corrected(text).endswith("ATTACK alaska -> kamchatka\nIF WON: END ATTACK\n".rstrip())


@given(sheets(WORLD), st.integers(0, 20))
def test_what_can_be_read_is_kept_beside_what_cannot(sheet: Sheet, at: int) -> None:
    lines = str(Sheet(sheet.orders)).splitlines()
    lines.insert(min(at, len(lines)), "gibberish of somebody")
    kept = corrected("\n".join(lines)).splitlines()
    assert "// ??? gibberish of somebody" in kept
    assert {line for line in kept if not line.startswith("//")} <= set(lines)
    lost = [line for line in kept if line.startswith("// ??? IF")]
    assert all("WON:" in line or "FAILED:" in line for line in lost)


@given(st.text("abcdekst >:;#", max_size=60))
def test_a_correction_needs_no_second_one(text: str) -> None:
    try:
        read_orders(text, WORLD, COLOURS)
    except OrdersError as error:
        sheet = read_orders(error.corrected, WORLD, COLOURS)
        assert read_orders(str(sheet), WORLD, COLOURS) == sheet
