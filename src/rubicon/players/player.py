"""A bot in a seat, its seed, and the compiled choice of every bot's action."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from rubicon.engine.chance import Generator, below, generator
from rubicon.engine.codes import NUMBER_SHIFT, ActionKind, a_of, b_of, kind_of
from rubicon.engine.legal_actions import RangeBuffer, range_buffer, ranges
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.errors import NotFound, WrongType, is_whole
from rubicon.players.characters import (
    CERTAIN,
    FIRST_LEVEL,
    FIRST_SCRIPTED,
    GREEDY,
    LEVEL_PLAYS,
    NAMES,
    PLANNER,
    PROPOSERS,
    full_name,
    policy_of,
)
from rubicon.players.greedy import greedy_choice
from rubicon.players.memory import Memory, empty_memory
from rubicon.players.planner.search import planner_choice
from rubicon.players.planner.value import LEARNED
from rubicon.players.scripted.turn import scripted_choice, sets_rise
from rubicon.rules.actions import Action, action_of
from rubicon.rules.game import Game

if TYPE_CHECKING:
    pass


# The player that chooses at random: first a kind of thing to do, then one thing of that kind.
#
# Two habits bring its games to an end: it attacks only weaker territories, and mostly with the
# highest number of dice and armies.

STOP_ONE_IN = 1024  # the chance to end the attacks while another is possible
ANY_NUMBER_ONE_IN = 4  # the chance to take any number of armies or dice, else the highest
KINDS = len(ActionKind)


@compiled
def is_unpromising(view: Position, action: int) -> bool:
    """Whether an action is an attack with no more armies than the defender has."""
    if kind_of(action) != ActionKind.ATTACK:
        return False
    return view.armies[a_of(action)] <= view.armies[b_of(action)]


@compiled
def drop_unpromising(view: Position, buffer: RangeBuffer, count: int) -> int:
    """Drop unpromising attacks from the ranges; return how many ranges are left."""
    kept = 0
    for i in range(count):
        if not is_unpromising(view, buffer[i, 0]):
            for column in range(3):
                buffer[kept, column] = buffer[i, column]
            kept += 1
    return kept


@compiled
def random_kind(buffer: RangeBuffer, count: int, rng: Generator) -> int:
    """A kind that occurs among the ranges, each equally likely; attacks mostly go on."""
    present = 0
    for i in range(count):
        present |= 1 << kind_of(buffer[i, 0])
    ends = (1 << ActionKind.ATTACK) | (1 << ActionKind.END_ATTACK)
    if present & ends == ends:
        return ActionKind.ATTACK if below(rng, STOP_ONE_IN) > 0 else ActionKind.END_ATTACK
    kinds = 0
    for kind in range(KINDS):
        kinds += (present >> kind) & 1
    number = below(rng, kinds)
    for kind in range(KINDS):
        number -= (present >> kind) & 1
        if number < 0:
            return kind
    return ActionKind.END_TURN


@compiled
def random_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    buffer: RangeBuffer,
    rng: Generator,
) -> int:
    """A kind, one of its ranges, and mostly the highest number of that range."""
    listed = min(ranges(view, rules, board, seat, buffer), len(buffer))
    count = drop_unpromising(view, buffer, listed)
    kind = random_kind(buffer, count, rng)
    of_kind = 0
    for i in range(count):
        of_kind += int(kind_of(buffer[i, 0]) == kind)
    number = below(rng, of_kind)
    for i in range(count):
        number -= int(kind_of(buffer[i, 0]) == kind)
        if number < 0:
            low, high = int(buffer[i, 1]), int(buffer[i, 2])
            if below(rng, ANY_NUMBER_ONE_IN) == 0:
                high = low + int(below(rng, high - low + 1))
            return int(buffer[i, 0] | high << NUMBER_SHIFT)
    return 0


# The action that any bot takes.


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


# The seeds of players: no one can tell from one how the dice or another player will fall.

BITS = 53  # every language reads such a number in JSON exactly
PERSON = b"rubicon player"


def seed_of_player(seed: int, seat: int, rotation: int = 0) -> int:
    """The seed of the player in a seat of the game with this seed; less than 2**53.

    It is a hash, so the game's seed cannot be computed from it; a small one can be found by
    trying. `rotation` is that of an arena's game: the same player draws other numbers in each.
    """
    return _hash(f"{seed} {rotation} {seat}")


def _hash(text: str) -> int:
    made = int.from_bytes(blake2b(text.encode(), digest_size=8, person=PERSON).digest())
    return made >> (64 - BITS)


# A bot in a seat: it sees the view of its seat, and answers with an action.

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
            raise NotFound(
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
