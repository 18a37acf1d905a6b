"""Parses IF: a condition, the orders behind it, and those behind ELSE."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rubicon.orders.errors import OrderProblem, OrderSyntaxError
from rubicon.orders.parse.clause import clause_of
from rubicon.orders.parse.lexer import Part, divided
from rubicon.orders.parse.names import NameResolver
from rubicon.orders.parse.places import territory
from rubicon.orders.parse.requests import seat_of
from rubicon.orders.parse.turn import PARSERS, placed_without_verb
from rubicon.orders.parse.verbs import IN_FULL, MEANINGS, verb_of
from rubicon.orders.syntax import (
    CardEarned,
    Comparison,
    Condition,
    EliminatedCondition,
    FailedCondition,
    Holds,
    IfOrder,
    SimpleOrder,
    WonCondition,
)
from rubicon.rules.notation.words import beginnings

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
EXAMPLE = "Write: IF WON: ATTACK kam -> irk"
NO_COLON = "A colon is missing behind the condition."
NO_ORDERS = "The orders of a condition are missing; they stand on its line."
CONDITIONS = "WON, FAILED, CARD, ELIMINATED red or kamchatka > 3"
SHORTEST_VERB = 3  # letters of a verb in a condition without a colon
LONGEST_HINT = 80  # characters of a line that is shown with its colon
_COMPARISON = re.compile(r"<=|=<|<>|>=|=>|!=|==|[<>=≤≥≠]")
_THEN = re.compile(r":(?:\s*then(?!\S))?|(?<!\S)then(?![^\s:])\s*:?", re.IGNORECASE)
_ELSE = re.compile(r"(?<![^\s;:.,!])else(?![^\s:;])\s*:?", re.IGNORECASE)
_BARE_ELSE = re.compile(r"else\s*:?", re.IGNORECASE)
_WORD = re.compile(r"[^\s;:,]+")


class UnfinishedIfError(OrderSyntaxError):
    """A condition without orders on its line: its orders may stand on the next lines."""


def unfinished(part: Part) -> UnfinishedIfError:
    """The error for a line on which the orders of a condition are missing."""
    return UnfinishedIfError(_problem(part, part.stop - part.start, "empty-if", NO_ORDERS))


def conditional(resolver: NameResolver, part: Part) -> IfOrder:
    """The order on a line that begins with IF."""
    # The first colon or THEN ends the condition; names and numbers contain neither.
    found = _THEN.search(part.text)
    if found is None:
        at = _without_colon(resolver, part)
        condition, body = part.cut(len("if"), at), part.cut(at, len(part.text))
    else:
        condition = part.cut(len("if"), found.start())
        body = part.cut(found.end(), len(part.text))
    if body.start >= body.stop:
        raise unfinished(part)
    parsed = _condition(resolver, condition)
    then, otherwise = _branches(resolver, body, part)
    return IfOrder(parsed, then, otherwise)


def _without_colon(resolver: NameResolver, part: Part) -> int:
    """Where the orders begin on a line without a colon; the missing colon is noted.

    The first verb behind the first word of the condition begins them. The problem is noted and
    parsing goes on, so that the corrected text has the line with its colon.
    """
    words = list(_WORD.finditer(part.text))[2:]
    at = next((word.start() for word in words if _is_verb(word[0].casefold())), None)
    if at is None:
        raise UnfinishedIfError(_problem(part, len(part.text), "missing-colon", NO_COLON))
    written = f"{part.text[:at].rstrip()}: {part.text[at:]}"
    hint = f"Write: {written}" if len(written) <= LONGEST_HINT else EXAMPLE
    resolver.note(_problem(part, at, "missing-colon", NO_COLON, hint))
    return at


def _is_verb(word: str) -> bool:
    """Whether a word is the verb of an order, or its beginning where one can be left unfinished."""
    if word in MEANINGS:
        return MEANINGS[word] in PARSERS
    found = {MEANINGS[name] for name in beginnings(word, MEANINGS)}
    return len(word) >= SHORTEST_VERB and len(found) == 1 and found < PARSERS.keys() - IN_FULL


def _problem(
    part: Part, at: int, code: str, message: str, suggestion: str = EXAMPLE
) -> OrderProblem:
    return OrderProblem(part.source.number, part.column(at), f"orders/{code}", message, suggestion)


Branch = tuple[SimpleOrder, ...]


def _branches(resolver: NameResolver, body: Part, whole: Part) -> tuple[Branch, Branch]:
    found = list(_ELSE.finditer(body.text))
    if len(found) > 1:
        message, hint = "A condition has only one ELSE.", "Write a second IF on a line of its own."
        raise OrderSyntaxError(_problem(body, found[1].start(), "second-else", message, hint))
    end = found[0].start() if found else len(body.text)
    then = _branch(resolver, body.cut(0, end), whole)
    if not found:
        return then, ()
    return then, _branch(resolver, body.cut(found[0].end(), len(body.text)), whole)


def else_branch(resolver: NameResolver, part: Part) -> Branch:
    """The orders on a line that begins with ELSE."""
    found = _BARE_ELSE.match(part.text)
    return _branch(resolver, part.cut(found.end() if found else 0, len(part.text)), part)


def _branch(resolver: NameResolver, body: Part, whole: Part) -> Branch:
    pieces = divided(body)
    if not pieces:
        raise unfinished(whole)
    resolver.count_orders(len(pieces))
    return tuple(_simple(resolver, piece) for piece in pieces)


def _simple(resolver: NameResolver, piece: Part) -> SimpleOrder:
    clause = clause_of(resolver, piece)
    if clause.word(0) not in MEANINGS and (placed := placed_without_verb(clause)):
        return placed
    verb = verb_of(clause)
    if verb == "IF":
        message = "A condition cannot stand inside another condition."
        raise clause.error("nested-if", 0, message, "Write two lines.")
    if verb not in PARSERS:
        message = f"{verb} cannot depend on a condition."
        raise clause.error("not-in-if", 0, message, "Write it on a line of its own.")
    return PARSERS[verb](clause)


def _condition(resolver: NameResolver, part: Part) -> Condition:
    if part.start >= part.stop:
        hint = f"Write one of: {CONDITIONS}"
        raise OrderSyntaxError(
            _problem(part, 0, "missing-condition", "A condition is missing behind IF.", hint)
        )
    # A comparison is searched before the words are split: `kam>=5` has no spaces.
    found = _COMPARISON.search(part.text)
    if found is not None:
        return _holds(resolver, part, found)
    clause = clause_of(resolver, part)
    rest = clause.part(1, clause.count)
    match clause.word(0):
        case "won":
            return WonCondition(territory(rest) if rest.count else None)
        case "failed":
            return FailedCondition(territory(rest) if rest.count else None)
        case "card":
            clause.nothing_from(1)
            return CardEarned()
        case "eliminated":
            return EliminatedCondition(seat_of(rest, in_full=False))
    message = "This is no condition."
    raise clause.error("unknown-condition", 0, message, f"Write one of: {CONDITIONS}")


def _holds(resolver: NameResolver, part: Part, found: re.Match[str]) -> Condition:
    behind = part.cut(found.end(), len(part.text))
    number = clause_of(resolver, behind)
    named = clause_of(resolver, part.cut(0, found.start()))
    armies = number.number(0, least=0)
    number.without(lambda word: word in ("armies", "army"), 1).nothing_from(1)
    return Holds(territory(named), COMPARISONS[found.group()], armies)
