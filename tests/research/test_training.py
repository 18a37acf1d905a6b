"""The command that trains the planner's value model."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from research import fitting
from research.fitting import BATCH, Examples, calibration, fit, losses, new_model
from research.playing import KINDS, bots_of, play_parts
from research.value_model import main
from rubicon.players.planner.value import load_weights
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset


def examples_of(count: int, seats: int, features: int) -> Examples:
    """The seat with the highest first feature wins."""
    rng = np.random.default_rng(3)
    rows = rng.random((count, 6, features)).astype(np.float16)
    playing = np.zeros((count, 6), np.int8)
    playing[:, :seats] = 1
    rows[:, seats:] = 0
    winner = rows[:, :, 0].argmax(1).astype(np.int8)
    return Examples(rows, playing, np.zeros_like(playing), winner, np.arange(count))


def test_the_gradient_is_that_of_the_loss() -> None:
    some = examples_of(5, 4, 7)
    rows, playing = some.rows.astype(np.float64), some.playing.astype(np.float64)
    model = {name: value.astype(np.float64) for name, value in new_model(7, 1).items()}
    wins, strengths = np.eye(6)[some.winner], np.linspace(-1, 1, 30).reshape(5, 6)
    slopes = fitting.gradient(model, rows, playing, wins, strengths)

    def loss() -> Any:
        chances = fitting.forward(model, rows, playing, strengths)[0]
        return -np.log(chances[np.arange(5), some.winner]).mean()

    for name, place in (("first", (2, 3)), ("second", (5, 1)), ("second", (70, 2)), ("last", (4,))):
        kept = model[name][place]
        model[name][place] = kept + 1e-5
        above = loss()
        model[name][place] = kept - 1e-5
        measured = (above - loss()) / 2e-5
        model[name][place] = kept
        assert slopes[name][place] == pytest.approx(measured, abs=1e-6)


def test_a_fit_learns_who_wins() -> None:
    examples = examples_of(2 * BATCH, 4, 5)
    chances = fitting.chances_of(fit(examples, 40, seed=1, rate=1e-2), examples)
    assert losses(chances, examples.winner) < 0.6 < np.log(4)
    assert chances[:, 4:].sum() == pytest.approx(0, abs=1e-6)


def test_calibration_counts_seats_that_play() -> None:
    examples = examples_of(10, 2, 3)
    chances = np.zeros((10, 6))
    chances[:, 0], chances[:, 1] = 0.75, 0.25
    found = calibration(chances, examples)
    assert [said for said, _, _ in found] == [0.25, 0.75]
    assert [count for _, _, count in found] == [10, 10]
    assert found[1][1] == pytest.approx((examples.winner == 0).mean(), abs=1e-3)


def test_only_missing_parts_are_played(tmp_path: Path) -> None:
    made = []

    def make(number: int) -> Examples:
        made.append(number)
        return examples_of(3, 3, 4)

    play_parts(tmp_path, [0, 1], make, lambda line: None)
    play_parts(tmp_path, [0, 1, 2], make, lambda line: None)
    assert made == [0, 1, 2]


def test_bots_are_drawn_by_the_seed() -> None:
    drawn = [bots_of(random.Random(7), 6, 1.0) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert 1 <= drawn[0].count("expert") <= 3


def test_every_kind_of_training_game_can_be_played() -> None:
    for kind in KINDS:
        game = Game.new(Ruleset.load(kind.ruleset, kind.options), kind.players)
        assert game.position.seats >= kind.players
        assert kind.weight > 0


def test_it_plays_fits_and_writes_a_card(tmp_path: Path) -> None:
    weights = tmp_path / "weights.npz"
    games = ["--parts", "2", "--games", "6", "--experts", "0.2"]
    assert main([str(tmp_path / "games"), *games, "--weights", str(weights), "--epochs", "1"]) == 0
    assert load_weights(weights)["first"].any()
    card = json.loads(weights.with_suffix(".json").read_text())
    assert card["games"] > 0
    assert card["loss on games held out"] > 0
