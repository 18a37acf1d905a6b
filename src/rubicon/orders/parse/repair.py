"""The corrected text: a text as far as it was understood, which asks for no more than it did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rubicon.orders.errors import OrderProblem, Replacement
from rubicon.orders.parse.lexer import Part
from rubicon.orders.parse.names import MOST_ORDER_CHARACTERS
from rubicon.orders.requests import ConfirmRequest, PressRequest, Request
from rubicon.orders.syntax import AttackOrder, FailedCondition, IfOrder, Order, WonCondition
from rubicon.wording import printable

MOST_CHARACTERS = 64 * 1024  # of a text
NOT_UNDERSTOOD = "// ??? "
NOT_CORRECTED = f"{NOT_UNDERSTOOD}this text is too long to be corrected"
_RESERVED = len(NOT_CORRECTED) + 1


@dataclass
class ParsedEntry:
    """Lines of a text, or a part of one line, and the order or request that they mean."""

    lines: list[str]
    parsed: Order | Request | None = None  # None: not understood
    unknown: bool = False  # not even the verb was understood
    warning: OrderProblem | None = None  # set where the words are ignored as prose
    place: tuple[int, int] = (0, 0)  # the line and column where what was understood begins

    def __str__(self) -> str:
        """The exact text of the order, or the original lines as comments."""
        if self.parsed is not None:
            return str(self.parsed)
        return "\n".join(NOT_UNDERSTOOD + printable(line) if line else "" for line in self.lines)


def corrected(entries: Iterable[ParsedEntry], ended: bool) -> str:
    """The corrected text of all entries, within the limits on the length of a text."""
    lines: list[str] = []
    characters_left, orders = MOST_CHARACTERS - _RESERVED, MOST_ORDER_CHARACTERS
    for entry in safe_entries(entries):
        orders -= order_length(entry.parsed)
        if orders < 0:
            entry.parsed = None
        text = str(entry)
        characters_left -= len(text) + 1
        if characters_left < 0:
            lines.append(NOT_CORRECTED)
            break
        lines.append(text)
    return "\n".join([*lines, "END"] if ended else lines)


def safe_entries(entries: Iterable[ParsedEntry]) -> list[ParsedEntry]:
    """The entries, less those whose meaning depends on an entry that was not understood.

    A condition about the last attack is dropped where that attack was not understood. A request
    that cannot be taken back is dropped below anything that was not understood, because it may
    be a part of that: a message, or quoted mail.
    """
    found: list[ParsedEntry] = []
    attacked, understood = False, True
    for entry in entries:
        parsed = entry.parsed
        if depends_on_last_attack(parsed) and not attacked:
            parsed = None
        if is_final(parsed) and not understood:
            parsed = None
        understood &= parsed is not None  # from here on, nothing final is safe
        if entry.warning is None:
            attacked = parsed is not None and (attacked or attacks(parsed))
        found.append(ParsedEntry(entry.lines, parsed))
    return found


def is_final(parsed: Order | Request | None) -> bool:
    """Whether it is a request that cannot be taken back."""
    return isinstance(parsed, ConfirmRequest) or getattr(parsed, "confirmed", False)


def depends_on_last_attack(order: Order | Request | None) -> bool:
    """Whether it is a condition about the last attack: WON or FAILED without a territory."""
    if not isinstance(order, IfOrder) or not isinstance(
        order.condition, WonCondition | FailedCondition
    ):
        return False
    return order.condition.territory is None


def attacks(order: Order | Request) -> bool:
    """Whether an attack is among the orders."""
    inside = (*order.then, *order.otherwise) if isinstance(order, IfOrder) else (order,)
    return any(isinstance(simple, AttackOrder) for simple in inside)


def order_length(parsed: Order | Request | None) -> int:
    """The characters of an order or a request; messages do not count."""
    return 0 if parsed is None or isinstance(parsed, PressRequest) else len(str(parsed))


def with_replacements(part: Part, understood: Iterable[Replacement]) -> str:
    """The words of a part as they were written, with the names that are clear spelt exactly.

    Only for ASCII lines: in others a character may stand for several, so that columns shift.
    """
    line, shift = part.raw, part.column(0)
    if not part.source.raw.isascii():
        return line
    for start, stop, text in sorted(understood, reverse=True):
        line = line[: start - shift] + text + line[stop - shift :]
    return line
