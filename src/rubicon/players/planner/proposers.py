"""Who proposes what the strategist might do: characters, and others that would play badly alone."""

import numpy as np

from rubicon.players.scripted.characters import CHARACTERS, traits_of
from rubicon.players.scripted.traits import TRAITS

NAMES = ("hunter", "farmer", "turtle", "kingslayer", "economist", "expander")  # the usual one first
DARING = {"captures": 99.0, "caution": 0.2, "plan_chance": 0.5}
OTHERS = (
    DARING | {"guard": 0.3, "loss": 0.8},
    DARING | {"continent": 9.0, "fear": 0.2},
    DARING | {"breaking": 9.0},
    {"elimination": 30.0, "spoils": 2.5, "captures": 1.0, "plan_chance": 0.4, "guard": 0.3}
    | {"battle_chance": 0.35},
    # The same with sets that are traded as soon as there are any, and one that is held back.
    {"elimination": 30.0, "spoils": 2.5, "plan_chance": 0.3, "guard": 0.0, "caution": 0.0}
    | {"battle_chance": 0.3, "patience": 3.0},
    {"patience": 3.0, "captures": 2.0, "caution": 0.5, "plan_chance": 0.7},
    {"card": 0.0, "land": -2.0, "captures": 0.0, "elimination": 12.0, "guard": 1.2},
    {"captures": 3.0, "caution": 0.5, "loss": 1.2, "plan_chance": 0.7, "guard": 0.7, "stack": 0.5},
)
USUAL = [one for name in NAMES for one in CHARACTERS if one.name == name]

# 1 where sets of cards bring more and more; then by proposer.
PROPOSERS = np.array(
    [
        [
            *(traits_of(one.traits | (one.rising if rising else {})) for one in USUAL),
            *(traits_of(other) for other in OTHERS),
        ]
        for rising in (False, True)
    ],
    TRAITS,
)
