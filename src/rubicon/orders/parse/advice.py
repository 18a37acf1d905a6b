"""Warnings about orders that can be parsed, but will not do what their player wants."""

from __future__ import annotations

from itertools import pairwise

from rubicon.orders.errors import OrderProblem
from rubicon.orders.parse.lexer import Part
from rubicon.orders.parse.names import TerritoryIndex
from rubicon.orders.requests import (
    MasterAct,
    MasterRequest,
    Motion,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.orders.syntax import AttackOrder, IfOrder, Order

NOT_ADJACENT = "orders/not-adjacent"  # the code of the warning of an attack across no border
CONFIRMED_ACTS = (MasterAct.FORK, MasterAct.REPLACE)  # these count only with CONFIRM


def warning_about(
    parsed: Order | Request, part: Part, territories: TerritoryIndex
) -> OrderProblem | None:
    """The warning about an order or a request; None where there is nothing to warn of."""
    found = _unconfirmed(parsed) or _not_adjacent(parsed, territories)
    if found is None:
        return None
    code, message, hint = found
    return OrderProblem(part.source.number, part.column(0), code, message, hint)


def _unconfirmed(parsed: Order | Request) -> tuple[str, str, str] | None:
    match parsed:
        case ResignRequest(False) | VoteRequest(Motion.DRAW, False):
            pass
        case MasterRequest(act, confirmed=False) if act in CONFIRMED_ACTS:
            pass
        case _:
            return None
    message = f"{parsed} does nothing without CONFIRM."
    return "orders/unconfirmed", message, f"Write: {parsed} CONFIRM"


def _not_adjacent(
    parsed: Order | Request, territories: TerritoryIndex
) -> tuple[str, str, str] | None:
    """An attack across no border; a border that an option closes is left to the engine."""
    simple = (*parsed.then, *parsed.otherwise) if isinstance(parsed, IfOrder) else (parsed,)
    for order in simple:
        if not isinstance(order, AttackOrder):
            continue
        for source, target in pairwise(order.path):
            if target not in territories.neighbours[source]:
                labels = dict(zip(territories.ids, territories.labels, strict=True))
                message = f"{labels[source]} does not border {labels[target]}: no attack."
                near = ", ".join(labels[name] for name in territories.neighbours[source])
                return NOT_ADJACENT, message, f"{labels[source]} borders: {near}."
    return None
