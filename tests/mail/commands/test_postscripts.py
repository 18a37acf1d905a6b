"""A postscript ends the orders of an e-mail; with an order in it or below it, it is doubtful."""

import pytest

from rubicon.mail.order_lines import (
    MOST_LINES,
    OrderReader,
    Postscript,
    find_postscript,
    without_pleasantries,
)
from rubicon.rules.board.board import COLOURS, Board
from tests.mail.corpus_messages import order_reader


@pytest.mark.parametrize(
    "line",
    [
        "P.S. I am away until 8",
        "PS: that was 3 to 1!",
        "ps see you on the 24th -> at my place",
        "P.P.S. attack is the best defence, 100 %",
        "P. S.: 2 more days",
        "PPS",
        "P.S. For me it was fun",
        "P.S. Your turn to attack me in Brazil",
    ],
)
def test_a_postscript_ends_the_orders(line: str) -> None:
    orders = ["DEPLOY 3 alaska", ""]
    below = ["and 5 more", "PPS: attack is the best defence", "see you at 8", "for all of us"]
    kept, left_out = without_pleasantries([*orders, line, *below], order_reader())
    assert (kept, left_out) == (orders, [line, *below])


def test_a_postscript_below_a_closing_is_left_out_with_it() -> None:
    lines = ["alaska 3", "", "Regards", "Ann", "P.S. Call me at 8", "PPS: or at 9"]
    kept, _ = without_pleasantries(["DEPLOY 3 kam", *lines], order_reader())
    assert kept == ["DEPLOY 3 kam", "alaska 3", ""]


@pytest.mark.parametrize(
    "below",
    [
        "ATTACK alaska -> kamchatka",
        "kamchatka 5",
        "4 kamchatka",
        "kamchatka: 5",
        "kamchatka 5, alaska 3",
        "kam rest",
        "attac alaska kamchatka",
        "att alaska kamchatka",
        "att alaska atlantis",
        "P.P.S. 4 kamchatka",
        "end",
        "NEWS DIGEST",
    ],
)
def test_an_order_below_a_postscript_is_never_cut_off(below: str) -> None:
    lines = ["DEPLOY 3 alaska", "P.S. I forgot this", "and see you at 8", below]
    assert find_postscript(lines, order_reader()) == Postscript(1, doubtful=True)
    assert without_pleasantries(lines, order_reader()) == (lines, [])


@pytest.mark.parametrize(
    "said",
    [
        "PREVIEW",
        "PREVIEW!",
        "Status?",
        "END",
        "resign",
        "attack alaska kamchatka",
        "attac alaska kamchatka",
        "3 in alaska",
        "I forgot: ATTACK alaska -> kamchatka",
        "TIMEZONE Europe/Berlin",
    ],
)
@pytest.mark.parametrize("mark", ["P.S. ", "PS: ", "p.p.s. ", "PS - "])
def test_a_postscript_that_is_an_order_is_never_cut_off(mark: str, said: str) -> None:
    lines = ["DEPLOY 3 alaska", f"{mark}{said}"]
    assert find_postscript(lines, order_reader()) == Postscript(1, doubtful=True)
    assert without_pleasantries(lines, order_reader()) == (lines, [])


@pytest.mark.parametrize(
    "lines",
    [
        ["DEPLOY 3 alaska", "PS 3"],
        ["DEPLOY 3 alaska", "PS 3, alaska 4"],
        ["DEPLOY 3 alaska", "ps: 3; alaska 4"],
        ["DEPLOY 3 alaska", "psi 3"],
        ["DEPLOY 3 alaska", "PS3 is better"],
        ["P.S. 3 in alaska"],
    ],
)
def test_no_postscript(lines: list[str]) -> None:
    assert find_postscript(lines, order_reader()) is None
    assert without_pleasantries(lines, order_reader()) == (lines, [])


@pytest.mark.parametrize(
    ("line", "postscript"),
    [
        ("PS 3, marrowby 4", None),
        ("ps 3", None),
        ("PS rest", None),
        ("P.S. 3 on ps", Postscript(1, doubtful=True)),
        ("P.S. Have a rest", Postscript(1, doubtful=False)),
    ],
)
def test_a_territory_called_ps(line: str, postscript: Postscript | None) -> None:
    path = Board.load("skerries").path
    assert path is not None
    board = Board.parse(path.read_text("utf-8").replace('"Fennick"', '"Ps"'))
    reader = OrderReader(board, COLOURS)
    assert find_postscript(["DEPLOY 2 marrowby", line], reader) == postscript
    if postscript is None:
        assert reader.is_order(line)


def test_a_long_text_below_a_postscript_is_not_read_line_by_line() -> None:
    lines = ["DEPLOY 3 alaska", "P.S. Bye", *["so it is"] * MOST_LINES]
    assert find_postscript(lines, order_reader()) == Postscript(1, doubtful=False)
    assert find_postscript([*lines, "", "so"], order_reader()) == Postscript(1, doubtful=True)
