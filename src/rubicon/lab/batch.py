"""Many games of one ruleset, stepped together in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.chance import GENERATOR, generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.records import NONE, POSITION, SEATS, Position
from rubicon.errors import RubiconError, WrongType, is_whole
from rubicon.lab import stepping
from rubicon.lab.feature_names import FeatureLayout, Floats
from rubicon.lab.features import feature_tables, observe_games
from rubicon.lab.legal_actions import (
    FlatActions,
    LegalRanges,
    Rows,
    draw_actions,
    flat_codes,
    flat_masks,
    list_ranges,
)
from rubicon.players.characters import NAMES, policy_of
from rubicon.players.memory import MEMORY
from rubicon.rules.actions import action_of, code_of
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

# Which seats of a batch bots play, and which are the learners'.

Seating = Sequence[str | None]  # by seat: the name of a bot, or None for a learner
Bots = Seating | Sequence[Seating]


def policies(bots: Bots, games: int, seats: int) -> npt.NDArray[np.int8]:
    """By game and seat the number of a bot, or LEARNER: shape (games, SEATS).

    `bots` is the seating of all games, or one seating for each game; empty, all seats are
    learners'. Raises RubiconError: `lab/bots`.
    """
    made = np.full((games, SEATS), stepping.LEARNER, np.int8)
    if not _is_list(bots):
        raise _wrong(f"{bots!r} is no list of bots.", seats)
    if len(bots) == 0:
        return made
    rows = [_row(one, seats) for one in (bots if _is_list(bots[0]) else [bots])]
    if len(rows) not in (1, games):
        raise _wrong(f"{len(rows)} seatings were given for {games} games.", seats)
    made[:, :seats] = np.array(rows, np.int8)
    return made


def _is_list(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)


def _row(seating: object, seats: int) -> list[int]:
    if not isinstance(seating, Sequence) or isinstance(seating, str) or len(seating) != seats:
        raise _wrong(f"{seating!r} does not name {seats} seats.", seats)
    return [stepping.LEARNER if bot is None else _number(bot, seats) for bot in seating]


def _number(bot: str, seats: int) -> int:
    number = policy_of(bot)
    if number is None:
        raise _wrong(f"There is no bot {bot!r}.", seats)
    return number


def _wrong(message: str, seats: int) -> RubiconError:
    example = ["None", *['"greedy"'] * (seats - 1)]
    return RubiconError(
        "lab/bots",
        message,
        f"Write bots=({', '.join(example)}); bots: {', '.join(NAMES)}.",
    )


# Many games of one ruleset, stepped together in compiled code.
#
#     batch = Batch(Ruleset.load("classic"), 3, games=1000, seed=7, bots=(None, "greedy", "greedy"))
#     while True:
#         batch.step(batch.random_actions())
#
# `docs/lab.md` describes batches, encodings and features.

FIRST_ROOM = 64  # ranges of a game that a batch has room for at first
ROUND_CAP = 500
PICKS = 1 << 63  # added to a game's seed for the generator of its random actions


class Batch:
    """Games of one ruleset in compiled code; every array has one entry, or row, for each game.

    A seat without a bot is a learner's: `step` takes the learners' decisions, and goes on in each
    game until the next one. A game ends when it is won or drawn, when no learner is left in it, or
    when it is cut off after `round_cap` rounds (0: never). With `restart` the next game begins in
    its place within the same step.

    Game number i draws its dice from `generator(seed + i)`, its k-th next game from
    `generator(seed + i + k * 2**40)`: the same seed and the same actions give the same games, in a
    batch of any size.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int | None = None,
        *,
        games: int = 64,
        seed: int = 0,
        bots: Bots = (),
        start: Position | None = None,
        restart: bool = True,
        round_cap: int = ROUND_CAP,
    ) -> None:
        """Start `games` games; `bots` has for each seat the name of a bot or None.

        It may also have a row of names for each game. `start` is the position that games start
        from instead of a new game. Raises RubiconError: `lab/number`, `lab/bots`, and what
        `Game.new` raises.
        """
        _check_whole("games", games, 1)
        _check_whole("seed", seed, -(2**63))
        _check_whole("round_cap", round_cap, 0)
        first = Game.new(ruleset, players) if start is None else Game(ruleset, start)
        self.ruleset = ruleset
        self.players = first.size
        self.restart = restart
        self.round_cap = round_cap
        self.layout = FeatureLayout.of(ruleset)
        self.flat = FlatActions.of(ruleset)
        self._names = first
        self._games: stepping.Games = np.zeros(games + stepping.BEHIND, POSITION)
        self._games[-stepping.BEHIND] = first.position
        self._progress = np.zeros(games, stepping.PROGRESS)
        self._dice = np.zeros(games, GENERATOR)
        self._luck = np.zeros(games, GENERATOR)
        self._picks = np.zeros(games, GENERATOR)
        self._memories = np.zeros(games * self.players + 1, MEMORY)
        self._rules = (ruleset.rules, ruleset.tables)
        self._buffer = range_buffer()
        self._actions: stepping.Whole = np.zeros(games, np.int64)
        self._rows: Rows = np.full((games, FIRST_ROOM, 6), NONE, np.int32)
        self._counts: stepping.Whole = np.zeros(games, np.int64)
        self._tables = feature_tables(ruleset)
        self._observations: Floats = np.zeros((games, self.layout.size), np.float32)
        self._masks: stepping.Mask = np.zeros((games, self.flat.size), np.bool_)
        self.start_again(seed=seed, bots=bots)

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._progress)

    @property
    def positions(self) -> stepping.Games:
        """The positions, with everyone's secrets: records of dtype POSITION; do not write."""
        return self._games[: -stepping.BEHIND]

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """The learner's seat that decides in each game; -1 where the game is over."""
        seats: npt.NDArray[np.int8] = self._progress["seat"]
        return seats

    @property
    def rewards(self) -> Floats:
        """By seat, the win shares of the games that ended in the last step: shape (games, 6).

        A win counts 1, a draw is shared by the seats that still play, a game cut off counts 0.
        """
        rewards: Floats = self._progress["rewards"]
        return rewards

    @property
    def ended(self) -> npt.NDArray[np.int16]:
        """How many games ended in each place during the last step: 0 or 1, rarely more."""
        ended: npt.NDArray[np.int16] = self._progress["ended"]
        return ended

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether the game that ended in the last step was cut off after `round_cap` rounds."""
        cut: npt.NDArray[np.bool_] = (self._progress["truncated"] != 0) & (self.ended > 0)
        return cut

    @property
    def winners(self) -> npt.NDArray[np.int8]:
        """The seat that won the last game that ended in each place; 7 for a draw, -1 for none.

        No one has won a game that was cut off, or that had no learner left.
        """
        winners: npt.NDArray[np.int8] = self._progress["winner"]
        return winners

    @property
    def episodes(self) -> stepping.Whole:
        """How many games were begun in each place before the current one."""
        episodes: stepping.Whole = self._progress["episode"]
        return episodes

    def start_again(
        self,
        games: npt.ArrayLike | None = None,
        *,
        seed: int | None = None,
        bots: Bots | None = None,
    ) -> None:
        """Start the games with these numbers anew (all of them if not given).

        Each goes on to its next episode; with `seed`, to episode 0 of `seed` + its number. `bots`
        are new seatings for the games that start. Raises what `Batch(…)` raises.
        """
        chosen = np.arange(len(self)) if games is None else np.asarray(games)
        numbers = np.array(chosen, np.int64).reshape(-1)
        whole = bool((numbers == chosen.reshape(-1)).all())
        if not whole or not ((numbers >= 0) & (numbers < len(self))).all():
            raise RubiconError(
                "lab/number", f"The games have numbers from 0 to {len(self) - 1}.", ""
            )
        if seed is not None:
            _check_whole("seed", seed, -(2**63))
            self._seed(numbers, int(seed))
        if bots is not None:
            self._progress["policy"][numbers] = policies(bots, len(numbers), self.players)
        with np.errstate(over="ignore"):
            stepping.start_games(
                *self._here(), numbers, *self._rules, self._memories, self._buffer, self.round_cap
            )

    def _seed(self, numbers: stepping.Whole, seed: int) -> None:
        seeds = [(seed + int(number)) % 2**64 for number in numbers]
        self._progress["seed"][numbers] = np.array(seeds, np.uint64)
        self._progress["episode"][numbers] = -1
        for number, own in zip(numbers, seeds, strict=True):
            self._picks[number] = generator(own ^ PICKS)

    def step(self, actions: npt.ArrayLike, *, checked: bool = False) -> None:
        """Take one decision in every game, then go on to the next decision of a learner.

        `actions` are the engine's integers (`LegalRanges.actions`, `flat_actions`,
        `random_actions`); those of games that are over are ignored. If one is refused, no game
        changes. `checked` says that all are legal: illegal ones would spoil their games.
        Raises RubiconError: `lab/illegal`, `lab/number`.
        """
        self._take(actions)
        with np.errstate(over="ignore"):
            refused = stepping.step_games(
                *self._here(),
                self._actions,
                *self._rules,
                self._memories,
                self._buffer,
                self.round_cap,
                int(self.restart),
                int(checked),
            )
        if refused != NONE:
            raise self._refused(refused)

    def legal(self, *, with_out_of_turn: bool = False) -> LegalRanges:
        """The legal decisions of the deciding seats; with their actions out of turn if wanted."""
        here, aside = (self._games, self._progress, *self._rules), int(with_out_of_turn)
        while True:
            most = list_ranges(*here, self._buffer, aside, self._rows, self._counts)
            if most <= min(self._rows.shape[1], len(self._buffer)):
                return LegalRanges(self._rows[:, :most], self._counts)
            if most > len(self._buffer):
                self._buffer = range_buffer(2 * most)
            room = 1 << (most - 1).bit_length()
            self._rows = np.full((len(self), room, 6), NONE, np.int32)
            self._counts[:] = 0

    def random_actions(self) -> stepping.Whole:
        """A legal decision for every game: each range equally likely, then each of its numbers.

        Drawn from a generator of each game that nothing else uses.
        """
        actions: stepping.Whole = np.zeros(len(self), np.int64)
        here = (self._games, self._progress, self._picks)
        with np.errstate(over="ignore"):
            draw_actions(*here, *self._rules, self._buffer, actions)
        return actions

    def mask(self) -> stepping.Mask:
        """Which flat choices are legal: shape (games, flat.size); written anew by each call."""
        here = (self._games, self._progress, *self._rules)
        flat_masks(*here, self.flat.tables, self._buffer, self._masks)
        return self._masks

    def flat_actions(self, choices: npt.ArrayLike) -> stepping.Whole:
        """The actions for `step` that flat choices mean, one for each game; -1 where none."""
        self._take(choices)
        here = (self._games, self._progress, *self._rules)
        flat_codes(*here, self.flat.tables, self._buffer, self._actions)
        return self._actions.copy()

    def observe(self, seats: npt.ArrayLike | None = None) -> Floats:
        """What a seat of each game sees: shape (games, layout.size); written anew by each call.

        `seats` are seats of learners or bots, -1 for none; the deciding seats if not given.
        """
        given = np.asarray(self.seats if seats is None else seats)
        if given.shape not in ((), (len(self),)) or given.max() >= self.players:
            raise RubiconError(
                "lab/number", f"Seats are below {self.players}: one, or one for each game.", ""
            )
        # A copy: a read-only array would be another signature.
        numbers = np.array(np.broadcast_to(given, (len(self),)), np.int64)
        observe_games(self._games, numbers, *self._rules, self._tables, self._observations)
        return self._observations

    @property
    def start(self) -> Position:
        """The position that games start from; do not write."""
        start: Position = self._games[-stepping.BEHIND]
        return start

    def seed_of(self, number: int) -> int:
        """The seed of a place: that of its game number 0."""
        return int(self._progress["seed"][number])

    def policies_of(self, number: int) -> tuple[int, ...]:
        """By seat of a game, the number of its bot; LEARNER (-1) without one."""
        return tuple(self._progress["policy"][number, : self.players].tolist())

    def game(self, number: int) -> Game:
        """A copy of one game as a `Game`, without its history."""
        return Game.from_position(self.ruleset, self.positions[number])

    def _here(self) -> tuple[stepping.Games, Any, Any, Any]:
        return self._games, self._progress, self._dice, self._luck

    def _take(self, numbers: npt.ArrayLike) -> None:
        given = np.asarray(numbers)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise RubiconError(
                "lab/number",
                f"{len(self)} games need {len(self)} whole numbers, one for each game.",
                "Give what `random_actions` or `LegalRanges.actions` returns.",
            )
        self._actions[:] = given

    def _refused(self, number: int) -> RubiconError:
        """The refusal of the action of a game, in words."""
        game, code = self.game(number), int(self._actions[number])
        seat = game.colours[int(self.seats[number])]
        # An integer with something in parts that its kind does not use is no action, though the
        # action that it resembles may be legal.
        named, reason = "", f"{code} is no action."
        with suppress(ValueError, IndexError, RubiconError):
            action = action_of(code, self._names)
            if code_of(action, self._names) == code:
                named, reason = f": {action}", str(game.refusal(action, seat=seat))
        return RubiconError(
            "lab/illegal",
            f"Game {number} refuses the decision of {seat}{named}. {reason}",
            "No game has changed. `legal` and `mask` say what is possible.",
        )


def _check_whole(name: str, given: object, least: int) -> None:
    if not is_whole(given) or int(given) < least:  # type: ignore[call-overload]
        raise WrongType("lab/number", given, f"a whole number for `{name}`", f"Least: {least}.")
