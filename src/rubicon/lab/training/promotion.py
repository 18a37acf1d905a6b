"""Whether a candidate of the league wins more than the champion: blocks for a sequential test.

In each block the two change places: the same kind of game, the same seed, the same other players.
"""

import random
from typing import Any

import numpy.typing as npt

from rubicon.lab.training.league_games import (
    LEAGUE_KINDS,
    LeagueTables,
    Player,
    in_the_pool,
    kind_of,
)

Values = npt.NDArray[Any]
NOTHING_NOTED = 2**31  # one turn in so many


def advantage(
    tables: LeagueTables, number: int, seed: int, candidate: Values, champion: Values
) -> float:
    """By how much the candidate's share of games won is greater, in one block of two games.

    In even blocks both sit at one table, each in half of the seats, and change seats for the
    second game. In odd blocks the candidate plays with the scripted pool, then the champion in the
    same seats. Each game counts 1 where the candidate wins, -1 where the champion does, and the
    block is their mean; in an odd one, their sum.
    """
    rng = random.Random(f"promotion {seed}/{number}")
    kind = kind_of(rng)
    seats: list[Player]
    changed: list[Player]
    players = LEAGUE_KINDS[kind].players
    if number % 2 == 0:
        first = [seat % 2 == 0 for seat in range(players)]
        rng.shuffle(first)
        seats = [candidate if one else champion for one in first]
        changed = [champion if one else candidate for one in first]
        weight = 0.5
    else:
        seats = in_the_pool(rng, players, candidate, ())
        changed = [one if isinstance(one, str) else champion for one in seats]
        weight = 1.0
    games = (seats, changed)
    results = [_result(tables, kind, game, seed + number, candidate) for game in games]
    return weight * sum(results)


def _result(
    tables: LeagueTables, kind: int, players: list[Player], seed: int, candidate: Values
) -> int:
    """1 if the candidate wins, -1 if the champion does, 0 if another player does or nobody."""
    winner = tables.play(kind, players, seed, NOTHING_NOTED)[2]
    if winner < 0 or isinstance(players[winner], str):
        return 0
    return 1 if players[winner] is candidate else -1
