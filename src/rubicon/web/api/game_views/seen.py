"""A game as one asker may see it: everything that a client gets is made from this."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.engine.records.position import NONE, Position
from rubicon.rules.game.game import Game
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Seen:
    """A view of a game: it has HIDDEN where the asker may not see.

    `seat` is the asker's, NONE for a spectator.
    """

    ruleset: Ruleset
    names: PositionNames
    view: Position
    seat: int

    @classmethod
    def by(cls, game: Game, colour: str) -> Seen:
        """What a seat, or ("") a spectator, sees of a game."""
        seat = game.seat(colour) if colour else NONE
        return cls(game.ruleset, game.ids, game.view(colour or None), seat)

    def owner(self, owner: int) -> str | None:
        """The colour of an owner, `neutral`, or None."""
        return None if owner == NONE else self.names.owner_name(owner)

    def colour(self, seat: int) -> str | None:
        """The colour of a seat; None for NONE and for what is no seat."""
        return self.names.colours[seat] if 0 <= seat < len(self.names.colours) else None

    def territory(self, t: int) -> str | None:
        """The id of a territory; None where there is none, or it is hidden."""
        return None if t == NONE else self.names.territories[t]
