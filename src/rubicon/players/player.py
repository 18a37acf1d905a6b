"""A bot in a seat: it sees the view of its seat, and answers with an action."""

import numpy as np

from rubicon.arguments import WrongType, is_whole
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.sampling import generator
from rubicon.errors import RubiconError
from rubicon.players.arena import choose
from rubicon.players.memory import Memory, empty_memory
from rubicon.players.registry import NAMES, full_name, policy_of
from rubicon.rules.actions import Action, action_of
from rubicon.rules.game.game import Game

PLAYERS = tuple(NAMES)  # the bots there are, the strongest first


class Player:
    """One bot in one seat.

        bot = Player("greedy", "blue", seed=1)
        game.play(bot.decide(game))

    It never looks at `game.position`. The same seed, the same views, the same decisions. `memory`
    is what it remembers between decisions: keep it where the same seat gets a new Player.
    Raises RubiconError: `player/unknown`, `player/seed`.
    """

    def __init__(
        self, name: str, seat: str, *, seed: int = 0, memory: Memory | None = None
    ) -> None:
        policy = policy_of(name)
        if policy is None:
            raise RubiconError(
                "player/unknown", f"There is no bot {name!r}.", f"There are {', '.join(NAMES)}."
            )
        if not is_whole(seed):
            raise WrongType("player/seed", seed, "a whole number", "Write Player(…, seed=7).")
        self.name = full_name(name)
        self.seat = seat
        self._policy = policy
        self.memory = empty_memory() if memory is None else memory
        self._buffer = range_buffer()
        self._rng = generator(int(seed))

    def decide(self, game: Game) -> Action:
        """The action of the seat, which must have a pending decision.

        Raises RubiconError: `player/not-a-game`, `seat/unknown`.
        """
        if not isinstance(game, Game):
            raise WrongType("player/not-a-game", game, "a game", "Give the Game, not its view.")
        view = game.view(self.seat)
        with np.errstate(over="ignore"):
            code = choose(
                self._policy,
                view,
                game.rules,
                game.tables,
                game.seat(self.seat),
                self.memory,
                self._buffer,
                self._rng,
            )
        return action_of(int(code), game)

    def close(self) -> None:
        """Nothing has to be ended."""

    def __repr__(self) -> str:
        return f"<Player {self.name} as {self.seat}>"
