"""Small matches, and blocks without their times."""

from collections.abc import Iterable
from dataclasses import replace

from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match

SMALL = Match(players=("hunter", "greedy", "random"), seed=5, rounds=40)


def timeless(blocks: Iterable[Block]) -> list[Block]:
    """The blocks without processor times, which differ from run to run."""
    nothing = (0,) * 6
    return [
        Block(one.number, tuple(replace(g, microseconds=nothing, worst=nothing) for g in one.games))
        for one in blocks
    ]
