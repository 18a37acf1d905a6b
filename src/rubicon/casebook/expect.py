"""An expectation of a case: one value of the game, compared as text with the wanted one."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.casebook import expect_board as case_expect_board
from rubicon.casebook import expect_events, expect_seats, expect_turn
from rubicon.casebook.expect_board import territory
from rubicon.casebook.names import (
    CaseContext,
)
from rubicon.casebook.parser import case_error
from rubicon.casebook.view import (
    CaseView,
    Check,
    seen,
)
from rubicon.errors import RubiconError
from rubicon.suggestions import nearest

CHECKS = {
    **case_expect_board.CHECKS,
    **expect_seats.CHECKS,
    **expect_turn.CHECKS,
    **expect_events.CHECKS,
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """A check, perhaps negated, perhaps through the eyes of a seat."""

    text: str
    check: Check
    negated: bool = False
    seer: str | None = None

    def found(self, view: CaseView) -> str | None:
        """The value that is there instead; None if the expectation holds."""
        found = self.check.read(view if self.seer is None else seen(view, self.seer))
        if (found == self.check.wanted) != self.negated:
            return None
        return found


def read_expectation(context: CaseContext, text: str) -> Expectation:
    """The expectation of a line, which is given without its first word."""
    words, negated = text.split(), False
    seer: str | None = None
    while words[:1] == ["not"] or (words[:2] == ["seen", "by"] and len(words) > 2):
        if words[0] == "not":
            negated, words = not negated, words[1:]
        else:
            seer, words = context.seats[context.seat(words[2])], words[3:]
    if not words:
        raise case_error("expectation", "Expected something after `expect`.")
    try:
        return Expectation(text, _check(context, words), negated, seer)
    except RubiconError as error:
        if "and" not in words:
            raise
        problem = "One `expect` line holds one expectation, and a list is written without `and`."
        raise case_error("expectation", f"{problem} {error.message}", error.suggestion) from None


def _check(context: CaseContext, words: list[str]) -> Check:
    if words[0].lower() in CHECKS:
        return CHECKS[words[0].lower()](context, words[1:])
    try:
        return territory(context, words)
    except RubiconError as error:
        hint = nearest(words[0], CHECKS)
        if error.suggestion or not hint:
            raise
        raise case_error("unknown-word", error.message, hint) from None
