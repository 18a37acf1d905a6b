"""Counts all ways in which a game can go on, to compare two versions of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import battle_losses
from rubicon.engine.codes import DEFENCE_BITS, NUMBER_SHIFT
from rubicon.engine.legal_actions import ranges
from rubicon.engine.ownership import acts
from rubicon.engine.records import Chance, Position, copy_position
from rubicon.rules.actions import faces_code
from rubicon.rules.game import Game
from rubicon.rules.legal import listed_ranges


def perft(game: Game, depth: int) -> int:
    """The number of sequences of `depth` decisions from the current position."""
    return _count(game, game.position, depth)


def divide(game: Game, depth: int) -> dict[str, int]:
    """The same count for each first decision, by its text; empty while chance is pending."""
    shares: dict[str, int] = {}
    if game.pending is not None or depth < 1:
        return shares
    for action in game.legal:
        trial = game.copy()
        trial.play(action)
        shares[str(action)] = perft(trial, depth - 1)
    return shares


def _count(game: Game, position: Position, depth: int) -> int:
    if position.chance != Chance.NONE:
        return sum(_count(game, after, depth) for after in _settled(game, position))
    if depth == 0:
        return 1
    return sum(_count(game, after, depth - 1) for after in _played(game, position))


def _played(game: Game, position: Position) -> Iterator[Any]:
    for seat in range(game.size):
        if not acts(position, seat):
            continue
        for code, low, high in listed_ranges(ranges, position, game.rules, game.tables, seat):
            for number in range(int(low), int(high) + 1):
                after = copy_position(position)
                apply(after, game.rules, game.tables, int(code) | number << NUMBER_SHIFT)
                yield after


def _settled(game: Game, position: Position) -> Iterator[Any]:
    """Every different position that chance can lead to; a tie for the first turn is rolled on."""
    seen = {np.asarray(position).tobytes()}
    waiting = [position]
    while waiting:
        rolling = waiting.pop()
        for outcome in _outcomes(game, rolling):
            after = copy_position(rolling)
            settle(after, game.rules, game.tables, outcome)
            key = np.asarray(after).tobytes()
            if key in seen:
                continue
            seen.add(key)
            if after.chance == Chance.DICE:
                waiting.append(after)
            else:
                yield after


def _outcomes(game: Game, position: Position) -> Iterator[int]:
    """The outcomes to try: for a battle, one roll for each pair of losses."""
    if position.chance == Chance.BATTLE:
        yield from _rolls(game, position)
    elif position.chance == Chance.DICE:
        yield from range(6 ** int(position.chance_seats[:].sum()))
    else:
        yield from range(int(position.chance_count))


def _rolls(game: Game, position: Position) -> Iterator[int]:
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
