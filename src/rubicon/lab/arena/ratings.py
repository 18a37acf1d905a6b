"""Ratings of players over the blocks of one match or of many, with 95 % intervals.

The model is that of Plackett and Luce for who comes first: a player of strength s wins with chance
s / (sum of the strengths at the board) (Luce 1959). Strengths are those of the greatest likelihood
over all games together, so the order of games does not matter. Second and later places are left
out: who stays small and lives long would be rated above what it wins. The intervals are of the
sandwich estimator, clustered by block (Huber 1967, White 1980): the games of a block share a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match

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
