"""A position as one line, and back, exactly.

    position 1 / classic 1 / world 1 / r3 b1 … / red hand=alaska; blue / phase=attack turn=red .

What can be counted from the rest is not written; what is at its default is not written either. A
seat's view has a text too: `?` stands for what is hidden from it. See `docs/notation.md`.
"""

from __future__ import annotations

from rubicon.engine.records import HIDDEN, Position
from rubicon.rules.notation.position_checks import dead_ends, impossibilities
from rubicon.rules.notation.position_fields import packed, unpacked
from rubicon.rules.notation.position_text import (
    SEAT_KEYS,
    TABLE_KEYS,
    PositionError,
    PositionProblem,
    PositionText,
    blank,
    cells_from,
    position_error,
    ruleset_of,
    text_of,
)
from rubicon.rules.ruleset.ruleset import Ruleset

__all__ = [
    "SEAT_KEYS",
    "TABLE_KEYS",
    "PositionError",
    "PositionProblem",
    "PositionText",
    "blank",
    "hides",
    "parse_position",
    "parse_view",
    "position_of",
    "position_text",
    "text_of",
]

_MAY_BE_HIDDEN = ("armies", "standing", "card", "unplaced", "standing_all", "mission_fallback")


def position_text(ruleset: Ruleset, position: Position) -> str:
    """The line of a position, or of a seat's view of one; PositionError where it is neither."""
    return str(text_of(ruleset, position))


def parse_position(text: str) -> tuple[Ruleset, Position]:
    """The ruleset and the record of a line; PositionError says everything that is wrong.

    A view, in which something is hidden, is refused: see `parse_view`.
    """
    ruleset, position, hidden = _position_of(PositionText.parse(text))
    if hidden:
        problem = "Something is hidden in this position: it is what one seat sees of a game."
        raise position_error("hidden", problem, "Give the whole position.")
    return ruleset, position


def parse_view(text: str) -> tuple[Ruleset, Position]:
    """The ruleset and the record of a line in which things may be hidden."""
    return position_of(PositionText.parse(text))


def position_of(text: PositionText) -> tuple[Ruleset, Position]:
    """The ruleset and the record that the words of a text describe; raises PositionError."""
    ruleset, position, _ = _position_of(text)
    return ruleset, position


def _position_of(text: PositionText) -> tuple[Ruleset, Position, bool]:
    ruleset = ruleset_of(text)
    problems: list[PositionProblem] = []
    cells = cells_from(ruleset, text, problems)
    if problems:
        raise PositionError(problems)
    position, hidden = packed(cells), _hides(cells)
    problems += [PositionProblem(*found) for found in impossibilities(ruleset, cells, position)]
    # Who may decide something is only known where nothing is hidden and all numbers make sense.
    if not problems and not hidden:
        problems += [PositionProblem(*found) for found in dead_ends(ruleset, cells, position)]
    if problems:
        raise PositionError(problems)
    return ruleset, position, hidden


def hides(position: Position) -> bool:
    """Whether a record is the view of a seat from which something is hidden."""
    return _hides(unpacked(position))


def _hides(cells: Position) -> bool:
    if HIDDEN in (cells.attack_dice, cells.order_standing):
        return True
    return any(HIDDEN in getattr(cells, field) for field in _MAY_BE_HIDDEN)
