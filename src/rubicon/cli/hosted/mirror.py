"""A game whose positions come from a server: what one seat sees of it."""

from __future__ import annotations

from collections.abc import Callable

from rubicon.engine.records.position import copy_position
from rubicon.rules.actions import Action, EndTurn
from rubicon.rules.game.game import Game
from rubicon.rules.notation.positions import parse_view


class MirroredGame(Game):
    """A seat's view of a game elsewhere; nothing is decided or rolled here.

    The history has the own decisions, and an `EndTurn` for each turn that others have begun.
    """

    take_back: Callable[[], Action]

    @classmethod
    def of(cls, text: str, names: list[str]) -> MirroredGame:
        """The game of a position in one line (`docs/notation.md`)."""
        ruleset, position = parse_view(text)
        return cls(ruleset, position, names=names)

    def mirror(self, text: str) -> None:
        """Another position of the same game."""
        self.position = parse_view(text)[1]

    def note(self, action: Action) -> None:
        """An own decision, which the server has taken."""
        self._before.append(copy_position(self.position))
        self._history.append(action)

    def note_turn(self) -> None:
        """A turn has begun."""
        self.note(EndTurn())

    def undo(self, seat: str | None = None, *, past_turn: bool = False) -> Action:
        """Ask the server to take the last own decision back."""
        return self.take_back()
