"""Perft: counting everything that can happen to a given depth, to compare engines and versions.

A depth is a number of decisions. Where chance is owed, every different position that it can lead
to is followed once, and takes no depth. The count is of the sequences, not of the positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from rubicon.rules.game import Game, copy_position
from rubicon.rules.outcomes import DEFENCE_BITS, faces_code
from rubicon.rules.position import Chance
from rubicon.rules.procedures.families import families, family_buffer
from rubicon.rules.procedures.holdings import acts
from rubicon.rules.procedures.play import apply, settle

NUMBER_SHIFT = 29


def perft(game: Game, depth: int) -> int:
    """How many sequences of `depth` decisions the game can go through from here."""
    return _count(game, game.position, depth)


def divide(game: Game, depth: int) -> dict[str, int]:
    """The same count, apart for each first decision, by its text."""
    shares: dict[str, int] = {}
    if game.owed is not None or depth < 1:
        return shares
    for action in game.legal:
        trial = game.copy()
        trial.play(action)
        shares[str(action)] = perft(trial, depth - 1)
    return shares


def _count(game: Game, position: Any, depth: int) -> int:
    if position.chance != Chance.NONE:
        return sum(_count(game, after, depth) for after in _settled(game, position))
    if depth == 0:
        return 1
    return sum(_count(game, after, depth - 1) for after in _played(game, position))


def _played(game: Game, position: Any) -> Iterator[Any]:
    buffer = family_buffer()
    for seat in range(game.size):
        if not acts(position, seat):
            continue
        listed = families(position, game.rules, game.tables, seat, buffer)
        for code, low, high in buffer[:listed].copy():
            for number in range(int(low), int(high) + 1):
                after = copy_position(position)
                apply(after, game.rules, game.tables, int(code) | number << NUMBER_SHIFT)
                yield after


def _settled(game: Game, position: Any) -> Iterator[Any]:
    """Every different position that chance can lead to."""
    seen: set[bytes] = set()
    for outcome in _outcomes(position):
        after = copy_position(position)
        settle(after, game.rules, game.tables, outcome)
        key = np.asarray(after).tobytes()
        if key not in seen:
            seen.add(key)
            yield after


def _outcomes(position: Any) -> Iterator[int]:
    """The outcomes that may differ: for a battle, dice in falling order only."""
    if position.chance == Chance.BATTLE:
        attack = int(position.attack_dice + position.attack_extra)
        defence = int(position.defence_dice + position.defence_extra)
        for first in _falling(attack):
            for second in _falling(defence):
                yield faces_code(first) << DEFENCE_BITS | faces_code(second)
    elif position.chance == Chance.DICE:
        yield from range(6 ** int(position.chance_seats[:].sum()))
    else:
        yield from range(int(position.chance_count))


def _falling(count: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range(6, 0, -1), count)
