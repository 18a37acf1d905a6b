"""Perft: counting everything that can happen to a given depth, to compare engines and versions.

A depth is a number of decisions. Where chance is owed, every different position that it can lead
to is followed once, and takes no depth. The count is of the sequences, not of the positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from rubicon.rules.game import Game
from rubicon.rules.legal import family_rows
from rubicon.rules.outcomes import DEFENCE_BITS, faces_code
from rubicon.rules.position import Chance, copy_position
from rubicon.rules.procedures.codes import NUMBER_SHIFT
from rubicon.rules.procedures.dice import battle_losses
from rubicon.rules.procedures.families import families
from rubicon.rules.procedures.holdings import acts
from rubicon.rules.procedures.play import apply, settle


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
    for seat in range(game.size):
        if not acts(position, seat):
            continue
        for code, low, high in family_rows(families, position, game.rules, game.tables, seat):
            for number in range(int(low), int(high) + 1):
                after = copy_position(position)
                apply(after, game.rules, game.tables, int(code) | number << NUMBER_SHIFT)
                yield after


def _settled(game: Game, position: Any) -> Iterator[Any]:
    """Every different position that chance can lead to; a tie for the first turn is rolled on."""
    seen = {np.asarray(position).tobytes()}
    waiting = [position]
    while waiting:
        owing = waiting.pop()
        for outcome in _outcomes(game, owing):
            after = copy_position(owing)
            settle(after, game.rules, game.tables, outcome)
            key = np.asarray(after).tobytes()
            if key in seen:
                continue
            seen.add(key)
            if after.chance == Chance.DICE:
                waiting.append(after)
            else:
                yield after


def _outcomes(game: Game, position: Any) -> Iterator[int]:
    """The outcomes that may differ: for a battle, one roll for each pair of losses."""
    if position.chance == Chance.BATTLE:
        yield from _rolls(game, position)
    elif position.chance == Chance.DICE:
        yield from range(6 ** int(position.chance_seats[:].sum()))
    else:
        yield from range(int(position.chance_count))


def _rolls(game: Game, position: Any) -> Iterator[int]:
    """Rolls that cost the two sides different numbers of armies."""
    p = position
    dice = int(p.attack_dice), int(p.defence_dice), int(p.attack_extra), int(p.defence_extra)
    armies = int(p.armies[p.attack_source]), int(p.armies[p.attack_target])
    seen = set()
    for attack in _falling(dice[0] + dice[2]):
        for defence in _falling(dice[1] + dice[3]):
            codes = faces_code(attack), faces_code(defence)
            plus = int(p.attack_plus), int(p.defence_plus)
            lost = battle_losses(game.rules, *armies, *dice, *plus, *codes)
            if lost not in seen:
                seen.add(lost)
                yield codes[0] << DEFENCE_BITS | codes[1]
            if len(seen) > min(dice[:2]):
                return


def _falling(count: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement((6, 1, 5, 2, 4, 3), count)
