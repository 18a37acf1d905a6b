"""A text of orders as far as it was understood: readable, and never more than was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rubicon.orders.order import AttackOrder, Failed, IfOrder, Order, Won
from rubicon.orders.problems import Problem
from rubicon.orders.reading_names import MOST_ORDER_CHARACTERS
from rubicon.orders.request import ConfirmRequest, PressRequest, Request

MOST_CHARACTERS = 64 * 1024  # of a text
NOT_UNDERSTOOD = "// ??? "
NOT_CORRECTED = f"{NOT_UNDERSTOOD}this text is too long to be corrected"
_ROOM = len(NOT_CORRECTED) + 1


@dataclass
class Entry:
    """Some lines of a text, or a part of one, and the order or request that they mean."""

    lines: list[str]
    meant: Order | Request | None = None  # None: not understood
    unknown: bool = False  # not even the verb
    warning: Problem | None = None  # why it may be passed over

    def __str__(self) -> str:
        """What is sent again: the exact text, or what was written as a comment."""
        if self.meant is not None:
            return str(self.meant)
        return "\n".join(NOT_UNDERSTOOD + printable(line) if line else "" for line in self.lines)


def corrected(entries: Iterable[Entry], ended: bool) -> str:
    """The whole text as far as it was understood."""
    lines: list[str] = []
    room, orders = MOST_CHARACTERS - _ROOM, MOST_ORDER_CHARACTERS
    for entry in sure(entries):
        orders -= order_length(entry.meant)
        if orders < 0:
            entry.meant = None
        text = str(entry)
        room -= len(text) + 1
        if room < 0:
            lines.append(NOT_CORRECTED)
            break
        lines.append(text)
    return "\n".join([*lines, "END"] if ended else lines)


def sure(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without what may not be sure any more.

    A condition that speaks of "the line before" is lost where that was lost, and what cannot be
    taken back is lost below anything that was not understood: it may be a part of that.
    """
    found: list[Entry] = []
    attacked, understood = False, True
    for entry in entries:
        meant = entry.meant
        if speaks_of_before(meant) and not attacked:
            meant = None
        if is_final(meant) and not understood:
            meant = None
        understood &= meant is not None
        if entry.warning is None:
            attacked = meant is not None and (attacked or attacks(meant))
        found.append(Entry(entry.lines, meant))
    return found


def is_final(meant: Order | Request | None) -> bool:
    """Whether it is a request that cannot be taken back."""
    return isinstance(meant, ConfirmRequest) or getattr(meant, "confirmed", False)


def speaks_of_before(order: Order | Request | None) -> bool:
    """Whether it is a condition about an attack that it does not name."""
    if not isinstance(order, IfOrder) or not isinstance(order.condition, Won | Failed):
        return False
    return order.condition.territory is None


def attacks(order: Order | Request) -> bool:
    """Whether an attack is among the orders."""
    inside = (*order.then, *order.otherwise) if isinstance(order, IfOrder) else (order,)
    return any(isinstance(simple, AttackOrder) for simple in inside)


def order_length(meant: Order | Request | None) -> int:
    """The characters of an order or a request; messages do not count."""
    return 0 if meant is None or isinstance(meant, PressRequest) else len(str(meant))


def printable(line: str) -> str:
    """A line without signs that cannot be seen."""
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "�" for sign in line)
