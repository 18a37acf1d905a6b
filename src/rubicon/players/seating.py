"""Players by name, each in one seat: what `rubicon play`, an arena and a tournament ask for."""

from __future__ import annotations

from typing import Protocol

from rubicon.arguments import WrongType, is_whole
from rubicon.players.bots.bot_seat import BotSeat
from rubicon.players.bots.finding import PROGRAM, bot_named
from rubicon.players.player import Player
from rubicon.players.programs.program import SECONDS
from rubicon.players.programs.program_seat import ProgramSeat
from rubicon.players.registry import policy_of
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


def seated(
    name: str,
    seat: str,
    *,
    seed: int,
    seconds: float = SECONDS,
    python_seconds: float | None = None,
) -> SeatedPlayer:
    """The player that `name` means, in the seat of this colour.

    `hunter` is a bot of Rubicon or of an installed package, `mybot.py:MyBot` one in a file,
    `exec:COMMAND` a program, which has so many `seconds` for a decision. A bot in Python has a
    limit where `python_seconds` gives one. The same seed, the same views, the same decisions,
    unless a player takes its chances elsewhere. Raises RubiconError:
    `player/unknown`, `player/seed`, those of `bot_named`, and `player/no-program`.
    """
    if policy_of(name) is not None:
        return Player(name, seat, seed=seed)
    if not is_whole(seed):
        raise WrongType("player/seed", seed, "a whole number", "Write seated(…, seed=7).")
    if name.startswith(PROGRAM):
        return ProgramSeat(name, seat, seed=int(seed), seconds=seconds)
    return BotSeat(name, bot_named(name), seat, seed=int(seed), seconds=python_seconds)
