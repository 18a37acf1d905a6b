"""Calibration: predictions in bins, and predictions of real games."""

import numpy as np
import pytest

from research.calibration import Prediction, calibration, predictions
from rubicon.rules.ruleset.ruleset import Ruleset


def test_bins_compare_chances_with_what_came_true() -> None:
    found = [Prediction(0.25, won=number == 0, round=1) for number in range(4)]
    found += [Prediction(0.95, won=True, round=1), Prediction(1.0, won=False, round=2)]
    result = calibration(found)
    assert result["bins"] == [
        {"chance": 0.25, "won": 0.25, "count": 4},
        {"chance": 0.975, "won": 0.5, "count": 2},
    ]
    assert result["error"] == pytest.approx(0.475 / 3, abs=0.0001)
    assert result["brier"] == pytest.approx(
        np.mean([0.75**2, *[0.25**2] * 3, 0.05**2, 1]), abs=1e-4
    )
    assert result["count"] == 6


def test_predictions_of_games_add_up_at_each_turn() -> None:
    ruleset = Ruleset.load("classic", board="skerries")
    found = predictions(ruleset, 3, 4, seed=2)
    assert found == predictions(ruleset, 3, 4, seed=2)
    turns = sum(one.chance for one in found)
    assert turns == pytest.approx(sum(one.won for one in found))
    assert turns >= 4


def test_nothing_predicted_is_nothing_measured() -> None:
    assert calibration([]) == {"bins": [], "error": 0.0, "brier": 0.0, "count": 0}
