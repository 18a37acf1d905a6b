"""Games of a batch, played again as `Game` and as records."""

from typing import Any

import numpy as np
import pytest

from rubicon.lab.batch import Batch
from rubicon.lab.dataset import GameLog, PlayedGame
from rubicon.rules.record import Record
from tests.lab.games import small_game

TWO = [(None, "hunter", "turtle"), ("peaceful", None, None)]
BOTS = [
    *TWO,
    (),
    (None, "greedy", "random"),
    ("greedy", "greedy", "random"),
    ("greedy", None, None),
]


def log_of(bots: Any, **settings: Any) -> GameLog:
    ruleset = small_game(**{"game.round_limit": "8"})
    return GameLog(Batch(ruleset, 3, games=4, seed=6, bots=bots, **settings))


def played_games(log: GameLog, steps: int = 1500, most: int = 6) -> list[PlayedGame]:
    played: list[PlayedGame] = []
    for _ in range(steps):
        played += log.step(log.batch.random_actions())
        if len(played) >= most:
            break
    return played


@pytest.mark.parametrize("bots", BOTS)
def test_a_game_ends_as_it_did_in_the_batch(bots: Any) -> None:
    log = log_of(bots, restart=False)
    log.begin()
    ends: dict[int, bytes] = {}
    played: list[PlayedGame] = []
    for _ in range(1500):
        done = log.step(log.batch.random_actions())
        played += done
        ends |= {one.number: log.batch.positions[one.number].tobytes() for one in done}
        if (log.batch.seats < 0).all():
            break
    if all(bots) and bots:
        assert played == []  # they were over before the log could note a step
        return
    assert sorted(ends) == [0, 1, 2, 3]
    for one in played:
        assert log.replay(one).position.tobytes() == ends[one.number]


@pytest.mark.parametrize("bots", BOTS)
def test_games_under_way_are_left_out(bots: Any) -> None:
    log = log_of(bots)
    played = played_games(log)
    assert played
    assert min(one.episode for one in played) == 1
    assert len({(one.number, one.episode) for one in played}) == len(played)


def test_a_record_of_a_game_replays() -> None:
    log = log_of((None, "greedy", "random"))
    log.begin()
    played = played_games(log)
    assert len(played) >= 6
    for one in played:
        game = log.replay(one)
        record = Record.of(game)
        again = Record.parse(record.text()).verify()
        assert again.position.tobytes() == game.position.tobytes()
        assert len(again.history) > len(one.actions)


def test_a_game_that_was_cut_off_is_replayed_so_far() -> None:
    log = log_of((None, "random", "random"), round_cap=1)
    log.begin()
    games = [log.replay(one) for one in played_games(log)]
    assert any(not game.over for game in games)
    assert all(game.over or game.position.round_number <= 2 for game in games)


def test_seeds_are_those_of_the_dice() -> None:
    log = log_of(())
    log.begin()
    seeds = [one.seed for one in played_games(log)]
    numbers = np.array([seed % 2**40 for seed in seeds])
    assert set(numbers) <= {6, 7, 8, 9}
