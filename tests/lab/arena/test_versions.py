"""Two versions of a player in the same blocks, and the sequential test of their differences."""

import numpy as np
import pytest

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block, play_block, play_tasks
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.statistics import (
    LEAST_BLOCKS,
    Contest,
    differences,
    versions_test,
    with_other_version,
)

MATCH = Match(players=("hunter", "greedy", "hunter", "random"), seed=3, rounds=40)
TEST = versions_test(0.1, 0.05, 0.05)


def played(match: Match, other: str, blocks: int) -> Contest:
    matches = [match, with_other_version(match, other)]
    made = [list(play_tasks((one, number) for number in range(blocks))) for one in matches]
    return Contest(matches=matches, wanted=blocks, test=TEST, blocks=made)


def test_the_other_version_sits_in_the_same_seats() -> None:
    other = with_other_version(MATCH, "turtle")
    assert other.players == ("turtle", "greedy", "turtle", "random")
    assert (other.seed, other.rounds) == (MATCH.seed, MATCH.rounds)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(RubiconError) as refused:
        with_other_version(MATCH, "huntr")
    assert refused.value.code == "player/unknown"


def test_differences_are_of_blocks_that_both_have_played() -> None:
    new = [play_block(MATCH, number) for number in range(3)]
    other = with_other_version(MATCH, "random")
    old = [play_block(other, number) for number in range(2)]
    found = differences(MATCH, new, old)
    assert found.tolist() == [
        np.mean([[g.shares[0], g.shares[2]] for g in one.games])
        - np.mean([[g.shares[0], g.shares[2]] for g in two.games])
        for one, two in zip(new, old, strict=False)
    ]
    assert found.sum() > 0


def test_a_player_is_not_better_than_itself() -> None:
    contest = played(Match(players=("hunter", "greedy", "random")), "hunter", 80)
    assert not contest.shares().any()
    assert contest.verdict() == "H0"


def test_a_clearly_stronger_player_is_found() -> None:
    players = ("hunter", "greedy", "greedy")
    contest = played(Match(players=players), "random", LEAST_BLOCKS)
    assert contest.verdict() == "H1"
    turned = Contest(
        matches=contest.matches[::-1], wanted=1, test=TEST, blocks=contest.blocks[::-1]
    )
    assert turned.verdict() == "H0"


@pytest.mark.parametrize(("gain", "answer"), [(0.0, "H0"), (0.1, "H1")])
def test_the_test_errs_as_rarely_as_it_says(gain: float, answer: str) -> None:
    """Differences of shares of games in fields of four, whose players share half of their luck."""
    rng, right = np.random.default_rng(11), 0
    for _ in range(200):
        found: list[float] = []
        while not (verdict := TEST.verdict(found)):
            deal = rng.random(4)
            new = np.where(rng.random(4) < 0.5, deal, rng.random(4)) < 0.25 + gain
            old = np.where(rng.random(4) < 0.5, deal, rng.random(4)) < 0.25
            found.append(float(new.mean() - old.mean()))
        right += verdict == answer
    assert right >= 180  # 190 are expected


def test_missing_blocks_come_in_pairs() -> None:
    empty = Block(0, ())
    contest = Contest(matches=[MATCH, MATCH], wanted=3, test=None, blocks=[[empty, empty], [empty]])
    missing = contest.missing()
    contest.blocks[0].append(empty)  # what is played meanwhile changes nothing
    assert list(missing) == [(1, 1), (0, 2), (1, 2)]
    assert contest.verdict() == ""
