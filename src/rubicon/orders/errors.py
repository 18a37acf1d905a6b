"""What is wrong with an order text: every problem with its place, and a corrected text."""

from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from rubicon.errors import RubiconError

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class OrderProblem:
    """A mistake or a warning at one place; lines and columns count from 1.

    `length` is the number of characters that it is about, 0 where something is missing.
    """

    line: int
    column: int
    code: str
    message: str  # what is wrong
    suggestion: str = ""  # what to write instead
    length: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.message} {self.suggestion}".strip()


class OrdersError(RubiconError):
    """An order text with mistakes; none of its orders is carried out.

    `corrected` is the whole text as far as the parser understood it. It can always be parsed;
    lines that were not understood are comments in it, and it never asks for anything that cannot
    be taken back unless the original text asked for it in full. `more` counts the problems beyond
    the first twenty. `warnings` are about words that were passed over.
    """

    def __init__(
        self,
        problems: tuple[OrderProblem, ...],
        corrected: str,
        more: int = 0,
        warnings: tuple[OrderProblem, ...] = (),
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

    def as_dict(self) -> dict[str, object]:
        """With the problems, and the text as far as it was understood."""
        problems = [asdict(problem) for problem in self.problems]
        return super().as_dict() | {"problems": problems, "corrected": self.corrected}


class Replacement(NamedTuple):
    """A stretch of a line that was understood, and its exact spelling; columns count from 1."""

    start: int
    stop: int  # after the last character
    text: str


class OrderSyntaxError(Exception):
    """One order cannot be parsed. Internal to the parser, which collects the problems.

    `others` are further problems of the same order. `understood` are the names in it that are
    clear, so that the corrected text keeps them.
    """

    def __init__(
        self,
        problem: OrderProblem,
        others: tuple[OrderProblem, ...] = (),
        understood: tuple[Replacement, ...] = (),
    ) -> None:
        self.problem = problem
        self.others = others
        self.understood = understood
        super().__init__(str(problem))
