"""Which dice of a roll won, for people who look at it; the losses are the engine's."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.engine.records.choices import BonusDie, ExtraDefenceDie
from rubicon.engine.records.position import Position
from rubicon.engine.records.tables import Rules
from rubicon.rules.outcomes import Roll


def pair_winners(rules: Rules, before: Position, roll: Roll) -> tuple[str, ...]:
    """`attacker` or `defender` for each pair of dice that is compared, the highest dice first.

    `before` is the position in which the roll is pending. Ties go to the defender, and airfields
    and capitals add to the highest die (S000-08, RW1). A side may lose fewer armies than pairs:
    the last ones that must stay are not taken (A-16, A-17).
    """
    attack = _highest_first(roll.attack, int(before.attack_plus))
    defence = _highest_first(roll.defence, int(before.defence_plus))
    return tuple(
        "attacker" if mine > theirs else "defender"
        for mine, theirs in list(zip(attack, defence, strict=False))[: _compared(rules, before)]
    )


def _highest_first(faces: Sequence[int], plus: int) -> list[int]:
    best, *others = sorted(faces, reverse=True)
    return [best + plus, *others]


def _compared(rules: Rules, before: Position) -> int:
    """How many pairs of dice are compared."""
    pairs = min(int(before.attack_dice), int(before.defence_dice))
    if rules.bonus_die == BonusDie.COMPARE_EXTRA:
        pairs = min(
            int(before.attack_dice + before.attack_extra),
            int(before.defence_dice + before.defence_extra),
        )
    if rules.defend_extra_die == ExtraDefenceDie.BEST_ONLY:
        pairs = min(pairs, int(before.armies[int(before.attack_target)]))
    return pairs
