"""The options of winning, missions, objectives and rewards (rulebook 3.7, 3.8, 4, 5)."""

from rubicon.rules.choices import (
    AirfieldLost,
    BonusDie,
    ContinentTurn,
    Goal,
    LimitWinner,
    MissionCheck,
    MissionKiller,
    MissionReveal,
    OwnColour,
    RevisedWin,
    RewardStart,
    UnusedColours,
)
from rubicon.rules.option import Ids, Number, PairTable, Use
from rubicon.rules.option_forms import Group

MOST_ROUNDS = 10_000

WINNING = Group("Winning")

WINNING.choice(
    "victory.goal",
    Goal,
    "A-61 S003-43 S001-01 S001-80",
    "What wins the game.",
    {
        "conquest": "The whole world.",
        "mission": "One’s secret mission.",
        "objectives": "Three objectives and one’s own capital.",
        "headquarters": "The headquarters of the others, and one’s own.",
    },
)
WINNING.built_in(
    "victory.check",
    "immediate",
    "A-61 A-89",
    "Conquest, headquarters and the last survivor win at the instant of the capture.",
    "nothing in the sources lets a conquered world go on",
)
WINNING.row(
    "game.round_limit",
    Number(0, MOST_ROUNDS),
    0,
    "A-94",
    "After how many full rounds the game ends.",
    {"0": "It has no limit."},
)
WINNING.choice(
    "game.limit_winner",
    LimitWinner,
    "A-94",
    "Who wins when the rounds are used up.",
    {
        "territories": "Whoever holds most territories, then most armies; otherwise nobody.",
        "draw": "Nobody.",
    },
)

MISSIONS = Group("Missions")

MISSIONS.choice(
    "missions.deck",
    None,
    "A-32 4.2 S003-09",
    "The secret missions.",
    {
        "none": "There are none.",
        "us12": "Twelve: six pairs of continents and six colours.",
        "euro14": "Fourteen: those and two counts of territories.",
        "custom": "Those of missions.custom.",
    },
    use=Use.BOARD,
)
MISSIONS.row(
    "missions.custom",
    Ids("mission ids"),
    "none",
    "4.2",
    "The missions of a deck of one’s own, by their ids.",
    use=Use.BOARD,
)
MISSIONS.choice(
    "missions.killer",
    MissionKiller,
    "A-33 4.3",
    "Your target is destroyed by somebody else.",
    {
        "anyone": "Your mission is complete.",
        "self_else_24": "Your mission becomes 24 territories.",
    },
)
MISSIONS.choice(
    "missions.check",
    MissionCheck,
    "A-34 4.1",
    "When missions are judged.",
    {
        "immediate_any_player": "At every moment, those of all players.",
        "own_turn_end": "As one’s own turn ends.",
    },
)
MISSIONS.built_in(
    "missions.tie",
    "active_first",
    "A-35 4.3",
    "Of missions complete at once that of the active player wins, then clockwise.",
    "it is the only rule for ties in the sources",
)
MISSIONS.choice(
    "missions.unused_colours",
    UnusedColours,
    "4.1 4.3",
    "Missions against a colour that nobody plays.",
    {
        "removed": "They are taken out before the deal.",
        "kept_24": "They stay and mean 24 territories.",
    },
)
MISSIONS.choice(
    "missions.own_colour",
    OwnColour,
    "4.3",
    "You draw the mission against your own colour.",
    {"fallback_24": "It means 24 territories.", "redraw": "You put it back and draw another."},
)
MISSIONS.choice(
    "missions.reveal",
    MissionReveal,
    "4.3",
    "Who notices that a mission is complete.",
    {"auto": "It is revealed by itself.", "manual": "Its owner must show it."},
)

OBJECTIVES = Group("Objectives and rewards")

OBJECTIVES.choice(
    "objectives.pool",
    None,
    "S001-10 S001-17 5.1",
    "The objectives of which four minor and four major ones are drawn.",
    {
        "none": "There are none.",
        "seed11": "Eleven.",
        "r08_12": "Those and “control 1 enemy capital”.",
    },
    use=Use.BOARD,
)
OBJECTIVES.row(
    "objectives.class_table",
    PairTable("objective", ("minor", "major")),
    "none",
    "5.1 S001-52",
    "Objectives whose class differs from the board’s.",
    use=Use.BOARD,
)
OBJECTIVES.built_in(
    "objectives.split_continents",
    "true",
    "A-44 S001-52",
    "North America, Europe and Asia are three objectives.",
    "the board lists them one by one",
)
OBJECTIVES.choice(
    "objectives.continent_turn",
    ContinentTurn,
    "A-45 S001-57",
    "Where you may not have been before you take a continent in one turn.",
    {
        "no_presence": "On no territory of it as the turn began.",
        "not_controlled": "You may have been there, but not have controlled it.",
    },
)
OBJECTIVES.flag(
    "conquest.objectives",
    True,
    "A-54 S001-80",
    "Objectives and rewards where the goal is conquest.",
    "They are claimed all the same.",
    "They are left in the box.",
)
OBJECTIVES.choice(
    "revised.win",
    RevisedWin,
    "A-43 S001-01 S001-70",
    "When three objectives and the capital win.",
    {"end_of_own_turn": "As one’s own turn ends.", "immediate": "At once."},
)
OBJECTIVES.flag(
    "capital.dead_counts",
    True,
    "A-46 S001-74",
    "The capital of a player who is out of the game.",
    "It is still worth an army and counts as an enemy capital.",
    "It means nothing any more.",
)
OBJECTIVES.choice(
    "rewards.major_pool",
    None,
    "5.3 S001-21 S001-76",
    "The four rewards on major objectives.",
    {
        "r08": "Attack die, defence die, airfield, 2 troops.",
        "seed_only": "Attack die, defence die and two airfields.",
    },
    use=Use.BOARD,
)
OBJECTIVES.choice(
    "reward.effective",
    RewardStart,
    "A-50",
    "When a reward starts to work.",
    {"immediate": "At once.", "next_turn": "With one’s next turn."},
)
OBJECTIVES.flag(
    "guaranteed.max_one",
    True,
    "A-51 S001-68",
    "Whether the guaranteed card is a card instead of the one earned.",
    "Never more than one card a turn.",
    "It comes beside the card earned by a capture.",
)
OBJECTIVES.choice(
    "airfield.lost",
    AirfieldLost,
    "A-48",
    "The territory of an airfield is captured.",
    {
        "suspended": "The airfield rests until its owner retakes the territory.",
        "transfers": "It belongs to the captor, also when the capture eliminates its owner.",
        "removed": "It leaves the game.",
    },
)
OBJECTIVES.built_in(
    "airfield.effect",
    "highest_die_plus_one",
    "A-47 S001-76",
    "An airfield adds 1 to the highest die on and beside its territory, never more.",
    "it is the one effect that a source describes",
)
OBJECTIVES.built_in(
    "airfield.place",
    "once",
    "5.3",
    "An airfield is placed when it is received and stays there.",
    "no source lets an airfield move",
)
OBJECTIVES.choice(
    "bonus_die",
    BonusDie,
    "A-49 S001-13",
    "The die more that a reward allows.",
    {
        "drop_lowest": "The lowest die of the roll is discarded.",
        "compare_extra": "It is compared too.",
    },
)
OBJECTIVES.built_in(
    "two_troops",
    "per_draft",
    "A-52",
    "The reward of two troops is paid every turn.",
    "the sources speak of every turn",
)
