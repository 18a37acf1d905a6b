"""What a step of a plan comes to, given a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rubicon.orders.plan import Progress
from rubicon.orders.sight import Sight
from rubicon.rules.actions import Action
from rubicon.rules.errors import RubiconError
from rubicon.rules.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Note:
    """What a line could not do, and why; `code` is stable, `line` counts orders from 1."""

    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"order {self.line}: {self.message}"


class Move(NamedTuple):
    """An action and how far the orders are once it is taken; or, without one, what else.

    `pause` says what must be decided first that the orders leave open, or "".
    """

    action: Action | None
    progress: Progress
    notes: tuple[Note, ...] = ()
    pause: str = ""


class Here(NamedTuple):
    """Where a step is asked: the eyes of the seat, the position, the line and how far it is."""

    sight: Sight
    position: object
    line: int
    progress: Progress

    def done(self, *notes: Note) -> Move:
        """The step is over, without an action."""
        return Move(None, self.progress.behind(), notes)

    def last(self, action: Action) -> Move:
        """Take an action; the step is over with it."""
        return self.attempt(action, self.progress.behind())

    def attempt(self, action: Action, then: Progress) -> Move:
        """Take an action if it is legal; else the step is over, with the reason noted."""
        reason = self.refused(action)
        if reason is None:
            return Move(action, then)
        return self.done(reason)

    def refused(self, action: Action, order: object = None) -> Note | None:
        """Why an action is not possible, as a note on it or on its order; None where it is."""
        try:
            code = self.sight.code(action)
        except RubiconError as error:
            return self.note(error.code.partition("/")[2], error.message)
        refusal = self.sight.refusal(self.position, code)
        if refusal == Refusal.LEGAL:
            return None
        return self.note(
            "refused", f"'{order or action}' is not possible: {self.sight.sentence(refusal)}"
        )

    def note(self, code: str, message: str) -> Note:
        """A note on this line."""
        return Note(self.line, f"orders/{code}", message)

    def wait(self, reason: str) -> Move:
        """Nothing can be done before something else is decided."""
        return Move(None, self.progress, (), reason)
