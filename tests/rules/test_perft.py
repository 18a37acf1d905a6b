"""Perft counts: small ones by hand, larger ones frozen and recounted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubicon.engine.chance import generator
from rubicon.rules.actions import Attack
from rubicon.rules.game import Game
from rubicon.rules.perft import divide, perft
from rubicon.rules.ruleset.ruleset import Ruleset, presets

COUNTS = Path(__file__).parents[1] / "perft" / "counts.json"
SEED = 5


def middle(preset: str, entries: int) -> Game:
    """A position some way into a random game on the small board."""
    game = Game.new(Ruleset.load(preset, board="skerries"))
    rng = generator(SEED)
    for _ in range(entries):
        if game.pending is not None:
            game.settle(game.sample(rng))
        elif not game.over:
            game.play(game.legal.random(rng))
    return game


def test_first_claims_by_hand() -> None:
    """Three seats may begin, then twelve territories are free, then eleven, then ten."""
    game = Game.new(Ruleset.load("classic", board="skerries"), 3)
    assert perft(game, 0) == 3
    assert perft(game, 1) == 3 * 12
    assert perft(game, 2) == 3 * 12 * 11
    assert perft(game, 3) == 3 * 12 * 11 * 10


def test_battle_by_hand() -> None:
    """One attack, by one, two or three dice; the results are counted once each."""
    game = Game.new(Ruleset.load("two-player-50", board="skerries"), 2)
    game.settle("dice 6 1")
    for territory in game.territories:
        game.play(f"claim {territory}")
    while game.phase.name == "PLACE":
        game.play(game.legal[0])
    while game.position.unplaced.any():
        game.play(game.legal[-1])
    shares = divide(game, 1)
    attacks = {str(action): action for action in game.legal if isinstance(action, Attack)}
    assert {"end attack", *attacks} == set(shares)
    assert {action.dice for action in attacks.values()} == {1, 2, 3}
    for text, action in attacks.items():
        against = int(game.position.armies[game.territories.index(action.target)])
        assert shares[text] == min(action.dice or 0, against, 2) + 1, text
    assert sum(shares.values()) == perft(game, 1)


def test_divide_adds_up() -> None:
    game, rng = middle("classic", 60), generator(SEED)
    while game.pending is not None:
        game.settle(game.sample(rng))
    assert sum(divide(game, 2).values()) == perft(game, 2)


@pytest.mark.parametrize("preset", presets())
def test_frozen_counts(preset: str, full: bool) -> None:
    """The counts in `tests/perft/counts.json`; `rubicon perft` prints the same."""
    for entries, by_depth in json.loads(COUNTS.read_text())[preset].items():
        game = middle(preset, int(entries))
        depths = by_depth if full else by_depth[:2]
        assert [perft(game, depth) for depth in range(1, len(depths) + 1)] == depths
