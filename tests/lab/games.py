"""Rulesets and batches that the tests of the lab play."""

from collections.abc import Iterator

import numpy as np
import pytest

from rubicon.engine.records import Standing
from rubicon.lab.batch import Batch
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names

SMALL = "skerries"
EVERY_RULESET = [
    pytest.param(preset, board, id=f"{preset}-{board or 'world'}")
    for preset in preset_names()
    for board in (None, SMALL)
]


def small_game(preset: str = "classic", **options: str) -> Ruleset:
    """A preset on the smallest board."""
    return Ruleset.load(preset, options, board=SMALL)


def most_players(ruleset: Ruleset) -> int:
    """As many players as fit."""
    return min(int(ruleset.rules.players_max), ruleset.chosen.to_share)


def without_standing_orders(ruleset: Ruleset, players: int | None = None) -> Game:
    """A new game in which defenders choose their dice, where the ruleset lets them."""
    return Game.new(ruleset, players, standing=Standing.NONE)


def random_steps(batch: Batch, count: int) -> Iterator[np.ndarray]:
    """Play so many steps at random, and give the actions of each before they are played."""
    for _ in range(count):
        actions = batch.random_actions()
        yield actions
        batch.step(actions)


def pictures(batch: Batch) -> list[bytes]:
    """The bytes of every position."""
    return [one.tobytes() for one in batch.positions]
