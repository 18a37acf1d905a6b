"""The first pages of the rulebook: aim, pieces, set-up (rulebook 1, 3.1)."""

from rubicon.rules.impossible import Chosen, share
from rubicon.rules.rulebook_words import (
    Line,
    Section,
    bullets,
    capitals,
    has,
    headquarters,
    listed,
    missions,
    objectives,
    pick,
    players,
    plural,
    say,
    several_counts,
    territories,
    where,
    word,
)

AIM = Section(
    "Aim",
    (
        (
            pick(
                "victory.goal",
                {
                    "conquest": "Conquer the world, territory by territory. [A-61, S003-43]",
                    "mission": "Each player has a secret mission. Be the first to complete "
                    "yours and show it. [4.1]",
                    "objectives": "Complete three objectives and hold your own capital. [S001-01]",
                    "headquarters": "Each player hides a headquarters on the board. Keep your "
                    "own and take those of the others. [A-36]",
                },
            ),
            say(lambda c: f"The game is for {players(c)} players. [A-01]"),
        ),
    ),
)


def map_text(chosen: Chosen) -> str:
    """The board and its continents."""
    board = chosen.board
    lines = [
        f"{continent.name}: {len(continent.territories)} territories, "
        f"{plural(continent.bonus, 'army', 'armies')} a turn"
        for continent in board.continents
    ]
    count = f"{territories(chosen)} territories in {word(len(board.continents))} continents"
    return f"The board, {board.name}, has {count}. [1.1, 1.2]\n\n{bullets(lines)}"


def has_optional_border(chosen: Chosen) -> bool:
    """Whether the board has the border that some editions left out."""
    options = [border.option for border in chosen.board.optional_borders]
    return "map.east_africa_middle_east" in options


RECIPIENTS = {
    "attacker": "the attacker",
    "defender": "the defender",
    "gm": "the game master",
    "all_seats": "all players",
    "public_log": "the public log",
}


def recipients(chosen: Chosen) -> str:
    """Who is told every roll."""
    told = [RECIPIENTS[name] for name in chosen.text("dice.recipients").split()]
    return f"Every roll is told to {listed(told)}. [A-30, S002-34]"


PIECES = Section(
    "Pieces",
    (
        (say(map_text),),
        (
            say("Lines across the sea are borders like any other. [S002-36]"),
            pick(
                "map.east_africa_middle_east",
                {
                    "true": "East Africa and the Middle East are neighbours. [1.1]",
                    "false": "As on the 40th-anniversary board, East Africa and the Middle East "
                    "are no neighbours. [1.1]",
                },
                has_optional_border,
            ),
        ),
        (
            say("The colours are red, blue, green, yellow, grey and black. [S002-22]"),
            pick(
                "pieces.denominations",
                {
                    "1/5/10": "A foot soldier stands for one army, a horseman for five, a gun "
                    "for ten. [S003-05, S004-03]",
                    "1/3": "A small arrow stands for one army, a large one for three. [S001-05]",
                },
            ),
            say(
                "You may change pieces up and down at any time; only the number of armies "
                "matters. [A-38]"
            ),
        ),
        (
            pick(
                "dice.source",
                {
                    "local": "The dice are thrown where the game is run. [A-30]",
                    "independent": "The dice are thrown by a server of its own, and nobody who "
                    "runs the game can change or repeat a roll. [A-30, S002-10, S002-12]",
                    "typed": "The players throw real dice and say what fell. [A-30]",
                },
            ),
            say(recipients),
            pick(
                "gm.notices",
                {
                    "true": "At the start of every turn all players are told, item by item, "
                    "how many armies it brings. [S002-14]",
                    "false": "",
                },
            ),
        ),
    ),
)


def armies(chosen: Chosen) -> str:
    """The starting armies."""
    table = chosen.counts("setup.armies")
    if not several_counts(chosen):
        return f"You start with {table[chosen.players.start]} armies each. [A-02, A-03]"
    parts = [f"{table[number]} with {word(number)} players" for number in chosen.players]
    return f"The armies that each player starts with: {listed(parts)}. [A-02, S003-12, S004-05]"


def starting_cards(chosen: Chosen) -> str:
    """Cards dealt before turn 1."""
    places = ["first", "second", "third", "fourth", "fifth", "sixth"]
    table = chosen.counts("setup.starting_cards")
    given = [(place, n) for place, n in table.items() if n and place in range(chosen.players.stop)]
    parts = [f"the {places[place - 1]} player {plural(n, 'card')}" for place, n in given]
    if not parts:
        return ""
    dealt = f"To make up for their place in the order of play, chance deals {listed(parts)}."
    return f"{dealt} [S001-28, S001-29]"


def random_deal(chosen: Chosen) -> str:
    """Chance deals the territories."""
    uneven = any(territories(chosen) % number for number in chosen.players)
    more = " Where the numbers do not come out even, the first in order hold one more." * uneven
    return (
        "Chance deals the territories round, from the first player; put one of your armies on "
        f"each of yours.{more} [A-07]"
    )


def three_piles(chosen: Chosen) -> str:
    """The deal of the two-player game."""
    pile = share(chosen, 2)
    return (
        f"The territory cards are dealt into three piles of {pile}: one for each of you and one "
        "for the neutral, as chance has it. Put one army on each territory of your pile; the "
        "neutral does the same. [A-03, A-07, A-83]"
    )


def neutral_rest(chosen: Chosen) -> str:
    """The moves of the two-player set-up."""
    pile = territories(chosen) // 3
    left = chosen.number("neutral.armies") - pile
    return (
        f"Then place in turn. A move is two of your own armies, on one or two of your "
        f"territories, and one neutral army on any neutral territory: the neutral has "
        f"{chosen.number('neutral.armies')} armies in all, {left} of them to place so. [A-09]"
    )


CLAIM: Line = pick(
    "setup.claim",
    {
        "draft": "From the first player on, each in turn puts one army on an empty territory "
        "of their choice, until all are claimed. [A-07, S004-08]",
        "deal_cards": "The territory cards, without wild cards, are dealt out from the first "
        "player’s left; put one of your armies on each of yours. [A-07, A-83]",
        "deal_three_piles": three_piles,
        "random": random_deal,
    },
)

SETUP = Section(
    "Set-up",
    (
        (say(armies),),
        (
            where(
                lambda c: c.cities > 0,
                lambda c: (
                    f"Chance draws {c.cities} territories, and each of them bears a city "
                    "for the whole game. [S001-07, S001-15]"
                ),
            ),
            where(
                objectives,
                "Of the objectives four minor and four major ones, drawn by chance, lie face up; "
                "the others stay in the box. One reward of its class, drawn by chance, lies on "
                "each. [S001-17, S001-18, S001-19, S001-21]",
            ),
        ),
        (
            pick(
                "setup.first_player",
                {
                    "die_roll": "Each player rolls a die, and the highest begins; those who tie "
                    "for it roll again. [A-04, S004-07]",
                    "random": "Chance says who begins. [A-04, S001-23]",
                    "gm_assigned": "The host says who begins. [A-04]",
                },
            ),
            say("Play goes round to the left. [S001-25]"),
        ),
        (
            where(
                has("rebels.setup", "gm_list"),
                "The host may first give some territories to the rebels, with as many armies "
                "as seem right; they are left out of what follows. [A-25]",
            ),
            where(
                has("neutral.layout", "single40"),
                lambda c: (
                    f"Chance draws one territory, and {c.number('neutral.armies')} neutral "
                    "armies stand on it. [A-27]"
                ),
            ),
            CLAIM,
            where(
                capitals,
                lambda c: (
                    "The first territory that you claim bears your capital for the whole "
                    "game"
                    + where(
                        lambda c: c.cities > 0,
                        pick(
                            "revised.capital_on_city",
                            {
                                "true": "; a city may stand there already",
                                "false": "; it must not be a city",
                            },
                        ),
                    )(c)
                    + ". [S001-24, A-59]"
                ),
            ),
        ),
        (
            where(
                missions,
                "Everybody is dealt one mission face down; nobody sees those that are left. [4.1]",
            ),
        ),
        (
            pick(
                "setup.place",
                {
                    "one_each_round": "Then, in turn, each puts one more army on a territory "
                    "of their own, until all have run out; whoever has none left is passed "
                    "over. "
                    "[A-09, A-82]",
                    "all_at_once": "Then everybody places all their other armies as they like, "
                    "sealed; when the last placement is in, all are shown together. "
                    "[A-07, A-09]",
                    "two_own_one_neutral": neutral_rest,
                },
            ),
        ),
        (
            where(
                headquarters,
                pick(
                    "hq.reveal",
                    {
                        "simultaneous": "When all armies stand, each in turn lays down the card "
                        "of one of their territories, unseen: their headquarters. Then all are "
                        "shown "
                        "together. [A-66]",
                        "open": "When all armies stand, each in turn names one of their "
                        "territories, for all to see: their headquarters. [A-66]",
                    },
                ),
            ),
            where(
                headquarters,
                "The cards of the headquarters leave the deck and never belong to a hand. [A-86]",
            ),
        ),
        (
            say(starting_cards),
            pick(
                "setup.turn1",
                {
                    "first_placer": "The player who began takes the first turn. [A-58]",
                    "new_roll": "Who takes the first turn is then decided anew, as before. [A-58]",
                },
            ),
        ),
    ),
)
