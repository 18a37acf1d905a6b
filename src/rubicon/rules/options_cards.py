"""The options of the cards (rulebook 1.5, 1.6, 3.3)."""

from rubicon.rules.board_fields import DESIGN_NAMES, MOST_STARS
from rubicon.rules.choices import (
    BonusCap,
    CardTrigger,
    CardVisibility,
    Deck,
    DrawTime,
    EliminationTrade,
    EmptyPile,
    ForcedTrade,
    SetCounter,
    SetValues,
)
from rubicon.rules.option import Number, PairTable, Use
from rubicon.rules.option_forms import Group

CARDS = Group("Cards")

CARDS.choice(
    "cards.deck",
    Deck,
    "A-10 S003-07 S003-08 S001-08",
    "The deck; the names count the cards of the world.",
    {
        "44": "A card for every territory, and wild cards.",
        "42": "A card for every territory.",
        "stars42": "A card for every territory, with stars instead of designs.",
    },
)
CARDS.row(
    "cards.wilds",
    Number(0, 2, only=(0, 2)),
    2,
    "A-11 S003-08 S004-16 S001-09",
    "How many wild cards the deck has.",
    {"2": "Two, each of any design.", "0": "None."},
)
CARDS.flag(
    "cards.two_wilds_ok",
    True,
    "A-11",
    "Whether two wild cards and any third are a set.",
    "They are.",
    "A set holds at most one wild card.",
)
CARDS.choice(
    "cards.design_table",
    None,
    "1.5",
    "Which card bears which design.",
    {
        "parker": "The table of the 1993 American deck.",
        "domination": "Another table in circulation.",
        "custom": "That of cards.custom_designs.",
    },
    use=Use.BOARD,
)
CARDS.row(
    "cards.custom_designs",
    PairTable("territory", tuple(DESIGN_NAMES)),
    "none",
    "1.5",
    "The design of every territory’s card.",
    use=Use.BOARD,
)
CARDS.choice(
    "stars.table",
    None,
    "1.6 S001-41",
    "How many stars each card bears.",
    {
        "asia_two": "As the board says: in the world two in Asia, one elsewhere.",
        "custom": "As stars.custom says.",
    },
    use=Use.BOARD,
)
CARDS.row(
    "stars.custom",
    PairTable("territory", values=range(1, MOST_STARS + 1)),
    "none",
    "1.6",
    "The stars of every territory’s card.",
    use=Use.BOARD,
)
CARDS.choice(
    "cards.values",
    SetValues,
    "A-68 S002-26 S002-27 S001-38",
    "What a set is worth.",
    {
        "escalating": "4, 6, 8, 10, 12, 15, then 5 more for each set.",
        "plus_one": "4, then 1 more for each set (expert variation).",
        "fixed": "Always 5, for comparison with other programs.",
        "stars": "By the stars of the cards: 2, 4, 7, 10, 13, 17, 21, 25, 30 for 2 to 10.",
    },
)
CARDS.choice(
    "cards.counter",
    SetCounter,
    "A-18b S003-27 S004-17",
    "Which sets count for the value of the next.",
    {
        "global": "Those that anybody has traded.",
        "per_player": "Those that the same player has traded.",
    },
)
CARDS.choice(
    "cards.forced",
    ForcedTrade,
    "A-12 S002-24 S003-26 S004-15",
    "What must be traded at the start of a turn with five cards or more.",
    {
        "one_set": "One set; a second is the player’s choice.",
        "all_complete_up_to_two": "One set, and a second if the cards left hold one.",
        "until_below_5": "Sets until fewer than five cards are left.",
        "none": "Nothing.",
    },
)
CARDS.row(
    "cards.max_sets_per_start",
    Number(2, 2, only=(2,), words={"unlimited": 0}),
    2,
    "A-67",
    "How many sets a turn may begin with; a forced one is never refused.",
    {"2": "Two.", "unlimited": "As many as the hand holds."},
)
CARDS.row(
    "cards.territory_bonus",
    Number(0, 2, only=(0, 2)),
    2,
    "A-13 S003-30 S002-28",
    "Armies for a traded card whose territory one occupies, all of them there.",
    {"2": "Two.", "0": "None."},
)
CARDS.choice(
    "cards.territory_bonus_cap",
    BonusCap,
    "A-13 A-85 S002-30 S003-30",
    "How often that bonus is paid.",
    {
        "per_turn_2": "Once a turn.",
        "per_set_2": "Once a set.",
        "per_card": "For every card that shows an own territory.",
    },
)
CARDS.choice(
    "cards.trigger",
    CardTrigger,
    "A-14 S000-16 S004-30 S001-67",
    "What earns the card of a turn.",
    {
        "captured": "A captured territory.",
        "captured_from_player": "A territory captured from another player.",
        "captured_and_no_claim": "A captured territory, unless an objective was claimed.",
    },
)
CARDS.choice(
    "cards.draw_time",
    DrawTime,
    "A-15 S000-16 S004-30 S001-31",
    "When that card is drawn.",
    {
        "end_of_attack": "When the attacks end, before fortifying.",
        "end_of_turn": "As the turn ends, after fortifying.",
    },
)
CARDS.choice(
    "cards.empty",
    EmptyPile,
    "A-23 S001-69",
    "A card is due and the pile is empty.",
    {
        "reshuffle": "The discarded cards are shuffled into a new pile.",
        "no_card": "No card is drawn any more.",
    },
)
CARDS.choice(
    "cards.visibility",
    CardVisibility,
    "A-24 S002-20",
    "Who sees the hands.",
    {
        "public": "Everybody sees every hand.",
        "private_count_public": "Everybody sees how many cards a hand holds, not which.",
    },
    default="private_count_public",
)
CARDS.choice(
    "elim.trade",
    EliminationTrade,
    "A-22 A-22b A-22c S000-21 S000-22 S000-23",
    "Trading after cards were won by an elimination.",
    {
        "bk93": "With six cards or more, sets at once until four or fewer are left.",
        "none": "Not before one’s next turn.",
        "optional": "At once, as many sets as one likes.",
    },
)
CARDS.built_in(
    "elim.order",
    "occupy_then_cards",
    "A-22d S000-10",
    "An elimination is settled after the occupation.",
    "the occupation is immediate",
)
CARDS.row(
    "stars.trades_per_draft",
    Number(1, 1, only=(1,), words={"unlimited": 0}),
    1,
    "A-41 S001-37",
    "How often stars may be traded in one turn, two to ten at a time.",
    {"1": "Once.", "unlimited": "As often as one likes."},
)
CARDS.built_in(
    "stars.same_turn",
    "false",
    "A-42 S001-79",
    "A card is never traded in the turn in which it was received.",
    "cards with stars are traded in the draft phase of a later turn only",
)
