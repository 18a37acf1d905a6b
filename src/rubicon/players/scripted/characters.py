"""The characters of the scripted bots: their names, one line each, and their traits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rubicon.players.scripted.traits import TRAITS, Traits

FIRST_SCRIPTED = 2  # the number of the first of them, behind `random` and `greedy`

USUAL = {
    "land": 1.0,
    "card": 1.0,
    "connection": 0.1,
    "continent": 3.0,
    "progress": 0.2,
    "breaking": 1.5,
    "leader": 0.2,
    "others": 1.0,
    "grudge": 0.2,
    "elimination": 6.0,
    "spoils": 1.0,
    "loss": 1.0,
    "fear": 0.5,
    "caution": 0.2,
    "battle_chance": 0.45,
    "plan_chance": 0.6,
    "captures": 99.0,
    "peace": 0.0,
    "guard": 0.5,
    "gate": 1.0,
    "stack": 0.2,
    "target": 1.0,
    "patience": 5.0,
    "closing": 0.55,
}


@dataclass(frozen=True, slots=True)
class Character:
    """A scripted bot.

    `traits` are those that differ from the usual ones, `rising` those that differ again where sets
    of cards bring more and more.
    """

    name: str
    line: str
    traits: dict[str, float]
    rising: dict[str, float] = field(default_factory=dict)


CHARACTERS = (
    Character(
        "hunter",
        "Counts whether somebody can be eliminated this turn, and takes the cards.",
        # Found by a search in fields of the others, with fixed values and with rising ones.
        {
            "land": 0.75,
            "card": 9.7,
            "connection": 0.05,
            "continent": 2.1,
            "breaking": 1.0,
            "elimination": 10.0,
            "spoils": 0.2,
            "loss": 3.25,
            "caution": 1.0,
            "plan_chance": 0.75,
            "captures": 2.0,
            "guard": 1.0,
        },
        {
            "land": 1.0,
            "card": 1.0,
            "connection": 0.1,
            "continent": 3.0,
            "breaking": 1.5,
            "spoils": 1.5,
            "loss": 1.2,
            "caution": 0.5,
            "battle_chance": 0.6,
            "plan_chance": 0.6,
            "captures": 1.0,
            "guard": 0.5,
        },
    ),
    Character(
        "farmer",
        "Takes one safe territory a turn, for the card, and waits.",
        {"captures": 1.0, "plan_chance": 0.8, "battle_chance": 0.6},
    ),
    Character(
        "turtle",
        "Hoards armies behind its borders and never overextends.",
        {
            "caution": 1.2,
            "loss": 1.5,
            "guard": 1.2,
            "plan_chance": 0.85,
            "captures": 1.0,
            "elimination": 3.0,
            "spoils": 0.7,
        },
    ),
    Character(
        "kingslayer",
        "Holds down whoever leads.",
        {"leader": 1.4, "others": 0.3, "breaking": 3.0, "captures": 2.0, "caution": 0.4},
    ),
    Character(
        "economist",
        "Takes continents, holds them, and breaks those of others.",
        {"continent": 5.0, "breaking": 3.0, "guard": 1.0, "captures": 2.0, "caution": 0.7},
    ),
    Character(
        "expander",
        "Grows as one connected mass and guards its borders.",
        {"connection": 0.7, "land": 0.6, "guard": 0.8, "captures": 2.0, "caution": 0.7},
    ),
    Character(
        "peaceful",
        "Attacks only players who have attacked it.",
        {"peace": 1.0, "grudge": 1.0, "captures": 3.0, "caution": 0.5},
    ),
)


def traits_of(changes: Mapping[str, float]) -> Traits:
    """A record of traits: the usual ones with changes."""
    made = np.zeros(1, TRAITS)
    for name, value in (USUAL | dict(changes)).items():
        made[name] = value
    traits: Traits = made[0]
    return traits


# By character, and 1 where sets of cards bring more and more.
TRAITS_OF = np.array(
    [[traits_of(one.traits), traits_of(one.traits | one.rising)] for one in CHARACTERS], TRAITS
)
