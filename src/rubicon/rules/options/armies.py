"""The options of receiving armies (rulebook 3.2, 3.10)."""

from rubicon.engine.records.choices import ContinentTiming, MinimumScope, Rounding
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.declare import Group
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Conflict, Meaning
from rubicon.rules.options.setup import MOST_ARMIES

ARMIES = Group("Receiving armies")


def _too_many(chosen: Chosen) -> bool:
    """Whether the starting armies would not fit on the board under the cap."""
    cap, armies = chosen.number("army_cap"), chosen.counts("setup.armies")
    return cap > 0 and any(n * armies.get(n, 0) > cap * chosen.territories for n in chosen.players)


def _rounded(rounding: str, chosen: Chosen) -> str:
    if chosen.cities:
        return (
            "Count your territories, and count cities twice. Receive a third of that number of "
            f"armies, rounded {rounding}. [S001-32, S001-33, A-40]"
        )
    return (
        f"Count your territories and receive a third of that number of armies, rounded {rounding}. "
        "[S003-18, S004-11, A-40]"
    )


ARMIES.row(
    "reinforce.min",
    Number(0, 3, only=(0, 3)),
    3,
    "A-05 S003-19 S004-13 S001-34",
    "The fewest armies that a turn brings.",
    values={
        "3": Meaning("Never fewer than three."),
        "0": Meaning("There is no minimum.", "There is no minimum. [A-05]"),
    },
    label="Fewest new armies",
)
ARMIES.choice(
    "reinforce.min_scope",
    MinimumScope,
    "A-08 S001-34",
    "What the minimum applies to.",
    {
        "territory_part": Meaning(
            "The armies for territories; everything else comes on top.",
            "You never receive fewer than three for your territories; everything else comes on "
            "top. [A-05, A-08]",
        ),
        "turn_total": Meaning(
            "All armies of the turn except those for cards.",
            "All that a turn brings you, except armies for cards, is never fewer than three. "
            "[A-05, A-08]",
        ),
    },
    only_if=("reinforce.min=3",),
    label="The minimum applies to",
)
ARMIES.choice(
    "continent.timing",
    ContinentTiming,
    "A-06 S003-20 S002-14 S002-16",
    "When continents bring their armies.",
    {
        "turn_start": Meaning(
            "At the start of your turn, for the continents that you hold then.",
            "For every continent that you hold completely as your turn starts, receive its armies "
            "too. [A-06, S003-20]",
            label="As your turn starts",
        ),
        "snapshot_end_of_own_turn": Meaning(
            "With your next turn's armies, for the continents that you hold as your turn ends.",
            "Your continents are counted as your turn ends: for each that you hold completely "
            "then, you receive its armies at the start of your next turn, whatever happens in "
            "between. Your first turn brings the armies of the continents that you hold when the "
            "set-up ends. [A-06, S002-14, S002-16]",
            label="Held as your turn ended",
        ),
        "placed_end_of_own_turn": Meaning(
            "As your turn ends; you place them at once.",
            "For every continent that you hold completely as your turn ends, receive its armies "
            "then and place them at once. [A-06, S002-16]",
            label="As your turn ends",
        ),
    },
    label="Continents bring armies",
)
ARMIES.choice(
    "revised.rounding",
    Rounding,
    "A-40 S001-32 S004-11",
    "How a third of the territories is rounded.",
    {
        "down": Meaning("Down.", lambda c: _rounded("down", c)),
        "up": Meaning("Up.", lambda c: _rounded("up", c)),
    },
    label="A third of territories",
)
ARMIES.built_in(
    "reinforce.place_all",
    "true",
    "A-65 S001-42",
    "All armies received are placed before the first attack.",
    "every source has all new armies placed before the attacks",
    label="Place before attacking",
)
ARMIES.row(
    "army_cap",
    Number(0, MOST_ARMIES),
    0,
    "3.10",
    "The most armies on one territory; armies added beyond it are lost.",
    values={
        "0": Meaning("There is no limit."),
        "12": Meaning("The limit of an expert variation of the 1993 book."),
    },
    rulebook=lambda c: (
        f"A territory never holds more than {c.number('army_cap')} armies; any that are added "
        "beyond that are lost. [3.10]"
        if c.number("army_cap")
        else ""
    ),
    conflicts=(
        Conflict(
            ("army_cap", "setup.armies"),
            _too_many,
            "The starting armies do not fit on the board under that limit.",
        ),
        Conflict(
            ("army_cap",),
            lambda c: c.number("army_cap") == 1,
            "A single army can never attack, so the game would never end.",
        ),
    ),
    label="Most on a territory",
)
