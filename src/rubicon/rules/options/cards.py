"""The options of the cards (rulebook 1.5, 1.6, 3.3)."""

from rubicon.engine import codes
from rubicon.rules.board.format import DESIGN_NAMES, MOST_STARS
from rubicon.rules.options.kinds import Number, PairTable
from rubicon.rules.options.option import Chosen, Conflict, Group, Meaning, Use

CARDS = Group("Cards")

SETS = "cards.deck=44 42"  # conditions: cards are traded in sets, or for their stars
STARS = "cards.deck=stars42"
PLAIN_DECK = ("cards.values = escalating if stars",)
SET_DECK = ("cards.deck = 44 if stars42",)


def _stars_with(option: str, *values: str) -> "Conflict":
    """A deck with stars needs one of these values of another option."""
    return Conflict(
        ("cards.deck", option),
        lambda c: c.has("cards.deck", "stars42") and not c.has(option, *values),
        _STAR_REASONS[option],
    )


_STAR_REASONS = {
    "cards.forced": "Cards with stars form no sets, so no player can be forced to trade one.",
    "elim.trade": "Cards with stars are traded only while armies are received.",
    "cards.territory_bonus": "The territories on cards with stars bring no armies.",
}


def _deck(chosen: Chosen) -> str:
    return f"The deck has a card for each of the {chosen.territories} territories"


def _counter(chosen: Chosen) -> str:
    if chosen.has("cards.counter", "global"):
        return "The sets of all players are counted together. [A-18b, S003-27]"
    return "Each player's own sets are counted. [A-18b]"


def _bonus(often: str) -> str:
    return (
        "If a card of the set shows a territory that you hold, put two extra armies on that "
        f"territory at once, {often}. If several cards do, you choose the territory."
    )


CARDS.choice(
    "cards.deck",
    codes.Deck,
    "A-10 S003-07 S003-08 S001-08",
    "The deck. The numbers count the cards on the world board.",
    {
        "44": Meaning(
            "A card for every territory, and two wild cards.",
            lambda c: (
                f"{_deck(c)}, and two wild cards. A territory's card shows infantry, cavalry or "
                "artillery. [A-10, A-11, S003-07, S003-08]"
            ),
            implies=("cards.wilds = 2", *PLAIN_DECK),
            label="44 with wild cards",
        ),
        "42": Meaning(
            "A card for every territory.",
            lambda c: (
                f"{_deck(c)}, and no wild cards. A territory's card shows infantry, cavalry or "
                "artillery. [A-10, A-11, S003-07]"
            ),
            implies=("cards.wilds = 0", *PLAIN_DECK),
            label="42",
        ),
        "stars42": Meaning(
            "A card for every territory, with stars.",
            lambda c: f"{_deck(c)}; each card has one or two stars. [A-10, S001-08, S001-09]",
            implies=(
                "cards.wilds = 0",
                "cards.values = stars",
                "cards.forced = none",
                "cards.territory_bonus = 0",
                "elim.trade = none",
            ),
            label="42 with stars",
        ),
    },
    conflicts=(
        Conflict(
            ("cards.deck", "cards.wilds"),
            lambda c: c.has("cards.deck", "44") != c.has("cards.wilds", "2"),
            "The deck `44` has two wild cards; the other decks have none.",
        ),
        Conflict(
            ("cards.deck", "cards.values"),
            lambda c: c.has("cards.deck", "stars42") != c.has("cards.values", "stars"),
            "Cards with stars are traded for their stars, other cards in sets.",
        ),
        _stars_with("cards.forced", "none"),
        _stars_with("elim.trade", "none"),
        _stars_with("cards.territory_bonus", "0"),
    ),
    label="Deck",
)
CARDS.row(
    "cards.wilds",
    Number(0, 2, only=(0, 2)),
    2,
    "A-11 S003-08 S004-16 S001-09",
    "How many wild cards the deck has.",
    values={
        "2": Meaning(
            "Two; each stands for any design.",
            "A wild card stands for any design, so a wild card and any two others are a set. "
            "[A-11, S003-24]",
            implies=("cards.deck = 44",),
        ),
        "0": Meaning("None.", implies=("cards.deck = 42 if 44",)),
    },
    label="Wild cards",
)
CARDS.flag(
    "cards.two_wilds_ok",
    True,
    "A-11",
    "Whether two wild cards and any third card are a set.",
    yes=Meaning("They are.", "Two wild cards and any third card are a set too. [A-11]"),
    no=Meaning("They are not.", "A set holds at most one wild card. [A-11]"),
    only_if=("cards.wilds=2",),
    label="Two wilds in a set",
)
CARDS.choice(
    "cards.design_table",
    None,
    "1.5",
    "Which card has which design.",
    {
        "parker": Meaning(
            "As in the American deck of 1993.",
            "The tables of the board show the design of each card, as in the American deck of "
            "1993. [1.5]",
            implies=("cards.custom_designs = none",),
        ),
        "domination": Meaning(
            "As in another published table.",
            "The tables of the board show the design of each card; it is not that of the American "
            "deck of 1993 but of another published list. [1.5]",
            implies=("cards.custom_designs = none",),
        ),
        "custom": Meaning(
            "As cards.custom_designs says.",
            "The tables of the board show the design of each card, chosen for this game. [1.5]",
        ),
    },
    use=Use.BOARD,
    only_if=(SETS,),
    label="Card designs",
)
CARDS.row(
    "cards.custom_designs",
    PairTable("territory", tuple(DESIGN_NAMES)),
    "none",
    "1.5",
    "The design of each territory's card, where you choose them yourself.",
    use=Use.BOARD,
    only_if=(SETS,),
    implies=("cards.design_table = custom",),
    conflicts=(
        Conflict(
            ("cards.design_table", "cards.custom_designs"),
            lambda c: (
                c.has("cards.design_table", "custom") == c.has("cards.custom_designs", "none")
            ),
            "The design table `custom` and a list of your own designs go together.",
        ),
    ),
    label="Designs of your own",
)
CARDS.choice(
    "stars.table",
    None,
    "1.6 S001-41",
    "How many stars each card has.",
    {
        "asia_two": Meaning(
            "As the board says: on the world board two in Asia, one elsewhere.",
            "The tables of the board show the stars of each card. [1.6, S001-41]",
            implies=("stars.custom = none",),
            label="As the board says",
        ),
        "custom": Meaning(
            "As stars.custom says.",
            "The tables of the board show the stars of each card, chosen for this game. [1.6]",
        ),
    },
    use=Use.BOARD,
    only_if=(STARS,),
    label="Stars on cards",
)
CARDS.row(
    "stars.custom",
    PairTable("territory", values=range(1, MOST_STARS + 1)),
    "none",
    "1.6",
    "The stars of each territory's card, where you choose them yourself.",
    use=Use.BOARD,
    only_if=(STARS,),
    implies=("stars.table = custom",),
    conflicts=(
        Conflict(
            ("stars.table", "stars.custom"),
            lambda c: c.has("stars.table", "custom") == c.has("stars.custom", "none"),
            "The star table `custom` and a list of your own stars go together.",
        ),
    ),
    label="Stars of your own",
)
CARDS.choice(
    "cards.values",
    codes.SetValues,
    "A-68 S002-26 S002-27 S001-38",
    "How many armies a set brings.",
    {
        "escalating": Meaning(
            "4, 6, 8, 10, 12, 15, then 5 more for each set.",
            lambda c: (
                "The first set brings 4 armies, the next ones 6, 8, 10, 12 and 15, and every "
                f"later set 5 more than the one before. [S002-26, S002-27] {_counter(c)}"
            ),
            implies=SET_DECK,
            label="4, 6, 8, 10, 12, 15 …",
        ),
        "plus_one": Meaning(
            "4, then 1 more for each set (an expert variation).",
            lambda c: (
                "The first set brings 4 armies, and every later set 1 more than the one before. "
                f"[A-68] {_counter(c)}"
            ),
            implies=SET_DECK,
            label="4, 5, 6, 7 …",
        ),
        "fixed": Meaning(
            "Always 5, for comparison with other programs.",
            "Every set brings 5 armies. [A-68]",
            implies=SET_DECK,
            label="Always 5",
        ),
        "stars": Meaning(
            "By stars: 2, 4, 7, 10, 13, 17, 21, 25 and 30 armies for 2 to 10 stars.",
            "While you receive armies you may trade cards that have 2 to 10 stars in all: 2 stars "
            "bring 2 armies, 3 bring 4, 4 bring 7, 5 bring 10, 6 bring 13, 7 bring 17, 8 bring "
            "21, 9 bring 25 and 10 bring 30. [S001-37, S001-38]",
            implies=("cards.deck = stars42",),
            label="By stars",
        ),
    },
    label="Sets of cards bring",
)
CARDS.choice(
    "cards.counter",
    codes.SetCounter,
    "A-18b S003-27 S004-17",
    "Which sets count for the value of the next one.",
    {
        "global": Meaning("The sets that all players have traded."),
        "per_player": Meaning("The sets that the same player has traded."),
    },
    only_if=("cards.values=escalating plus_one",),
    label="Sets that count",
)
CARDS.choice(
    "cards.forced",
    codes.ForcedTrade,
    "A-12 S002-24 S003-26 S004-15",
    "What must be traded at the start of a turn with five cards or more.",
    {
        "one_set": Meaning(
            "One set; a second one is the player's choice.",
            "With five or more cards at the start of your turn you must trade a set, and another "
            "while you still hold five; beyond that it is your choice. [A-12, S002-24, S002-25]",
        ),
        "all_complete_up_to_two": Meaning(
            "One set, and a second one if the remaining cards hold one.",
            "With five or more cards at the start of your turn you must trade a set, a second one "
            "if your remaining cards hold one, and more while you still hold five. [A-12, S003-26]",
            label="One or two sets",
        ),
        "until_below_5": Meaning(
            "Sets until fewer than five cards are left.",
            "With five or more cards at the start of your turn you must trade sets until you hold "
            "fewer than five. [A-12, S004-15]",
            label="Until below five",
        ),
        "none": Meaning(
            "Nothing.",
            "You never have to trade, however many cards you hold. [A-12]",
        ),
    },
    label="Forced trades",
)
CARDS.row(
    "cards.max_sets_per_start",
    Number(2, 2, only=(2,), words={"unlimited": 0}),
    2,
    "A-67",
    "How many sets a player may trade at the start of a turn; a forced trade is always allowed.",
    values={
        "2": Meaning(
            "Two.",
            "At the start of your turn you may trade up to two sets, and more only where you "
            "must. [A-67, S002-23]",
        ),
        "unlimited": Meaning(
            "As many as the hand holds.",
            "At the start of your turn you may trade as many sets as you hold. [A-67]",
        ),
    },
    only_if=(SETS,),
    label="Sets each turn",
)
CARDS.row(
    "cards.territory_bonus",
    Number(0, 2, only=(0, 2)),
    2,
    "A-13 S003-30 S002-28",
    "Extra armies for a traded card that shows a territory of one's own, placed there.",
    values={
        "2": Meaning("Two."),
        "0": Meaning(
            "None.",
            "The territories on traded cards bring no extra armies. [A-13, S001-39]",
        ),
    },
    label="Bonus for own territory",
)
CARDS.choice(
    "cards.territory_bonus_cap",
    codes.BonusCap,
    "A-13 A-85 S002-30 S003-30",
    "How often those extra armies are given.",
    {
        "per_turn_2": Meaning(
            "Once a turn.",
            f"{_bonus('but only once a turn')} [A-13, A-85, S002-28, S002-30]",
            label="Once a turn",
        ),
        "per_set_2": Meaning(
            "Once a set.",
            f"{_bonus('but only once for each set')} [A-13, A-85, S003-30]",
            label="Once a set",
        ),
        "per_card": Meaning(
            "For every card that shows one's own territory.",
            "For every card of the set that shows a territory that you hold, put two extra armies "
            "on that territory at once. [A-13, A-85]",
        ),
    },
    only_if=("cards.territory_bonus=2",),
    label="Bonus is given",
)
CARDS.choice(
    "cards.trigger",
    codes.CardTrigger,
    "A-14 S000-16 S004-30 S001-67",
    "How a player earns the card of a turn.",
    {
        "captured": Meaning(
            "By capturing a territory.",
            "You earn a card if you have captured a territory in your turn. [A-14, S000-16]",
        ),
        "captured_from_player": Meaning(
            "By capturing a territory from another player.",
            "You earn a card if you have captured a territory from another player in your turn; "
            "a neutral territory earns none. [A-14, S004-30]",
        ),
        "captured_and_no_claim": Meaning(
            "By capturing a territory without claiming an objective.",
            lambda c: (
                "You earn a card if you have captured a territory in your turn"
                f"{' and have not claimed an objective' if c.objectives_in_play else ''}. "
                "[A-14, S001-67]"
            ),
        ),
    },
    conflicts=(
        Conflict(
            ("cards.trigger", "cards.draw_time", "objectives.pool"),
            lambda c: (
                c.has("cards.trigger", "captured_and_no_claim")
                and c.has("cards.draw_time", "end_of_attack")
                and c.objectives_in_play
            ),
            "The card would be drawn before the player can claim an objective, which decides "
            "whether it is earned.",
        ),
    ),
    label="Earning a card",
)
CARDS.choice(
    "cards.draw_time",
    codes.DrawTime,
    "A-15 S000-16 S004-30 S001-31",
    "When the earned card is drawn.",
    {
        "end_of_attack": Meaning(
            "When the attacks end, before fortifying.",
            "Draw the card when your attacks end, before you fortify. [A-15, S000-16]",
        ),
        "end_of_turn": Meaning(
            "As the turn ends, after fortifying.",
            "Draw the card as your turn ends, after you have fortified. [A-15, S004-30, S001-31]",
        ),
    },
    label="Drawing the card",
)
CARDS.choice(
    "cards.empty",
    codes.EmptyPile,
    "A-23 S001-69",
    "What happens when a card is due and the pile is empty.",
    {
        "reshuffle": Meaning(
            "The discarded cards are shuffled into a new pile.",
            "If the pile is empty when a card is due, shuffle the discards into a new pile: all "
            "traded cards, and the hands of players who resigned. [A-23, A-88, S001-69]",
        ),
        "no_card": Meaning(
            "No more cards are drawn.", "Once the pile is empty, no more cards are drawn. [A-23]"
        ),
    },
    label="Empty pile",
)
CARDS.choice(
    "cards.visibility",
    codes.CardVisibility,
    "A-24 S002-20",
    "Who sees the players' cards.",
    {
        "public": Meaning(
            "All players see all cards.",
            "All players' cards lie face up. [A-24, S002-20]",
            label="Open",
        ),
        "private_count_public": Meaning(
            "Players see only how many cards another player holds.",
            "Your cards are secret, but you must say how many you hold. [A-24]",
            label="Hidden",
        ),
    },
    default="private_count_public",
    label="Hands",
)
CARDS.choice(
    "elim.trade",
    codes.EliminationTrade,
    "A-22 A-22b A-22c S000-21 S000-22 S000-23",
    "Trading after a player has won cards by an elimination.",
    {
        "bk93": Meaning(
            "With six cards or more, sets at once until four or fewer are left.",
            "If you then hold six cards or more, you must trade sets at once, and place their "
            "armies, until you hold four or fewer; then stop. With five or fewer you wait for "
            "your next turn. [A-22, S000-21, S000-22, S000-23]",
            label="With six or more",
        ),
        "none": Meaning(
            "Not before the player's next turn.",
            "You may not trade them before your next turn. [A-22]",
        ),
        "optional": Meaning(
            "At once, as many sets as the player likes.",
            "You may then trade as many sets as you hold, and place their armies at once. [A-22]",
        ),
    },
    label="Trading won cards",
)
CARDS.built_in(
    "elim.order",
    "occupy_then_cards",
    "A-22d S000-10",
    "The captured territory is occupied before the eliminated player's cards are taken.",
    "the occupation is immediate",
    label="Occupy before cards",
)
CARDS.row(
    "stars.trades_per_draft",
    Number(1, 1, only=(1,), words={"unlimited": 0}),
    1,
    "A-41 S001-37",
    "How often a player may trade stars in one turn, two to ten at a time.",
    values={
        "1": Meaning("Once.", "You may trade once a turn, and no more than ten stars. [A-41]"),
        "unlimited": Meaning(
            "As often as the player likes.",
            "You may trade as often as you like, up to ten stars at a time. [A-41]",
        ),
    },
    only_if=(STARS,),
    label="Star trades each turn",
)
CARDS.built_in(
    "stars.same_turn",
    "false",
    "A-42 S001-79",
    "A card is never traded in the turn in which it was received.",
    "cards with stars are traded in a later turn's draft only",
    label="Trade a new card",
)
