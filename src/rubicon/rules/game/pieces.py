"""Pieces: the armies of a territory in large and small, as on a table (S003-05, S001-05).

Pieces only show a number of armies. They may be exchanged at any time (S003-06, S004-02), so the
fewest that show the number are given, and no game stores them.
"""

from collections.abc import Mapping

from rubicon.engine.records.position import Position
from rubicon.rules.ruleset.ruleset import Ruleset

# The pieces of each value of the option `pieces.denominations`: how many armies, which piece.
NAMES: Mapping[str, Mapping[int, str]] = {
    "1/5/10": {10: "artillery", 5: "cavalry", 1: "infantry"},
    "1/3": {3: "large", 1: "small"},
}


def pieces(ruleset: Ruleset, armies: int) -> dict[int, int]:
    """How many pieces of each value show so many armies, largest first: {3: 2, 1: 2} for 8."""
    found: dict[int, int] = {}
    for value in _names(ruleset):
        found[value], armies = divmod(armies, value)
    return found


def named_pieces(ruleset: Ruleset, armies: int) -> dict[str, int]:
    """The same by name, without those of which there are none: {"large": 2, "small": 2}."""
    names = _names(ruleset)
    return {names[value]: count for value, count in pieces(ruleset, armies).items() if count}


def pieces_on_board(ruleset: Ruleset, view: Position) -> dict[str, dict[str, int]]:
    """The pieces on every territory of a seat's view, by id, without hidden armies."""
    return {
        territory.id: named_pieces(ruleset, int(view.armies[index]))
        for index, territory in enumerate(ruleset.board.territories)
        if view.armies[index] >= 0
    }


def _names(ruleset: Ruleset) -> Mapping[int, str]:
    return NAMES[ruleset.option_text("pieces.denominations")]
