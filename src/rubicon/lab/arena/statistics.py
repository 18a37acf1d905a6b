"""What the blocks of a match say: win shares and ratings with intervals, and tests of one
player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
import numpy.typing as npt

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match, check_player

# Ratings of players over the blocks of one match or of many, with 95 % intervals.
#
# The model is that of Plackett and Luce for who comes first: a player of strength s wins with
# chance s / (sum of the strengths at the board) (Luce 1959). Strengths are those of the greatest
# likelihood over all games together, so the order of games does not matter. Second and later
# places are left out: who stays small and lives long would be rated above what it wins. The
# intervals are of the sandwich estimator, clustered by block (Huber 1967, White 1980): the games
# of a block share a deal.

MEAN = 1500.0  # of the players that are rated together
POINTS = 400 / log(10)  # as in chess: 400 points are ten wins to one
WIDE = 4.0  # standard deviation of a strength's logarithm before any game: 700 points
STEPS = 50  # of Newton's method; it needs about ten
NORMAL_95 = 1.959964
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's rating; a difference of 400 points is ten wins to one."""

    name: str
    rating: float
    low: float  # ends of the 95 % interval
    high: float
    games: int  # that were played to their end


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """A match as it counts: who sits at the board, and who won in each block."""

    seats: Floats  # by player, how many seats are its
    wins: Floats  # by block and player
    games: Floats  # by block, those that were won; one that was cut off says nothing

    def chances(self, strengths: Floats) -> Floats:
        """By player, the chance to win in this field."""
        weights: Floats = self.seats * np.exp(strengths - strengths.max())
        chances: Floats = weights / weights.sum()
        return chances


def ratings(played: Sequence[tuple[Match, Sequence[Block]]]) -> list[Rating]:
    """The ratings of all players of some matches, the strongest first.

    Raises RubiconError: `arena/other-rules` where they are played by different rules, and
    `arena/not-linked` where no chain of matches leads from one player to another, so that nothing
    compares them.
    """
    _check_rules([match for match, _ in played])
    names = list(dict.fromkeys(name for match, _ in played for name in match.names))
    _check_links(names, [match for match, _ in played])
    fields = [_field(names, match, blocks) for match, blocks in played]
    strengths = _strengths(len(names), fields)
    spread = np.sqrt(np.diag(_covariance(strengths, fields))) * POINTS * NORMAL_95
    middle = MEAN + POINTS * (strengths - strengths.mean())
    games = sum(field.games.sum() * (field.seats > 0) for field in fields)
    made = [
        Rating(
            name=name,
            rating=round(float(middle[one]), 1),
            low=round(float(middle[one] - spread[one]), 1),
            high=round(float(middle[one] + spread[one]), 1),
            games=round(float(np.asarray(games)[one])),
        )
        for one, name in enumerate(names)
    ]
    return sorted(made, key=lambda one: -one.rating)


def _check_rules(matches: Sequence[Match]) -> None:
    rules = [(match.preset, frozenset(match.options), match.board) for match in matches]
    if len(set(rules)) > 1:
        raise RubiconError(
            "arena/other-rules",
            "The matches are played by different rules, and a rating is of one game.",
            "Name folders of matches with the same ruleset, options and board.",
        )


def _check_links(names: Sequence[str], matches: Sequence[Match]) -> None:
    linked, waiting = {names[0]}, list(matches)
    while near := [match for match in waiting if linked & set(match.names)]:
        linked.update(name for match in near for name in match.names)
        waiting = [match for match in waiting if match not in near]
    apart = [name for name in names if name not in linked]
    if apart:
        raise RubiconError(
            "arena/not-linked",
            f"No match links {apart[0]!r} with {names[0]!r}, so nothing compares them.",
            "Play a match between players of both groups.",
        )


def _field(names: Sequence[str], match: Match, blocks: Sequence[Block]) -> _Field:
    mine = np.array([[one == name for name in names] for one in match.players], np.float64)
    shares = [np.sum([game.shares for game in block.games], axis=0) for block in blocks]
    wins = np.reshape(shares, (len(blocks), len(match.players))) @ mine
    return _Field(seats=mine.sum(axis=0), wins=wins, games=wins.sum(axis=1))


def _information(strengths: Floats, fields: Sequence[_Field]) -> Floats:
    """The matrix of second derivatives, sign changed; the width before any game is part of it."""
    found = np.eye(len(strengths)) / WIDE**2
    for field in fields:
        chances = field.chances(strengths)
        found += field.games.sum() * (np.diag(chances) - np.outer(chances, chances))
    return found


def _strengths(size: int, fields: Sequence[_Field]) -> Floats:
    """The logarithms of the strengths, by Newton's method with steps of at most one."""
    strengths = np.zeros(size)
    for _ in range(STEPS):
        slope = -strengths / WIDE**2
        for field in fields:
            slope += field.wins.sum(axis=0) - field.games.sum() * field.chances(strengths)
        step = np.linalg.solve(_information(strengths, fields), slope)
        strengths = strengths + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return strengths


def _covariance(strengths: Floats, fields: Sequence[_Field]) -> Floats:
    """Of the strengths less their mean. What is known before any game counts as one more block."""
    size = len(strengths)
    inverse = np.linalg.inv(_information(strengths, fields))
    inner = np.eye(size) / WIDE**2
    for field in fields:
        slopes = field.wins - np.outer(field.games, field.chances(strengths))
        inner += slopes.T @ slopes
    centred = np.eye(size) - 1 / size
    made: Floats = centred @ inverse @ inner @ inverse @ centred
    return made


# Win shares and their intervals, player by player.

DRAWS = 2000  # of the bootstrap
AT_ONCE = 100  # of them in memory
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResult:
    """How a player did. Where a name has several seats, all figures are of one such player."""

    name: str
    games: int
    win_share: float
    low: float  # ends of the 95 % interval
    high: float
    mean_rank: float  # from 1; after the winner, the last to leave first
    unfinished: float  # share of the games that were cut off
    mean_decision_ms: float  # processor time of a compiled bot, else time by the clock
    worst_decision_ms: float
    seat_shares: tuple[float, ...]  # by seat, the share of games won there
    rating: float  # as `lab.arena.ratings` says, of the players of this match
    rating_low: float  # ends of the 95 % interval
    rating_high: float


def interval(shares: npt.ArrayLike, level: float = 0.95) -> tuple[float, float, float]:
    """The mean over blocks, and the ends of its bootstrap interval; the same for equal shares."""
    given = np.asarray(shares, np.float64)
    rng = np.random.default_rng(1)
    size = (AT_ONCE, len(given))
    draws = range(DRAWS // AT_ONCE)
    means = [given[rng.integers(len(given), size=size)].mean(axis=1) for _ in draws]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(given.mean()), float(low), float(high)


def block_shares(blocks: Sequence[Block], places: Sequence[int]) -> Shares:
    """By block, the mean share of one of the players in `places`."""
    wanted = list(places)
    return np.array(
        [np.mean([[game.shares[p] for p in wanted] for game in block.games]) for block in blocks]
    )


def player_results(match: Match, blocks: Sequence[Block]) -> list[PlayerResult]:
    """The results of all different players; [] without blocks."""
    if not blocks:
        return []
    rated = {one.name: one for one in ratings([(match, blocks)])}
    return [_result(match, blocks, rated[name]) for name in match.names]


def _result(match: Match, blocks: Sequence[Block], rated: Rating) -> PlayerResult:
    name = rated.name
    places = [place for place, one in enumerate(match.players) if one == name]
    games = [game for block in blocks for game in block.games]
    share, low, high = interval(block_shares(blocks, places))
    seats: list[list[float]] = [[] for _ in match.players]
    for game in games:
        for place in places:
            seats[game.seats[place]].append(game.shares[place])
    decisions = sum(game.decisions[p] for game in games for p in places)
    spent = sum(game.microseconds[p] for game in games for p in places)
    return PlayerResult(
        name=name,
        games=len(games),
        win_share=round(share, 4),
        low=round(low, 4),
        high=round(high, 4),
        mean_rank=round(float(np.mean([game.ranks[p] for game in games for p in places])), 3),
        unfinished=round(sum(not game.finished for game in games) / len(games), 4),
        mean_decision_ms=round(spent / max(1, decisions) / 1000, 5),
        worst_decision_ms=max(game.worst[p] for game in games for p in places) / 1000,
        seat_shares=tuple(round(float(np.mean(one)), 4) for one in seats),
        rating=rated.rating,
        rating_low=rated.low,
        rating_high=rated.high,
    )


# A sequential test of one player's win share: whether it is fair, or better by `gain`.
#
# The log-likelihood ratio is that of normal means with the variance of the blocks, as in Wald's
# sequential probability ratio test (Wald 1945).

LEAST_BLOCKS = 20  # before a variance is believed


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """H0: the share is `fair`. H1: it is `fair + gain`.

    `alpha` is the chance to accept H1 where H0 is true, `beta` to accept H0 where H1 is.
    """

    fair: float
    gain: float
    alpha: float = 0.05
    beta: float = 0.05

    def ratio(self, shares: npt.ArrayLike) -> float:
        """The log-likelihood ratio of H1 to H0 after blocks with these shares."""
        given = np.asarray(shares, np.float64) - self.fair
        if len(given) < 2:
            return 0.0
        # One win more keeps the variance from 0 where all blocks are alike.
        variance = float(given.var()) + 1 / len(given) ** 2
        return self.gain * float(given.sum() - len(given) * self.gain / 2) / variance

    def verdict(self, shares: npt.ArrayLike) -> str:
        """`H1`, `H0`, or "" while more blocks are needed."""
        if len(np.asarray(shares)) < LEAST_BLOCKS:
            return ""
        ratio = self.ratio(shares)
        if ratio >= log((1 - self.beta) / self.alpha):
            return "H1"
        return "H0" if ratio <= log(self.beta / (1 - self.alpha)) else ""


# Two versions of a player in the same blocks: the same deals, seats, dice and other players.
#
# What luck the two share falls out of the difference of their shares, block by block, so that it
# takes fewer blocks to tell them apart than two matches of their own. The sequential test of the
# differences is a generalized one (GSPRT): their variance is not known, and is estimated from the
# blocks so far (Li, Liu and Ying 2014; chess programs are tested in the same way).

GAIN = 0.05  # of the share of games won, unless told otherwise


def with_other_version(match: Match, other: str) -> Match:
    """The match with another player in the seats of the first. RubiconError: `player/unknown`."""
    check_player(other)
    first = match.players[0]
    return replace(match, players=tuple(other if one == first else one for one in match.players))


def first_places(match: Match) -> list[int]:
    """The places of the player that was named first."""
    return [place for place, name in enumerate(match.players) if name == match.players[0]]


def differences(match: Match, new: Sequence[Block], old: Sequence[Block]) -> Shares:
    """By block that both have played, how much more the first player wins than its other version.

    `match` is the one that `new` belongs to.
    """
    both, places = min(len(new), len(old)), first_places(match)
    return block_shares(new[:both], places) - block_shares(old[:both], places)


def versions_test(gain: float, alpha: float, beta: float) -> SequentialTest:
    """H0: the versions win equally often. H1: the new one's share is greater by `gain`."""
    return SequentialTest(fair=0.0, gain=gain, alpha=alpha, beta=beta)


# One match, or one match with two versions of a player: its blocks so far, and its test.


@dataclass(slots=True, kw_only=True)
class Contest:
    """One match, or the same match with two versions of its first player; the new one first."""

    matches: Sequence[Match]
    wanted: int  # blocks of each match
    test: SequentialTest | None
    blocks: list[list[Block]]  # by match, those that are played

    def shares(self) -> Shares:
        """By block, the first player's share of games won, or the difference of its versions."""
        match = self.matches[0]
        if len(self.matches) == 2:
            return differences(match, *self.blocks)
        return block_shares(self.blocks[0], first_places(match))

    def verdict(self) -> str:
        """What the test says so far: `H1`, `H0`, or "" while it is undecided or there is none."""
        return self.test.verdict(self.shares()) if self.test else ""

    def missing(self) -> Iterator[tuple[int, int]]:
        """The blocks that were missing at the call, as match and number, in order of numbers."""
        return _missing([len(blocks) for blocks in self.blocks], self.wanted)


def _missing(played: Sequence[int], wanted: int) -> Iterator[tuple[int, int]]:
    for number in range(min(played), wanted):
        yield from ((one, number) for one, first in enumerate(played) if number >= first)
