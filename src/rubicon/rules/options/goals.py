"""Options of goals, missions, objectives and rewards."""

from rubicon.engine import codes
from rubicon.engine.records import OBJECTIVES_A_CLASS, ObjectiveKind
from rubicon.rules.options.kinds import Ids, Number, PairTable
from rubicon.rules.options.option import (
    Chosen,
    Conflict,
    Group,
    Meaning,
    Text,
    Use,
    mission_cards,
    most_asked,
    objective_classes,
    said,
)
from rubicon.wording import counted, listed

# The options of winning and of secret missions (rulebook 3.7, 4).

MOST_ROUNDS = 10_000

WINNING = Group("Winning")

WITHOUT_MISSIONS = ("missions.deck = none",)
WITHOUT_OBJECTIVES = ("objectives.pool = none",)
REVISED = ("setup.cities = board if 0", "setup.capitals = true")
MISSIONS_ONLY = ("missions.deck=us12 euro14 custom",)


def _unknown_missions(chosen: Chosen) -> list[str]:
    known = {mission.id for mission in chosen.board.missions}
    return [name for name in chosen.missions if name not in known]


def _too_few_missions(chosen: Chosen) -> bool:
    """Whether a player may be left without a mission, or with their own colour only."""
    if not chosen.has_missions or _unknown_missions(chosen):
        return False
    spare = int(chosen.has("missions.own_colour", "redraw"))
    return any(mission_cards(chosen, n) < n + spare for n in chosen.players)


def _against(text: Text) -> Text:
    """A sentence for decks with missions against colours only."""
    return lambda chosen: said(text, chosen) if chosen.has_targets else ""


WINNING.choice(
    "victory.goal",
    codes.Goal,
    "A-61 S003-43 S001-01 S001-80",
    "What wins the game.",
    {
        "conquest": Meaning(
            "Conquering the world.",
            lambda c: (
                f"You win as soon as you hold all {c.territories} territories. [A-61, S003-43]"
            ),
            implies=WITHOUT_MISSIONS,
        ),
        "mission": Meaning(
            "Completing one's secret mission.",
            "You win when your mission is complete and shown, and also when you are the last "
            "player left. [4.1, A-81]",
            implies=("missions.deck = us12 if none", *WITHOUT_OBJECTIVES),
        ),
        "objectives": Meaning(
            "Three objectives and one's own capital.",
            implies=("objectives.pool = seed11 if none", *REVISED, *WITHOUT_MISSIONS),
        ),
        "headquarters": Meaning(
            "The headquarters of the other players and one's own.",
            implies=("setup.capitals = false", *WITHOUT_OBJECTIVES, *WITHOUT_MISSIONS),
        ),
    },
    conflicts=(
        Conflict(
            ("victory.goal", "setup.capitals"),
            lambda c: c.has("victory.goal", "headquarters") and c.has("setup.capitals", "true"),
            "A game of headquarters has no capitals: headquarters are chosen after all armies are "
            "placed.",
        ),
        Conflict(
            ("victory.goal", "setup.capitals"),
            lambda c: c.has("victory.goal", "objectives") and c.has("setup.capitals", "false"),
            "No player could win: the goal asks for one's own capital.",
        ),
        Conflict(
            ("victory.goal", "objectives.pool"),
            lambda c: c.has("victory.goal", "objectives") and c.has("objectives.pool", "none"),
            "No player could win: the goal asks for three objectives.",
        ),
        Conflict(
            ("victory.goal", "objectives.pool"),
            lambda c: (
                c.has("victory.goal", "mission", "headquarters")
                and not c.has("objectives.pool", "none")
            ),
            "Objectives are played only where the goal is objectives or conquest.",
        ),
    ),
    label="Goal",
)
WINNING.built_in(
    "victory.check",
    "immediate",
    "A-61 A-89",
    "Conquest, headquarters and the last player left win at the moment of the capture.",
    "no source lets a conquered world play on",
    label="Moment of victory",
)
WINNING.row(
    "game.round_limit",
    Number(0, MOST_ROUNDS),
    0,
    "A-94",
    "The number of full rounds after which the game ends.",
    values={"0": Meaning("There is no limit.")},
    rulebook=lambda c: (
        f"The game ends after {counted(c.number('game.round_limit'), 'full round')}. [A-94]"
        if c.number("game.round_limit")
        else ""
    ),
    label="End after",
)
WINNING.choice(
    "game.limit_winner",
    codes.LimitWinner,
    "A-94",
    "Who wins when the last round is over.",
    {
        "territories": Meaning(
            "The player with the most territories, then with the most armies.",
            lambda c: (
                "The player with the most territories then wins; if several have as many, the one "
                "with the most armies among them; if that is a tie too, the game is drawn. [A-94]"
                if c.number("game.round_limit")
                else ""
            ),
        ),
        "draw": Meaning(
            "No player: the game is drawn.",
            lambda c: "The game is drawn then. [A-94]" if c.number("game.round_limit") else "",
        ),
    },
    label="Winner at the limit",
)

MISSIONS = Group("Missions")

MISSIONS.choice(
    "missions.deck",
    None,
    "A-32 4.2 S003-09",
    "The secret missions.",
    {
        "none": Meaning(
            "There are none.",
            implies=("victory.goal = conquest if mission", "missions.custom = none"),
        ),
        "us12": Meaning(
            "Twelve: six with pairs of continents, six against colours.",
            implies=(
                "missions.killer = anyone",
                "missions.unused_colours = removed",
                "victory.goal = mission if conquest",
                "missions.custom = none",
            ),
            label="Twelve",
        ),
        "euro14": Meaning(
            "Fourteen: those twelve and two with a number of territories.",
            implies=(
                "missions.killer = self_else_24",
                "missions.unused_colours = kept_24",
                "victory.goal = mission if conquest",
                "missions.custom = none",
            ),
            label="Fourteen",
        ),
        "custom": Meaning(
            "Those of missions.custom.", implies=("victory.goal = mission if conquest",)
        ),
    },
    use=Use.BOARD,
    conflicts=(
        Conflict(
            ("victory.goal", "missions.deck"),
            lambda c: c.has("victory.goal", "mission") != c.has_missions,
            "The goal `mission` and a deck of missions go together.",
        ),
        Conflict(
            ("missions.deck", "missions.custom"),
            lambda c: c.has("missions.deck", "custom") == c.has("missions.custom", "none"),
            "The deck `custom` and a list of missions go together.",
        ),
        Conflict(
            ("missions.deck", "missions.custom"),
            lambda c: bool(_unknown_missions(c)),
            "The board does not have all of these missions.",
            lambda c: f"Missing: {listed(_unknown_missions(c))}.",
        ),
        Conflict(
            ("missions.deck", "missions.unused_colours", "missions.own_colour", "players.max"),
            _too_few_missions,
            "There are too few missions to deal one to every player.",
        ),
    ),
    label="Missions",
)
MISSIONS.row(
    "missions.custom",
    Ids("mission ids"),
    "none",
    "4.2",
    "The missions of a deck of your own, by their ids.",
    use=Use.BOARD,
    implies=("missions.deck = custom",),
    label="Missions of your own",
)
MISSIONS.choice(
    "missions.killer",
    codes.MissionKiller,
    "A-33 4.3",
    "What happens when another player destroys your target.",
    {
        "anyone": Meaning(
            "Your mission is complete.",
            _against(
                "A colour is destroyed when its player has lost the last territory, no matter who "
                "took it. [A-33, 4.3]"
            ),
            label="Completes it",
        ),
        "self_else_24": Meaning(
            "Your mission becomes 24 territories.",
            _against(
                lambda c: (
                    "You must take the last territory of your target yourself; if another player "
                    f"does, hold {c.fallback} instead. [A-33, 4.3]"
                )
            ),
            label="Becomes 24 territories",
        ),
    },
    only_if=MISSIONS_ONLY,
    label="Target destroyed by others",
)
MISSIONS.choice(
    "missions.check",
    codes.MissionCheck,
    "A-34 4.1",
    "When missions are checked.",
    {
        "immediate_any_player": Meaning(
            "At every moment, those of all players.",
            "A mission counts as soon as it is complete, even in another player's turn; missions "
            "are first checked when the first turn starts. [A-34, A-90]",
        ),
        "own_turn_end": Meaning(
            "As the player's own turn ends.",
            "A mission counts only if it is complete as its player's own turn ends. [A-34]",
        ),
    },
    only_if=MISSIONS_ONLY,
    label="Checking missions",
)
MISSIONS.built_in(
    "missions.tie",
    "active_first",
    "A-35 4.3",
    "Of several missions complete at once, the one of the player whose turn it is wins, then the "
    "next clockwise.",
    "the sources have no other rule for ties",
    label="Several missions done",
)
MISSIONS.choice(
    "missions.unused_colours",
    codes.UnusedColours,
    "4.1 4.3",
    "What happens to missions against a colour that no player has.",
    {
        "removed": Meaning(
            "They are taken out before the deal.",
            _against(
                "Before dealing the missions, take out those against colours that no player has. "
                "[4.1, 4.3]"
            ),
        ),
        "kept_24": Meaning(
            "They stay in the deck and mean 24 territories.",
            _against(
                lambda c: (
                    f"A mission against a colour that no player has means: hold {c.fallback}. [4.3]"
                )
            ),
            label="Mean 24 territories",
        ),
    },
    only_if=MISSIONS_ONLY,
    label="Unused colours",
)
MISSIONS.choice(
    "missions.own_colour",
    codes.OwnColour,
    "4.3",
    "What happens when a player draws the mission against their own colour.",
    {
        "fallback_24": Meaning(
            "It means 24 territories.",
            _against(
                lambda c: (
                    "If you draw the mission against your own colour, your mission is to hold "
                    f"{c.fallback}. [4.3]"
                )
            ),
            label="Means 24 territories",
        ),
        "redraw": Meaning(
            "The player puts it back and draws another.",
            _against(
                "If you draw the mission against your own colour, put it back and draw another. "
                "[4.3]"
            ),
        ),
    },
    only_if=MISSIONS_ONLY,
    label="Own colour drawn",
)
MISSIONS.choice(
    "missions.reveal",
    codes.MissionReveal,
    "4.3",
    "How a completed mission is shown.",
    {
        "auto": Meaning(
            "Automatically, as soon as it is complete.",
            "A completed mission is shown at once. [4.3]",
        ),
        "manual": Meaning(
            "Its player must notice and show it.",
            "You must notice yourself that your mission is complete, and show it. [4.3]",
        ),
    },
    only_if=MISSIONS_ONLY,
    label="Showing a mission",
)


# The options of objectives, capitals and rewards (rulebook 3.8, 5).

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
    codes.ContinentTurn,
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
    codes.RevisedWin,
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
    codes.RewardStart,
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
    codes.AirfieldLost,
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
    codes.BonusDie,
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
