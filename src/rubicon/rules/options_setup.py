"""The options of the map, the set-up and receiving armies (rulebook 1.1, 3.1, 3.2)."""

from rubicon.rules.choices import (
    Claim,
    ContinentTiming,
    FirstPlayer,
    HqNeeded,
    HqReveal,
    MinimumScope,
    Placing,
    Rounding,
    TurnOne,
)
from rubicon.rules.option import Choice, CountTable, Number, Use, WordSet
from rubicon.rules.option_forms import Group
from rubicon.rules.position import SEATS, TERRITORIES

MOST_ARMIES = 1000

SETUP = Group("Set-up")

SETUP.flag(
    "map.east_africa_middle_east",
    True,
    "1.1",
    "The border between East Africa and the Middle East.",
    "The two are neighbours.",
    "They are not, as on the 40th-anniversary board.",
    use=Use.BOARD,
)
SETUP.row("players.min", Number(2, SEATS), 3, "A-01 S004-06", "The fewest players.")
SETUP.row("players.max", Number(2, SEATS), 6, "A-01 S003-04", "The most players.")
SETUP.row(
    "setup.armies",
    CountTable(range(2, SEATS + 1), range(1, MOST_ARMIES + 1)),
    "3:35 4:30 5:25 6:20",
    "A-02 A-03 S003-12 S004-05",
    "The starting armies of each player, by number of players.",
)
SETUP.choice(
    "setup.first_player",
    FirstPlayer,
    "A-04 S004-07 S001-23",
    "How the first player is found.",
    {
        "die_roll": "Everybody rolls one die; the highest begins.",
        "random": "Chance picks a player.",
        "gm_assigned": "The host says who begins.",
    },
)
SETUP.built_in(
    "setup.tie",
    "reroll_tied",
    "A-04",
    "Players who tie for the highest die roll again, only they, until one is highest.",
    "no source knows another way to break a tie",
)
SETUP.choice(
    "setup.claim",
    Claim,
    "A-07 A-82 A-83 S004-08",
    "How the territories find their owners.",
    {
        "draft": "In turn, each player puts an army on an empty territory of their choice.",
        "deal_cards": "The territory cards are dealt out, from the first player’s left.",
        "deal_three_piles": "The cards are dealt into three piles: two players and the neutral.",
        "random": "Chance deals the territories round, from the first player.",
    },
)
SETUP.choice(
    "setup.place",
    Placing,
    "A-09 S004-09 S001-27",
    "How the remaining starting armies are placed.",
    {
        "one_each_round": "One army at a time, player after player.",
        "all_at_once": "All at once, sealed until everybody has placed.",
        "two_own_one_neutral": "In turn, two of one’s own and one of the neutral armies.",
    },
)
SETUP.choice(
    "setup.turn1",
    TurnOne,
    "A-58 S001-30",
    "Who takes the first turn.",
    {
        "first_placer": "The player who began the set-up.",
        "new_roll": "It is decided anew once all armies stand.",
    },
)
SETUP.row(
    "setup.cities",
    Number(0, TERRITORIES, words={"board": -1}),
    0,
    "S001-07 S001-15 S001-33",
    "How many territories, drawn by chance, bear a city; each counts twice for new armies.",
    {"board": "As many as the board names: 15 in the world.", "0": "There are no cities."},
)
SETUP.flag(
    "setup.capitals",
    False,
    "S001-06 S001-24 S001-35",
    "Capitals: each player’s first claim, worth an army a turn to whoever holds it.",
    "Every player founds a capital.",
    "There are no capitals.",
)
SETUP.flag(
    "revised.capital_on_city",
    True,
    "A-59",
    "Whether a capital may stand on a city.",
    "It may.",
    "It may not.",
)
SETUP.row(
    "setup.starting_cards",
    CountTable(range(1, SEATS + 1), range(6)),
    "none",
    "S001-28 S001-29",
    "Cards dealt before the first turn, by place in the order of play.",
)
SETUP.choice(
    "hq.reveal",
    HqReveal,
    "A-66",
    "How headquarters are chosen.",
    {
        "simultaneous": "Face down; all are shown together.",
        "open": "Each is shown as it is chosen.",
    },
)
SETUP.choice(
    "hq.needed",
    HqNeeded,
    "A-36",
    "How many opposing headquarters win.",
    {
        "all": "All of them.",
        "short": "Two with up to four players, three with five or six.",
    },
)

ARMIES = Group("Receiving armies")

ARMIES.row(
    "reinforce.min",
    Number(0, 3, only=(0, 3)),
    3,
    "A-05 S003-19 S004-13 S001-34",
    "The fewest armies of a turn.",
    {"3": "Never fewer than three.", "0": "No minimum."},
)
ARMIES.choice(
    "reinforce.min_scope",
    MinimumScope,
    "A-08 S001-34",
    "What the minimum is a minimum of.",
    {
        "territory_part": "Of the armies for territories; continents and cards come on top.",
        "turn_total": "Of all armies of the turn but those for cards.",
    },
)
ARMIES.choice(
    "continent.timing",
    ContinentTiming,
    "A-06 S003-20 S002-14 S002-16",
    "When continents bring their armies.",
    {
        "turn_start": "At the start of one’s turn, for those held then.",
        "snapshot_end_of_own_turn": "With the next turn’s armies, judged as one’s turn ends.",
        "placed_end_of_own_turn": "As one’s turn ends, and placed at once.",
    },
)
ARMIES.choice(
    "revised.rounding",
    Rounding,
    "A-40 S001-32 S004-11",
    "A third of the territories, where it is no whole number.",
    {"down": "Rounded down.", "up": "Rounded up."},
)
ARMIES.built_in(
    "reinforce.place_all",
    "true",
    "A-65 S001-42",
    "All armies received are placed before the first attack.",
    "every source has all new armies placed before attacking",
)
ARMIES.row(
    "army_cap",
    Number(0, MOST_ARMIES),
    0,
    "3.10",
    "The most armies on one territory; what is added above it is lost.",
    {"0": "No limit.", "12": "The expert variation of the 1993 book."},
)

PIECES = Group("Pieces, dice and notices")

PIECES.choice(
    "pieces.denominations",
    None,
    "S003-05 S004-03 S001-05",
    "What the pieces are worth.",
    {
        "1/5/10": "Infantry 1, cavalry 5, artillery 10.",
        "1/3": "A small arrow 1, a large one 3.",
    },
    use=Use.TABLE,
)
PIECES.row(
    "pieces.exchange",
    Choice(("any_time",)),
    "any_time",
    "A-38 S003-06 S004-02",
    "Pieces may be exchanged at any time, up and down.",
    {"any_time": "Whenever their owner likes."},
    "pieces only show a number of armies, which no exchange changes",
    Use.TABLE,
)
PIECES.choice(
    "dice.source",
    None,
    "A-30 S002-10 S002-12",
    "Who throws the dice.",
    {
        "local": "The program that runs the game.",
        "independent": "A dice server of its own, which the host cannot influence.",
        "typed": "People, with real dice; they type what fell.",
    },
    use=Use.TABLE,
)
PIECES.row(
    "dice.recipients",
    WordSet(("attacker", "defender", "gm", "all_seats", "public_log")),
    "all_seats",
    "A-30 S002-11 S002-33 S002-34",
    "Who is told every roll.",
    use=Use.TABLE,
)
PIECES.flag(
    "gm.notices",
    False,
    "A-30 S002-14",
    "Notices of the armies that every turn brings.",
    "All players are told, item by item.",
    "None are sent.",
    use=Use.TABLE,
)
