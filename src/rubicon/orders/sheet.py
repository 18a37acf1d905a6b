"""A whole text of orders: what a player sends at once."""

from dataclasses import dataclass, field

from rubicon.orders.order import IfOrder, Order, SimpleOrder
from rubicon.orders.problems import Problem
from rubicon.orders.request import Request


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders of a turn and the requests beside them, each in the order of the text.

    `ended` is True where the text ends with END: whatever is still open in the turn is passed
    over, and nothing behind it is read. `warnings` are about what stood in the text and was
    passed over; two sheets that ask for the same are equal whatever they warn of.
    """

    orders: tuple[Order, ...] = ()
    requests: tuple[Request, ...] = ()
    ended: bool = False
    warnings: tuple[Problem, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        """The text, a line an order; requests first. The exact inverse of reading it."""
        lines = [*map(str, self.requests), *map(str, self.orders)]
        return "\n".join([*lines, "END"] if self.ended else lines)

    def simple(self) -> tuple[SimpleOrder, ...]:
        """Every order without its condition, those behind IF and ELSE too."""
        found: list[SimpleOrder] = []
        for order in self.orders:
            if isinstance(order, IfOrder):
                found += (*order.then, *order.otherwise)
            else:
                found.append(order)
        return tuple(found)
