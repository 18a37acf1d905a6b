"""Two versions of a player in the same blocks: the same deals, seats, dice and other players.

What luck the two share falls out of the difference of their shares, block by block, so that it
takes fewer blocks to tell them apart than two matches of their own. The sequential test of the
differences is a generalized one (GSPRT): their variance is not known, and is estimated from the
blocks so far (Li, Liu and Ying 2014; chess programs are tested in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match, check_player
from rubicon.lab.arena.sprt import SequentialTest
from rubicon.lab.arena.statistics import Shares, block_shares

GAIN = 0.05  # of the share of games won, unless told otherwise


def with_other_version(match: Match, other: str) -> Match:
    """The match with another player in the seats of the first. RubiconError: `player/unknown`."""
    check_player(other)
    first = match.players[0]
    return replace(match, players=tuple(other if one == first else one for one in match.players))


def first_places(match: Match) -> list[int]:
    """The places of the player that was named first."""
    return [place for place, name in enumerate(match.players) if name == match.players[0]]


def differences(match: Match, new: Sequence[Block], old: Sequence[Block]) -> Shares:
    """By block that both have played, how much more the first player wins than its other version.

    `match` is the one that `new` belongs to.
    """
    both, places = min(len(new), len(old)), first_places(match)
    return block_shares(new[:both], places) - block_shares(old[:both], places)


def versions_test(gain: float, alpha: float, beta: float) -> SequentialTest:
    """H0: the versions win equally often. H1: the new one's share is greater by `gain`."""
    return SequentialTest(fair=0.0, gain=gain, alpha=alpha, beta=beta)
