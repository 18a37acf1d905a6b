"""Reading IF: a condition, the orders behind it, and those behind ELSE."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rubicon.orders.order import (
    CardEarned,
    Comparison,
    Condition,
    Eliminated,
    Failed,
    Holds,
    IfOrder,
    SimpleOrder,
    Won,
)
from rubicon.orders.problems import Fault, Problem
from rubicon.orders.reading_clause import clause_of
from rubicon.orders.reading_lines import Part, divided
from rubicon.orders.reading_names import Desk
from rubicon.orders.reading_places import territory
from rubicon.orders.reading_requests import seat_of
from rubicon.orders.reading_turn import READ
from rubicon.orders.reading_verbs import verb_of

COMPARISONS: Mapping[str, Comparison] = {
    "<": Comparison.LESS,
    "<=": Comparison.AT_MOST,
    "=<": Comparison.AT_MOST,
    "≤": Comparison.AT_MOST,
    "=": Comparison.EQUAL,
    "==": Comparison.EQUAL,
    "<>": Comparison.NOT_EQUAL,
    "!=": Comparison.NOT_EQUAL,
    "≠": Comparison.NOT_EQUAL,
    ">=": Comparison.AT_LEAST,
    "=>": Comparison.AT_LEAST,
    "≥": Comparison.AT_LEAST,
    ">": Comparison.MORE,
}
WITHOUT_COLON = "A colon was expected behind the condition, and the orders behind the colon."
CONDITIONS = "WON, FAILED, CARD, ELIMINATED red, or armies like: kamchatka > 3"
_COMPARISON = re.compile(r"<=|=<|<>|>=|=>|!=|==|[<>=≤≥≠]")
_THEN = re.compile(r":(?:\s*then(?!\S))?|(?<!\S)then(?![^\s:])\s*:?", re.IGNORECASE)
_ELSE = re.compile(r"(?<![^\s;:.,!])else(?![^\s:;])\s*:?", re.IGNORECASE)
_BARE_ELSE = re.compile(r"else\s*:?", re.IGNORECASE)


class Unfinished(Fault):
    """A condition without orders on its line: those that were meant may stand on the next ones."""


def unfinished(part: Part) -> Unfinished:
    """The fault of a line that its condition's orders should stand on."""
    message = "An order was expected on the same line; several are divided by semicolons."
    return Unfinished(_problem(part, part.stop - part.start, "empty-if", message))


def conditional(desk: Desk, part: Part) -> IfOrder:
    """The order on a line that begins with IF."""
    found = _THEN.search(part.text)
    if found is None:
        raise Unfinished(_problem(part, len(part.text), "missing-colon", WITHOUT_COLON))
    body = part.cut(found.end(), len(part.text))
    if body.start >= body.stop:
        raise unfinished(part)
    condition = _condition(desk, part.cut(len("if"), found.start()))
    then, otherwise = _branches(desk, body, part)
    return IfOrder(condition, then, otherwise)


def _problem(part: Part, at: int, code: str, message: str) -> Problem:
    line = part.source.number
    return Problem(
        line, part.column(at), f"orders/{code}", message, "Write: IF WON: ATTACK kam -> irk"
    )


Branch = tuple[SimpleOrder, ...]


def _branches(desk: Desk, body: Part, whole: Part) -> tuple[Branch, Branch]:
    found = list(_ELSE.finditer(body.text))
    if len(found) > 1:
        raise Fault(_problem(body, found[1].start(), "second-else", "There is one ELSE already."))
    end = found[0].start() if found else len(body.text)
    then = _branch(desk, body.cut(0, end), whole)
    otherwise = _branch(desk, body.cut(found[0].end(), len(body.text)), whole) if found else ()
    return then, otherwise


def else_branch(desk: Desk, part: Part) -> Branch:
    """The orders on a line that begins with ELSE."""
    found = _BARE_ELSE.match(part.text)
    return _branch(desk, part.cut(found.end() if found else 0, len(part.text)), part)


def _branch(desk: Desk, body: Part, whole: Part) -> Branch:
    pieces = divided(body)
    if not pieces:
        raise unfinished(whole)
    desk.count_orders(len(pieces))
    return tuple(_simple(desk, piece) for piece in pieces)


def _simple(desk: Desk, piece: Part) -> SimpleOrder:
    clause = clause_of(desk, piece)
    verb = verb_of(clause)
    if verb == "IF":
        message = "A condition inside a condition cannot be read."
        raise clause.fault("nested-if", 0, message, "Write two lines.")
    if verb not in READ:
        message = f"{verb} cannot depend on a condition."
        raise clause.fault("not-in-if", 0, message, "Write it on a line of its own.")
    return READ[verb](clause)


def _condition(desk: Desk, part: Part) -> Condition:
    if part.start >= part.stop:
        raise Fault(_problem(part, 0, "missing-condition", f"Expected a condition: {CONDITIONS}."))
    found = _COMPARISON.search(part.text)
    if found is not None:
        return _holds(desk, part, found)
    clause = clause_of(desk, part)
    rest = clause.part(1, clause.count)
    match clause.word(0):
        case "won":
            return Won(territory(rest) if rest.count else None)
        case "failed":
            return Failed(territory(rest) if rest.count else None)
        case "card":
            clause.nothing_from(1)
            return CardEarned()
        case "eliminated":
            return Eliminated(seat_of(rest, in_full=False))
    raise clause.fault("unknown-condition", 0, f"A condition was expected here: {CONDITIONS}.")


def _holds(desk: Desk, part: Part, found: re.Match[str]) -> Condition:
    behind = part.cut(found.end(), len(part.text))
    number = clause_of(desk, behind)
    named = clause_of(desk, part.cut(0, found.start()))
    armies = number.number(0, least=0)
    number.without(lambda word: word in ("armies", "army"), 1).nothing_from(1)
    return Holds(territory(named), COMPARISONS[found.group()], armies)
