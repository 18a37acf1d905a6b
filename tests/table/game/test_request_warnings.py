"""Every request of the order language gets an answer from a server that says what to do instead."""

from hypothesis import given

from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import COLOURS, Board
from rubicon.table.game.requests import NOT_DONE, requests_not_done, warnings_of
from tests.orders.writing import order_texts

WORLD = Board.load("world")


@given(order_texts(WORLD))
def test_every_request_is_answered_at_its_place(order_text: OrderText) -> None:
    text = str(order_text)
    read = read_orders(text, WORLD, COLOURS)
    warnings = requests_not_done(read)
    assert [warning.code for warning in warnings] == [NOT_DONE] * len(order_text.requests)
    for warning, request in zip(warnings, order_text.requests, strict=True):
        line = text.split("\n")[warning.line - 1][warning.column - 1 :]
        assert line == str(request).split("\n")[0]
        assert warning.suggestion


def test_nobody_is_told_to_confirm_what_is_not_done() -> None:
    read = read_orders("END ATTACK; RESIGN", WORLD, COLOURS)
    assert [warning.code for warning in read.warnings] == ["orders/unconfirmed"]
    (warning,) = warnings_of(read)
    assert warning.startswith("Line 1, column 13: RESIGN is not done here")
    assert warning.endswith(f"[{NOT_DONE}]")
