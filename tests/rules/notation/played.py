"""Games played at random, to have positions and records of every kind."""

from functools import cache
from typing import Any

import numpy as np

from rubicon.engine.chance import generator
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

PRESETS = (
    ("classic", 3),
    ("secret-mission", 4),
    ("two-player", 2),
    ("email", 4),
    ("basic", 3),
    ("revised", 4),
    ("capital", 3),
)


def go_on(game: Game, entries: int, seed: int) -> Game:
    """Play at random until there are so many entries more."""
    rng = generator(seed)
    for _ in range(entries):
        if game.over:
            break
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
    return game


@cache
def _played(preset: str, players: int, entries: int, seed: int) -> Game:
    return go_on(Game.new(Ruleset.load(preset), players), entries, seed)


def played(preset: str, players: int = 3, entries: int = 300, seed: int = 1) -> Game:
    """A game that has been played at random, the same every time."""
    return _played(preset, players, entries, seed).copy()


def positions_of(game: Game) -> list[Any]:
    """Every position that a game went through."""
    past = game.start
    again = Game.from_position(game.ruleset, past)
    positions = [past]
    for entry in game.history:
        if again.pending is None:
            again.play(entry)  # type: ignore[arg-type]
        else:
            again.settle(entry)  # type: ignore[arg-type]
        positions.append(again.position.copy())
    return positions


def picture(position: Any) -> bytes:
    """The bytes of a position."""
    return np.asarray(position).tobytes()
