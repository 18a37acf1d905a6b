"""Tables of all battles up to a size, their lookup from compiled code, and armies needed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rubicon.engine.records.layout import inlined
from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.distribution import solve
from rubicon.odds.limits import (
    MOST_ARMIES,
    check_at_least,
    check_chance,
    check_defend,
)
from rubicon.odds.rolls import AMPLE, LOSSES, Chances
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import TO_THE_END, Stop

FIRST_TRY = 64
MOST_LOST = LOSSES - 1  # armies, by one side in one roll


@dataclass(frozen=True, slots=True, eq=False)
class OddsTable:
    """`chances[attack, defend]`: the chance to capture in a battle to the end; read-only.

    Its shape is (size + 1, size + 1). Rows 0 and 1 are 0, since one of `attack` must stay;
    column 0, without a defender, is 1.
    """

    rule: DiceRule
    size: int
    chances: Chances

    def win(self, attack: int, defend: int) -> float:
        """The chance to capture; see `chance_to_win` for more armies than the table has."""
        return chance_to_win(self.chances, attack, defend)


@lru_cache(maxsize=64)
def win_table(rule: DiceRule, size: int = 100) -> OddsTable:
    """All battles of up to `size` armies a side; RubiconError where that is too large."""
    check_at_least(size, 2, "The size of a table")
    chances = solve(size, size, rule).value
    chances[:, 0] = 1.0
    chances.flags.writeable = False
    return OddsTable(rule, size, chances)


@inlined
def chance_to_win(chances: Chances, attack: int, defend: int) -> float:
    """Look up a chance in `OddsTable.chances`, from compiled code or from Python.

    More armies than the table has are scaled down on both sides by the same factor. Fewer rolls
    leave more to luck, so this understates the chance of the stronger side.
    """
    most = chances.shape[0] - 1
    larger = max(attack, defend)
    if larger > most:
        # One of the attackers stays one, and so does the last defender.
        attack = max(attack * most // larger, min(attack, 1))
        defend = max(defend * most // larger, min(defend, 1))
    return float(chances[max(attack, 0), max(defend, 0)])


def armies_needed(defend: int, rule: DiceRule, chance: float, stop: Stop = TO_THE_END) -> int:
    """The fewest armies on the attacking territory with at least this chance to capture.

    Raises RubiconError: `odds/bad-chance`, `odds/not-reached`, and what `battle` raises.
    """
    check_chance(chance)
    check_defend(defend)
    if stop.lost is not None or stop.rounds is not None:
        return first_army_count(
            lambda attack: battle(attack, defend, rule, stop).win, chance, enough(stop)
        )
    return first_index(lambda most: solve(most, defend, rule, stop).value[:, defend], chance)


def first_army_count(win: Callable[[int], float], chance: float, most: int) -> int:
    """The first number of armies, from 2 to `most`, for which `win` reaches a chance."""
    for attack in range(2, min(most, MOST_ARMIES) + 1):
        if win(attack) >= chance:
            return attack
    raise _not_reached(chance)


def enough(stop: Stop) -> int:
    """A number of armies above which more change nothing, for stops that count losses or rolls."""
    spent = [stop.lost or MOST_ARMIES, MOST_LOST * (stop.rounds or MOST_ARMIES)]
    return max(stop.left, AMPLE) + min(spent)


def first_index(wins: Callable[[int], Chances], chance: float) -> int:
    """The first index, from 2, at which `wins(most)`, of length most + 1, reaches a chance.

    Tables of doubled size are tried one after the other: most questions are about few armies.
    """
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
        f"No number of armies has a chance of {chance * 100:.6g} %.",
        "Ask for a lower chance, or for a stop rule that goes on longer.",
    )
