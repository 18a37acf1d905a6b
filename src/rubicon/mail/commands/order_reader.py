"""Reads orders as the players of one game write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rubicon.orders.errors import OrdersError
from rubicon.orders.order_text import OrderText
from rubicon.orders.parse.names import territory_index
from rubicon.orders.parse.parser import NO_NAMES, read_orders
from rubicon.rules.board.board import Board


@dataclass(frozen=True, slots=True)
class OrderReader:
    """What the order language must know of a game: its board, seats and names."""

    board: Board
    colours: Sequence[str]
    names: Mapping[str, str] = field(default_factory=lambda: NO_NAMES)

    def read(self, text: str) -> OrderText:
        """The parsed text; OrdersError where anything in it is wrong."""
        return read_orders(text, self.board, self.colours, names=self.names)

    def is_order(self, line: str) -> bool:
        """Whether a line is an order or a request without any mistake."""
        try:
            found = self.read(line)
        except OrdersError:
            return False
        return bool(found.orders or found.requests)

    def finds_orders(self, text: str) -> bool:
        """Whether an order, a request or END is in a text, perhaps misspelt or beside mistakes."""
        try:
            found = self.read(text)
        except OrdersError as error:
            understood = (line.strip() for line in error.corrected.split("\n"))
            return any(line and not line.startswith("//") for line in understood)
        return bool(found.orders or found.requests or found.ended)

    def names_territory(self, line: str) -> bool:
        """Whether a word of a line, of at least three letters, begins a name of the board."""
        return any(map(territory_index(self.board).begins, line.split()))
