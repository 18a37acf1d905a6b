"""How each seat played: how often it attacked and captured, what it held and broke."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rubicon.engine.records.position import NONE, Chance, Position
from rubicon.players.review.curve import Curve
from rubicon.players.review.reason import sole_owner
from rubicon.rules.game.game import Game


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """Averages over a seat's own turns, and counts over the game.

    `cards` is the mean hand at the beginning of its turns. `continents_broken` are captures within
    a continent that another seat held whole.
    """

    turns: int
    rolls_a_turn: float
    captures_a_turn: float
    cards: float
    continents_broken: int
    eliminations: int


def styles(game: Game, curve: Curve) -> list[PlayingStyle]:
    """The style of each seat."""
    turns = np.zeros(game.size)
    hands = np.zeros(game.size)
    for turn in curve.turns:
        turns[turn.seat] += 1
        hands[turn.seat] += int(game.positions[turn.first].hand[turn.seat])
    rolls, captures, broken, out = (np.zeros(game.size) for _ in range(4))
    positions = (*game.positions, game.position)
    for before, after in pairwise(positions):
        if before.chance != Chance.BATTLE:
            continue
        seat, target = int(before.turn), int(before.attack_target)
        rolls[seat] += 1
        if int(after.armies[target]) == 0 or int(after.owner[target]) == seat:
            captures[seat] += 1
            broken[seat] += breaks_continent(game, before, target)
            out[seat] += int(before.territories[int(before.owner[target])]) == 1
    each = np.maximum(1, turns)
    return [
        PlayingStyle(
            turns=int(turns[seat]),
            rolls_a_turn=float(rolls[seat] / each[seat]),
            captures_a_turn=float(captures[seat] / each[seat]),
            cards=float(hands[seat] / each[seat]),
            continents_broken=int(broken[seat]),
            eliminations=int(out[seat]),
        )
        for seat in range(game.size)
    ]


def breaks_continent(game: Game, before: Position, target: int) -> bool:
    """Whether the capture of a territory takes a continent from the seat that holds it whole."""
    number = int(game.tables.continent[target])
    if number == NONE:
        return False
    continent = game.ruleset.board.continents[number]
    return continent.bonus > 0 and sole_owner(before, continent.territories) is not None
