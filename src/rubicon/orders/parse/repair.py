"""Warnings about orders that will not do what their player wants, and the corrected text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, Replacement
from rubicon.orders.parse.words import MOST_ORDER_CHARACTERS, Part, TerritoryIndex, territory_index
from rubicon.rules.board.board import Board
from rubicon.wording import printable

# Warnings.

NOT_ADJACENT = "orders/not-adjacent"  # the code of the warning of an attack across no border
CONFIRMED_ACTS = (syntax.MasterAct.FORK, syntax.MasterAct.REPLACE)  # these count only with CONFIRM


def warning_about(
    parsed: syntax.Order | syntax.Request, part: Part, territories: TerritoryIndex
) -> OrderProblem | None:
    """The warning about an order or a request; None where there is nothing to warn of."""
    found = _unconfirmed(parsed) or _not_adjacent(parsed, territories)
    if found is None:
        return None
    code, message, hint = found
    return OrderProblem(part.source.number, part.column(0), code, message, hint)


def exact_orders(text: syntax.OrderText, board: Board) -> syntax.OrderText:
    """The orders of a text without its requests: what parsing their exact text would give.

    Places and warnings are those of the exact text, which has an order a line.
    """
    warnings: list[OrderProblem] = []
    places: list[tuple[int, int, int]] = []
    for line, order in enumerate(text.orders, 1):
        places.append((line, 1, len(str(order))))
        if found := _not_adjacent(order, territory_index(board)):
            warnings.append(OrderProblem(line, 1, *found))
    return syntax.OrderText(
        text.orders, (), text.ended, tuple(warnings), order_places=tuple(places)
    )


def _unconfirmed(parsed: syntax.Order | syntax.Request) -> tuple[str, str, str] | None:
    match parsed:
        case syntax.ResignRequest(False) | syntax.VoteRequest(syntax.Motion.DRAW, False):
            pass
        case syntax.MasterRequest(act, confirmed=False) if act in CONFIRMED_ACTS:
            pass
        case _:
            return None
    message = f"{parsed} does nothing without CONFIRM."
    return "orders/unconfirmed", message, f"Write: {parsed} CONFIRM"


def _not_adjacent(
    parsed: syntax.Order | syntax.Request, territories: TerritoryIndex
) -> tuple[str, str, str] | None:
    """An attack across no border; a border that an option closes is left to the engine."""
    simple = (*parsed.then, *parsed.otherwise) if isinstance(parsed, syntax.IfOrder) else (parsed,)
    for order in simple:
        if not isinstance(order, syntax.AttackOrder):
            continue
        for source, target in pairwise(order.path):
            if target not in territories.neighbours[source]:
                labels = dict(zip(territories.ids, territories.labels, strict=True))
                message = f"{labels[source]} does not border {labels[target]}: no attack."
                near = ", ".join(labels[name] for name in territories.neighbours[source])
                return NOT_ADJACENT, message, f"{labels[source]} borders: {near}."
    return None


# The corrected text: a text as far as it was understood, which asks for no more than it did.

MOST_CHARACTERS = 64 * 1024  # of a text
NOT_UNDERSTOOD = "// ??? "
NOT_CORRECTED = f"{NOT_UNDERSTOOD}this text is too long to be corrected"
_RESERVED = len(NOT_CORRECTED) + 1


@dataclass
class ParsedEntry:
    """Lines of a text, or a part of one line, and the order or request that they mean."""

    lines: list[str]
    parsed: syntax.Order | syntax.Request | None = None  # None: not understood
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


def is_final(parsed: syntax.Order | syntax.Request | None) -> bool:
    """Whether it is a request that cannot be taken back."""
    return isinstance(parsed, syntax.ConfirmRequest) or getattr(parsed, "confirmed", False)


def depends_on_last_attack(order: syntax.Order | syntax.Request | None) -> bool:
    """Whether it is a condition about the last attack: WON or FAILED without a territory."""
    if not isinstance(order, syntax.IfOrder) or not isinstance(
        order.condition, syntax.WonCondition | syntax.FailedCondition
    ):
        return False
    return order.condition.territory is None


def attacks(order: syntax.Order | syntax.Request) -> bool:
    """Whether an attack is among the orders."""
    inside = (*order.then, *order.otherwise) if isinstance(order, syntax.IfOrder) else (order,)
    return any(isinstance(simple, syntax.AttackOrder) for simple in inside)


def order_length(parsed: syntax.Order | syntax.Request | None) -> int:
    """The characters of an order or a request; messages do not count."""
    return 0 if parsed is None or isinstance(parsed, syntax.PressRequest) else len(str(parsed))


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
