"""How much stronger bots are, apart from their positions."""

from typing import Any

import numpy as np
import pytest

from research.fitting import (
    Examples,
    chances_of,
    fit,
    fitted_strengths,
    losses,
    strengths_by_seat,
)

TURNS = 6000
TRUE = np.array([-1.0, 0.0, 0.8, 0.0])  # of bots 0 to 3; the last one is the measure


def games(seed: int, telltale: float = 0.0) -> tuple[Examples, Any]:
    """Turns of three seats, and the chances by position alone.

    Feature 0 is what a position is worth. Feature 1 is worth nothing, but bot 2 likes it.
    """
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((TURNS, 6, 2))
    bots = rng.integers(0, 4, (TURNS, 6)).astype(np.int8)
    rows[:, :, 1] += telltale * (bots == 2)
    playing = np.zeros((TURNS, 6), np.int8)
    playing[:, :3] = 1
    rows *= playing[..., None]
    judged = np.where(playing > 0, rows[:, :, 0], -1e9)
    chances = np.exp(judged) / np.exp(judged).sum(1, keepdims=True)
    drawn = np.where(playing > 0, judged + TRUE[bots] + rng.gumbel(size=(TURNS, 6)), -1e9)
    winner = drawn.argmax(1).astype(np.int8)
    return Examples(rows.astype(np.float16), playing, bots, winner, np.arange(TURNS)), chances


def test_strengths_are_found_apart_from_positions() -> None:
    examples, chances = games(1)
    found = fitted_strengths(examples, chances)
    assert list(found) == [0, 1, 2, 3]
    assert found[3] == 0
    assert list(found.values()) == pytest.approx(TRUE, abs=0.12)


def test_equal_bots_have_equal_strengths() -> None:
    examples, chances = games(1)
    alike = Examples(
        examples.rows,
        examples.playing,
        np.zeros_like(examples.bots),
        examples.winner,
        examples.game,
    )
    found = fitted_strengths(alike, chances)
    assert found == {0: 0.0}
    assert not strengths_by_seat(alike, found).any()


def test_a_bot_of_few_turns_has_no_great_strength() -> None:
    examples, chances = games(1)
    few = examples.those(np.arange(12))
    found = fitted_strengths(few, chances[:12])
    assert max(abs(one) for one in found.values()) < 1


def test_seats_have_the_strengths_of_their_bots() -> None:
    examples, _ = games(2)
    found = strengths_by_seat(examples, {0: -1.0, 2: 0.5, 3: 0.0})
    assert found.shape == (TURNS, 6)
    assert set(found[examples.bots == 0]) == {-1.0}
    assert set(found[examples.bots == 2]) == {0.5}
    assert not found[examples.bots == 1].any()


def test_with_strengths_a_fit_does_not_learn_who_sits_where() -> None:
    """Bot 2 is strong and likes feature 1: that alone makes no position better."""
    examples, chances = games(3, telltale=2.0)
    strengths = strengths_by_seat(examples, fitted_strengths(examples, chances))

    def worth(model: dict[str, Any]) -> float:
        """What feature 1 adds to a seat's chance by this model."""
        rows = np.zeros((1, 6, 2), np.float16)
        rows[0, 0, 1] = 2.0
        playing = np.zeros((1, 6), np.int8)
        playing[0, :2] = 1
        one = Examples(rows, playing, playing, np.zeros(1, np.int8), np.zeros(1))
        return float(chances_of(model, one)[0, 0]) - 0.5

    told, plain = fit(examples, 30, 1, 5e-3, strengths=strengths), fit(examples, 30, 1, 5e-3)
    assert worth(plain) > 0.1
    assert abs(worth(told)) < 0.05
    loss = losses(chances_of(told, examples, strengths), examples.winner)
    assert loss < losses(chances_of(told, examples), examples.winner)
