"""A bot at the table: it sees what its seat may see, and answers with an action."""

import numpy as np

from rubicon.players.arena import NAMES, choose
from rubicon.rules.actions import Action, action_of
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.kinds import WrongKind, is_whole
from rubicon.rules.procedures.families import family_buffer
from rubicon.rules.procedures.sampling import generator

PLAYERS = tuple(NAMES)  # the bots there are


class Player:
    """One bot in one seat.

        bot = Player("greedy", "blue", seed=1)
        game.play(bot.decide(game))

    It never looks at `game.position`. The same seed, the same views, the same decisions.
    Raises RubiconError: `player/unknown`, `player/seed`.
    """

    def __init__(self, name: str, seat: str, *, seed: int = 0) -> None:
        if name not in NAMES:
            raise RubiconError(
                "player/unknown", f"There is no bot {name!r}.", f"There is {' and '.join(NAMES)}."
            )
        if not is_whole(seed):
            raise WrongKind("player/seed", seed, "a whole number", "Write Player(…, seed=7).")
        self.name = name
        self.seat = seat
        self._policy = NAMES[name]
        self._memory = family_buffer()
        self._rng = generator(int(seed))

    def decide(self, game: Game) -> Action:
        """What the seat does now; the seat must owe a decision.

        Raises RubiconError: `player/not-a-game`, `seat/unknown`.
        """
        if not isinstance(game, Game):
            raise WrongKind("player/not-a-game", game, "a game", "Give the Game, not its view.")
        view = game.view(self.seat)
        with np.errstate(over="ignore"):
            code = choose(
                self._policy,
                view,
                game.rules,
                game.tables,
                game.seat(self.seat),
                self._memory,
                self._rng,
            )
        return action_of(int(code), game)

    def __repr__(self) -> str:
        return f"<Player {self.name} as {self.seat}>"
