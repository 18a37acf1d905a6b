"""Ratings against strengths that are known."""

from collections.abc import Sequence

import numpy as np
import pytest

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block, play_block
from rubicon.lab.arena.match import ArenaResult, Match
from rubicon.lab.arena.statistics import MEAN, Rating, ratings
from tests.lab.arena.matches import SMALL

POINTS = {"strong": 1700.0, "fair": 1500.0, "weak": 1300.0}


def game(winner: int | None, size: int) -> ArenaResult:
    nothing = (0,) * size
    return ArenaResult(
        finished=winner is not None,
        rounds=1,
        seats=tuple(range(size)),
        shares=tuple(float(one == winner) for one in range(size)),
        ranks=(1.0,) * size,
        decisions=nothing,
        microseconds=nothing,
        worst=nothing,
    )


def drawn(players: Sequence[str], blocks: int, seed: int) -> tuple[Match, list[Block]]:
    """A match that goes as the strengths say."""
    rng, size = np.random.default_rng(seed), len(players)
    weights = np.array([10 ** (POINTS[name] / 400) for name in players])
    winners = rng.choice(size, (blocks, size), p=weights / weights.sum())
    made = [Block(n, tuple(game(int(w), size) for w in row)) for n, row in enumerate(winners)]
    return Match(players=tuple(players)), made


def by_name(found: Sequence[Rating]) -> dict[str, Rating]:
    return {one.name: one for one in found}


def test_known_strengths_are_found_over_several_matches() -> None:
    matches = [
        drawn(["strong", "fair", "fair"], 2000, 1),
        drawn(["fair", "weak", "weak", "weak"], 2000, 2),
    ]
    found = ratings(matches)
    assert [one.name for one in found] == ["strong", "fair", "weak"]
    assert [one.rating for one in found] == pytest.approx([1700, 1500, 1300], abs=20)
    assert [one.games for one in found] == [6000, 14000, 8000]
    assert np.mean([one.rating for one in found]) == pytest.approx(MEAN, abs=0.1)


def test_an_interval_covers_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(100):
        found = by_name(ratings([drawn(["strong", "fair", "weak"], 60, seed)]))
        covered += sum(one.low <= POINTS[name] <= one.high for name, one in found.items())
    assert 270 <= covered <= 297


def test_the_order_of_blocks_and_of_matches_changes_nothing() -> None:
    one, two = drawn(["strong", "weak"], 30, 3), drawn(["weak", "fair"], 40, 4)
    turned = [(two[0], two[1][::-1]), (one[0], one[1][::-1])]
    assert by_name(ratings(turned)) == by_name(ratings([one, two]))


def test_who_never_wins_has_a_wide_interval() -> None:
    match = Match(players=("fair", "weak"))
    few, many = (
        by_name(ratings([(match, [Block(n, (game(0, 2),) * 2) for n in range(blocks)])]))
        for blocks in (5, 500)
    )
    assert few["weak"].high - few["weak"].low > 300
    assert many["weak"].rating < few["weak"].rating < MEAN


def test_games_that_were_cut_off_say_nothing() -> None:
    match, blocks = drawn(["strong", "weak"], 20, 5)
    cut = [Block(100 + number, (game(None, 2),) * 2) for number in range(50)]
    assert ratings([(match, blocks + cut)]) == ratings([(match, blocks)])
    assert {one.rating for one in ratings([(match, cut)])} == {MEAN}


def test_a_match_that_was_played() -> None:
    found = ratings([(SMALL, [play_block(SMALL, number) for number in range(3)])])
    assert {one.name for one in found} == set(SMALL.players)
    assert all(one.low < one.rating < one.high for one in found)


def test_players_that_nothing_compares_are_refused() -> None:
    with pytest.raises(RubiconError) as refused:
        ratings([drawn(["strong", "strong"], 2, 1), drawn(["fair", "weak"], 2, 2)])
    assert refused.value.code == "arena/not-linked"
