"""What a message is answered: an `AnswerToWrite`, which is also stored for repeats."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from rubicon.orders.errors import OrdersError

MOST_OF_LINE = 200  # characters of a line that is kept with its mistake
QUESTION = "question"  # the kind of answers to what has no order


@dataclass(frozen=True, slots=True, kw_only=True)
class LineMistake:
    """A line that was not understood; lines count from 1. `text` is the line, cut."""

    line: int
    message: str
    suggestion: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAnswer:
    """Its kind, one sentence on what was done, and sections of lines under a title.

    `orders` is what was understood, or the corrected text. `first` and `last` are the lines of the
    log that the orders wrote, -1 for none.
    """

    kind: str
    headline: str
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    orders: str = ""
    mistakes: tuple[LineMistake, ...] = ()
    first: int = -1
    last: int = -1

    def written(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> MailAnswer:
        """From what `written` gave."""
        stored = json.loads(text)
        stored["sections"] = tuple((title, tuple(said)) for title, said in stored["sections"])
        stored["mistakes"] = tuple(LineMistake(**each) for each in stored["mistakes"])
        return MailAnswer(**stored)


def corrected_answer(error: OrdersError, text: str) -> MailAnswer:
    """What is unclear in a text, and the text as far as it was understood."""
    written = text.split("\n")
    count = len(error.problems) + error.more
    lines = "One line is" if count == 1 else f"{count} places are"
    return MailAnswer(
        kind="corrected",
        headline=f"{lines} unclear, so nothing was done: no order, and no die.",
        orders=error.corrected,
        mistakes=tuple(
            LineMistake(
                line=found.line,
                message=found.message,
                suggestion=found.suggestion,
                text="".join(written[found.line - 1 : found.line]).strip()[:MOST_OF_LINE],
            )
            for found in error.problems
        ),
    )
