"""How one game of a match ended, by the players' places in the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubicon.engine.records.position import DRAWN, Phase, Position, Seat
from rubicon.lab.arena.keyed_play import Tally, TallyColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaResult:
    """The result of a game; every list is by the players' places in the match."""

    finished: bool
    rounds: int
    seats: tuple[int, ...]  # where each sat
    shares: tuple[float, ...]  # of the win; a draw is shared, a game cut off counts 0
    ranks: tuple[float, ...]  # from 1; equals share their ranks
    decisions: tuple[int, ...]
    microseconds: tuple[int, ...]  # of processor time in all decisions
    worst: tuple[int, ...]  # microseconds of the longest decision


def result_of(position: Position, tally: Tally, seating: Sequence[int]) -> ArenaResult:
    """The result of a game at its end; `seating` has by seat the place of who sits there."""
    seats = [0] * len(seating)
    for seat, place in enumerate(seating):
        seats[place] = seat
    shares, ranks = win_shares(position), finishing_ranks(position, tally)

    def column(which: TallyColumn) -> tuple[int, ...]:
        return tuple(int(tally[seat, which]) for seat in seats)

    return ArenaResult(
        finished=bool(position.phase == Phase.OVER),
        rounds=int(position.round_number),
        seats=tuple(seats),
        shares=tuple(shares[seat] for seat in seats),
        ranks=tuple(ranks[seat] for seat in seats),
        decisions=column(TallyColumn.DECISIONS),
        microseconds=column(TallyColumn.MICROSECONDS),
        worst=column(TallyColumn.WORST),
    )


def win_shares(position: Position) -> list[float]:
    """By seat, 1 for the winner; a draw is shared by the seats that still play."""
    size = int(position.seats)
    if position.phase != Phase.OVER:
        return [0.0] * size
    if position.winner == DRAWN:
        playing = [int(position.status[seat] == Seat.PLAYING) for seat in range(size)]
        return [one / max(1, sum(playing)) for one in playing]
    return [float(position.winner == seat) for seat in range(size)]


def finishing_ranks(position: Position, tally: Tally) -> list[float]:
    """By seat: the winner first, then who still plays by territories and armies.

    Behind them stand those who left, the last to leave first.
    """
    size = int(position.seats)
    over = position.phase == Phase.OVER
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
