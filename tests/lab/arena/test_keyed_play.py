"""Dice by key: what was rolled before in other turns does not move them."""

import numpy as np

from rubicon.engine.chance import generator
from rubicon.engine.records import empty_position
from rubicon.lab.arena.match import dice_keys, seed_roll


def states(seed: int, turns: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The states of the dice before rolls that are made in these rounds and seats."""
    keys, position, dice, found = dice_keys(seed), empty_position(), generator(0), []
    for round_number, seat in turns:
        position.round_number, position.turn = round_number, seat
        with np.errstate(over="ignore"):
            seed_roll(keys, position, dice)
        found.append((int(dice.first), int(dice.second)))
    return found


def test_earlier_turns_do_not_move_the_dice() -> None:
    few = states(7, [(1, 0), (1, 1)])
    many = states(7, [(1, 0), (1, 0), (1, 0), (1, 1)])
    assert few == [many[0], many[-1]]


def test_every_key_has_its_own_dice() -> None:
    turns = [(one, seat) for one in range(5) for seat in range(6) for _ in range(8)]
    assert len(set(states(7, turns) + states(8, turns))) == 2 * len(turns)
