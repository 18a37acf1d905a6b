"""Chances near the limit of rounds, where most territories win."""

from __future__ import annotations

import numpy as np
import pytest

from research.calibration import calibration, predictions
from rubicon.engine.records import POSITION
from rubicon.players.review.curve import BEGINS, Curve, curve_of, judged_moments
from rubicon.players.seating import seated
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.played import play_on

LIMIT = "game.round_limit"
DRAWN = {LIMIT: 6, "game.limit_winner": "draw"}


def limited_game(**options: object) -> Game:
    """A game of three bots on a small board, played to the end of its rounds."""
    ruleset = Ruleset.load("classic", options, board="skerries")
    game = Game.new(ruleset, 3)
    names = zip(game.colours, ("turtle", "farmer", "turtle"), strict=True)
    play_on(game, {one: seated(name, one, seed=2) for one, name in names}, seed=2, cap=60)
    return game


def curve(game: Game) -> Curve:
    return curve_of(game, lambda share: None)


def begins(game: Game, rounds: dict[str, object]) -> list[float]:
    """The chances at the beginning of the game's last turn, under another limit of rounds."""
    other = Game.new(Ruleset.load("classic", rounds, board="skerries"), game.size)
    position = game.positions[curve(game).turns[-1].first]
    moments = np.array([position], POSITION)
    chances: list[float] = judged_moments(other, moments, np.array([BEGINS]))[0].tolist()
    return chances[: game.size]


def test_who_has_most_territories_at_the_limit_has_won() -> None:
    game = limited_game(**{LIMIT: 6})
    assert game.over
    assert game.position.round_number == 7
    held = game.position.territories[:3].tolist()
    assert max(held) < len(game.territories)
    assert curve(game).chances[-1].tolist() == [float(one == max(held)) for one in held]


def test_a_game_that_is_drawn_at_its_limit_is_shared() -> None:
    game = limited_game(**DRAWN)
    assert game.over
    assert game.winner is None
    assert curve(game).chances[-1] == pytest.approx([1 / 3] * 3)


def test_the_nearer_the_limit_the_better_for_who_has_most_territories() -> None:
    game = limited_game(**{LIMIT: 6})
    position = game.positions[curve(game).turns[-1].first]
    leader = int(np.argmax(position.territories[:3]))
    free, *nearer = (begins(game, {LIMIT: rounds})[leader] for rounds in (0, 30, 12, 8, 6))
    assert nearer == sorted(nearer)
    assert nearer[-1] > free + 0.2
    assert sum(begins(game, {LIMIT: 6})) == pytest.approx(1.0)


def test_a_limit_far_away_changes_little() -> None:
    game = limited_game(**{LIMIT: 6})
    assert begins(game, {LIMIT: 2000}) == pytest.approx(begins(game, {LIMIT: 0}), abs=0.02)


def test_a_draw_at_the_limit_is_left_to_the_model() -> None:
    game = limited_game(**{LIMIT: 6})
    assert begins(game, DRAWN) == begins(game, {LIMIT: 0})


def test_chances_under_a_limit_come_true() -> None:
    """Over few games; `benchmarks/review.py` plays more. Without the limit the error is larger."""
    ruleset = Ruleset.load("classic", {LIMIT: 4})
    assert calibration(predictions(ruleset, 4, 40, seed=5))["brier"] < 0.14
