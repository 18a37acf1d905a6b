"""The options of battle, occupation, fortification and neutral armies (rulebook 3.4 to 3.6)."""

from rubicon.rules.choices import (
    Announce,
    AttackDefault,
    AttackDiceCap,
    DefendDefault,
    DefendDiceCap,
    ExtraDefenceDie,
    FortifyReach,
    NeutralDice,
    NeutralLayout,
    OccupyMinimum,
    Rebels,
    Resign,
)
from rubicon.rules.option import Number
from rubicon.rules.option_forms import Group
from rubicon.rules.options_setup import MOST_ARMIES

ATTACK = Group("Attack and occupation")

ATTACK.choice(
    "attack.dice_cap",
    AttackDiceCap,
    "A-16 S001-45 S004-21 S002-41",
    "How many dice, up to three, an attacker may roll.",
    {
        "armies_minus_1": "One fewer than the armies on the territory attacked from.",
        "armies_guarded": "As many as those armies; a loss that would empty it is not taken.",
    },
)
ATTACK.choice(
    "attack.default",
    AttackDefault,
    "A-21 S002-44",
    "An attack that names no number of dice.",
    {"max": "The most allowed are rolled.", "must_state": "It must name one."},
    default="must_state",
)
ATTACK.choice(
    "defend.dice_cap",
    DefendDiceCap,
    "A-17 S001-46 S004-21 S002-45",
    "How many dice a defender may roll.",
    {
        "armies": "Two, but only with two armies or more.",
        "two_always": "Two, even with one army.",
    },
)
ATTACK.choice(
    "defend.extra_die",
    ExtraDefenceDie,
    "A-17 S002-46 S002-47",
    "A second defence die of a single army.",
    {
        "compare_all": "Both pairs are compared; the attacker may lose by either.",
        "best_only": "Only the highest dice are compared.",
    },
)
ATTACK.choice(
    "defend.default",
    DefendDefault,
    "A-21 S002-42",
    "A defender who has filed no standing order.",
    {
        "two": "Two dice are rolled, where that is allowed.",
        "max_legal": "As many are rolled as are allowed.",
        "must_state": "The defender is asked.",
    },
    default="must_state",
)
ATTACK.choice(
    "dice.announce",
    Announce,
    "A-29 S002-43",
    "In which order both sides name their dice.",
    {
        "attacker_then_defender": "First the attacker, then the defender, before any die falls.",
        "sealed": "Both at once, unseen by the other.",
        "standing_order": "The defender by an order filed before the attack.",
    },
)
ATTACK.built_in(
    "defend.order_scope",
    "per_territory_until_changed",
    "A-70 S002-43",
    "A standing order for a territory binds until it is withdrawn or the territory is lost.",
    "the source has the order filed ahead of time, for a particular territory",
)
ATTACK.choice(
    "occupy.min",
    OccupyMinimum,
    "A-19 S000-11 S002-49",
    "The fewest armies that move into a captured territory.",
    {"last_dice": "As many as dice were rolled last, if there are that many.", "one": "One."},
)

FORTIFY = Group("Fortify")

FORTIFY.choice(
    "fortify.reach",
    FortifyReach,
    "A-20 S002-53 S001-62 S004-28 3.10",
    "Where armies may move as the turn ends.",
    {
        "adjacent": "To an adjacent territory of one’s own.",
        "connected": "Along a chain of territories of one’s own.",
        "any": "To any territory of one’s own.",
        "connected_many": "Any number of moves, each along a chain of one’s own.",
    },
)
FORTIFY.row(
    "fortify.count",
    Number(1, 9),
    1,
    "A-63 S003-42 S004-29",
    "How many such moves a turn ends with.",
)

NEUTRAL = Group("Neutral armies, rebels and resignation")

NEUTRAL.choice(
    "neutral.layout",
    NeutralLayout,
    "A-27 S003-14",
    "The neutral armies of the two-player game.",
    {
        "none": "There are none.",
        "fourteen": "A third of the territories: 14 in the world.",
        "single40": "All of them on one territory, drawn by chance.",
    },
)
NEUTRAL.row(
    "neutral.armies",
    Number(1, MOST_ARMIES),
    40,
    "A-03 A-27 S003-14",
    "How many neutral armies there are.",
)
NEUTRAL.flag(
    "neutral.must_fall",
    False,
    "A-26 S002-05",
    "Whether world conquest includes neutral and rebel territories.",
    "Every territory must be taken.",
    "It is enough that no opponent is left.",
)
NEUTRAL.choice(
    "neutral.dice",
    NeutralDice,
    "A-28 S003-16 S002-45",
    "Who rolls for neutral and rebel armies, and how many dice.",
    {
        "opponent_chooses": "The other player, who chooses one or two.",
        "always_two": "Two dice, even for one army.",
        "max_legal": "As many as a player could.",
    },
    default="max_legal",
)
NEUTRAL.choice(
    "rebels.setup",
    Rebels,
    "A-25 S002-35",
    "Rebels, who only defend.",
    {
        "none": "There are none.",
        "gm_list": "The host may put some on the board before the game.",
        "abandoned_player": "Only the armies of those who leave.",
    },
)
NEUTRAL.choice(
    "player.resign",
    Resign,
    "A-39 A-88",
    "What becomes of the armies of a player who leaves.",
    {"to_neutral": "They turn neutral.", "to_rebels": "They turn rebel."},
)
