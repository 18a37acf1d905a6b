"""The options of winning and of secret missions (rulebook 3.7, 4)."""

from rubicon.engine.records.choices import (
    Goal,
    LimitWinner,
    MissionCheck,
    MissionKiller,
    MissionReveal,
    OwnColour,
    UnusedColours,
)
from rubicon.rules.options.chosen import Chosen, mission_cards
from rubicon.rules.options.declare import Group
from rubicon.rules.options.kinds import Ids, Number
from rubicon.rules.options.option import Conflict, Meaning, Text, Use, said
from rubicon.wording import counted, listed

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
    Goal,
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
    LimitWinner,
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
    MissionKiller,
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
    MissionCheck,
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
    UnusedColours,
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
    OwnColour,
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
    MissionReveal,
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
