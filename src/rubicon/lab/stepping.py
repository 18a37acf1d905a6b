"""A step of many games: actions are applied, chance is drawn, bots decide, finished games
restart.
"""

from typing import TYPE_CHECKING, Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import Generator, sample
from rubicon.engine.legal_actions import RangeBuffer
from rubicon.engine.legality import refusal_to
from rubicon.engine.observe import observe
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.players.memory import Memory
from rubicon.players.player import choose

# What a batch notes next to the position of each game.

LEARNER = -1  # the policy of a seat whose decisions the caller takes


class FloatCells(Protocol):
    """Real numbers by index, as a compiled procedure reads and writes them."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class GameProgress(records.RecordLayout):
    """How one game of a batch stands, and what its last step came to."""

    seed: Annotated[np.uint64, np.uint64]  # of episode 0
    episode: Annotated[int, np.int64]  # games begun in this place before the current one
    rewards: Annotated[
        FloatCells, np.float32, (records.SEATS,)
    ]  # win shares of games that just ended
    policy: Annotated[records.CellArray, np.int8, (records.SEATS,)]  # a bot's number, or LEARNER
    ended: Annotated[int, np.int16]  # games that ended in this place during the last step
    seat: Annotated[int, np.int8]  # the learner's seat that decides; NONE where the game is over
    winner: Annotated[int, np.int8]  # of the last game that ended; DRAWN or NONE without a winner
    truncated: Annotated[int, np.int8]  # 1: the last game that ended was cut off by its round


PROGRESS = records.record_dtype(GameProgress)
Games = npt.NDArray[Any]  # records of dtype POSITION
ProgressArray = npt.NDArray[Any]  # records of dtype PROGRESS
Memories = npt.NDArray[Any]  # records of dtype MEMORY: by game, then by seat
Generators = npt.NDArray[Any]  # records of dtype GENERATOR
Whole = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


# A step of many games: actions are applied, chance is drawn, bots decide, finished games restart.
#
# Every game has its own generators, so it goes the same way however many games lie next to it.
# `games` has two records after the last game: the position that games start from, and room for
# the view of a bot. `memories` has a record for each seat of each game, and an empty one after
# the last.

BEHIND = 2  # records of `games` that are no game
MOST_RESTARTS = 100  # of games that end before a learner decides
EPISODE_STEP = np.uint64(1 << 40)  # between the seeds of two games in one place
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)
ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)

if TYPE_CHECKING:

    def unsigned(number: int) -> np.uint64: ...

else:
    unsigned = np.uint64


@inlined
def spread(state: np.uint64) -> np.uint64:
    """A word of splitmix64, as `engine.chance.generator` makes it."""
    word = (state ^ (state >> _30)) * FIRST_FACTOR
    word = (word ^ (word >> _27)) * SECOND_FACTOR
    return np.uint64(word ^ (word >> _31))


@compiled
def seed_generator(rng: Generator, seed: np.uint64) -> None:
    """Make `rng` what `engine.chance.generator(seed)` returns."""
    rng.first = spread(np.uint64(seed + GOLDEN))
    rng.second = spread(np.uint64(seed + GOLDEN + GOLDEN))


@compiled
def seed_episode(progress: GameProgress, dice: Generator, luck: Generator) -> None:
    """Seed the dice and the bots of a game; no number of the one ever moves the other."""
    seed = np.uint64(progress.seed + unsigned(progress.episode) * EPISODE_STEP)
    seed_generator(dice, seed)
    seed_generator(luck, np.uint64(seed ^ ALL_BITS))


@compiled
def has_learner(position: Position, progress: GameProgress, playing: bool) -> bool:
    """Whether a seat is a learner's, and still in the game if `playing` says so."""
    for seat in range(position.seats):
        plays = not playing or position.status[seat] == records.Seat.PLAYING
        if plays and progress.policy[seat] == LEARNER:
            return True
    return False


@compiled
def is_abandoned(position: Position, progress: GameProgress) -> bool:
    """Whether the game had learners, and none is left."""
    if has_learner(position, progress, True):
        return False
    return has_learner(position, progress, False)


@compiled
def note_end(position: Position, progress: GameProgress, round_cap: int) -> None:
    """Note who won: a win counts 1, a draw is shared by the seats that still play."""
    over = position.phase == records.Phase.OVER
    progress.ended += 1
    progress.truncated = int(not over and 0 < round_cap < position.round_number)
    progress.winner = position.winner if over else records.NONE
    if 0 <= progress.winner < position.seats:
        progress.rewards[progress.winner] += 1.0
    elif progress.winner == records.DRAWN:
        playing = 0
        for seat in range(position.seats):
            playing += int(position.status[seat] == records.Seat.PLAYING)
        for seat in range(position.seats):
            if position.status[seat] == records.Seat.PLAYING:
                progress.rewards[seat] += 1.0 / playing


@compiled
def forget_end(progress: GameProgress) -> None:
    """Clear what the step before noted of games that ended in it."""
    progress.ended = 0
    for seat in range(records.SEATS):
        progress.rewards[seat] = 0.0


@compiled
def bot_action(
    games: Games,
    number: int,
    policy: int,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    buffer: RangeBuffer,
    luck: Generator,
) -> int:
    """The decision of a bot, which sees only what its seat may see."""
    room = len(games) - 1
    games[room] = games[number]
    view = games[room]
    observe(games[number], rules, board, seat, view)
    return choose(policy, view, rules, board, seat, memory, buffer, luck)


@compiled
def next_seat(
    position: Position, dice: Generator, rules: Rules, board: BoardTables, round_cap: int
) -> int:
    """Draw what chance decides; the seat that decides next, NONE where the game is over."""
    while position.chance != 0:
        settle(position, rules, board, int(sample(position, dice)))
    if 0 < round_cap < position.round_number:
        return records.NONE
    return first_to_act(position)


@compiled
def run_on(
    games: Games,
    number: int,
    progress: GameProgress,
    dice: Generator,
    luck: Generator,
    rules: Rules,
    board: BoardTables,
    memories: Memories,
    buffer: RangeBuffer,
    round_cap: int,
) -> None:
    """Go on to the next decision of a learner, or to the end of the game.

    A game in which all learners are eliminated ends there: nothing of it is theirs any more.
    """
    position = games[number]
    seat = next_seat(position, dice, rules, board, round_cap)
    while seat != records.NONE and progress.policy[seat] != LEARNER:
        if is_abandoned(position, progress):
            seat = records.NONE
            break
        policy = progress.policy[seat]
        memory = memories[number * position.seats + seat]
        action = bot_action(games, number, policy, rules, board, seat, memory, buffer, luck)
        apply(position, rules, board, action)
        seat = next_seat(position, dice, rules, board, round_cap)
    progress.seat = seat
    if seat == records.NONE:
        note_end(position, progress, round_cap)


@compiled
def start_game(
    games: Games,
    number: int,
    progress: GameProgress,
    dice: Generator,
    luck: Generator,
    rules: Rules,
    board: BoardTables,
    memories: Memories,
    buffer: RangeBuffer,
    round_cap: int,
) -> None:
    """Start the game of the current episode, and go on to its first decision of a learner."""
    games[number] = games[len(games) - BEHIND]
    seats = games[number].seats
    for seat in range(seats):
        memories[number * seats + seat] = memories[len(memories) - 1]
    seed_episode(progress, dice, luck)
    run_on(games, number, progress, dice, luck, rules, board, memories, buffer, round_cap)


@compiled
def restart_game(
    games: Games,
    number: int,
    progress: GameProgress,
    dice: Generator,
    luck: Generator,
    rules: Rules,
    board: BoardTables,
    memories: Memories,
    buffer: RangeBuffer,
    round_cap: int,
) -> None:
    """Start the next game in a place, and again where it ends before a learner decides.

    Without learners each start is a whole game, and one is enough.
    """
    for _ in range(MOST_RESTARTS):
        progress.episode += 1
        start_game(games, number, progress, dice, luck, rules, board, memories, buffer, round_cap)
        if progress.seat != records.NONE or not has_learner(games[number], progress, False):
            return


@records.unlocked
def start_games(
    games: Games,
    progress: ProgressArray,
    dice: Generators,
    luck: Generators,
    chosen: Whole,
    rules: Rules,
    board: BoardTables,
    memories: Memories,
    buffer: RangeBuffer,
    round_cap: int,
) -> None:
    """Start the chosen games (by number) anew, each with its next episode."""
    for number in chosen:
        here = progress[number]
        here.episode += 1
        forget_end(here)
        start_game(
            games,
            number,
            here,
            dice[number],
            luck[number],
            rules,
            board,
            memories,
            buffer,
            round_cap,
        )


@compiled
def first_refused(
    games: Games, progress: ProgressArray, actions: Whole, rules: Rules, board: BoardTables
) -> int:
    """The first game whose action is not legal for the seat that decides; NONE if there is none."""
    for number in range(len(progress)):
        seat = progress[number].seat
        if seat == records.NONE:
            continue
        if refusal_to(games[number], rules, board, seat, actions[number]) != 0:
            return number
    return records.NONE


@records.unlocked
def step_games(
    games: Games,
    progress: ProgressArray,
    dice: Generators,
    luck: Generators,
    actions: Whole,
    rules: Rules,
    board: BoardTables,
    memories: Memories,
    buffer: RangeBuffer,
    round_cap: int,
    restart: int,
    checked: int,
) -> int:
    """Take one decision in every game; return the first game whose action is refused, or NONE.

    Where an action is refused, no game has changed. With `checked` the actions are known to be
    legal. With `restart` a game that ends is followed by the next one in the same place.
    """
    if checked == 0:
        refused = first_refused(games, progress, actions, rules, board)
        if refused != records.NONE:
            return refused
    for number in range(len(progress)):
        here = progress[number]
        if here.ended != 0:
            forget_end(here)
        if here.seat == records.NONE and restart == 0:
            continue
        if here.seat != records.NONE:
            apply(games[number], rules, board, actions[number])
            # Most often a learner decides again: arrays are not passed on for that, since the
            # compiler counts references to each, which takes as long as a roll.
            here.seat = next_seat(games[number], dice[number], rules, board, round_cap)
            if here.seat != records.NONE and here.policy[here.seat] == LEARNER:
                continue
            run_on(
                games,
                number,
                here,
                dice[number],
                luck[number],
                rules,
                board,
                memories,
                buffer,
                round_cap,
            )
        if here.seat == records.NONE and restart != 0:
            restart_game(
                games,
                number,
                here,
                dice[number],
                luck[number],
                rules,
                board,
                memories,
                buffer,
                round_cap,
            )
    return records.NONE
