"""The rulebook on a turn, on receiving armies and on cards (rulebook 3.2, 3.3)."""

from rubicon.rules.impossible import Chosen
from rubicon.rules.rulebook_words import (
    Line,
    Section,
    both,
    capitals,
    custom,
    has,
    lacks,
    objectives,
    pick,
    plural,
    say,
    sets,
    stars,
    territories,
    where,
    word,
)


def steps(chosen: Chosen) -> str:
    """The steps of a turn, in order."""
    early = chosen.has("cards.draw_time", "end_of_attack")
    late_continents = chosen.has("continent.timing", "placed_end_of_own_turn")
    moves = "manoeuvre" if objectives(chosen) else "fortify"
    rows = [
        ("Receive armies, trade cards if you like or must, and place.", True),
        ("Make a starting manoeuvre, if you have that reward.", objectives(chosen)),
        ("Attack, as often as you like or not at all.", True),
        ("Draw a card if you have earned one.", early),
        ("Claim one objective if you meet it.", objectives(chosen)),
        (f"Move armies once more ({moves}), if you like.", True),
        ("Draw a card if you have earned one.", not early),
        ("Place the armies for your continents.", late_continents),
    ]
    there = [text for text, is_there in rows if is_there]
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(there, 1))
    return f"A turn has {word(len(there))} steps: [S002-09, S001-31]\n\n{numbered}"


TURN = Section(
    "Turn",
    (
        (say(steps),),
        (
            say(
                "You may attack no more once you have moved on from attacking. Then the player "
                "to the left is next; whoever is out of the game is passed over. "
                "[A-77, S000-19]"
            ),
        ),
    ),
)


def base(chosen: Chosen) -> str:
    """The armies for territories."""
    rounding = "rounded " + chosen.text("revised.rounding")
    cities = ", a city’s territory twice" if chosen.cities else ""
    rules = "[S003-18, S004-11, A-40]" if not chosen.cities else "[S001-32, S001-33, A-40]"
    return (
        f"Count your territories{cities}, and receive a third of that number, {rounding}. {rules}"
    )


MINIMUM: Line = where(
    has("reinforce.min", "0"),
    "There is no minimum. [A-05]",
    pick(
        "reinforce.min_scope",
        {
            "territory_part": "These are never fewer than three; everything else comes on top. "
            "[A-05, A-08]",
            "turn_total": "All that a turn brings, cards apart, is never fewer than three. "
            "[A-05, A-08]",
        },
    ),
)

CONTINENTS: Line = pick(
    "continent.timing",
    {
        "turn_start": "For every continent that you hold all of as your turn starts you receive "
        "its armies too. [A-06, S003-20]",
        "snapshot_end_of_own_turn": "Continents are judged when your turn ends: for those that "
        "you hold all of then you receive their armies with your next turn’s, whatever happens "
        "in between. For the first turn those count that you hold when the set-up ends. "
        "[A-06, S002-14, S002-16]",
        "placed_end_of_own_turn": "For every continent that you hold all of as your turn ends "
        "you receive its armies then, and place them at once. [A-06, S002-16]",
    },
)

ARMIES = Section(
    "Receiving armies",
    (
        (say(base), MINIMUM),
        (
            CONTINENTS,
            say("A territory in other hands, even neutral ones, denies the continent. [A-78]"),
        ),
        (
            where(
                capitals,
                "Every capital on a territory of yours brings one army more, your own "
                "included. [S001-35]",
            ),
            pick(
                "capital.dead_counts",
                {
                    "true": "The capital of a player who is out of the game stays and still "
                    "counts. [A-46, S001-74]",
                    "false": "The capital of a player who is out of the game counts no more. "
                    "[A-46]",
                },
                capitals,
            ),
        ),
        (
            say(
                "Trade cards and place armies in any order. You go on only when nothing is left "
                "to place and no trade is due. [A-65, A-84, S001-42]"
            ),
            where(
                lacks("army_cap", "0"),
                lambda c: (
                    "No territory ever receives armies beyond "
                    f"{c.number('army_cap')}; what is above is lost. [3.10]"
                ),
            ),
        ),
    ),
)


def deck(chosen: Chosen) -> str:
    """The cards."""
    wilds = chosen.number("cards.wilds") if chosen.has("cards.deck", "44") else 0
    count = territories(chosen) + wilds
    start = f"The deck has {count} cards, one for every territory"
    if stars(chosen):
        return f"{start}; each bears one or two stars. [A-10, S001-08, S001-09]"
    more = f" and {plural(wilds, 'wild card')}" if wilds else ", and no wild cards"
    return (
        f"{start}{more}. A territory’s card shows infantry, cavalry or artillery. "
        "[A-10, A-11, S003-07]"
    )


def set_values(chosen: Chosen) -> str:
    """What sets are worth."""
    counted = {
        "global": "The count goes on for all players together. [A-18b, S003-27]",
        "per_player": "Each player’s sets count for that player alone. [A-18b]",
    }[chosen.text("cards.counter")]
    return {
        "escalating": "The first set brings 4 armies, then 6, 8, 10, 12 and 15, and every later "
        f"one 5 more than the one before. [S002-26, S002-27] {counted}",
        "plus_one": "The first set brings 4 armies, and every later one 1 more than the one "
        f"before. [A-68] {counted}",
        "fixed": "Every set brings 5 armies. [A-68]",
        "stars": "",
    }[chosen.text("cards.values")]


def set_limit(chosen: Chosen) -> str:
    """How many sets a turn may begin with."""
    if chosen.has("cards.max_sets_per_start", "unlimited"):
        return "As your turn begins you may trade as many sets as you hold. [A-67]"
    return (
        "As your turn begins you may trade up to two sets, and more only where you must. "
        "[A-67, S002-23]"
    )


DESIGNS: Line = pick(
    "cards.design_table",
    {
        "parker": "Which card bears which design is as in the American deck of 1993. [1.5]",
        "domination": "Which card bears which design is not as in the American deck of 1993 but "
        "as in another printing. [1.5]",
        "custom": lambda c: f"The designs are these: {custom(c, 'cards.custom_designs')}. [1.5]",
    },
    sets,
)

STARS: Line = pick(
    "stars.table",
    {
        "asia_two": "The board says which card bears how many: "
        "in the world those of Asia two, all others one. [1.6, S001-41]",
        "custom": lambda c: f"The stars are these: {custom(c, 'stars.custom')}. [1.6]",
    },
    stars,
)

TRIGGER: Line = pick(
    "cards.trigger",
    {
        "captured": "If you have captured a territory in your turn, you earn a card. "
        "[A-14, S000-16]",
        "captured_from_player": "If you have captured a territory from another player in your "
        "turn, you earn a card; a neutral territory earns none. [A-14, S004-30]",
        "captured_and_no_claim": lambda c: (
            "If you have captured a territory in your turn"
            + (" and claimed no objective" if objectives(c) else "")
            + ", you earn a card. [A-14, S001-67]"
        ),
    },
)

FORCED: Line = pick(
    "cards.forced",
    {
        "one_set": "With five cards or more as your turn begins you must trade a set, and "
        "another while five are left; beyond that it is your choice. [A-12, S002-24, S002-25]",
        "all_complete_up_to_two": "With five cards or more as your turn begins you must trade "
        "a set, a second one if the cards that are left hold one, and more while five are "
        "left. [A-12, S003-26]",
        "until_below_5": "With five cards or more as your turn begins you must trade sets until "
        "fewer than five are left. [A-12, S004-15]",
        "none": "You need never trade, however many cards you hold. [A-12]",
    },
)

BONUS: Line = where(
    has("cards.territory_bonus", "0"),
    "The territories that the cards show do not matter. [A-13, S001-39]",
    pick(
        "cards.territory_bonus_cap",
        {
            "per_turn_2": "If a card of the set shows a territory that you occupy, put two "
            "armies more on it, at once; only once a turn, and with several such territories "
            "you say on which. [A-13, A-85, S002-28, S002-30]",
            "per_set_2": "If a card of the set shows a territory that you occupy, put two armies "
            "more on it, at once; only once a set, and with several such territories you say on "
            "which. [A-13, A-85, S003-30]",
            "per_card": "For every card of the set that shows a territory that you occupy, put "
            "two armies more on it, at once. [A-13, A-85]",
        },
    ),
)

CARDS = Section(
    "Cards",
    (
        (say(deck), DESIGNS, STARS),
        (
            TRIGGER,
            say("However much you capture, that is one card in a turn. [A-69, S000-17]"),
            pick(
                "cards.draw_time",
                {
                    "end_of_attack": "You draw it when your attacks end, before you move armies. "
                    "[A-15, S000-16]",
                    "end_of_turn": "You draw it as your turn ends, after moving armies. "
                    "[A-15, S004-30, S001-31]",
                },
            ),
            pick(
                "cards.empty",
                {
                    "reshuffle": "If the pile is empty then, the cards traded so far are "
                    "shuffled into a new one. [A-23, S001-69]",
                    "no_card": "When the pile is empty there are no more cards. [A-23]",
                },
            ),
            pick(
                "cards.visibility",
                {
                    "public": "All hands lie open. [A-24, S002-20]",
                    "private_count_public": "Your hand is secret; how many cards it holds is "
                    "not. [A-24]",
                },
            ),
        ),
        (
            where(
                sets,
                "A set is three cards of one design, or one of each design. [S003-24, S004-16]",
            ),
            where(
                both(sets, has("cards.wilds", "2")),
                "A wild card stands for any design, so a wild card and any two others are a set. "
                "[A-11, S003-24]",
            ),
            where(
                both(sets, has("cards.wilds", "2")),
                pick(
                    "cards.two_wilds_ok",
                    {
                        "true": "So are two wild cards and any third. [A-11]",
                        "false": "Two wild cards never go into one set. [A-11]",
                    },
                ),
            ),
            where(sets, set_values),
        ),
        (
            where(sets, set_limit),
            where(sets, FORCED),
            where(sets, BONUS),
        ),
        (
            where(
                stars,
                "As you receive armies you may trade cards with two to ten stars together: 2 "
                "stars bring 2 troops, 3 bring 4, 4 bring 7, 5 bring 10, 6 bring 13, 7 bring 17, "
                "8 bring 21, 9 bring 25 and 10 bring 30. [S001-37, S001-38]",
            ),
            where(
                stars,
                pick(
                    "stars.trades_per_draft",
                    {
                        "1": "You trade once a turn at most, and there is no change. [A-41]",
                        "unlimited": "You may trade more than once in a turn; there is no "
                        "change. [A-41]",
                    },
                ),
            ),
            where(
                stars,
                "Nobody must trade, a hand has no limit, and the territories on the cards do not "
                "matter. A card is never traded in the turn that brought it. "
                "[A-41, A-42, S001-39]",
            ),
        ),
    ),
)
