"""The outcomes of a pending roll, grouped by losses, with their chances."""

from __future__ import annotations

from functools import lru_cache

from rubicon.engine.dice import battle_losses
from rubicon.engine.records.action_codes import DEFENCE_BITS
from rubicon.engine.records.position import Position
from rubicon.odds.rolls import AMPLE, CODES, WEIGHTS
from rubicon.rules.ruleset.ruleset import Ruleset


def battle_rolls(ruleset: Ruleset, position: Position) -> tuple[tuple[int, float], ...]:
    """One outcome for each pair of losses, with the chance of all rolls that have them."""
    source, target = int(position.attack_source), int(position.attack_target)
    return _rolls(
        ruleset,
        min(int(position.armies[source]), AMPLE),
        min(int(position.armies[target]), AMPLE),
        (int(position.attack_dice), int(position.defence_dice)),
        (int(position.attack_extra), int(position.defence_extra)),
        (int(position.attack_plus), int(position.defence_plus)),
    )


@lru_cache(maxsize=1024)
def _rolls(
    ruleset: Ruleset,
    attackers: int,
    defenders: int,
    dice: tuple[int, int],
    extra: tuple[int, int],
    plus: tuple[int, int],
) -> tuple[tuple[int, float], ...]:
    # Many rolls have the same losses, and the engine treats them alike: one outcome stands for all.
    found: dict[tuple[int, int], tuple[int, int]] = {}
    attack, defence = dice[0] + extra[0], dice[1] + extra[1]
    for attack_code, attack_weight in zip(CODES[attack], WEIGHTS[attack], strict=True):
        for defence_code, defence_weight in zip(CODES[defence], WEIGHTS[defence], strict=True):
            weight = int(attack_weight * defence_weight)
            if weight == 0:  # zeros fill the end of each row
                break
            codes = (int(attack_code), int(defence_code))
            lost = battle_losses(ruleset.rules, attackers, defenders, *dice, *extra, *plus, *codes)
            outcome = codes[0] << DEFENCE_BITS | codes[1]
            first, before = found.get(lost, (outcome, 0))
            found[lost] = (first, before + weight)
    total = sum(weight for _, weight in found.values())
    return tuple((outcome, weight / total) for outcome, weight in found.values())
