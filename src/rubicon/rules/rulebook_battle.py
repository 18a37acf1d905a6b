"""The rulebook on attack, occupation, elimination and moving armies (rulebook 3.4, 3.5)."""

from rubicon.rules.impossible import Chosen
from rubicon.rules.rulebook_words import (
    Line,
    Section,
    both,
    capitals,
    lacks,
    missions,
    objectives,
    pick,
    plural,
    say,
    sets,
    where,
)

ATTACK_DICE: Line = pick(
    "attack.dice_cap",
    {
        "armies_minus_1": "The attacker rolls one, two or three dice, but needs one army more "
        "than dice on the territory attacked from. [A-16, S001-45]",
        "armies_guarded": "The attacker rolls one, two or three dice, but no more than there "
        "are armies on the territory attacked from; a loss that would empty it, or leave "
        "nobody "
        "to occupy with, is not taken. [A-16, S004-21, S004-27]",
    },
)

DEFENCE_DICE: Line = pick(
    "defend.dice_cap",
    {
        "armies": "The defender rolls one or two dice, two only with two armies or more. "
        "[A-17, S001-46, S004-21]",
        "two_always": "The defender may roll two dice even with one army. [A-17, S002-45]",
    },
)

EXTRA_DIE: Line = where(
    lambda c: c.has("defend.dice_cap", "two_always") or c.has("neutral.dice", "always_two"),
    pick(
        "defend.extra_die",
        {
            "compare_all": "Where one army rolls two dice both pairs are compared: the attacker "
            "may lose an army by one of them even while capturing by the other, as long as "
            "somebody is left to occupy. [A-17, S002-46, S002-47]",
            "best_only": "Where one army rolls two dice only the highest dice are compared. [A-17]",
        },
    ),
)

ATTACK_DEFAULT: Line = pick(
    "attack.default",
    {
        "max": "An attack that names no number of dice is made with as many as are allowed. "
        "[A-21, S002-44]",
        "must_state": "The attacker must say how many dice to roll. [A-21, A-29]",
    },
)

DEFENCE_DEFAULT: Line = pick(
    "defend.default",
    {
        "two": "A defender who has filed no order rolls two dice where that is allowed. [A-21, "
        "S002-42]",
        "max_legal": "A defender who has filed no order rolls as many dice as are allowed. [A-21]",
        "must_state": "A defender who has filed no order is asked. [A-21]",
    },
)

ANNOUNCE: Line = pick(
    "dice.announce",
    {
        "attacker_then_defender": "First the attacker, then the defender names a number of "
        "dice, before "
        "any die falls. [A-29]",
        "sealed": "Both name a number at once, unseen by the other, before any die falls. [A-29]",
        "standing_order": "The defender’s dice are those of an order filed before the attack "
        "arrives; one that comes later binds the next attack. [A-29, A-70, S002-43]",
    },
)

ATTACK = Section(
    "Attack",
    (
        (
            say(
                "Attack a territory that is not yours, next to one of yours with at least two "
                "armies. Name both territories. You may attack as often as you like, from "
                "anywhere to "
                "anywhere, and stop between any two rolls. "
                "[S002-36, S002-37, S002-38, S002-39, S000-15]"
            ),
        ),
        (ATTACK_DICE, DEFENCE_DICE),
        (
            ATTACK_DEFAULT,
            ANNOUNCE,
            DEFENCE_DEFAULT,
            say(
                "Everybody may file a standing order for defence, one die, two or as many as "
                "allowed, for one territory or for all, and is then not asked. An order for a "
                "territory ends when the territory is lost. [A-29, A-70]"
            ),
        ),
        (
            say(
                "Compare the highest dice, and if both sides rolled two or more the next "
                "highest as well. The lower die loses an army; a tie goes to the defender. Dice "
                "beyond that do not count. [S000-02, S000-06, S000-07, S004-20]"
            ),
            EXTRA_DIE,
        ),
        (
            where(
                objectives,
                pick(
                    "bonus_die",
                    {
                        "drop_lowest": "Whoever has an attack die or a defence die rolls one "
                        "die more than announced and discards the lowest. [A-49]",
                        "compare_extra": "Whoever has an attack die or a defence die rolls one "
                        "die more than announced, and it is compared too; a loss that would "
                        "leave "
                        "the attacker nobody to go on with is not taken. [A-49]",
                    },
                ),
            ),
        ),
    ),
)

OCCUPATION = Section(
    "Occupation",
    (
        (
            say(
                "When the last defending army falls the territory is yours, and you move in at "
                "once, before anything else. [S000-09, S000-10]"
            ),
            pick(
                "occupy.min",
                {
                    "last_dice": "Move at least as many armies as you rolled dice last, or as "
                    "many as you can. [A-19, S000-11]",
                    "one": "Move at least one army. [A-19]",
                },
            ),
            say(
                "Move at most all but one: no territory is ever empty. Armies that have moved "
                "in may attack on. [A-71, A-72, S000-13, S000-14]"
            ),
        ),
    ),
)

SPOILS: Line = pick(
    "elim.trade",
    {
        "bk93": "If you then hold six cards or more you must trade sets at once, and place their "
        "armies, until you hold four or fewer; then stop. With five or fewer you wait for your "
        "next turn. [A-22, S000-21, S000-22, S000-23]",
        "none": "You do not trade before your next turn. [A-22]",
        "optional": "You may then trade as many sets as you hold, and place their armies at "
        "once. [A-22]",
    },
)

ELIMINATION = Section(
    "Elimination",
    (
        (
            say("A player who loses the last territory is out of the game. [S000-20]"),
            say(
                "When you have done that to somebody, occupy first, then take all their cards. "
                "[A-22d, S000-20, S003-41]"
            ),
            where(lambda c: sets(c) or lacks("elim.trade", "none")(c), SPOILS),
            where(
                lambda c: not sets(c),
                "They are traded in a later turn only. [A-22, S001-79]",
            ),
        ),
        (
            where(
                objectives,
                "You take their objectives too, but not their rewards: these end. [S001-60, "
                "S001-61]",
            ),
            where(capitals, "Their capital stays on the board. [S001-74]"),
            where(missions, "Their mission is put away unseen. [4.3]"),
        ),
    ),
)

REACH: Line = pick(
    "fortify.reach",
    {
        "adjacent": "from one of your territories to an adjacent one of yours. [A-20, S003-42]",
        "connected": "from one of your territories to another that an unbroken chain of yours "
        "connects with it. [A-20, S001-62, S001-64]",
        "any": "from one of your territories to any other of yours, wherever it is. "
        "[A-20, S004-28]",
        "connected_many": "from territories of yours to others that unbroken chains of yours "
        "connect with them, in as many moves as you like. [A-20, 3.10]",
    },
)


def moves(chosen: Chosen) -> str:
    """How many moves end a turn, and how far they reach."""
    count = chosen.number("fortify.count")
    many = chosen.has("fortify.reach", "connected_many")
    often = "" if many else " once" if count == 1 else f" {plural(count, 'time')}"
    return f"Before your turn ends you may move armies{often}: {REACH(chosen)}"


FORTIFY = Section(
    "Fortify",
    (
        (
            say(moves),
            say(
                "Leave at least one army behind. You need not have attacked, and armies that "
                "moved in this turn may move on. [A-75, A-76, S002-52, S003-42]"
            ),
        ),
        (
            where(
                both(objectives, lacks("fortify.reach", "connected_many")),
                lambda c: (
                    "With the additional manoeuvre it is "
                    f"{plural(c.number('fortify.count') + 1, 'move')}. [A-63, S001-65]"
                ),
            ),
            where(
                objectives,
                "With the starting manoeuvre you may make one such move before your first "
                "attack, beside those at the end. [A-53, S001-66]",
            ),
        ),
    ),
)
