"""Players by name, each in one seat: what `rubicon play`, an arena and a tournament ask for."""

from __future__ import annotations

from typing import Protocol

from rubicon.players.player import Player
from rubicon.rules.actions import Action
from rubicon.rules.game.game import Game


class SeatedPlayer(Protocol):
    """A player in one seat of one game.

    `decide` needs a pending decision of the seat. `close` ends what the player has started, such
    as a program; call it when the game is over, or given up.
    """

    name: str

    def decide(self, game: Game) -> Action:
        """The action of the seat."""
        ...

    def close(self) -> None:
        """End what the player has started; it may be called again."""
        ...


def seated(name: str, seat: str, *, seed: int) -> SeatedPlayer:
    """The player that `name` means, in the seat of this colour.

    The same seed, the same views, the same decisions. Raises RubiconError: `player/unknown`,
    `player/seed`.
    """
    return Player(name, seat, seed=seed)
