"""Games at a chosen moment, for tests of what is shown of them."""

from __future__ import annotations

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset


def played(preset: str, steps: int, *, seed: int = 1, players: int = 3) -> Game:
    """A game after so many random decisions."""
    game = Game.new(Ruleset.load(preset, board="world"), players)
    rng = generator(seed)
    while steps and not game.over:
        if game.awaits_chance:
            game.settle(game.sample(rng))
            continue
        game.play(game.legal.random(rng))
        steps -= 1
    return game


def at_phase(preset: str, phase: Phase, *, seed: int = 1, players: int = 3) -> Game:
    """A random game, at the first decision of a phase."""
    game = Game.new(Ruleset.load(preset, board="world"), players)
    rng = generator(seed)
    while game.phase != phase or game.awaits_chance:
        assert not game.over
        if game.awaits_chance:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
    return game
