"""The options of attack, occupation and fortification (rulebook 3.4, 3.5)."""

from rubicon.engine import codes
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Chosen, Conflict, Group, Meaning, RefusalText
from rubicon.wording import counted

ATTACK = Group("Attack and occupation")

MOST_TRUCE = 10  # rounds


def _truce(chosen: Chosen) -> str:
    rounds = chosen.number("attack.truce")
    if not rounds:
        return ""
    first = "the first round" if rounds == 1 else f"the first {counted(rounds, 'round')}"
    return (
        f"There is a truce in {first}: until each player has had {counted(rounds, 'turn')}, no "
        f"player may attack another. You may attack {chosen.outsiders} armies. [own]"
    )


def _extra_die(chosen: Chosen) -> bool:
    return chosen.has("defend.dice_cap", "two_always") or chosen.has("neutral.dice", "always_two")


def _occupy(chosen: Chosen) -> str:
    bonus = " The extra die of a reward does not count." if chosen.objectives_in_play else ""
    return (
        "Move in at least as many armies as the dice you announced for the last roll, or as many "
        f"as you can if that is fewer.{bonus} [A-19, S000-11]"
    )


def _once(chosen: Chosen) -> str:
    moves = chosen.number("fortify.count")
    return "once" if moves == 1 else f"up to {counted(moves, 'time')}"


ATTACK.choice(
    "attack.dice_cap",
    codes.AttackDiceCap,
    "A-16 S001-45 S004-21 S002-41",
    "How many dice, three at most, the attacker may roll.",
    {
        "armies_minus_1": Meaning(
            "One fewer than the armies on the territory attacked from.",
            "The attacker rolls one, two or three dice, but always fewer dice than there are "
            "armies on the territory attacked from. [A-16, S001-45]",
            label="One fewer than armies",
        ),
        "armies_guarded": Meaning(
            "As many as those armies; a loss that would leave the territory empty does not count.",
            "The attacker rolls one, two or three dice, but no more than there are armies on the "
            "territory attacked from. The attacker's last army there is never lost, and neither "
            "is the army needed to occupy a captured territory. [A-16, S004-21, S004-27]",
            label="As many as armies",
        ),
    },
    label="Attack dice",
)
ATTACK.choice(
    "attack.default",
    codes.AttackDefault,
    "A-21 S002-44",
    "How many dice an attack rolls if the attacker states no number.",
    {
        "max": Meaning(
            "As many dice as are allowed.",
            "If you name no number of dice, you attack with as many as are allowed. "
            "[A-21, S002-44]",
        ),
        "must_state": Meaning(
            "The attacker must state a number.",
            "The attacker says how many dice to roll. [A-21, A-29]",
        ),
    },
    default="must_state",
    label="Attack dice if not named",
)
ATTACK.row(
    "attack.truce",
    Number(0, MOST_TRUCE),
    0,
    "own",
    "A truce: the number of rounds at the start in which no player may attack another.",
    values={"0": Meaning("There is no truce.")},
    rulebook=_truce,
    section="Attack",
    conflicts=(
        Conflict(
            ("attack.truce", "game.round_limit"),
            lambda c: 0 < c.number("game.round_limit") <= c.number("attack.truce"),
            "The truce would last the whole game.",
        ),
    ),
    refusals={
        codes.Refusal.TRUCE: RefusalText(
            "attack/truce",
            "A truce is in force: no player may attack another player yet.",
            "Neutral and rebel territories may be attacked. Or end your attacks: `end attack`.",
        )
    },
    label="Truce at the start",
)
ATTACK.choice(
    "defend.dice_cap",
    codes.DefendDiceCap,
    "A-17 S001-46 S004-21 S002-45",
    "How many dice the defender may roll.",
    {
        "armies": Meaning(
            "Two, but only with two armies or more.",
            "The defender rolls one or two dice, but two only with two or more armies. "
            "[A-17, S001-46, S004-21]",
            label="Two with two armies",
        ),
        "two_always": Meaning(
            "Two, even with one army.",
            "The defender may roll two dice even with one army. [A-17, S002-45]",
            label="Always two",
        ),
    },
    label="Most defence dice",
)
ATTACK.choice(
    "defend.extra_die",
    codes.ExtraDefenceDie,
    "A-17 S002-46 S002-47",
    "What the second die of a single defending army does.",
    {
        "compare_all": Meaning(
            "Both pairs are compared; the attacker may lose an army by either.",
            lambda c: (
                "When one army rolls two dice, both pairs are compared. The attacker can lose an "
                "army by one pair even while capturing the territory by the other, as long as an "
                "army is left to move in. [A-17, S002-46, S002-47]"
                if _extra_die(c)
                else ""
            ),
        ),
        "best_only": Meaning(
            "Only the highest dice are compared.",
            lambda c: (
                "When one army rolls two dice, only the highest dice are compared. [A-17]"
                if _extra_die(c)
                else ""
            ),
        ),
    },
    label="Second die of one army",
)
ATTACK.choice(
    "defend.default",
    codes.DefendDefault,
    "A-21 S002-42",
    "What happens when the defender has given no standing order.",
    {
        "two": Meaning(
            "The defender rolls two dice, where that is allowed.",
            "A defender without a standing order rolls two dice, where that is allowed. [A-21, "
            "S002-42]",
            label="Two",
        ),
        "max_legal": Meaning(
            "The defender rolls as many dice as are allowed.",
            "A defender without a standing order rolls as many dice as are allowed. [A-21]",
            label="As many as allowed",
        ),
        "must_state": Meaning(
            "The defender is asked. A hosted game begins with standing orders for as many dice as "
            "are allowed.",
            "A defender without a standing order is asked for each roll. [A-21]",
            label="Ask the defender",
        ),
    },
    default="must_state",
    label="Defence without an order",
)
ATTACK.choice(
    "dice.announce",
    codes.Announce,
    "A-29 S002-43",
    "In which order both sides name their dice.",
    {
        "attacker_then_defender": Meaning(
            "First the attacker, then the defender, before any die is rolled.",
            "Then the defender names a number of dice, before any die is rolled. [A-29]",
        ),
        "sealed": Meaning(
            "Both at once, each without knowing the other's number.",
            "Attacker and defender name their dice at the same time, before any die is rolled. "
            "[A-29]",
        ),
        "standing_order": Meaning(
            "The defender by a standing order given before the attack.",
            "The defender's number of dice is the one ordered before the attack arrived; a later "
            "order counts from the next attack on. [A-29, A-70, S002-43]",
        ),
    },
    label="Naming dice",
)
ATTACK.built_in(
    "defend.order_scope",
    "per_territory_until_changed",
    "A-70 S002-43",
    "A standing order for a territory stays in force until it is withdrawn or the territory falls.",
    "the source has the order given ahead of time, for a particular territory",
    label="Standing orders",
)
ATTACK.choice(
    "occupy.min",
    codes.OccupyMinimum,
    "A-19 S000-11 S002-49",
    "The fewest armies that move into a captured territory.",
    {
        "last_dice": Meaning(
            "As many as the dice announced for the last roll, or as many as can move.", _occupy
        ),
        "one": Meaning("One.", "Move in at least one army. [A-19]"),
    },
    label="Moving in",
)

FORTIFY = Group("Fortify")

FORTIFY.choice(
    "fortify.reach",
    codes.FortifyReach,
    "A-20 S002-53 S001-62 S004-28 3.10",
    "Where armies may move at the end of a turn.",
    {
        "adjacent": Meaning(
            "To an adjacent territory of one's own.",
            lambda c: (
                f"Before your turn ends you may move armies {_once(c)} from one of your "
                "territories to an adjacent one of yours. [A-20, S003-42]"
            ),
        ),
        "connected": Meaning(
            "Along an unbroken chain of one's own territories.",
            lambda c: (
                f"Before your turn ends you may move armies {_once(c)} from one of your "
                "territories to another that is connected to it by an unbroken chain of your "
                "territories. [A-20, S001-62, S001-64]"
            ),
        ),
        "any": Meaning(
            "To any territory of one's own.",
            lambda c: (
                f"Before your turn ends you may move armies {_once(c)} from one of your "
                "territories to any other territory of yours, wherever it is. [A-20, S004-28]"
            ),
        ),
        "connected_many": Meaning(
            "Any number of moves, each along an unbroken chain of one's own territories.",
            "Before your turn ends you may move armies as often as you like, each time between two "
            "of your territories that are connected by an unbroken chain of your territories. "
            "[A-20, 3.10]",
            label="Connected, any number",
        ),
    },
    label="Fortifying",
)
FORTIFY.row(
    "fortify.count",
    Number(1, 9),
    1,
    "A-63 S003-42 S004-29",
    "How many such moves a player may make at the end of a turn.",
    only_if=("fortify.reach=adjacent connected any",),
    label="Fortifying moves",
)
