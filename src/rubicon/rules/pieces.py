"""Pieces: the same armies in large and small, as on a table (S003-05, S001-05)."""

from rubicon.rules.ruleset import Ruleset


def pieces(ruleset: Ruleset, armies: int) -> dict[int, int]:
    """How many pieces of each value stand for so many armies, largest first: {3: 2, 1: 2} for 8.

    Exchange is free at any time (S004-02), so the fewest pieces are told.
    """
    found: dict[int, int] = {}
    for value in sorted(_values(ruleset), reverse=True):
        found[value], armies = divmod(armies, value)
    return found


def _values(ruleset: Ruleset) -> list[int]:
    return [int(value) for value in ruleset.option_text("pieces.denominations").split("/")]
