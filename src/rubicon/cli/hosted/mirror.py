"""A game whose positions come from a server: what one seat sees of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rubicon.client.answers import bad_answer
from rubicon.engine.records.position import Position, copy_position
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, EndTurn
from rubicon.rules.game.game import Game
from rubicon.rules.notation.positions import parse_view
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import printable


def read_view(text: str) -> tuple[Ruleset, Position]:
    """The ruleset and the position of a server's line; ApiError where it is none."""
    try:
        return parse_view(text)
    except RubiconError as error:
        raise bad_answer(f"its position cannot be read ({error})") from error


class MirroredGame(Game):
    """A seat's view of a game elsewhere; nothing is decided or rolled here.

    The history has the own decisions, and an `EndTurn` for each turn that others have begun.
    """

    take_back: Callable[[], Action]

    @classmethod
    def of(cls, text: str, names: Mapping[str, str]) -> MirroredGame:
        """The game of a position in one line (`docs/notation.md`), with names by colour."""
        ruleset, position = read_view(text)
        game = cls(ruleset, position)
        game.names = tuple(printable(names.get(colour) or colour) for colour in game.colours)
        return game

    def mirror(self, text: str) -> None:
        """Another position of the same game."""
        ruleset, position = read_view(text)
        if ruleset != self.ruleset:
            raise bad_answer("its position is one of another game")
        self.position = position

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
