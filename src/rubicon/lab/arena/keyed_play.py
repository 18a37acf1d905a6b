"""One game between compiled bots, with dice that are keyed by seed, round, seat and roll.

Every roll has a generator of its own, seeded from the game's seed, the round, the seat at turn and
the number of the roll in that turn. So two versions of a player meet the same dice wherever they
have rolled equally often in a turn, whatever they did in earlier turns.
"""

import time
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
from numba import config, types

from rubicon.engine.apply import apply, settle
from rubicon.engine.legal_actions import RangeBuffer
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records.layout import RecordLayout, compiled, record_dtype, unlocked
from rubicon.engine.records.position import Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator, sample
from rubicon.lab.records import Games, Memories, Whole
from rubicon.lab.stepping import ALL_BITS, GOLDEN, bot_action, seed_generator, spread, unsigned
from rubicon.players.level_play import FIRST_LEVEL

Tally = npt.NDArray[np.int64]  # by seat and column of TallyColumn


class TallyColumn(IntEnum):
    """What is counted of each seat."""

    DECISIONS = 0
    MICROSECONDS = 1  # of processor time in its decisions that were timed
    WORST = 2  # microseconds of the longest of them
    LEFT = 3  # the step in which it left the game; 0: it never did
    TIMED = 4  # decisions that were timed


TALLIED = len(TallyColumn)
# Reading the processor's clock takes as long as half of a scripted decision, so one in so many is
# timed. A search takes a thousand times as long, and each of its decisions is timed.
TIMED_ONE_IN = 64

if TYPE_CHECKING or config.DISABLE_JIT:

    def clock() -> int:
        """Microseconds of processor time."""
        return time.process_time_ns() // 1000

else:
    clock = types.ExternalFunction("clock", types.int64())  # of C: microseconds, by POSIX


class DiceKeys(RecordLayout):
    """How far the rolls and decisions of a turn are numbered."""

    seed: Annotated[np.uint64, np.uint64]
    rolls: Annotated[int, np.int64]
    decisions: Annotated[int, np.int64]
    round_number: Annotated[int, np.int64]
    turn: Annotated[int, np.int64]


DICE_KEYS = record_dtype(DiceKeys)


def dice_keys(seed: int) -> DiceKeys:
    """The keys of a game that has not begun."""
    made: Any = np.zeros(1, DICE_KEYS)[0]
    made["seed"] = seed % 2**64
    keys: DiceKeys = made
    return keys


@compiled
def enter_turn(keys: DiceKeys, position: Position) -> None:
    """Number from 0 again where another turn has begun."""
    if keys.round_number != position.round_number or keys.turn != position.turn:
        keys.round_number = position.round_number
        keys.turn = position.turn
        keys.rolls = 0
        keys.decisions = 0


@compiled
def seed_by_key(rng: Generator, seed: np.uint64, round_number: int, seat: int, number: int) -> None:
    """Seed a generator from four numbers."""
    word = spread(np.uint64(seed + GOLDEN * unsigned(round_number + 2)))
    word = spread(np.uint64(word + GOLDEN * unsigned(seat + 2)))
    seed_generator(rng, spread(np.uint64(word + GOLDEN * unsigned(number + 1))))


@compiled
def seed_roll(keys: DiceKeys, position: Position, dice: Generator) -> None:
    """Seed the dice of the chance event that is pending."""
    enter_turn(keys, position)
    seed_by_key(dice, keys.seed, keys.round_number, keys.turn, keys.rolls)
    keys.rolls += 1


@compiled
def seed_decision(keys: DiceKeys, position: Position, seat: int, luck: Generator) -> None:
    """Seed what the bot of a seat draws for its next decision; no dice depend on it."""
    enter_turn(keys, position)
    number = 8 * keys.decisions + seat
    seed_by_key(luck, np.uint64(keys.seed ^ ALL_BITS), keys.round_number, keys.turn, number)
    keys.decisions += 1


@compiled
def note_departures(position: Position, tally: Tally, step: int) -> None:
    """Note which seats have left the game in this step."""
    for seat in range(position.seats):
        if tally[seat, 3] == 0 and position.status[seat] != Seat.PLAYING:
            tally[seat, 3] = step


@compiled
def note_time(tally: Tally, seat: int, spent: int) -> None:
    """Count a decision that took so many microseconds."""
    tally[seat, 1] += spent
    tally[seat, 2] = max(tally[seat, 2], spent)
    tally[seat, 4] += 1


@unlocked
def play_keyed(
    games: Games,
    rules: Rules,
    board: BoardTables,
    policies: Whole,
    memories: Memories,
    buffer: RangeBuffer,
    dice: Generator,
    luck: Generator,
    keys: DiceKeys,
    round_cap: int,
    tally: Tally,
) -> int:
    """Play `games[0]` to its end, or until `round_cap` rounds are over; return the steps.

    `games[1]` is room for a seat's view; `policies` has the bot's number for each seat, `memories`
    its memory, `tally` (seats, columns) what is counted.
    """
    position = games[0]
    step = 1
    while position.phase != Phase.OVER and position.round_number <= round_cap:
        if position.chance != 0:
            seed_roll(keys, position, dice)
            settle(position, rules, board, int(sample(position, dice)))
        else:
            seat = first_to_act(position)
            seed_decision(keys, position, seat, luck)
            policy, memory = policies[seat], memories[seat]
            timed = policy >= FIRST_LEVEL or tally[seat, 0] % TIMED_ONE_IN == 0
            begun = clock() if timed else 0
            action = bot_action(games, 0, policy, rules, board, seat, memory, buffer, luck)
            if timed:
                note_time(tally, seat, clock() - begun)
            tally[seat, 0] += 1
            apply(position, rules, board, action)
            note_departures(position, tally, step)
        step += 1
    return step
