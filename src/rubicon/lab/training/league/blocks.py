"""Blocks that tell whether a candidate of the league wins more than the champion.

In each block the two change places: the same kind of game, the same deal, the same other players.
The dice are those of the deal as well, until the first decision that takes more or fewer thoughts.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.arena.statistics import interval
from rubicon.lab.training.json_lines import add_line, read_lines
from rubicon.lab.training.league.games import (
    LEAGUE_KINDS,
    LeagueTables,
    Player,
    in_the_pool,
    kind_of,
)
from rubicon.lab.training.playing import Kind

Values = npt.NDArray[Any]
ONE_NOTE_IN = 2**31  # turns: nothing is noted, as no game has so many


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate, and the champion that it is compared with; `seed` is that of block 0."""

    candidate: Values
    champion: Values
    seed: int

    def block(self, number: int, tables: LeagueTables) -> dict[str, Any]:
        """By how much the candidate's share of games won is greater, in one block of two games.

        In even blocks both sit at one table, each in half of the seats, and change seats for the
        second game; the block is +1 where the candidate wins both games. In odd blocks the
        candidate plays with the scripted pool, then the champion does in the same seats; the block
        is +1 where only the candidate wins. `unfinished` counts games that nobody won.
        """
        rng = random.Random(f"promotion {self.seed}/{number}")
        kind = kind_of(rng)
        table = self._at_one_table if number % 2 == 0 else self._with_the_pool
        games = table(rng, LEAGUE_KINDS[kind].players)
        results = [self._winner(tables, kind, game, number) for game in games]
        wins = sum(int(one is self.candidate) - int(one is self.champion) for one in results)
        return {
            "block": number,
            "kind": group_of(LEAGUE_KINDS[kind]),
            "advantage": wins if number % 2 else wins / 2,
            "unfinished": sum(one is None for one in results),
        }

    def _at_one_table(self, rng: random.Random, players: int) -> list[list[Player]]:
        first = [seat % 2 == 0 for seat in range(players)]
        rng.shuffle(first)
        return [
            [self.candidate if one == seats else self.champion for one in first]
            for seats in (True, False)
        ]

    def _with_the_pool(self, rng: random.Random, players: int) -> list[list[Player]]:
        seats = in_the_pool(rng, players, self.candidate, ())
        return [seats, [one if isinstance(one, str) else self.champion for one in seats]]

    def _winner(
        self, tables: LeagueTables, kind: int, players: list[Player], number: int
    ) -> Player | None:
        winner = tables.play(kind, players, self.seed + number, ONE_NOTE_IN).winner
        return players[winner] if winner >= 0 else None


class BlocksOnDisk:
    """The blocks of one comparison, in a file of lines; what it has is not played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found = {one["block"]: one for one in read_lines(path)}

    def missing(self, wanted: int) -> list[int]:
        """Which of the first blocks have not been played."""
        return [one for one in range(wanted) if one not in self.found]

    def add(self, block: dict[str, Any]) -> None:
        """Keep a block."""
        self.found[block["block"]] = block
        add_line(self.path, block)

    def first(self, wanted: int) -> list[dict[str, Any]]:
        """The first blocks, by number."""
        return [self.found[one] for one in range(wanted)]


def group_of(kind: Kind) -> str:
    """The part of a summary that a kind of game belongs to."""
    if kind.players == 2:
        return "duels"
    if kind.ruleset != "classic":
        return "other rulesets"
    return "other cards" if kind.options else "rising cards"


def advantages(blocks: Sequence[dict[str, Any]]) -> list[float]:
    """Of each block."""
    return [block["advantage"] for block in blocks]


def summary(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean advantage with its 95 % interval; also at one table, with the pool, and by kind."""
    kinds = sorted({block["kind"] for block in blocks})
    return {
        "blocks": len(blocks),
        "all": spread(blocks),
        "at one table": spread(blocks[::2]),
        "with the pool": spread(blocks[1::2]),
        **{kind: spread([one for one in blocks if one["kind"] == kind]) for kind in kinds},
        "unfinished games": sum(block["unfinished"] for block in blocks),
    }


def spread(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many there are, their mean advantage, and the ends of its 95 % interval."""
    mean, low, high = interval(advantages(blocks))
    return {
        "blocks": len(blocks),
        "advantage": round(mean, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def mean_advantage(blocks: Sequence[dict[str, Any]]) -> float:
    """The mean of all; above 0 where the candidate wins more."""
    return float(np.mean(advantages(blocks)))
