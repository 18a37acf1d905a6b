"""The turns of a game that was played: where each begins, and how the seats stood then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rubicon.engine.records.position import TERRITORIES, Phase, Position, Seat
from rubicon.rules.game.game import Game
from rubicon.rules.game.income import income


@dataclass(frozen=True, slots=True)
class SeatStrength:
    """How a seat stands: territories and armies on the board, and the armies of its next turn."""

    territories: int
    armies: int
    income: int


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A turn: the number of the history's entry that began it, and the strength of each colour.

    `number` counts turns from 1. The last one is the end of the game, where it is over.
    """

    entry: int
    number: int
    round: int
    seat: str
    strength: dict[str, SeatStrength]


def turn_starts(game: Game) -> Iterator[TurnStart]:
    """The turns of a game in its history, and its end."""
    number, known = 0, (0, -1)
    for entry, position in enumerate((*game.positions[1:], game.position)):
        over = position.phase == Phase.OVER
        turn = int(position.round_number), int(position.turn)
        if position.round_number and (turn != known or over):
            known = turn
            number += not over
            yield TurnStart(
                entry, number, turn[0], game.colours[turn[1]], strengths(game, position)
            )


def strengths(game: Game, position: Position) -> dict[str, SeatStrength]:
    """How each colour stands in a position of the game."""
    return {colour: _strength(game, position, s) for s, colour in enumerate(game.colours)}


def _strength(game: Game, position: Position, seat: int) -> SeatStrength:
    playing = position.status[seat] == Seat.PLAYING
    return SeatStrength(
        territories=int(position.territories[seat]),
        armies=int(position.armies[position.owner[:TERRITORIES] == seat].sum()),
        income=income(game.ruleset, position, seat).total if playing else 0,
    )
