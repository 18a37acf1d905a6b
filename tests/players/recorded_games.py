"""Games between bots, decision by decision, as tests look at them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import generator, sample
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.observe import observe
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import POSITION, Phase, Position, Standing
from rubicon.engine.setup import next_setup_step, open_game
from rubicon.players.characters import NAMES
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.player import choose
from rubicon.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision that is about to be carried out. The position changes with the next moment."""

    position: Position
    seat: int
    action: int
    memory: Memory


def moments(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: int,
    *,
    rounds: int = 300,
    standing: Standing = Standing.MAXIMUM,
) -> Iterator[Moment]:
    """Every decision of a game between bots, up to its end or to a number of rounds."""
    games: Any = np.zeros(2, POSITION)
    position, rules, board = games[0], ruleset.rules, ruleset.tables
    memories, buffer, rng = np.zeros(len(bots), MEMORY), range_buffer(), generator(seed)
    open_game(position, rules, board, len(bots))
    position.standing_all[: len(bots)] = standing
    next_setup_step(position, rules, board)
    with np.errstate(over="ignore"):
        while position.phase != Phase.OVER and position.round_number <= rounds:
            if position.chance:
                settle(position, rules, board, int(sample(position, rng)))
                continue
            seat = first_to_act(position)
            games[1] = position
            observe(position, rules, board, seat, games[1])
            policy, memory = NAMES[bots[seat]], memories[seat]
            action = int(choose(policy, games[1], rules, board, seat, memory, buffer, rng))
            yield Moment(position, seat, action, memory)
            apply(position, rules, board, action)
