"""The first pages of the rulebook: aim, pieces, set-up (rulebook 3.1)."""

from rubicon.rulebook.sentences import (
    Section,
    capitals,
    has,
    headquarters,
    missions,
    objectives,
    pick,
    say,
    says,
    where,
)
from rubicon.rules.options.chosen import Chosen


def conquest(chosen: Chosen) -> str:
    """What there is to conquer."""
    if chosen.neutral_at_start and chosen.has("neutral.must_fall", "false"):
        return (
            "Take every territory that your opponent holds. The neutral army's territories need "
            "not fall. [A-26, A-61]"
        )
    return "Conquer the world: take every territory on the board. [A-61, S003-43]"


AIM = Section(
    "Aim",
    (
        (
            pick(
                "victory.goal",
                {
                    "conquest": conquest,
                    "mission": "Each player has a secret mission. Be the first to complete "
                    "yours and show it. [4.1]",
                    "objectives": "Complete three objectives and hold your own capital. [S001-01]",
                    "headquarters": "Each player hides a headquarters on the board. Keep your "
                    "own and take those of the others. [A-36]",
                },
            ),
            says("players.min"),
        ),
    ),
)

PIECES = Section(
    "Pieces and dice",
    (
        (
            say("The colours are red, blue, green, yellow, grey and black. [S002-22]"),
            says("pieces.denominations"),
            says("pieces.exchange"),
        ),
        (
            say(
                "Each table decides how the dice are rolled: the program rolls them, or the "
                "players roll real dice and type in the numbers. In a game on a server, neither "
                "its operator nor a player can change or repeat the program's rolls unnoticed. "
                "[A-30, S002-10, S002-12]"
            ),
            says("dice.recipients"),
            says("gm.notices"),
        ),
    ),
)

SETUP = Section(
    "Set-up",
    (
        (says("setup.armies"),),
        (
            says("setup.cities"),
            where(
                objectives,
                "Draw four minor and four major objectives by chance and lay them face up; the "
                "others stay in the box. On each objective lay a reward of its class, drawn by "
                "chance. [S001-17, S001-18, S001-19, S001-21]",
            ),
        ),
        (
            says("setup.first_player"),
            say("Play goes clockwise, to the left. [S001-25]"),
        ),
        (
            where(
                has("rebels.setup", "gm_list"),
                "Before the game the host may give some territories to the rebels, with any "
                "number of armies; these territories are left out of what follows. [A-25]",
            ),
            where(
                has("neutral.layout", "single40"),
                lambda c: (
                    "Draw one territory by chance and put "
                    f"{c.number('neutral.armies')} neutral armies on it. [A-27]"
                ),
            ),
            says("setup.claim"),
            where(capitals, says("setup.capitals")),
            says("revised.capital_on_city"),
        ),
        (
            where(has("missions.unused_colours", "removed"), says("missions.unused_colours")),
            where(
                missions,
                "Deal one mission face down to each player, and put the others away unseen. [4.1]",
            ),
        ),
        (says("setup.place"),),
        (
            says("hq.reveal"),
            where(
                headquarters,
                "The cards of the headquarters leave the deck and never count as cards in your "
                "hand. [A-86]",
            ),
        ),
        (says("setup.starting_cards"), says("setup.turn1")),
    ),
)
