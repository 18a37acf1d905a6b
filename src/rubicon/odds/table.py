"""The chances of all battles up to a size at once, and their lookup from compiled code."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rubicon.odds.battle import battle
from rubicon.odds.fight import outlook
from rubicon.odds.limits import (
    MOST_ARMIES,
    check_at_least,
    check_chance,
    check_defend,
)
from rubicon.odds.rolls import AMPLE, LOSSES, Chances
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import TO_THE_END, Stop
from rubicon.rules.errors import RubiconError
from rubicon.rules.layout import inlined

FIRST_TRY = 64
MOST_LOST = LOSSES - 1  # by one side in one roll


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`chances[attack, defend]`: the chance to capture, fighting to the end; read-only.

    Its shape is (size + 1, size + 1). One of `attack` must stay, so rows 0 and 1 hold 0, but
    where nobody defends: column 0 holds 1.
    """

    rule: DiceRule
    size: int
    chances: Chances

    def win(self, attack: int, defend: int) -> float:
        """The chance to capture; see `chance_to_win` for armies beyond the table."""
        return chance_to_win(self.chances, attack, defend)


@lru_cache(maxsize=64)
def win_table(rule: DiceRule, size: int = 100) -> Table:
    """All battles of up to `size` armies a side; RubiconError where that is too many."""
    check_at_least(size, 2, "The size of a table")
    chances = outlook(size, size, rule).value
    chances[:, 0] = 1.0
    chances.flags.writeable = False
    return Table(rule, size, chances)


@inlined
def chance_to_win(chances: Chances, attack: int, defend: int) -> float:
    """Look a chance up in `Table.chances`, from compiled code or from Python.

    Armies beyond the table are scaled down on both sides alike, which understates how sure the
    stronger side is.
    """
    most = chances.shape[0] - 1
    larger = max(attack, defend)
    if larger > most:
        attack = max(attack * most // larger, min(attack, 1))
        defend = max(defend * most // larger, min(defend, 1))
    return float(chances[max(attack, 0), max(defend, 0)])


def armies_needed(defend: int, rule: DiceRule, chance: float, stop: Stop = TO_THE_END) -> int:
    """The fewest armies on the attacking territory that capture with at least this chance.

    Raises RubiconError: `odds/bad-chance`, `odds/not-reached`, and what `battle` raises.
    """
    check_chance(chance)
    check_defend(defend)
    if stop.lost is not None or stop.rounds is not None:
        return first_that(
            lambda attack: battle(attack, defend, rule, stop).win, chance, ample(stop)
        )
    return first_in(lambda most: outlook(most, defend, rule, stop).value[:, defend], chance)


def first_that(win: Callable[[int], float], chance: float, most: int) -> int:
    """The first number of armies, up to `most`, for which `win` reaches a chance."""
    for attack in range(2, min(most, MOST_ARMIES) + 1):
        if win(attack) >= chance:
            return attack
    raise _not_reached(chance)


def ample(stop: Stop) -> int:
    """The armies from which on more change nothing, where the stop rule counts losses or rolls."""
    spent = [stop.lost or MOST_ARMIES, MOST_LOST * (stop.rounds or MOST_ARMIES)]
    return max(stop.left, AMPLE) + min(spent)


def first_in(wins: Callable[[int], Chances], chance: float) -> int:
    """The first index at which `wins(most)`, of length most + 1, reaches a chance."""
    most = FIRST_TRY
    while True:
        enough = np.flatnonzero(wins(most)[2:] >= chance)
        if len(enough):
            return int(enough[0]) + 2
        if most == MOST_ARMIES:
            raise _not_reached(chance)
        most = min(2 * most, MOST_ARMIES)


def _not_reached(chance: float) -> RubiconError:
    return RubiconError(
        "odds/not-reached",
        f"A chance of {chance * 100:.6g} % is out of reach, whatever the armies.",
        "Ask for less, or loosen the stop rule.",
    )
