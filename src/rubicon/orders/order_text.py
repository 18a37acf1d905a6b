"""A parsed order text: everything that a player sends at once."""

from dataclasses import dataclass, field

from rubicon.orders.errors import OrderProblem
from rubicon.orders.requests import Request
from rubicon.orders.syntax import IfOrder, Order, SimpleOrder


@dataclass(frozen=True, slots=True)
class OrderText:
    """The orders of a turn and the requests beside them, each in the order of the text.

    `ended` is True where the text ends with END: the turn ends behind the last order, and the
    parser ignores what follows END. `request_places` has the line and the column of each request,
    counted from 1; `order_places` those of each order, and how many characters it has.
    Two texts with the same orders are equal whatever their `warnings` and places.
    """

    orders: tuple[Order, ...] = ()
    requests: tuple[Request, ...] = ()
    ended: bool = False
    warnings: tuple[OrderProblem, ...] = field(default=(), compare=False)
    request_places: tuple[tuple[int, int], ...] = field(default=(), compare=False, kw_only=True)
    order_places: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, kw_only=True)

    def __str__(self) -> str:
        """The exact text, an order a line, requests first; parsing it gives an equal value."""
        lines = [*map(str, self.requests), *map(str, self.orders)]
        return "\n".join([*lines, "END"] if self.ended else lines)

    def simple(self) -> tuple[SimpleOrder, ...]:
        """All orders without their conditions, those behind IF and ELSE included."""
        found: list[SimpleOrder] = []
        for order in self.orders:
            if isinstance(order, IfOrder):
                found += (*order.then, *order.otherwise)
            else:
                found.append(order)
        return tuple(found)
