"""All options: their declarations in order, and by name.

Command-line flags, web forms, ruleset files, the engine's record of rules, the rulebook and
`docs/options.md` are made from these declarations.
"""

from types import MappingProxyType

from rubicon.rules.options.armies import ARMIES
from rubicon.rules.options.attack import ATTACK, FORTIFY
from rubicon.rules.options.cards import CARDS
from rubicon.rules.options.goals import MISSIONS, WINNING
from rubicon.rules.options.neutral import NEUTRAL
from rubicon.rules.options.objectives import OBJECTIVES
from rubicon.rules.options.option import Option
from rubicon.rules.options.pieces import PIECES
from rubicon.rules.options.setup import SETUP

GROUPS = (SETUP, ARMIES, CARDS, ATTACK, FORTIFY, NEUTRAL, WINNING, MISSIONS, OBJECTIVES, PIECES)

OPTIONS: MappingProxyType[str, Option] = MappingProxyType(
    {option.name: option for group in GROUPS for option in group.options}
)

# Decisions after the dice are seen, each of which would need a phase of its own (rulebook 3.10).
LEFT_OUT = MappingProxyType(
    {
        "card_attack_reroll": "roll a die again while you hold the card of the battle's territory",
        "commander": "turn one of your attack dice to a 6, once a turn",
    }
)

# Names that people look for among the options, and where to find what they mean.
ELSEWHERE = MappingProxyType(
    {"dice.source": "Who rolls the dice is a setting of the table: `dice` (sealed or typed)."}
)
