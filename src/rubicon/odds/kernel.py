"""The recursions of a battle, compiled. `rolls.Rolls` says what the tables hold.

A *plan* is a number for every pair of armies: `STOP`, or the dice of both sides, as attack dice
times `SHIFT` plus defence dice.
A *prize* is what a capture is worth, by armies left and attack dice of the last roll.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rubicon.odds.rolls import (
    AMPLE,
    ATTACK_NUMBERS,
    DEFENCE_NUMBERS,
    LOSSES,
    Chances,
    Numbers,
)
from rubicon.rules.layout import inlined, unlocked

if TYPE_CHECKING:
    Plan = npt.NDArray[np.int8]

STOP = 0
SHIFT = 4
TIE = 1e-13  # what differs by less is equal: rounding must not choose the dice


@inlined
def row_of(attackers: int, defenders: int, attack: int, defence: int) -> int:
    """Where the losses of a roll stand in the tables."""
    state = min(attackers, AMPLE) * (AMPLE + 1) + min(defenders, AMPLE)
    return (state * ATTACK_NUMBERS + attack) * DEFENCE_NUMBERS + defence


@unlocked
def look_ahead(
    chances: Chances,
    losses: Numbers,
    attack_choice: Numbers,
    defend_choice: Numbers,
    prize: Chances,
    left: int,
    value: Chances,
    plan: "Plan",
) -> None:
    """Fill in what every position with more than `left` attackers is worth, and its plan.

    Each side takes the dice that serve it best among those it may choose; of equals, the most.
    """
    for attackers in range(left + 1, value.shape[0]):
        a = min(attackers, AMPLE)
        for defenders in range(1, value.shape[1]):
            d = min(defenders, AMPLE)
            best = 0.0
            for attack in range(attack_choice[a, 0], attack_choice[a, 1] + 1):
                worst, reply = np.inf, 0
                for defence in range(defend_choice[d, 0], defend_choice[d, 1] + 1):
                    row = row_of(attackers, defenders, attack, defence)
                    worth = 0.0
                    for n in range(LOSSES):
                        chance = chances[row, n]
                        if chance == 0.0:
                            break
                        to = attackers - losses[row, n, 0]
                        against = defenders - losses[row, n, 1]
                        worth += chance * (
                            prize[to, attack] if against == 0 else value[to, against]
                        )
                    if worth <= worst * (1 + TIE):
                        worst, reply = worth, defence
                if worst >= best * (1 - TIE):
                    best = worst
                    plan[attackers, defenders] = attack * SHIFT + reply
            value[attackers, defenders] = best


@unlocked
def follow(chances: Chances, losses: Numbers, plan: "Plan", prize: Chances, value: Chances) -> None:
    """Fill in what every position is worth if both sides follow the plan."""
    for attackers in range(2, value.shape[0]):
        for defenders in range(1, value.shape[1]):
            code = int(plan[attackers, defenders])  # eight bits are too few, uncompiled
            if code == STOP:
                continue
            attack = code // SHIFT
            row = row_of(attackers, defenders, attack, code % SHIFT)
            worth = 0.0
            for n in range(LOSSES):
                chance = chances[row, n]
                if chance == 0.0:
                    break
                to = attackers - losses[row, n, 0]
                against = defenders - losses[row, n, 1]
                worth += chance * (prize[to, attack] if against == 0 else value[to, against])
            value[attackers, defenders] = worth


@unlocked
def fight_on(
    chances: Chances,
    losses: Numbers,
    plan: "Plan",
    reach: Chances,
    won: Chances,
    rounds: int,
    span: Numbers,
) -> None:
    """Carry the chances in `reach` forward by so many rolls; to the end where `rounds` is 0.

    `reach[attackers, defenders]` is where a battle begins, and afterwards where it was broken
    off; `won[left, dice]` gains the captures. `span[attackers]` is the fewest and the most
    defenders reached. Every roll costs armies: from the largest position down one pass carries
    everything to the end, and from the smallest up nothing is carried twice.
    """
    rows = reach.shape[0]
    for _ in range(max(rounds, 1)):
        for i in range(2, rows):
            attackers = i if rounds > 0 else rows + 1 - i
            first, last = span[attackers, 0] if rounds > 0 else 1, span[attackers, 1]
            span[attackers, 0], span[attackers, 1] = reach.shape[1], 0
            for j in range(first, last + 1):
                defenders = j if rounds > 0 else first + last - j
                here, code = reach[attackers, defenders], int(plan[attackers, defenders])
                if code == STOP or here == 0.0:
                    continue
                reach[attackers, defenders] = 0.0
                attack = code // SHIFT
                row = row_of(attackers, defenders, attack, code % SHIFT)
                for n in range(LOSSES):
                    chance = chances[row, n]
                    if chance == 0.0:
                        break
                    to = attackers - losses[row, n, 0]
                    against = defenders - losses[row, n, 1]
                    if against == 0:
                        won[to, attack] += here * chance
                    else:
                        reach[to, against] += here * chance
                        span[to, 0] = min(span[to, 0], against)
                        span[to, 1] = max(span[to, 1], against)
