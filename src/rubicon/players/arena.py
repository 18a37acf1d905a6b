"""Whole games between bots, compiled from the first claim to the end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rubicon.players.greedy import greedy_choice
from rubicon.players.random_moves import random_choice
from rubicon.rules.layout import Cells, compiled, unlocked
from rubicon.rules.position import NONE, POSITION, Phase, Position, Standing
from rubicon.rules.procedures.families import Families, family_buffer
from rubicon.rules.procedures.holdings import acts
from rubicon.rules.procedures.observe import observe
from rubicon.rules.procedures.play import apply, settle
from rubicon.rules.procedures.sampling import Generator, generator, sample
from rubicon.rules.procedures.setup import next_setup_step, open_game
from rubicon.rules.tables import BoardTables, Rules

if TYPE_CHECKING:
    from rubicon.rules.ruleset import Ruleset

RANDOM = 0
GREEDY = 1
NAMES = {"random": RANDOM, "greedy": GREEDY}


@compiled
def choose(
    policy: int,
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Families,
    rng: Generator,
) -> int:
    """What a policy decides for a seat that sees `view`."""
    if policy == GREEDY:
        return greedy_choice(view, rules, board, seat, memory, rng)
    return random_choice(view, rules, board, seat, memory, rng)


@compiled
def actor(game: Position) -> int:
    """The first seat that owes a decision; NONE while chance does."""
    for seat in range(game.seats):
        if acts(game, seat):
            return seat
    return NONE


@unlocked
def play_out(
    games: Any,
    rules: Rules,
    board: BoardTables,
    policies: Cells,
    memory: Families,
    rng: Generator,
    round_cap: int,
) -> int:
    """Play `games[0]` to its end, or until `round_cap` rounds are over; the round it came to.

    `games[1]` is room for what a seat may see, `policies` has a number for each seat.
    """
    game = games[0]
    while game.phase != Phase.OVER and game.round_number <= round_cap:
        if game.chance != 0:
            settle(game, rules, board, int(sample(game, rng)))
            continue
        seat = actor(game)
        games[1] = game
        view = games[1]
        observe(game, rules, board, seat, view)
        action = choose(policies[seat], view, rules, board, seat, memory, rng)
        apply(game, rules, board, action)
    return int(game.round_number)


class Arena:
    """Plays games of one ruleset between bots, as fast as they go."""

    def __init__(self, ruleset: "Ruleset", seed: int) -> None:
        self.rules: Any = ruleset.rules
        self.tables: Any = ruleset.tables
        self.games = np.zeros(2, POSITION)
        self.memory = family_buffer()
        self.rng = generator(seed)

    def play(self, bots: Sequence[str], round_cap: int = 500) -> Any:
        """The position in which a new game between these bots ends."""
        self.games[:] = np.zeros(2, POSITION)
        game = self.games[0]
        open_game(game, self.rules, self.tables, len(bots))
        for seat in range(len(bots)):
            game.standing_all[seat] = Standing.MAXIMUM
        next_setup_step(game, self.rules, self.tables)
        policies = np.array([NAMES[bot] for bot in bots], np.int64)
        with np.errstate(over="ignore"):
            play_out(
                self.games, self.rules, self.tables, policies, self.memory, self.rng, round_cap
            )
        return game
