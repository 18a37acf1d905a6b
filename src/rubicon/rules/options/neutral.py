"""The options of neutral armies, rebels and resignation (rulebook 3.6, 3.7)."""

from rubicon.engine.records.choices import NeutralDice, NeutralLayout, Rebels, ResignMode
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.declare import Group
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Conflict, Meaning
from rubicon.rules.options.setup import MOST_ARMIES, NO_PILES

NEUTRAL = Group("Neutral armies, rebels and resignation")


def _left_over(chosen: Chosen) -> bool:
    """Whether the players' moves do not place every neutral army exactly (A-09)."""
    armies, territories = chosen.counts("setup.armies").get(2), chosen.territories
    if armies is None or not chosen.has("neutral.layout", "fourteen"):
        return False
    piles = [(territories + 2 - pile) // 3 for pile in range(3)]
    moves = sum(-(-(armies - pile) // 2) for pile in piles[:2])
    return not 0 <= chosen.number("neutral.armies") - piles[2] <= moves


NEUTRAL.choice(
    "neutral.layout",
    NeutralLayout,
    "A-27 S003-14",
    "The neutral army of the two-player game.",
    {
        "none": Meaning(
            "There is none.",
            implies=("setup.claim = draft if deal_three_piles", NO_PILES[1]),
        ),
        "fourteen": Meaning(
            "On a third of the territories: 14 on the world board.",
            lambda c: (
                f"The neutral army has {c.number('neutral.armies')} armies on "
                f"{c.territories // 3} territories. [A-27, S003-14]"
            ),
            implies=("setup.claim = deal_three_piles", "setup.place = two_own_one_neutral"),
            label="On a third",
        ),
        "single40": Meaning(
            "All of it on one territory, drawn by chance.",
            lambda c: (
                f"The neutral army is {c.number('neutral.armies')} armies on one territory, which "
                "is drawn by chance before the others are claimed. [A-27, S003-14]"
            ),
            implies=("setup.claim = draft", "setup.place = one_each_round"),
            label="On one territory",
        ),
    },
    label="Neutral army",
)
NEUTRAL.row(
    "neutral.armies",
    Number(1, MOST_ARMIES),
    40,
    "A-03 A-27 S003-14",
    "How many neutral armies there are.",
    only_if=("neutral.layout=fourteen single40",),
    conflicts=(
        Conflict(
            ("neutral.armies", "setup.armies"),
            _left_over,
            "The players' moves must place exactly all neutral armies; these numbers do not fit.",
        ),
        Conflict(
            ("neutral.armies", "army_cap"),
            lambda c: (
                c.has("neutral.layout", "single40")
                and 0 < c.number("army_cap") < c.number("neutral.armies")
            ),
            "The one neutral territory would hold more armies than the limit allows.",
        ),
    ),
    label="Neutral armies",
)
NEUTRAL.flag(
    "neutral.must_fall",
    False,
    "A-26 S002-05",
    "Whether a world conqueror must take neutral and rebel territories too.",
    yes=Meaning(
        "Every territory must be taken.",
        lambda c: f"The territories of {c.outsiders} armies must fall too. [A-26, A-61, S002-05]",
    ),
    no=Meaning(
        "It is enough that no opponent is left.",
        lambda c: (
            "You also win as soon as your last opponent is out of the game; the territories of "
            f"{c.outsiders} armies need not fall. [A-26, A-61, A-81]"
        ),
    ),
    only_if=("victory.goal=conquest",),
    label="Neutrals must fall",
)
NEUTRAL.choice(
    "neutral.dice",
    NeutralDice,
    "A-28 S003-16 S002-45",
    "Who rolls for neutral and rebel armies, and how many dice.",
    {
        "opponent_chooses": Meaning(
            "The other player, who chooses one die or two.",
            "When one of you attacks them, the other player rolls for them and chooses one die or "
            "two; two only with two or more armies. [A-28, S003-16]",
        ),
        "always_two": Meaning(
            "They always roll two dice, even a single army.",
            lambda c: (
                f"{c.outsiders.title()} armies always roll two dice, even a single army, and take "
                "no standing orders. [A-28, S002-35]"
            ),
        ),
        "max_legal": Meaning(
            "They roll as many dice as a player could.",
            lambda c: f"{c.outsiders.title()} armies roll as many dice as a player could. [A-28]",
        ),
    },
    default="max_legal",
    conflicts=(
        Conflict(
            ("neutral.dice", "players.max"),
            lambda c: c.has("neutral.dice", "opponent_chooses") and c.players.stop > 3,
            "With more than two players it is not clear which other player rolls for the neutral "
            "army.",
        ),
    ),
    label="Dice of neutrals",
)
NEUTRAL.choice(
    "rebels.setup",
    Rebels,
    "A-25 S002-35",
    "Rebels, who only defend.",
    {
        "none": Meaning("There are none.", implies=("player.resign = to_neutral",)),
        "gm_list": Meaning(
            "The host may put some on the board before the game.",
            "Rebels stand where the host has put them, and where players have resigned. "
            "[A-25, A-39]",
            label="Placed by the host",
        ),
        "abandoned_player": Meaning(
            "Only the armies of players who resign.",
            "Rebels are the armies of players who have resigned. [A-25, A-39]",
            implies=("player.resign = to_rebels",),
            label="Of players who resign",
        ),
    },
    conflicts=(
        Conflict(
            ("rebels.setup", "neutral.layout"),
            lambda c: c.has("rebels.setup", "gm_list") and not c.has("neutral.layout", "none"),
            "Rebels and the neutral army of the two-player game cannot both be on the board.",
        ),
    ),
    label="Rebels",
)
NEUTRAL.choice(
    "player.resign",
    ResignMode,
    "A-39 A-88",
    "What becomes of the armies of a player who resigns.",
    {
        "to_neutral": Meaning(
            "They turn neutral.",
            "Your territories turn neutral and keep their armies. [A-39, A-88]",
            implies=("rebels.setup = none if abandoned_player",),
            label="Turn neutral",
        ),
        "to_rebels": Meaning(
            "They turn rebel.",
            "Your territories turn rebel and keep their armies. [A-39, A-88]",
            implies=("rebels.setup = abandoned_player if none",),
            label="Turn rebel",
        ),
    },
    conflicts=(
        Conflict(
            ("player.resign", "rebels.setup"),
            lambda c: c.has("player.resign", "to_rebels") and c.has("rebels.setup", "none"),
            "Armies cannot turn rebel in a game without rebels.",
        ),
        Conflict(
            ("player.resign", "rebels.setup"),
            lambda c: (
                c.has("player.resign", "to_neutral") and c.has("rebels.setup", "abandoned_player")
            ),
            "If only the armies of players who resign are rebels, these armies must turn rebel.",
        ),
    ),
    label="Armies after resigning",
)
