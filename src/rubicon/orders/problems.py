"""What is wrong with a text of orders: every fault with its place, and what may be sent instead."""

from dataclasses import dataclass

from rubicon.rules.errors import RubiconError

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that cannot be read; lines and columns count from 1."""

    line: int
    column: int
    code: str
    message: str  # what was found, and what was expected
    suggestion: str = ""

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.message} {self.suggestion}".strip()


class OrdersError(RubiconError):
    """A text of orders that cannot be read: nothing of it is done.

    `corrected` is the whole text as far as it was understood, ready to send once it has been
    looked through: it can always be read, what could not be understood is a comment in it, and
    it asks for nothing dangerous that was not asked for in full. `more` counts the problems
    beyond the first twenty. `warnings` are about what is passed over.
    """

    def __init__(
        self,
        problems: tuple[Problem, ...],
        corrected: str,
        more: int = 0,
        warnings: tuple[Problem, ...] = (),
    ) -> None:
        self.problems = problems
        self.warnings = warnings
        self.corrected = corrected
        self.more = more
        count = len(problems) + more
        head = "1 problem" if count == 1 else f"{count} problems"
        shown = "".join(f"\n  {problem} [{problem.code}]" for problem in problems)
        rest = f"\n  and {more} more" if more else ""
        message = f"{head} found in these orders; nothing was done.{shown}{rest}"
        super().__init__("orders/unreadable", message)


class Fault(Exception):
    """The problem that makes one order unreadable; it never leaves this room."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))
