"""The table of all options: their names, values, defaults, meanings and sources.

Flags, forms, files, the rulebook and `docs/options.md` are made from this one definition.
"""

from types import MappingProxyType

from rubicon.rules.options_battle import ATTACK, FORTIFY, NEUTRAL
from rubicon.rules.options_cards import CARDS
from rubicon.rules.options_goals import MISSIONS, OBJECTIVES, WINNING
from rubicon.rules.options_setup import ARMIES, PIECES, SETUP

GROUPS = (SETUP, ARMIES, CARDS, ATTACK, FORTIFY, NEUTRAL, WINNING, MISSIONS, OBJECTIVES, PIECES)

OPTIONS = MappingProxyType({option.name: option for group in GROUPS for option in group.options})

# Decisions after the dice are seen, which would cost a phase of their own (rulebook 3.10).
LEFT_OUT = MappingProxyType(
    {
        "card_attack_reroll": "re-roll a die while holding the card of the battle’s territory",
        "commander": "turn one of your attack dice to a 6, once a turn",
    }
)
