"""The rulebook on attack, occupation, elimination and moving armies (rulebook 3.4, 3.5)."""

from rubicon.rulebook.sentences import (
    Section,
    both,
    capitals,
    lacks,
    missions,
    objectives,
    say,
    says,
    sets,
    stars,
    where,
)
from rubicon.rules.options.chosen import Chosen
from rubicon.wording import counted


def comparing(chosen: Chosen) -> str:
    """How dice are compared.

    A dropped bonus die makes no pair (A-49): a player who announced one die, rolled two and
    dropped the lower compares one. Hence "announced" and not "rolled".
    """
    more = (
        "Compare the second highest dice, and the third, in the same way while both sides have one."
        if chosen.objectives_in_play and chosen.has("bonus_die", "compare_extra")
        else "If both sides announced two dice or more, compare the second highest dice in the "
        "same way."
    )
    return (
        "Compare the highest die of each side: the lower one loses an army, and a tie goes to the "
        f"defender. {more} Dice without a partner do not count. "
        "[S000-02, S000-06, S000-07, S004-20]"
    )


ATTACK = Section(
    "Attack",
    (
        (
            say(
                "You may attack a territory that is not yours and borders on one of yours with at "
                "least two armies. Name both territories. Attack as often as you like, from "
                "anywhere to anywhere, and stop between any two rolls. "
                "[S002-36, S002-37, S002-38, S002-39, S000-15]"
            ),
        ),
        (says("attack.dice_cap"), says("defend.dice_cap")),
        (
            says("attack.default"),
            says("dice.announce"),
            says("defend.default"),
            say(
                "A standing order says in advance how many dice you defend with: one, two, or as "
                "many as are allowed, for one territory or for all. You are then not asked. An "
                "order for a territory ends when you lose it. [A-29, A-70]"
            ),
        ),
        (where(objectives, says("bonus_die")),),
        (
            say(comparing),
            says("defend.extra_die"),
        ),
    ),
)

OCCUPATION = Section(
    "Occupation",
    (
        (
            say(
                "When the last defending army falls, the territory is yours, and you must move "
                "armies in at once, before anything else. [S000-09, S000-10]"
            ),
            says("occupy.min"),
            say(
                "You may move in more, but leave at least one army behind: no territory is ever "
                "empty. Armies that have moved in may attack again. "
                "[A-71, A-72, S000-13, S000-14]"
            ),
        ),
    ),
)


def goes_on(chosen: Chosen) -> bool:
    """Whether the game can go on after an elimination: not where the last opponent is gone."""
    return chosen.players.stop > 3 or chosen.has("neutral.must_fall", "true")


ELIMINATION = Section(
    "Elimination",
    (
        (
            say("A player who loses the last territory is out of the game. [S000-20]"),
            where(
                goes_on,
                "If you have taken it, first occupy it, then take all cards of that player. "
                "[A-22d, S000-20, S003-41]",
            ),
            where(both(goes_on, sets), says("elim.trade")),
            where(
                stars,
                "You may trade them in a later turn only. [A-22, S001-79]",
            ),
        ),
        (
            where(
                objectives,
                "You also take that player's objectives, but not the rewards: these end. "
                "[S001-60, S001-61]",
            ),
            where(capitals, "The player's capital stays on the board. [S001-74]"),
            where(missions, "The player's mission is put away unseen. [4.3]"),
        ),
    ),
)


def additional(chosen: Chosen) -> str:
    """How many moves the additional manoeuvre allows."""
    moves = counted(chosen.number("fortify.count") + 1, "move")
    return f"With the additional manoeuvre you may make {moves}. [A-63, S001-65]"


FORTIFY = Section(
    "Fortify",
    (
        (
            says("fortify.reach"),
            say(
                "Leave at least one army behind. You may fortify even if you have not attacked, "
                "and armies that have moved in this turn may move again. "
                "[A-75, A-76, S002-52, S003-42]"
            ),
        ),
        (
            where(both(objectives, lacks("fortify.reach", "connected_many")), additional),
            where(
                objectives,
                "With the starting manoeuvre you may make one such move before your first "
                "attack, in addition to those at the end. [A-53, S001-66]",
            ),
        ),
    ),
)
