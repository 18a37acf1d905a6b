"""The options of objectives, capitals and rewards (rulebook 3.8, 5)."""

from rubicon.engine.records.choices import (
    AirfieldLost,
    BonusDie,
    ContinentTurn,
    RevisedWin,
    RewardStart,
)
from rubicon.engine.records.position import OBJECTIVES_A_CLASS
from rubicon.engine.records.tables import ObjectiveKind
from rubicon.rules.options.chosen import Chosen, most_asked, objective_classes
from rubicon.rules.options.declare import Group
from rubicon.rules.options.goals import REVISED
from rubicon.rules.options.kinds import PairTable
from rubicon.rules.options.option import Conflict, Meaning, Use

OBJECTIVES = Group("Objectives and rewards")

WITH_OBJECTIVES = ("objectives.pool=seed11 r08_12",)


def _capitals_asked(chosen: Chosen) -> int:
    return most_asked(chosen, ObjectiveKind.ENEMY_CAPITALS)


def _continent_in_turn(chosen: Chosen) -> bool:
    return any(
        objective.kind is ObjectiveKind.CONTINENT_IN_TURN
        for objective in chosen.board.objectives
        if objective.id in chosen.objectives
    )


OBJECTIVES.choice(
    "objectives.pool",
    None,
    "S001-10 S001-17 5.1",
    "The objectives from which four minor and four major ones are drawn.",
    {
        "none": Meaning("There are none.", implies=("victory.goal = conquest if objectives",)),
        "seed11": Meaning(
            "Eleven.",
            implies=REVISED,
            label="Eleven",
        ),
        "r08_12": Meaning(
            "Those eleven, and to control 1 enemy capital.",
            implies=REVISED,
            label="Twelve",
        ),
    },
    use=Use.BOARD,
    conflicts=(
        Conflict(
            ("objectives.pool", "objectives.class_table"),
            lambda c: (
                not c.has("objectives.pool", "none")
                and min(objective_classes(c)) < OBJECTIVES_A_CLASS
            ),
            "The game needs four minor and four major objectives.",
            lambda c: "These are {} and {}.".format(*objective_classes(c)),
        ),
        Conflict(
            ("objectives.pool", "setup.cities"),
            lambda c: most_asked(c, ObjectiveKind.CITIES, ObjectiveKind.CITIES_IN_TURN) > c.cities,
            "An objective asks for more cities than there are.",
        ),
        Conflict(
            ("objectives.pool", "setup.capitals"),
            lambda c: _capitals_asked(c) > 0 and c.has("setup.capitals", "false"),
            "An objective asks for enemy capitals, and the game has no capitals.",
        ),
        Conflict(
            ("objectives.pool", "players.min"),
            lambda c: _capitals_asked(c) >= c.number("players.min"),
            "An objective asks for more enemy capitals than a small game has opponents.",
        ),
    ),
    label="Objectives",
)
OBJECTIVES.row(
    "objectives.class_table",
    PairTable("objective", ("minor", "major")),
    "none",
    "5.1 S001-52",
    "Objectives that are minor or major in this game, unlike on the board.",
    use=Use.BOARD,
    only_if=WITH_OBJECTIVES,
    label="Classes of objectives",
)
OBJECTIVES.built_in(
    "objectives.split_continents",
    "true",
    "A-44 S001-52",
    "North America, Europe and Asia are three objectives.",
    "the board lists them one by one",
    label="Continents one by one",
)
OBJECTIVES.choice(
    "objectives.continent_turn",
    ContinentTurn,
    "A-45 S001-57",
    "What a player may have held of a continent before taking it in one turn.",
    {
        "no_presence": Meaning(
            "Nothing as the turn began.",
            lambda c: (
                "An entire continent counts as taken in one turn only if none of it was yours as "
                "the turn began. [A-45, S001-57]"
                if _continent_in_turn(c)
                else ""
            ),
        ),
        "not_controlled": Meaning(
            "Any part of it, but not all.",
            lambda c: (
                "An entire continent counts as taken in one turn if not all of it was yours as "
                "the turn began. [A-45]"
                if _continent_in_turn(c)
                else ""
            ),
        ),
    },
    only_if=WITH_OBJECTIVES,
    label="Continent in one turn",
)
OBJECTIVES.flag(
    "conquest.objectives",
    True,
    "A-54 S001-80",
    "Whether objectives and rewards are played where the goal is conquest.",
    yes=Meaning("They are."),
    no=Meaning("They stay in the box."),
    only_if=(*WITH_OBJECTIVES, "victory.goal=conquest"),
    label="Objectives with conquest",
)
OBJECTIVES.choice(
    "revised.win",
    RevisedWin,
    "A-43 S001-01 S001-70",
    "When three objectives and the capital win.",
    {
        "end_of_own_turn": Meaning(
            "As the player's own turn ends.",
            "You win if, as your own turn ends, you have three objectives, minor or major, and "
            "hold your own capital. [A-43, S001-70]",
        ),
        "immediate": Meaning(
            "At once.",
            "You win as soon as, in your own turn, you have three objectives, minor or major, and "
            "hold your own capital. [A-43]",
        ),
    },
    only_if=("victory.goal=objectives",),
    label="Winning with objectives",
)
OBJECTIVES.flag(
    "capital.dead_counts",
    True,
    "A-46 S001-74",
    "Whether the capital of an eliminated player still counts.",
    yes=Meaning(
        "It still brings an army and counts as an enemy capital.",
        "The capital of a player who is out of the game stays on the board and still counts. "
        "[A-46, S001-74]",
    ),
    no=Meaning(
        "It no longer counts for anything.",
        "The capital of a player who is out of the game no longer counts. [A-46]",
    ),
    only_if=("setup.capitals=true",),
    label="Capitals of the eliminated",
)
OBJECTIVES.choice(
    "rewards.major_pool",
    None,
    "5.3 S001-21 S001-76",
    "The four rewards on major objectives.",
    {
        "r08": Meaning(
            "Attack die, defence die, airfield and two armies a turn.",
            label="With two armies",
        ),
        "seed_only": Meaning(
            "Attack die, defence die and two airfields.",
            label="With two airfields",
        ),
    },
    use=Use.BOARD,
    only_if=WITH_OBJECTIVES,
    label="Major rewards",
)
OBJECTIVES.choice(
    "reward.effective",
    RewardStart,
    "A-50",
    "When a reward starts to work.",
    {
        "immediate": Meaning("At once.", "A reward works from the moment you receive it. [A-50]"),
        "next_turn": Meaning(
            "With the player's next turn.", "A reward works from your next turn on. [A-50]"
        ),
    },
    only_if=WITH_OBJECTIVES,
    label="Rewards begin",
)
OBJECTIVES.flag(
    "guaranteed.max_one",
    True,
    "A-51 S001-68",
    "Whether the guaranteed card replaces the card earned by a capture.",
    yes=Meaning(
        "Never more than one card a turn.",
        "The guaranteed card is not a second card: you never draw more than one in a turn. [A-51]",
    ),
    no=Meaning(
        "It comes in addition to it.",
        "The guaranteed card comes in addition to the card that you earn by a capture. [A-51]",
    ),
    only_if=WITH_OBJECTIVES,
    label="One card each turn",
)
OBJECTIVES.choice(
    "airfield.lost",
    AirfieldLost,
    "A-48",
    "What happens when the territory of an airfield is captured.",
    {
        "suspended": Meaning(
            "The airfield does nothing until its owner retakes the territory.",
            "An airfield does nothing while another player holds its territory; it works again "
            "when its owner has retaken it. [A-48]",
        ),
        "transfers": Meaning(
            "The captor receives it, even when the capture eliminates its owner.",
            "An airfield goes to the player who captures its territory. [A-48]",
        ),
        "removed": Meaning(
            "It leaves the game.",
            "An airfield leaves the game when its territory is captured. [A-48]",
        ),
    },
    only_if=WITH_OBJECTIVES,
    label="Captured airfields",
)
OBJECTIVES.built_in(
    "airfield.effect",
    "highest_die_plus_one",
    "A-47 S001-76",
    "An airfield adds 1 to its owner's highest die on and next to its territory, and never more.",
    "it is the one effect that a source describes",
    label="Airfields",
)
OBJECTIVES.built_in(
    "airfield.place",
    "once",
    "5.3",
    "An airfield is placed when it is received, and stays there.",
    "no source lets an airfield move",
    label="Placing airfields",
)
OBJECTIVES.choice(
    "bonus_die",
    BonusDie,
    "A-49 S001-13",
    "What the extra die of a reward does.",
    {
        "drop_lowest": Meaning(
            "The lowest die of the roll is discarded.",
            "With the attack die you roll one die more than you announced when you attack, with "
            "the defence die when you defend. Discard the lowest die of that roll before the dice "
            "are compared. [A-49]",
        ),
        "compare_extra": Meaning(
            "It is compared too.",
            "With the attack die you roll one die more than you announced when you attack, with "
            "the defence die when you defend. It is compared like the others, so that there can "
            "be three pairs. The attacker's last army is never lost, and neither is the army "
            "needed to occupy a captured territory. [A-49]",
        ),
    },
    only_if=WITH_OBJECTIVES,
    label="Extra die",
)
OBJECTIVES.built_in(
    "two_troops",
    "per_draft",
    "A-52",
    "The reward of two armies is paid every turn.",
    "the sources speak of every turn",
    label="Reward of two armies",
)
