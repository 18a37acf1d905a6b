"""The compiled recursions over the positions of a battle.

A battle is a Markov chain on pairs (attackers, defenders) in which every roll costs armies, so no
position comes twice. Carried backward from the endings the chain gives values and the best dice
(`solve_backward`, `evaluate_policy`); carried forward from the start, the chance of every ending
(`propagate`). `rolls.RollTable` describes the tables of single rolls.

A *policy* is a number for every position: `STOP`, or the dice of both sides, as attack dice times
`SHIFT` plus defence dice. A *capture value* is the value of a capture, indexed by the armies that
are left and the attack dice of the last roll.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import inlined, unlocked
from rubicon.odds.rolls import (
    AMPLE,
    ATTACK_NUMBERS,
    DEFENCE_NUMBERS,
    LOSSES,
    Chances,
    Numbers,
)

if TYPE_CHECKING:
    DicePolicy = npt.NDArray[np.int8]

STOP = 0
SHIFT = 4
# Two values that differ by less than this share are equal. Sums in another order differ in the last
# digits; without the margin such rounding would choose between equally good dice.
TIE = 1e-13


@inlined
def row_of(attackers: int, defenders: int, attack: int, defence: int) -> int:
    """The row of the roll tables for these armies and dice."""
    state = min(attackers, AMPLE) * (AMPLE + 1) + min(defenders, AMPLE)
    return (state * ATTACK_NUMBERS + attack) * DEFENCE_NUMBERS + defence


@unlocked
def solve_backward(
    chances: Chances,
    losses: Numbers,
    attack_choice: Numbers,
    defend_choice: Numbers,
    capture_value: Chances,
    left: int,
    value: Chances,
    policy: "DicePolicy",
) -> None:
    """Fill in value and policy of every position with more than `left` attackers.

    Backward induction over a game of two players: the attacker names the dice with the highest
    value, and the defender answers with those that make it lowest. Among equals, the most dice.
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
                    expected = 0.0
                    for n in range(LOSSES):
                        chance = chances[row, n]
                        if chance == 0.0:  # the possible losses come first in a row
                            break
                        to = attackers - losses[row, n, 0]
                        against = defenders - losses[row, n, 1]
                        expected += chance * (
                            capture_value[to, attack] if against == 0 else value[to, against]
                        )
                    if expected <= worst * (1 + TIE):
                        worst, reply = expected, defence
                if worst >= best * (1 - TIE):
                    best = worst
                    policy[attackers, defenders] = attack * SHIFT + reply
            value[attackers, defenders] = best


@unlocked
def evaluate_policy(
    chances: Chances,
    losses: Numbers,
    policy: "DicePolicy",
    capture_value: Chances,
    value: Chances,
) -> None:
    """Fill in the value of every position if both sides roll by the policy."""
    for attackers in range(2, value.shape[0]):
        for defenders in range(1, value.shape[1]):
            # int(): without compilation, eight bits are too few for the products below.
            code = int(policy[attackers, defenders])
            if code == STOP:
                continue
            attack = code // SHIFT
            row = row_of(attackers, defenders, attack, code % SHIFT)
            expected = 0.0
            for n in range(LOSSES):
                chance = chances[row, n]
                if chance == 0.0:
                    break
                to = attackers - losses[row, n, 0]
                against = defenders - losses[row, n, 1]
                expected += chance * (
                    capture_value[to, attack] if against == 0 else value[to, against]
                )
            value[attackers, defenders] = expected


@unlocked
def propagate(
    chances: Chances,
    losses: Numbers,
    policy: "DicePolicy",
    reach: Chances,
    won: Chances,
    rounds: int,
    span: Numbers,
) -> None:
    """Carry the chances in `reach` forward by `rounds` rolls; to the end where that is 0.

    `reach[attackers, defenders]` is the chance of each position at the start, and afterwards of
    each position in which the attack stops. `won[left, dice]` gains the captures.
    `span[attackers]` holds the fewest and the most defenders that are reached, so that a roll
    touches only positions that have a chance.

    Every roll costs armies. Visited from the largest position down, all positions that a roll
    leads to are still to come, so one pass goes on to the end. Visited from the smallest up, all
    of them are past, so one pass is exactly one roll.
    """
    rows = reach.shape[0]
    for _ in range(max(rounds, 1)):
        for i in range(2, rows):
            attackers = i if rounds > 0 else rows + 1 - i
            first, last = span[attackers, 0] if rounds > 0 else 1, span[attackers, 1]
            span[attackers, 0], span[attackers, 1] = reach.shape[1], 0
            for j in range(first, last + 1):
                defenders = j if rounds > 0 else first + last - j
                here, code = reach[attackers, defenders], int(policy[attackers, defenders])
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
