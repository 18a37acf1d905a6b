"""Intervals, and what a match says of each player, against known cases."""

import numpy as np
import pytest

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import ArenaResult, Match
from rubicon.lab.arena.statistics import LEAST_BLOCKS, SequentialTest, interval, player_results

MATCH = Match(players=("one", "two", "two"))


def won_by(place: int, rotation: int, finished: bool = True) -> ArenaResult:
    shares = [float(finished and one == place) for one in range(3)]
    return ArenaResult(
        finished=finished,
        rounds=5,
        seats=tuple((one - rotation) % 3 for one in range(3)),
        shares=tuple(shares),
        ranks=tuple(1.0 if one == place else 2.5 for one in range(3)),
        decisions=(10, 20, 20),
        microseconds=(1000, 1000, 3000),
        worst=(500, 100, 700),
    )


def test_an_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(100):
        mean, low, high = interval(rng.random(60) < 0.3)
        assert low <= mean <= high
        covered += low <= 0.3 <= high
    assert 85 <= covered <= 100


def test_the_interval_of_equal_blocks_is_a_point() -> None:
    assert interval([0.25] * 9) == (0.25, 0.25, 0.25)


def test_the_results_of_players() -> None:
    games = (won_by(0, 0), won_by(1, 1), won_by(2, 2), won_by(0, 0, False))
    one, two = player_results(MATCH, [Block(0, games)])
    assert (one.name, one.games, one.win_share, one.unfinished) == ("one", 4, 0.25, 0.25)
    assert two.win_share == 0.25
    assert one.mean_rank == pytest.approx((1 + 2.5 + 2.5 + 1) / 4)
    assert (one.mean_decision_ms, one.worst_decision_ms) == (0.1, 0.5)
    assert (two.mean_decision_ms, two.worst_decision_ms) == (0.1, 0.7)
    assert one.seat_shares == (0.5, 0.0, 0.0)  # of two games in the first seat, one was cut off


def test_no_blocks_no_results() -> None:
    assert player_results(MATCH, []) == []


@pytest.mark.parametrize(("share", "answer"), [(0.25, "H0"), (0.45, "H1")])
def test_the_sequential_test_errs_as_rarely_as_it_says(share: float, answer: str) -> None:
    test = SequentialTest(fair=0.25, gain=0.2)
    rng, right = np.random.default_rng(8), 0
    for _ in range(100):
        shares, verdict = list(rng.random(LEAST_BLOCKS) < share), ""
        while not (verdict := test.verdict(shares)):
            shares.append(rng.random() < share)
        right += verdict == answer
    assert right >= 88


def test_the_sequential_test_waits_for_blocks() -> None:
    test = SequentialTest(fair=0.25, gain=0.2)
    assert test.verdict([1.0] * (LEAST_BLOCKS - 1)) == ""
    assert test.verdict([1.0] * LEAST_BLOCKS) == "H1"
    assert test.ratio([]) == 0.0
