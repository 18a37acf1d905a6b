"""A text of orders as far as it was understood: readable, and never more than was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rubicon.orders.order import AttackOrder, Failed, IfOrder, Order, Won
from rubicon.orders.reading_names import MOST_ORDER_CHARACTERS
from rubicon.orders.request import PressRequest, Request

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
    """The entries; a condition that speaks of "the line before" is dropped where that was lost."""
    found: list[Entry] = []
    attacked = False
    for entry in entries:
        lost = speaks_of_before(entry.meant) and not attacked
        meant = None if lost else entry.meant
        attacked = meant is not None and (attacked or attacks(meant))
        found.append(Entry(entry.lines, meant))
    return found


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
