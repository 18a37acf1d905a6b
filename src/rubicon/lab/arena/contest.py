"""One match, or one match with two versions of a player: its blocks so far, and its test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.sprt import SequentialTest
from rubicon.lab.arena.statistics import Shares, block_shares
from rubicon.lab.arena.versions import differences, first_places


@dataclass(slots=True, kw_only=True)
class Contest:
    """One match, or the same match with two versions of its first player; the new one first."""

    matches: Sequence[Match]
    wanted: int  # blocks of each match
    test: SequentialTest | None
    blocks: list[list[Block]]  # by match, those that are played

    def shares(self) -> Shares:
        """By block, the first player's share of games won, or the difference of its versions."""
        match = self.matches[0]
        if len(self.matches) == 2:
            return differences(match, *self.blocks)
        return block_shares(self.blocks[0], first_places(match))

    def verdict(self) -> str:
        """What the test says so far: `H1`, `H0`, or "" while it is undecided or there is none."""
        return self.test.verdict(self.shares()) if self.test else ""

    def missing(self) -> Iterator[tuple[int, int]]:
        """The blocks that were missing at the call, as match and number, in order of numbers."""
        return _missing([len(blocks) for blocks in self.blocks], self.wanted)


def _missing(played: Sequence[int], wanted: int) -> Iterator[tuple[int, int]]:
    for number in range(min(played), wanted):
        yield from ((one, number) for one, first in enumerate(played) if number >= first)
