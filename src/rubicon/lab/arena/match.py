"""What a match is, and one game of it: with keyed dice, compiled or step by step."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
from numba import config, types

from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import Generator, generator, sample
from rubicon.engine.legal_actions import RangeBuffer, range_buffer
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.errors import RubiconError
from rubicon.lab import stepping
from rubicon.players.bot import PROGRAM, bot_named
from rubicon.players.bot_seat import PlayerError
from rubicon.players.characters import FIRST_LEVEL, policy_of
from rubicon.players.memory import MEMORY
from rubicon.players.player import seed_of_player
from rubicon.players.program import SECONDS
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.actions import Action, action_of
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

# What a match is: the players, the ruleset, the seeds; and how its text names them.

ROUNDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Everything that decides how the games of a match go; `players` has a name for each seat.

    Block number i has the seed `seed + i`: one deal, played once in each rotation of the seats.
    `seconds` is the time of an own bot for a decision. It changes no game that is played to its
    end, so a match may go on with another limit.
    """

    players: tuple[str, ...]
    preset: str = "classic"
    options: tuple[tuple[str, str], ...] = ()
    board: str | None = None
    seed: int = 0
    rounds: int = ROUNDS
    seconds: float = field(default=SECONDS, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The different players, in the order in which they were given."""
        return tuple(dict.fromkeys(self.players))

    @property
    def compiled(self) -> bool:
        """Whether all players are bots that play in compiled code."""
        return all(policy_of(name) is not None for name in self.players)

    def ruleset(self) -> Ruleset:
        """The ruleset; raises what `Ruleset.load` raises."""
        return Ruleset.load(self.preset, dict(self.options), board=self.board)

    def seating(self, rotation: int) -> tuple[int, ...]:
        """By seat, the place in `players` of who sits there."""
        size = len(self.players)
        return tuple((seat + rotation) % size for seat in range(size))

    def text(self) -> str:
        """One line of JSON that is equal for equal matches."""
        decisive = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        return json.dumps(decisive, sort_keys=True)


def match_of(text: str) -> Match:
    """The match that `Match.text` wrote. Raises ValueError, KeyError or TypeError."""
    read = json.loads(text)
    read["players"] = tuple(read["players"])
    read["options"] = tuple((name, value) for name, value in read["options"])
    return Match(**read)


def players_of(words: Sequence[str]) -> tuple[str, ...]:
    """The players that words such as `hunter` and `greedy*5` name, one for each seat.

    Raises RubiconError: `arena/players` for a number that is none, `player/unknown`.
    """
    players: list[str] = []
    for word in words:
        name, star, count = word.rpartition("*")
        if not star:
            name, count = word, "1"
        if not name or not count.isdecimal() or not 1 <= int(count) <= 6:
            raise RubiconError(
                "arena/players",
                f"{word!r} does not name 1 to 6 players.",
                "Write hunter, or hunter*5.",
            )
        players += [name] * int(count)
    for name in players:
        check_player(name)
    if not 2 <= len(players) <= 6:
        raise RubiconError(
            "arena/players",
            f"{len(players)} players are named, and a game has 2 to 6 seats.",
            "Name a player for each seat: rubicon arena strongest hunter*5",
        )
    return tuple(players)


def check_player(name: str) -> None:
    """Raise RubiconError where no one can be seated by this name; a program is not started."""
    if policy_of(name) is None and not name.startswith(PROGRAM):
        bot_named(name)


# One game between compiled bots, with dice that are keyed by seed, round, seat and roll.
#
# Every roll has its own generator, seeded from the game's seed, the round, the seat at turn
# and the number of the roll in that turn. So two versions of a player meet the same dice wherever
# they have rolled equally often in a turn, whatever they did in earlier turns.

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


class DiceKeys(records.RecordLayout):
    """How far the rolls and decisions of a turn are numbered."""

    seed: Annotated[np.uint64, np.uint64]
    rolls: Annotated[int, np.int64]
    decisions: Annotated[int, np.int64]
    round_number: Annotated[int, np.int64]
    turn: Annotated[int, np.int64]


DICE_KEYS = records.record_dtype(DiceKeys)


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
    word = stepping.spread(np.uint64(seed + stepping.GOLDEN * stepping.unsigned(round_number + 2)))
    word = stepping.spread(np.uint64(word + stepping.GOLDEN * stepping.unsigned(seat + 2)))
    stepping.seed_generator(
        rng, stepping.spread(np.uint64(word + stepping.GOLDEN * stepping.unsigned(number + 1)))
    )


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
    seed_by_key(
        luck, np.uint64(keys.seed ^ stepping.ALL_BITS), keys.round_number, keys.turn, number
    )
    keys.decisions += 1


@compiled
def note_departures(position: Position, tally: Tally, step: int) -> None:
    """Note which seats have left the game in this step."""
    for seat in range(position.seats):
        if tally[seat, 3] == 0 and position.status[seat] != records.Seat.PLAYING:
            tally[seat, 3] = step


@compiled
def note_time(tally: Tally, seat: int, spent: int) -> None:
    """Count a decision that took so many microseconds."""
    tally[seat, 1] += spent
    tally[seat, 2] = max(tally[seat, 2], spent)
    tally[seat, 4] += 1


@records.unlocked
def play_keyed(
    games: stepping.Games,
    rules: Rules,
    board: BoardTables,
    policies: stepping.Whole,
    memories: stepping.Memories,
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
    while position.phase != records.Phase.OVER and position.round_number <= round_cap:
        if position.chance != 0:
            seed_roll(keys, position, dice)
            settle(position, rules, board, int(sample(position, dice)))
        else:
            seat = first_to_act(position)
            seed_decision(keys, position, seat, luck)
            policy, memory = policies[seat], memories[seat]
            timed = policy >= FIRST_LEVEL or tally[seat, 0] % TIMED_ONE_IN == 0
            begun = clock() if timed else 0
            action = stepping.bot_action(games, 0, policy, rules, board, seat, memory, buffer, luck)
            if timed:
                note_time(tally, seat, clock() - begun)
            tally[seat, 0] += 1
            apply(position, rules, board, action)
            note_departures(position, tally, step)
        step += 1
    return step


# How one game of a match ended, by the players' places in the match.


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaResult:
    """The result of a game; every list is by the players' places in the match."""

    finished: bool
    rounds: int
    seats: tuple[int, ...]  # where each sat
    shares: tuple[float, ...]  # of the win; a draw is shared, a game cut off counts 0
    ranks: tuple[float, ...]  # from 1; equals share their ranks
    decisions: tuple[int, ...]
    microseconds: tuple[int, ...]  # of processor time in all decisions, from those that were timed
    worst: tuple[int, ...]  # microseconds of the longest decision that was timed


def result_of(position: Position, tally: Tally, seating: Sequence[int]) -> ArenaResult:
    """The result of a game at its end; `seating` has by seat the place of who sits there."""
    seats = [0] * len(seating)
    for seat, place in enumerate(seating):
        seats[place] = seat
    shares, ranks = win_shares(position), finishing_ranks(position, tally)

    def column(which: TallyColumn) -> tuple[int, ...]:
        return tuple(int(tally[seat, which]) for seat in seats)

    return ArenaResult(
        finished=bool(position.phase == records.Phase.OVER),
        rounds=int(position.round_number),
        seats=tuple(seats),
        shares=tuple(shares[seat] for seat in seats),
        ranks=tuple(ranks[seat] for seat in seats),
        decisions=column(TallyColumn.DECISIONS),
        microseconds=tuple(
            spent * decisions // max(1, timed)
            for spent, decisions, timed in zip(
                column(TallyColumn.MICROSECONDS),
                column(TallyColumn.DECISIONS),
                column(TallyColumn.TIMED),
                strict=True,
            )
        ),
        worst=column(TallyColumn.WORST),
    )


def win_shares(position: Position) -> list[float]:
    """By seat, 1 for the winner; a draw is shared by the seats that still play."""
    size = int(position.seats)
    if position.phase != records.Phase.OVER:
        return [0.0] * size
    if position.winner == records.DRAWN:
        playing = [int(position.status[seat] == records.Seat.PLAYING) for seat in range(size)]
        return [one / max(1, sum(playing)) for one in playing]
    return [float(position.winner == seat) for seat in range(size)]


def finishing_ranks(position: Position, tally: Tally) -> list[float]:
    """By seat: the winner first, then who still plays by territories and armies.

    After them are those who left, the last to leave first.
    """
    size = int(position.seats)
    over = position.phase == records.Phase.OVER
    owner, armies = np.asarray(position.owner), np.asarray(position.armies)

    def standing(seat: int) -> tuple[int, ...]:
        if over and position.winner == seat:
            return (2, 0, 0)
        left = int(tally[seat, TallyColumn.LEFT])
        if left:
            return (0, left, 0)
        held = owner == seat
        return (1, int(held.sum()), int(armies[held].sum()))

    keys = [standing(seat) for seat in range(size)]
    return [
        sum(other > key for other in keys) + (sum(other == key for other in keys) + 1) / 2
        for key in keys
    ]


# One game of a match as a `Game`: for players that are not compiled, and for records.
#
# The dice, and what our own bots draw, are keyed as in compiled play: the same match gives the
# same games both ways.

Noted = Callable[[Game, int, Action], None]  # the game, the seat that decides, its decision


@dataclass(frozen=True, slots=True)
class StepwiseGame:
    """A game with its history, and its result."""

    game: Game
    result: ArenaResult


class _Bots:
    """Our own bots of one game, as compiled play seats them."""

    def __init__(self, policies: list[int | None]) -> None:
        self.policies = policies
        self.games = np.zeros(1 + stepping.BEHIND, records.POSITION)
        self.memories = np.zeros(records.SEATS, MEMORY)
        self.buffer, self.luck = range_buffer(), generator(0)

    def decide(self, game: Game, seat: int) -> Action:
        self.games[0] = game.position
        policy = self.policies[seat]
        assert policy is not None, "a guest decides for itself"
        here = (self.games, 0, policy, game.rules, game.tables)
        code = stepping.bot_action(*here, seat, self.memories[seat], self.buffer, self.luck)
        return action_of(int(code), game)


@dataclass(frozen=True, slots=True)
class _Seats:
    """Who decides in each seat: our own bots, and by seat the guests."""

    bots: _Bots
    guests: dict[int, SeatedPlayer]

    def decide(self, game: Game, seat: int) -> Action:
        guest = self.guests.get(seat)
        return self.bots.decide(game, seat) if guest is None else guest.decide(game)


def play_stepwise(
    match: Match, seed: int, rotation: int, noted: Noted | None = None
) -> StepwiseGame:
    """Play one game, every action checked; `noted` is told of each decision before it is taken."""
    seating = match.seating(rotation)
    names = [match.players[place] for place in seating]
    game = Game.new(match.ruleset(), len(names))
    bots = _Bots([policy_of(name) for name in names])
    guests: dict[int, SeatedPlayer] = {}
    try:
        for seat, name in enumerate(names):
            if policy_of(name) is None:
                guests[seat] = seated(
                    name,
                    game.colours[seat],
                    seed=seed_of_player(seed, seat, rotation),
                    seconds=match.seconds,
                    python_seconds=match.seconds,
                )
        with np.errstate(over="ignore"):
            tally = _play(game, _Seats(bots, guests), seed, match.rounds, noted)
    except PlayerError as error:
        played = int(game.position.round_number)
        here = (
            f"It happened in {f'round {played}' if played else 'the set-up'} of rotation {rotation}"
        )
        again = f"--seed {seed} --blocks 1 plays this deal again."
        raise error.in_game(f"{here}; {again}") from error
    finally:
        for guest in guests.values():
            guest.close()
    return StepwiseGame(game, result_of(game.position, tally, seating))


def _play(
    game: Game, seats: _Seats, seed: int, rounds: int, noted: Noted | None
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    tally = np.zeros((records.SEATS, TALLIED), np.int64)
    keys, dice, step = dice_keys(seed), generator(0), 1
    while not game.over and game.position.round_number <= rounds:
        if game.awaits_chance:
            seed_roll(keys, game.position, dice)
            game.settle(game.sample(dice))
        else:
            seat = first_to_act(game.position)
            seed_decision(keys, game.position, seat, seats.bots.luck)
            begun = time.perf_counter_ns()
            action = seats.decide(game, seat)
            spent = (time.perf_counter_ns() - begun) // 1000
            tally[seat, TallyColumn.DECISIONS] += 1
            note_time(tally, seat, spent)
            if noted is not None:
                noted(game, seat, action)
            game.play(action)
            for one in range(game.size):
                if (
                    not tally[one, TallyColumn.LEFT]
                    and game.position.status[one] != records.Seat.PLAYING
                ):
                    tally[one, TallyColumn.LEFT] = step
        step += 1
    return tally
