"""The battle rule: the armies that a roll costs each side (S000-02 to S000-08, S004-22)."""

from itertools import product

import numpy as np

from rubicon.engine.records.choices import BonusDie, ExtraDefenceDie
from rubicon.engine.records.layout import inlined
from rubicon.engine.records.tables import Rules

MOST_DICE = 4  # three, and a bonus die


def _sorted_rolls() -> tuple[np.ndarray, np.ndarray]:
    """Every roll of one to four dice, highest first, and the row where each number of dice begins.

    A roll's row is `START[dice] + code`, so that comparing dice is a look-up and no sort.
    """
    rows: list[list[int]] = []
    starts = [0]
    for count in range(1, MOST_DICE + 1):
        starts.append(len(rows))
        for faces in product(range(1, 7), repeat=count):
            rows.append(sorted(faces, reverse=True) + [0] * (MOST_DICE - count))
    return np.array(rows, np.int8), np.array(starts, np.int64)


SORTED, START = _sorted_rolls()


@inlined
def battle_losses(
    rules: Rules,
    attackers: int,
    defenders: int,
    attack_dice: int,
    defence_dice: int,
    attack_extra: int,
    defence_extra: int,
    attack_plus: int,
    defence_plus: int,
    attack_code: int,
    defence_code: int,
) -> tuple[int, int]:
    """Armies that the attacker and the defender lose by one roll.

    `attackers` and `defenders` are the armies on both territories, the codes are
    `outcomes.faces_code` of the dice rolled (announced and extra). An attacker's loss that
    would empty the source, or leave no army to occupy with, is not taken (A-16, A-17, A-49).
    """
    attack = START[attack_dice + attack_extra] + attack_code
    defence = START[defence_dice + defence_extra] + defence_code
    pairs = min(attack_dice, defence_dice)
    if rules.bonus_die == BonusDie.COMPARE_EXTRA:
        pairs = min(attack_dice + attack_extra, defence_dice + defence_extra)
    if rules.defend_extra_die == ExtraDefenceDie.BEST_ONLY:
        pairs = min(pairs, defenders)
    # Without branches: a mispredicted jump costs more than both comparisons together.
    lost = int(SORTED[attack, 0] + attack_plus <= SORTED[defence, 0] + defence_plus)
    lost += int(pairs > 1) & int(SORTED[attack, 1] <= SORTED[defence, 1])
    if pairs > 2:
        lost += int(SORTED[attack, 2] <= SORTED[defence, 2])
    defender_lost = min(pairs - lost, defenders)
    spare = attackers - 1 - int(defender_lost == defenders)
    return min(lost, spare), defender_lost
