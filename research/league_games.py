"""Games of the league, and blocks that test whether a candidate wins more than the champion."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from research.fitting import Examples
from research.folders import add_line, read_lines
from research.playing import KINDS, QUICK, Kind, Noted, Notes, bots_of, examples_of
from rubicon.lab.arena.statistics import interval
from rubicon.players.characters import EXPERT, NAMES
from rubicon.rules.ruleset.ruleset import Ruleset

# Games of the league: the champion plays copies of itself, or its pool.
#
# The pool is the scripted bots and the champions before this one.

Values = npt.NDArray[Any]
Player = str | Values  # a scripted bot by its name, or a planner by its value model
PART = 40  # games of a part
FORMER_CHANCE = 0.25  # that a former champion takes a seat of the pool, once there is one
SHARES = {"fixed": 0.25, "plus_one": 0.25}  # by card values: such games are up to ten times as long
LEAGUE_KINDS = tuple(
    replace(
        kind,
        weight=kind.weight * SHARES.get(kind.options.get("cards.values", ""), 1.0),
        one_in=(kind.one_in + 1) // 2,
    )
    for kind in KINDS
)


class LeagueTables:
    """A table for each kind of training game; one game is played at a time.

    All planners think alike: little, unless told otherwise.
    """

    def __init__(self, thinking: Values = QUICK) -> None:
        self.notes = [
            Notes(Ruleset.load(kind.ruleset, kind.options), thinking=thinking)
            for kind in LEAGUE_KINDS
        ]

    def play(self, kind: int, players: Sequence[Player], seed: int, one_in: int) -> Noted:
        """A game of one kind with these players by seat."""
        notes = self.notes[kind]
        policies = np.full(len(players), EXPERT, np.int64)
        for seat, player in enumerate(players):
            if isinstance(player, str):
                policies[seat] = NAMES[player]
            else:
                notes.weights[seat] = player[0]
        return notes.play(policies, seed, one_in)


def kind_of(rng: random.Random) -> int:
    """A kind of game, drawn by the weights."""
    weights = [kind.weight for kind in LEAGUE_KINDS]
    return rng.choices(range(len(LEAGUE_KINDS)), weights)[0]


def in_the_pool(
    rng: random.Random, players: int, champion: Values, former: Sequence[Values]
) -> list[Player]:
    """Players by seat: the champion in one to half of the seats, the pool in the others."""
    seats: list[Player] = []
    for bot in bots_of(rng, players, 1.0):
        if bot == "expert":
            seats.append(champion)
        elif former and rng.random() < FORMER_CHANCE:
            seats.append(rng.choice(former))
        else:
            seats.append(bot)
    return seats


def play_league_part(
    number: int, seed: int, champion: Values, former: Sequence[Values]
) -> Examples:
    """The examples of one part, in turn a game of the champion alone and one with the pool.

    The games are numbered from `seed` on, which is even; where the champion plays alone, the number
    is even. Same arguments, same examples.
    """
    rng = random.Random(f"league {seed}/{number}")
    tables = LeagueTables()

    def played(game: int) -> tuple[int, Noted]:
        kind = kind_of(rng)
        seats: list[Player] = [champion] * LEAGUE_KINDS[kind].players
        if game % 2:
            seats = in_the_pool(rng, len(seats), champion, former)
        one = seed + number * PART + game
        return one, tables.play(kind, seats, one, LEAGUE_KINDS[kind].one_in)

    return examples_of(map(played, range(PART)))


# Blocks that tell whether a candidate of the league wins more than the champion.
#
# In each block the two change places: the same kind of game, the same deal, the same other
# players. The dice are those of the deal as well, until the first decision that takes more or
# fewer thoughts.

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
