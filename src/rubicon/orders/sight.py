"""A game as one seat sees it: its rules and names, for positions that hide what it may not know."""

from __future__ import annotations

from typing import Any

from rubicon.rules.actions import Action, action_of, code_of
from rubicon.rules.game import Game
from rubicon.rules.legal import Legal
from rubicon.rules.position import TERRITORIES, Seat
from rubicon.rules.procedures.holdings import acts
from rubicon.rules.procedures.legality import refusal
from rubicon.rules.refusals import REASONS, Refusal


class Sight:
    """What stays the same while a seat's orders are carried out.

    Positions are handed in: the seat's view of a live game, or one that a preview thinks of.
    """

    def __init__(self, game: Game, colour: str) -> None:
        self.game = game
        self.rules = game.rules
        self.tables = game.tables
        self.colour = colour
        self.seat = game.seat(colour)
        self._number = {name: t for t, name in enumerate(game.territories)}

    def territory(self, name: str) -> int:
        """The number of a territory; KeyError where the board has none of that name."""
        return self._number[name]

    def holds(self, position: Any, name: str) -> bool:
        """Whether the seat owns a territory."""
        return bool(position.owner[self._number[name]] == self.seat)

    def armies(self, position: Any, name: str) -> int:
        """The armies on a territory."""
        return int(position.armies[self._number[name]])

    def own_armies(self, position: Any) -> int:
        """All armies of the seat on the board."""
        return int(position.armies[position.owner[:TERRITORIES] == self.seat].sum())

    def unplaced(self, position: Any) -> int:
        """Armies that the seat has received and not placed."""
        return int(position.unplaced[self.seat])

    def acts(self, position: Any) -> bool:
        """Whether a decision of the seat is owed."""
        return bool(acts(position, self.seat))

    def is_out(self, position: Any, colour: str) -> bool:
        """Whether a player is out of the game: eliminated, or resigned."""
        return position.status[self.game.seat(colour)] in (Seat.ELIMINATED, Seat.RESIGNED)

    def code(self, action: Action) -> int:
        """The kernel's integer of an action."""
        return code_of(action, self.game)

    def action(self, code: int) -> Action:
        """The value of the kernel's integer."""
        return action_of(code, self.game)

    def refusal(self, position: Any, code: int) -> Refusal:
        """Why an action is not possible."""
        return Refusal(refusal(position, self.rules, self.tables, code))

    def sentence(self, reason: Refusal) -> str:
        """A refusal in words."""
        return REASONS[reason].sentence

    def legal(self, position: Any) -> Legal:
        """What the seat may decide in a position."""
        return Legal(Game.from_position(self.game.ruleset, position), [self.seat])
