"""The chance of every seat to win at every moment of a game, and what each roll did to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records import POSITION, SEATS, Chance, Phase, Seat
from rubicon.players.review.judging import judge_moments
from rubicon.rules.game import Game

Chances = npt.NDArray[np.float64]
Moments = npt.NDArray[Any]  # records of dtype POSITION
Kinds = npt.NDArray[np.int64]
Progress = Callable[[float], None]  # is told the share of the work that is done, 0 to 1
CHUNK = 500  # positions between two reports of progress
FEW = 32  # the same for beginnings of turns, of which a game has few

WITHIN, BEGINS = 0, -1  # a turn; else source * 256 + target of a battle under way


class Stopped(StrEnum):
    """How a hosted game ended that no rule has ended."""

    DRAW = "draw"  # its players agreed on a draw
    VOID = "void"  # no one has won: it was closed, continued elsewhere, or left by all


def stopped_as(ending: str | None) -> Stopped | None:
    """What the header `Ending` of a record says; None where the rules have ended the game."""
    result = (ending or "").partition(" ")[0]
    return Stopped(result) if result in tuple(Stopped) else None


@dataclass(frozen=True, slots=True)
class TurnChances:
    """A turn: the history's entries from `first` up to `last`, whose it was, and what it changed.

    `before` and `after` are the chances of all seats at its beginning and at the next one.
    """

    first: int
    last: int
    round: int
    seat: int
    before: Chances
    after: Chances


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances of all seats, 0 to 1: shape (entries + 1, seats), row i before entry i.

    `dice` has for each entry what the dice did: the chances after the roll less their mean over
    all results of it, 0 for decisions. Before the first turn everyone's chance is the same.
    """

    chances: Chances
    dice: Chances
    turns: tuple[TurnChances, ...]


def curve_of(game: Game, progress: Progress, stopped: Stopped | None = None) -> Curve:
    """The curve of a game that was played from its beginning.

    An agreed draw is shared by who still plays. A game that no one has won ends with the chances
    of its last position.
    """
    moments = _moments(game)
    starts = _starts(moments)
    rolled = np.flatnonzero(moments["chance"][:-1] == Chance.BATTLE)
    battles = moments["attack_source"][rolled].astype(np.int64) * 256
    battles += moments["attack_target"][rolled]
    turn_of = np.searchsorted(starts, rolled, side="right")
    kinds = np.full(len(moments), WITHIN)
    for place in range(len(rolled) - 1):
        same = battles[place] == battles[place + 1] and turn_of[place] == turn_of[place + 1]
        if same:  # between two rolls of one battle
            kinds[rolled[place] + 1 : rolled[place + 1]] = battles[place]
    kinds[starts] = BEGINS
    begun = np.flatnonzero((moments["round_number"] > 0) | (moments["phase"] == Phase.OVER))
    judged = _judged(game, moments, kinds, begun, CHUNK, progress)
    if stopped is Stopped.DRAW:
        playing = moments["status"][-1, : game.size] == Seat.PLAYING
        judged[-1] = playing / playing.sum()
    # The last roll of a battle is compared with what could have come of it, as if it went on.
    fell = judged_moments(game, moments[rolled + 1], battles)[:, : game.size]
    dice = np.zeros((len(moments) - 1, game.size))
    dice[rolled] = fell - judged[rolled]
    turns = tuple(_turns(moments, judged, starts))
    return Curve(_faded(game, moments, judged, starts), dice, turns)


def turn_chances(game: Game, progress: Progress = lambda share: None) -> tuple[TurnChances, ...]:
    """The turns of the curve without the moments within them, which take most of its time."""
    moments = _moments(game)
    starts = _starts(moments)
    kinds = np.full(len(moments), WITHIN)
    kinds[starts] = BEGINS
    needed = np.array([*starts, len(moments) - 1])
    return tuple(_turns(moments, _judged(game, moments, kinds, needed, FEW, progress), starts))


def _moments(game: Game) -> Moments:
    """All positions of a game."""
    return np.array([*game.positions, game.position], POSITION)


def _judged(
    game: Game, moments: Moments, kinds: Kinds, needed: Kinds, chunk: int, progress: Progress
) -> Chances:
    """The chances by moment, of those whose numbers are `needed`; in others all are the same."""
    found = np.full((len(moments), SEATS), 1.0 / game.size)
    for place in range(0, len(needed), chunk):
        some = needed[place : place + chunk]
        found[some] = judged_moments(game, moments[some], kinds[some])
        progress(min(1.0, (place + chunk) / len(needed)))
    return found[:, : game.size]


def judged_moments(game: Game, moments: Moments, kinds: Kinds) -> Chances:
    """The chances in each of some positions of a game: shape (positions, 6)."""
    chances = np.zeros((len(moments), SEATS))
    judge_moments(moments, game.rules, game.tables, kinds, chances)
    return chances


def _starts(moments: Moments) -> list[int]:
    """Where turns begin; one that a stopped game ends with is no turn."""
    starts, known = [], (0, 0)
    for number, (round_number, turn, phase) in enumerate(
        zip(
            moments["round_number"].tolist(),
            moments["turn"].tolist(),
            moments["phase"].tolist(),
            strict=True,
        )
    ):
        if round_number > 0 and (round_number, turn) != known and phase != Phase.OVER:
            known = round_number, turn
            starts.append(number)
    return [start for start in starts if start < len(moments) - 1]


def _turns(moments: Moments, judged: Chances, starts: list[int]) -> list[TurnChances]:
    ends = [*starts[1:], len(moments) - 1]
    return [
        TurnChances(
            first=first,
            last=last,
            round=int(moments["round_number"][first]),
            seat=int(moments["turn"][first]),
            before=judged[first],
            after=judged[last],
        )
        for first, last in zip(starts, ends, strict=False)
    ]


def _faded(game: Game, moments: Moments, judged: Chances, starts: list[int]) -> Chances:
    """Within a turn, what its beginning is worth beyond its quiet end fades out.

    Otherwise the curve would fall at the beginning of each turn: a position within a turn is judged
    as if the seat attacked no more.
    """
    shown = judged.copy()
    if starts:
        quiet = judged_moments(game, moments[starts], np.full(len(starts), WITHIN))
        ends = [*starts[1:], len(moments) - 1]
        for first, last, at_rest in zip(starts, ends, quiet[:, : game.size], strict=False):
            fading = 1.0 - np.arange(1, last - first) / max(1, last - first)
            shown[first + 1 : last] += np.outer(fading, judged[first] - at_rest)
    shown = np.clip(shown, 0.0, 1.0)
    total: Chances = shown / shown.sum(axis=1, keepdims=True)
    return total
