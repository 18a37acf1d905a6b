"""Whole games between bots, in compiled code from the first claim to the end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply, settle
from rubicon.engine.legal_actions import RangeBuffer, range_buffer
from rubicon.engine.observe import observe
from rubicon.engine.ownership import first_to_act
from rubicon.engine.phases.setup import next_setup_step, open_game
from rubicon.engine.records.layout import Cells, compiled, unlocked
from rubicon.engine.records.position import POSITION, SEATS, Phase, Position, Standing
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator, below, generator, sample
from rubicon.players.greedy import greedy_choice
from rubicon.players.level_play import CERTAIN, FIRST_LEVEL, GREEDY, LEVEL_PLAYS, PLANNER
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.proposers import PROPOSERS
from rubicon.players.planner.search import planner_choice
from rubicon.players.planner.weights import LEARNED
from rubicon.players.random_moves import random_choice
from rubicon.players.registry import NAMES, full_name
from rubicon.players.scripted.cards import sets_rise
from rubicon.players.scripted.characters import FIRST_SCRIPTED
from rubicon.players.scripted.turn import scripted_choice

if TYPE_CHECKING:
    from rubicon.rules.ruleset.ruleset import Ruleset

Positions = npt.NDArray[Any]  # records of dtype POSITION
Memories = npt.NDArray[Any]  # records of dtype MEMORY, by seat


@compiled
def policy_of_round(policy: int, view: Position, memory: Memory, rng: Generator) -> int:
    """The policy that decides this round for a level; it is drawn once a round."""
    if memory.level_policy != policy:
        memory.level_policy = policy
        memory.level = LEVEL_PLAYS[policy - FIRST_LEVEL]
        memory.drawn_in = 0
    if memory.drawn_in != view.round_number + 1:
        memory.drawn_in = view.round_number + 1
        share = memory.level.weaker_rounds
        lapse = share > 0 and below(rng, CERTAIN) < share
        memory.deciding = memory.level.weaker if lapse else memory.level.stronger
        memory.policy = 0  # a character takes its own traits again
        memory.planned = 0
    return memory.deciding


@compiled
def choose(
    policy: int,
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    buffer: RangeBuffer,
    rng: Generator,
) -> int:
    """The action that a policy chooses for a seat that sees `view`.

    `memory` is the seat's, all zeros at its first decision; the policy may change it.
    """
    if policy >= FIRST_LEVEL:
        policy = policy_of_round(policy, view, memory, rng)
    if policy == PLANNER:
        proposers, thinking = PROPOSERS[int(sets_rise(rules))], memory.level.thinking
        return planner_choice(
            view, rules, board, seat, memory, rng, proposers, thinking, LEARNED[0]
        )
    if policy >= FIRST_SCRIPTED:
        return scripted_choice(policy, view, rules, board, seat, memory, rng)
    if policy == GREEDY:
        return greedy_choice(view, rules, board, seat, buffer, rng)
    return random_choice(view, rules, board, seat, buffer, rng)


@unlocked
def play_out(
    games: Positions,
    rules: Rules,
    board: BoardTables,
    policies: Cells,
    memories: Memories,
    buffer: RangeBuffer,
    rng: Generator,
    round_cap: int,
) -> int:
    """Play `games[0]` to its end, or until `round_cap` rounds are over; return its last round.

    `games[1]` is room for a seat's view; `policies` has the policy's number for each seat, and
    `memories` its memory.
    """
    position = games[0]
    while position.phase != Phase.OVER and position.round_number <= round_cap:
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, rng)))
            continue
        seat = first_to_act(position)
        # The assignment copies the record: `observe` hides in the copy what the seat may not see.
        games[1] = position
        view = games[1]
        observe(position, rules, board, seat, view)
        action = choose(policies[seat], view, rules, board, seat, memories[seat], buffer, rng)
        apply(position, rules, board, action)
    return int(position.round_number)


class Arena:
    """Plays games of one ruleset between bots, one after another."""

    def __init__(self, ruleset: "Ruleset", seed: int) -> None:
        self.rules = ruleset.rules
        self.tables = ruleset.tables
        self.games = np.zeros(2, POSITION)
        self.memories = np.zeros(SEATS, MEMORY)
        self.buffer = range_buffer()
        self.rng = generator(seed)

    def play(self, bots: Sequence[str], round_cap: int = 500) -> Position:
        """Play a new game, one bot a seat; return its last position, valid until the next call.

        A game that is not over after `round_cap` rounds is cut off.
        """
        self.games[:] = np.zeros(2, POSITION)
        self.memories[:] = np.zeros(SEATS, MEMORY)
        position: Position = self.games[0]
        open_game(position, self.rules, self.tables, len(bots))
        for seat in range(len(bots)):
            position.standing_all[seat] = Standing.MAXIMUM
        next_setup_step(position, self.rules, self.tables)
        policies = np.array([NAMES[full_name(bot)] for bot in bots], np.int64)
        # The random generator counts modulo 2**64; uncompiled, NumPy would warn of each overflow.
        with np.errstate(over="ignore"):
            play_out(
                self.games,
                self.rules,
                self.tables,
                policies,
                self.memories,
                self.buffer,
                self.rng,
                round_cap,
            )
        return position
