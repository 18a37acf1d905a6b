"""Games of the league: the champion plays copies of itself, or its pool.

The pool is the scripted bots and the champions before this one.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import Examples
from rubicon.lab.training.notes import QUICK, Noted, Notes, examples_of
from rubicon.lab.training.playing import KINDS, bots_of
from rubicon.players.level_play import EXPERT
from rubicon.players.registry import NAMES
from rubicon.rules.ruleset.ruleset import Ruleset

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
