"""The options of pieces, and of what players are told (rulebook 3.2, 3.4).

No procedure of the engine reads them: they decide what is shown and to whom.
"""

from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.declare import Group
from rubicon.rules.options.kinds import Choice, WordSet
from rubicon.rules.options.option import Meaning, Use
from rubicon.wording import listed

PIECES = Group("Pieces and notices")

RECIPIENTS = {
    "attacker": "the attacker",
    "defender": "the defender",
    "gm": "the host",
    "all_seats": "all players",
    "public_log": "the public log",
}


def _recipients(chosen: Chosen) -> str:
    names = chosen.text("dice.recipients").split()
    if "all_seats" in names:  # the attacker and the defender are players too
        names = [name for name in names if name not in ("attacker", "defender")]
    told = listed([RECIPIENTS[name] for name in names])
    return f"Every roll is shown to {told}. [A-30, S002-11, S002-34]"


PIECES.choice(
    "pieces.denominations",
    None,
    "S003-05 S004-03 S001-05",
    "How many armies each piece stands for.",
    {
        "1/5/10": Meaning(
            "Infantry 1, cavalry 5, artillery 10.",
            "An infantry piece stands for one army, a cavalry piece for five and an artillery "
            "piece for ten. [S003-05, S004-03]",
        ),
        "1/3": Meaning(
            "A small arrow 1, a large arrow 3.",
            "A small arrow stands for one army, a large arrow for three. [S001-05]",
        ),
    },
    use=Use.TABLE,
    label="Pieces",
)
PIECES.row(
    "pieces.exchange",
    Choice(("any_time",)),
    "any_time",
    "A-38 S003-06 S004-02",
    "Pieces may be exchanged at any time, for larger or smaller ones.",
    values={
        "any_time": Meaning(
            "At any time.",
            "You may exchange pieces for larger or smaller ones at any time; only the number of "
            "armies matters. [A-38]",
        )
    },
    why_fixed="pieces only show a number of armies, which no exchange changes",
    use=Use.TABLE,
    label="Exchanging pieces",
)
PIECES.row(
    "dice.recipients",
    WordSet(tuple(RECIPIENTS)),
    "all_seats",
    "A-30 S002-11 S002-33 S002-34",
    "Who is shown the dice of every roll; the armies lost can always be seen on the board.",
    rulebook=_recipients,
    use=Use.TABLE,
    label="Who sees the dice",
)
PIECES.flag(
    "gm.notices",
    False,
    "A-30 S002-14",
    "Notices of the armies that a turn brings.",
    yes=Meaning(
        "All players are told the armies item by item.",
        "At the start of every turn all players are told, item by item, how many armies it brings. "
        "[S002-14]",
    ),
    no=Meaning("The player whose turn it is sees the items, the others see the total."),
    use=Use.TABLE,
    label="Notices of income",
)
