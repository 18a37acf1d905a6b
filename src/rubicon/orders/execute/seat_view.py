"""A game from one seat: its rules and names, for positions that hide what the seat may not see."""

from __future__ import annotations

from rubicon.engine.apply import apply
from rubicon.engine.legality import refusal
from rubicon.engine.ownership import acts
from rubicon.engine.records.position import TERRITORIES, Position, Seat, copy_position
from rubicon.engine.refusal import Refusal
from rubicon.rules.actions import Action, action_of, code_of
from rubicon.rules.game.game import Game
from rubicon.rules.game.legal import Legal
from rubicon.rules.refusals import REASONS


class SeatView:
    """The parts of a game that stay the same while a seat's orders are executed.

    Methods take the position: the seat's view of a running game, or one that a preview explores.
    """

    def __init__(self, game: Game, colour: str) -> None:
        self.game = game
        self.rules = game.rules
        self.tables = game.tables
        self.colour = colour
        self.seat = game.seat(colour)
        self._number = {name: t for t, name in enumerate(game.territories)}

    def territory(self, name: str) -> int:
        """The index of a territory by its id; KeyError for an unknown id."""
        return self._number[name]

    def label(self, name: str) -> str:
        """The name of a territory as the board spells it."""
        return self.game.ruleset.board.territories[self._number[name]].name

    def holds(self, position: Position, name: str) -> bool:
        """Whether the seat owns a territory."""
        return bool(position.owner[self._number[name]] == self.seat)

    def armies(self, position: Position, name: str) -> int:
        """The armies on a territory."""
        return int(position.armies[self._number[name]])

    def own_armies(self, position: Position) -> int:
        """All armies of the seat on the board."""
        return int(position.armies[position.owner[:TERRITORIES] == self.seat].sum())

    def unplaced(self, position: Position) -> int:
        """Armies that the seat has received and not placed."""
        return int(position.unplaced[self.seat])

    def acts(self, position: Position) -> bool:
        """Whether a decision of the seat is pending."""
        return bool(acts(position, self.seat))

    def deciding(self, position: Position) -> tuple[str, ...]:
        """The colours of all seats with a pending decision."""
        colours = enumerate(self.game.colours)
        return tuple(colour for seat, colour in colours if acts(position, seat))

    def is_out(self, position: Position, colour: str) -> bool:
        """Whether a player is eliminated or has resigned."""
        return position.status[self.game.seat(colour)] in (Seat.ELIMINATED, Seat.RESIGNED)

    def code(self, action: Action) -> int:
        """The engine's code of an action."""
        return code_of(action, self.game)

    def action(self, code: int) -> Action:
        """The action of an engine code."""
        return action_of(code, self.game)

    def refusal(self, position: Position, code: int) -> Refusal:
        """Why an action is not legal, or LEGAL."""
        return Refusal(refusal(position, self.rules, self.tables, code))

    def applied(self, position: Position, action: Action) -> Position:
        """The position after a legal action; the one before stays as it is."""
        after = copy_position(position)
        apply(after, self.rules, self.tables, self.code(action))
        return after

    def sentence(self, reason: Refusal) -> str:
        """A refusal in words."""
        return REASONS[reason].sentence

    def legal(self, position: Position) -> Legal:
        """The legal actions of the seat in a position."""
        return Legal(position, self.game.ruleset, self.game.ids, self.seat)
