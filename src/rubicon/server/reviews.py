"""Reviews of finished games: moments, positions, luck, curves and chances of winning."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from rubicon.odds.luck import BattleRoll, FacesTest, Luck, battle_rolls_of, faces_test, luck_of
from rubicon.players.review.curve import stopped_as
from rubicon.players.review.form import ChancesForm, WinningReviewForm, chances_at, review_form
from rubicon.players.review.game_review import review_of
from rubicon.players.warmup import warm_to_play
from rubicon.rules.situation import TurnStart, turn_starts
from rubicon.server.key_moments import KeyMoments, key_moments
from rubicon.server.work import Busy, SeatGame, WorkError, WorkProcess, read_only_store
from rubicon.table.admin.review import GameReview, Moment, reviewed

# The forms of a review are sent as they are, by a layer that does not know players.
__all__ = ["ChancesForm", "WinningReviewForm"]

# Computed in the work process: moments, positions, luck, curves.

CACHED_LUCK = 1_000  # seats: a game that is over does not change
CACHED = 4  # games: a person who looks at one asks for many of its moments
ROLL_COLUMNS = (
    "index", "round", "attacker", "defender", "source", "target", "attack_dice", "defence_dice",
    "winners", "attacker_lost", "defender_lost", "expected_attacker_lost", "expected_defender_lost",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MomentPosition:
    """The position after a moment, with everything open; the moment is None for the beginning."""

    moment: Moment | None
    position: SeatGame


@dataclass(frozen=True, slots=True)
class GameLuck:
    """The luck of each colour, and all dice of the game against fair ones."""

    seats: dict[str, Luck]
    faces: FacesTest


@dataclass(frozen=True, slots=True)
class RollRow:
    """One roll of a battle; dice as they fell, bonus dice last. The columns of the CSV file."""

    index: int
    round: int
    attacker: str
    defender: str
    source: str
    target: str
    attack_dice: tuple[int, ...]
    defence_dice: tuple[int, ...]
    winners: tuple[str, ...]  # of each pair of dice, as in the event `rolled`
    attacker_lost: int
    defender_lost: int
    expected_attacker_lost: float
    expected_defender_lost: float


def check_over(url: str, game: str) -> None:
    """NoSuchGame, or TableError `review/not-yet` for a game that goes on."""
    _review(url, game)


def moments(url: str, game: str, after: int, limit: int) -> tuple[Moment, ...]:
    """The moments of a game after a log index."""
    return _review(url, game).moments(after, limit)


def position_at(url: str, game: str, index: int) -> MomentPosition:
    """The position of a game after a log index."""
    review = _review(url, game)
    number = review.number_at(index)
    before = review.lines[number - 1].index - 1 if number else 0
    moment = review.moments(before, 1)[0] if number else None
    shown = SeatGame.openly(review.game, review.position_after(number))
    return MomentPosition(moment, shown)


def game_luck(url: str, game: str) -> GameLuck:
    """The luck of a game."""
    rolls = _rolls(url, game)
    return GameLuck(luck_of(_review(url, game).game, rolls), faces_test(rolls))


@lru_cache(maxsize=CACHED_LUCK)
def seat_luck(url: str, game: str, colour: str) -> Luck:
    """The luck of one seat of a game."""
    rolls = battle_rolls_of(_review(url, game).game)
    own = (one for one in rolls if colour in (one.rolled.attacker, one.rolled.defender))
    return luck_of(_review(url, game).game, own)[colour]


def roll_rows(url: str, game: str, after: int, limit: int) -> list[RollRow]:
    """The rolls of a game after a log index."""
    review = _review(url, game)
    rows = (_row(review, one) for one in _rolls(url, game))
    return [row for row in rows if row.index > after][:limit]


def rolls_csv(url: str, game: str) -> str:
    """All rolls of a game as a table with a heading (RFC 4180)."""
    review, written = _review(url, game), io.StringIO()
    table = csv.writer(written)
    table.writerow(ROLL_COLUMNS)
    for one in _rolls(url, game):
        row = _row(review, one)
        table.writerow([_cell(getattr(row, name)) for name in ROLL_COLUMNS])
    return written.getvalue()


def turns(url: str, game: str) -> list[tuple[int, TurnStart]]:
    """The turns of a game, each with the log index at which it begins."""
    review = _review(url, game)
    return [(review.lines[turn.entry].index, turn) for turn in turn_starts(review.game)]


def key_moments_of(url: str, game: str) -> tuple[KeyMoments, list[tuple[int, int]]]:
    """The key moments of a game, and the log index and round of each entry of its history."""
    review = _review(url, game)
    found = key_moments(review.game, list(turn_starts(review.game)), _rolls(url, game))
    after = (*review.game.positions[1:], review.game.position)
    lines = zip(review.lines, after, strict=True)
    return found, [(line.index, int(position.round_number)) for line, position in lines]


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return round(value, 6) if isinstance(value, float) else value


def _row(review: GameReview, one: BattleRoll) -> RollRow:
    event, before = one.rolled, review.game.positions[one.number]
    return RollRow(
        index=review.lines[one.number].index,
        round=int(before.round_number),
        attacker=event.attacker,
        defender=event.defender,
        source=event.source,
        target=event.target,
        attack_dice=() if event.roll is None else event.roll.attack,
        defence_dice=() if event.roll is None else event.roll.defence,
        winners=event.winners,
        attacker_lost=event.attacker_lost,
        defender_lost=event.defender_lost,
        expected_attacker_lost=one.expected_attacker_lost,
        expected_defender_lost=one.expected_defender_lost,
    )


@lru_cache(maxsize=CACHED)
def _review(url: str, game: str) -> GameReview:
    return read_only_store(url).read(partial(reviewed, game=game))


@lru_cache(maxsize=CACHED)
def _rolls(url: str, game: str) -> Sequence[BattleRoll]:
    return tuple(battle_rolls_of(_review(url, game).game))


# A review, ready to be sent: computed in the process of the reviews.

BEHIND = 10  # how much less urgent than the moves of games


@dataclass(frozen=True, slots=True)
class ReadyReview:
    """A review, and the chances of all seats by log index: shape (entries, seats)."""

    form: WinningReviewForm
    colours: tuple[str, ...]
    indices: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float32]

    def chances_after(self, after: int, limit: int) -> list[ChancesForm]:
        """The chances after a log index, at most so many."""
        first = int(np.searchsorted(self.indices, after, side="right"))
        places = range(first, min(first + limit, len(self.indices)))
        return [
            chances_at(self.colours, self.chances[place], int(self.indices[place]))
            for place in places
        ]


def ready_review(url: str, game: str) -> ReadyReview:
    """The review of a finished game of the database at `url`; errors as `reviewed` raises them."""
    if hasattr(os, "nice"):
        # `nice` adds up, and this process makes one review after the other.
        os.nice(max(0, BEHIND - os.nice(0)))
    warm_to_play()
    found = read_only_store(url).read(partial(reviewed, game=game))
    stopped = None if found.game.over else stopped_as(found.ending)
    review = review_of(found.game, stopped=stopped)
    indices = [line.index for line in found.lines]
    form = review_form(found.game, review, lambda entry: indices[entry] if entry >= 0 else 0)
    return ReadyReview(
        form=form,
        colours=found.game.colours,
        indices=np.array(indices, np.int64),
        chances=review.curve.chances[1:].astype(np.float32),
    )


# Reviews of finished games, made one after the other in their own process, and kept.
#
# A review takes seconds: the client learns immediately whether it is ready, and asks again.

REVIEW_SECONDS = 300.0  # for one review; without compiled code it begins with minutes for that
KEPT = 64  # reviews: a finished game does not change
MOST_EACH = 2  # reviews that one account waits for
MOST = 16  # that all wait for

Make = Callable[[str, str], ReadyReview]


class WinningReviews:
    """The reviews of one server; for use on the event loop's thread.

    `asker` is the account's id, or the address of a client that is not signed in.
    """

    def __init__(
        self, url: str, make: Make = ready_review, seconds: float = REVIEW_SECONDS
    ) -> None:
        self._url = url
        self._make = make
        self._seconds = seconds
        self._process = WorkProcess()
        self._pool = ThreadPoolExecutor(1, "reviews")
        self._ready: LRUCache[str, ReadyReview] = LRUCache(KEPT)
        self._made: dict[str, tuple[str, Future[ReadyReview]]] = {}  # by game, with who asked

    def known(self, game: str) -> bool:
        """Whether the review is ready or being made."""
        return game in self._ready or game in self._made

    def ask(self, asker: str, game: str) -> ReadyReview | None:
        """The review of a finished game; None while it is being made, which this call begins.

        Raises what making it raised; WorkError `work/busy`, `work/overloaded` where too many are
        being made.
        """
        self._keep_finished(game)
        ready = self._ready.get(game)
        if ready is not None or game in self._made:
            return ready
        waiting = [each for each, future in self._made.values() if not future.done()]
        if waiting.count(asker) >= MOST_EACH:
            raise busy()
        if len(waiting) >= MOST:
            raise overloaded()
        self._made[game] = asker, self._pool.submit(self._call, game)
        return None

    @property
    def pending(self) -> int:
        """How many reviews are being made or wait for it."""
        return sum(not future.done() for _, future in self._made.values())

    def close(self) -> None:
        """Stop the work."""
        self._process.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _call(self, game: str) -> ReadyReview:
        return self._process.call(self._seconds, self._make, self._url, game)

    def _keep_finished(self, asked: str) -> None:
        """Keep the reviews that are ready; the error of the one that is asked for is raised."""
        done = [game for game, (_, future) in self._made.items() if future.done()]
        failed: BaseException | None = None
        for game in done:
            future = self._made.pop(game)[1]
            error = future.exception()
            if error is None:
                self._ready[game] = future.result()
            elif game == asked:
                failed = error
        if failed is not None:
            raise failed


def busy() -> Busy:
    """The error for an account that waits for too many reviews."""
    message = f"{MOST_EACH} reviews that you asked for are not ready yet."
    return Busy("work/busy", message, "Wait for them, then ask again.")


def overloaded() -> WorkError:
    """The error while too many people wait for reviews."""
    message = "Too many people wait for reviews at the moment."
    return WorkError("work/overloaded", message, "Try again in a minute.")
