"""Options of armies, pieces and neutral armies."""

from rubicon.engine import codes
from rubicon.rules.options.kinds import Choice, Number, WordSet
from rubicon.rules.options.option import Chosen, Conflict, Group, Meaning, Use
from rubicon.rules.options.setup import MOST_ARMIES, NO_PILES
from rubicon.wording import listed

# The options of receiving armies (rulebook 3.2, 3.10).

ARMIES = Group("Receiving armies")


def _too_many(chosen: Chosen) -> bool:
    """Whether the starting armies would not fit on the board under the cap."""
    cap, armies = chosen.number("army_cap"), chosen.counts("setup.armies")
    return cap > 0 and any(n * armies.get(n, 0) > cap * chosen.territories for n in chosen.players)


def _rounded(rounding: str, chosen: Chosen) -> str:
    if chosen.cities:
        return (
            "Count your territories, and count cities twice. Receive a third of that number of "
            f"armies, rounded {rounding}. [S001-32, S001-33, A-40]"
        )
    return (
        f"Count your territories and receive a third of that number of armies, rounded {rounding}. "
        "[S003-18, S004-11, A-40]"
    )


ARMIES.row(
    "reinforce.min",
    Number(0, 3, only=(0, 3)),
    3,
    "A-05 S003-19 S004-13 S001-34",
    "The fewest armies that a turn brings.",
    values={
        "3": Meaning("Never fewer than three."),
        "0": Meaning("There is no minimum.", "There is no minimum. [A-05]"),
    },
    label="Fewest new armies",
)
ARMIES.choice(
    "reinforce.min_scope",
    codes.MinimumScope,
    "A-08 S001-34",
    "What the minimum applies to.",
    {
        "territory_part": Meaning(
            "The armies for territories; everything else comes on top.",
            "You never receive fewer than three for your territories; everything else comes on "
            "top. [A-05, A-08]",
        ),
        "turn_total": Meaning(
            "All armies of the turn except those for cards.",
            "All that a turn brings you, except armies for cards, is never fewer than three. "
            "[A-05, A-08]",
        ),
    },
    only_if=("reinforce.min=3",),
    label="The minimum applies to",
)
ARMIES.choice(
    "continent.timing",
    codes.ContinentTiming,
    "A-06 S003-20 S002-14 S002-16",
    "When continents bring their armies.",
    {
        "turn_start": Meaning(
            "At the start of your turn, for the continents that you hold then.",
            "For every continent that you hold completely as your turn starts, receive its armies "
            "too. [A-06, S003-20]",
            label="As your turn starts",
        ),
        "snapshot_end_of_own_turn": Meaning(
            "With your next turn's armies, for the continents that you hold as your turn ends.",
            "Your continents are counted as your turn ends: for each that you hold completely "
            "then, you receive its armies at the start of your next turn, whatever happens in "
            "between. Your first turn brings the armies of the continents that you hold when the "
            "set-up ends. [A-06, S002-14, S002-16]",
            label="Held as your turn ended",
        ),
        "placed_end_of_own_turn": Meaning(
            "As your turn ends; you place them at once.",
            "For every continent that you hold completely as your turn ends, receive its armies "
            "then and place them at once. [A-06, S002-16]",
            label="As your turn ends",
        ),
    },
    label="Continents bring armies",
)
ARMIES.choice(
    "revised.rounding",
    codes.Rounding,
    "A-40 S001-32 S004-11",
    "How a third of the territories is rounded.",
    {
        "down": Meaning("Down.", lambda c: _rounded("down", c)),
        "up": Meaning("Up.", lambda c: _rounded("up", c)),
    },
    label="A third of territories",
)
ARMIES.built_in(
    "reinforce.place_all",
    "true",
    "A-65 S001-42",
    "All armies received are placed before the first attack.",
    "every source has all new armies placed before the attacks",
    label="Place before attacking",
)
ARMIES.row(
    "army_cap",
    Number(0, MOST_ARMIES),
    0,
    "3.10",
    "The most armies on one territory; armies added beyond it are lost.",
    values={
        "0": Meaning("There is no limit."),
        "12": Meaning("The limit of an expert variation of the 1993 book."),
    },
    rulebook=lambda c: (
        f"A territory never holds more than {c.number('army_cap')} armies; any that are added "
        "beyond that are lost. [3.10]"
        if c.number("army_cap")
        else ""
    ),
    conflicts=(
        Conflict(
            ("army_cap", "setup.armies"),
            _too_many,
            "The starting armies do not fit on the board under that limit.",
        ),
        Conflict(
            ("army_cap",),
            lambda c: c.number("army_cap") == 1,
            "A single army can never attack, so the game would never end.",
        ),
    ),
    label="Most on a territory",
)


# The options of pieces, and of what players are told (rulebook 3.2, 3.4).
#
# No procedure of the engine reads them: they decide what is shown and to whom.

PIECES = Group("Pieces and notices")

RECIPIENTS = {
    "attacker": "the attacker",
    "defender": "the defender",
    "gm": "the host",
    "all_seats": "all players",
    "public_log": "the public log",
}


def _recipients(chosen: Chosen) -> str:
    names = chosen.text("dice.recipients").split()
    if "all_seats" in names:  # the attacker and the defender are players too
        names = [name for name in names if name not in ("attacker", "defender")]
    told = listed([RECIPIENTS[name] for name in names])
    return f"Every roll is shown to {told}. [A-30, S002-11, S002-34]"


PIECES.choice(
    "pieces.denominations",
    None,
    "S003-05 S004-03 S001-05",
    "How many armies each piece stands for.",
    {
        "1/5/10": Meaning(
            "Infantry 1, cavalry 5, artillery 10.",
            "An infantry piece stands for one army, a cavalry piece for five and an artillery "
            "piece for ten. [S003-05, S004-03]",
        ),
        "1/3": Meaning(
            "A small arrow 1, a large arrow 3.",
            "A small arrow stands for one army, a large arrow for three. [S001-05]",
        ),
    },
    use=Use.TABLE,
    label="Pieces",
)
PIECES.row(
    "pieces.exchange",
    Choice(("any_time",)),
    "any_time",
    "A-38 S003-06 S004-02",
    "Pieces may be exchanged at any time, for larger or smaller ones.",
    values={
        "any_time": Meaning(
            "At any time.",
            "You may exchange pieces for larger or smaller ones at any time; only the number of "
            "armies matters. [A-38]",
        )
    },
    why_fixed="pieces only show a number of armies, which no exchange changes",
    use=Use.TABLE,
    label="Exchanging pieces",
)
PIECES.row(
    "dice.recipients",
    WordSet(tuple(RECIPIENTS)),
    "all_seats",
    "A-30 S002-11 S002-33 S002-34",
    "Who is shown the dice of every roll; the armies lost can always be seen on the board.",
    rulebook=_recipients,
    use=Use.TABLE,
    label="Who sees the dice",
)
PIECES.flag(
    "gm.notices",
    False,
    "A-30 S002-14",
    "Notices of the armies that a turn brings.",
    yes=Meaning(
        "All players are told the armies item by item.",
        "At the start of every turn all players are told, item by item, how many armies it brings. "
        "[S002-14]",
    ),
    no=Meaning("The player whose turn it is sees the items, the others see the total."),
    use=Use.TABLE,
    label="Notices of income",
)


# The options of neutral armies, rebels and resignation (rulebook 3.6, 3.7).

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
    codes.NeutralLayout,
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
    codes.NeutralDice,
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
    codes.Rebels,
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
    codes.ResignMode,
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
