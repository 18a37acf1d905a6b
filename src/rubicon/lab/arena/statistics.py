"""What the blocks of a match say about each player, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match

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
    mean_rank: float  # from 1; behind the winner, the last to leave first
    unfinished: float  # share of the games that were cut off
    mean_decision_ms: float  # processor time of a compiled bot, else time by the clock
    worst_decision_ms: float
    seat_shares: tuple[float, ...]  # by seat, the share of games won there


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
    return [_result(match, blocks, name) for name in match.names] if blocks else []


def _result(match: Match, blocks: Sequence[Block], name: str) -> PlayerResult:
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
    )
