"""The result of one step of an order program in a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rubicon.engine.records.position import Position
from rubicon.engine.refusal import Refusal
from rubicon.errors import RubiconError
from rubicon.orders.execute.program import Progress
from rubicon.orders.execute.seat_view import SeatView
from rubicon.rules.actions import Action

REFUSED = "refused"  # the code of the note of an action that the rules do not allow


@dataclass(frozen=True, slots=True)
class Note:
    """Why an order did nothing, or less than it says; `line` is its number in the text, from 1."""

    line: int
    code: str  # stable; the message may change
    message: str

    def __str__(self) -> str:
        return f"order {self.line}: {self.message}"


def is_refusal(note: Note) -> bool:
    """Whether a note quotes the rules, which refuse an action."""
    return note.code == f"orders/{REFUSED}"


class StepResult(NamedTuple):
    """An action and the progress once it is applied; or no action, and the progress all the same.

    `pause` is the decision that must come first and that the orders leave open, or "".
    """

    action: Action | None
    progress: Progress
    notes: tuple[Note, ...] = ()
    pause: str = ""


class StepContext(NamedTuple):
    """What a step depends on: the seat's view, the position, the order's line and the progress."""

    seat_view: SeatView
    position: Position
    line: int
    progress: Progress

    def done(self, *notes: Note) -> StepResult:
        """The step ends without an action."""
        return StepResult(None, self.progress.behind(), notes)

    def last(self, action: Action) -> StepResult:
        """The step ends with this action."""
        return self.attempt(action, self.progress.behind())

    def attempt(self, action: Action, then: Progress) -> StepResult:
        """The action if it is legal; otherwise the step ends, and a note has the reason."""
        reason = self.refused(action)
        if reason is None:
            return StepResult(action, then)
        return self.done(reason)

    def refused(self, action: Action, order: object = None) -> Note | None:
        """Why an action is not legal, as a note that quotes its order; None where it is legal."""
        try:
            code = self.seat_view.code(action)
        except RubiconError as error:
            return self.note(error.code.partition("/")[2], error.message)
        refusal = self.seat_view.refusal(self.position, code)
        if refusal == Refusal.LEGAL:
            return None
        sentence = self.seat_view.sentence(refusal)
        return self.note(REFUSED, f"'{order or action}' is not possible: {sentence}")

    def note(self, code: str, message: str) -> Note:
        """A note on this order."""
        return Note(self.line, f"orders/{code}", message)

    def wait(self, reason: str) -> StepResult:
        """The step cannot go on before another decision of the seat."""
        return StepResult(None, self.progress, (), reason)
