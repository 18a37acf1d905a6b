"""From a record to the words of its text.

The words are not read back to see whether they give the same bytes: that would cost more than all
the rest. Instead every cell is either written, or counted from what is written, or compared with
its default; a number without a text is NotWritable.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from rubicon.engine.phases.setup import open_game
from rubicon.engine.records.position import (
    HIDDEN,
    NONE,
    SEATS,
    ObjectivePlace,
    Position,
    empty_position,
)
from rubicon.rules.board.board import COLOURS, board_name
from rubicon.rules.notation.position_cells import cells_of, unpacked
from rubicon.rules.notation.position_fields import (
    ORDER_MARKS,
    SEAT_FIELDS,
    STATUS,
    TABLE_FIELDS,
    NotWritable,
    PositionNames,
)
from rubicon.rules.notation.position_lists import (
    Lists,
    card_lists,
    objective_lists,
    reward_lists,
    seat_cards,
    seat_mission,
    table_cards,
)
from rubicon.rules.notation.position_text import PositionText, position_error
from rubicon.rules.ruleset.ruleset import Origin, Ruleset

CITY, CAPTURED, NO_OWNER = "*", "!", "-"
OWN_NAME = ("name", "version")
ALWAYS_WRITTEN = ("phase", "turn")
BOARD_FIELDS = ("armies", "owner", "captured", "city", "standing")
BY_SEAT = (*SEAT_FIELDS, "colour", "status", "hand", "mission", "mission_fallback", "chance_seats")


class Notation(NamedTuple):
    """What the texts of all positions of one game have in common."""

    names: PositionNames
    ruleset: tuple[str, int]
    options: dict[str, str]
    board: tuple[str, int]
    default: bytes  # the record of an empty board, with all cards in the pile
    default_cells: Position  # its fields, unpacked; only to be read


def notation_of(ruleset: Ruleset, colours: tuple[str, ...]) -> Notation:
    """The names and defaults of a game under a ruleset, among these seats."""
    # Rulesets of equal options are equal whatever they are called, but their texts differ.
    return _notation(ruleset, ruleset.origin, colours)


@lru_cache(maxsize=64)
def _notation(ruleset: Ruleset, _: Origin, colours: tuple[str, ...]) -> Notation:
    default = blank(ruleset, len(colours)).tobytes()
    own_name = dict(zip(OWN_NAME, map(str, ruleset.own_name or ()), strict=False))
    return Notation(
        names=PositionNames.of(ruleset, colours),
        ruleset=(ruleset.preset, Ruleset.load(ruleset.preset).version),
        options=own_name | dict(ruleset.differences),
        board=(board_name(ruleset.board), ruleset.board.version),
        default=default,
        default_cells=cells_of(default),
    )


def blank(ruleset: Ruleset, seats: int) -> Position:
    """The position that a text differs from: an empty board, and all cards in the pile."""
    position = empty_position()
    open_game(position, ruleset.rules, ruleset.tables, seats)
    position.unplaced[:] = 0
    return position


def text_of(ruleset: Ruleset, position: Position) -> PositionText:
    """The words of a position, or of a seat's view of one.

    PositionError, `position/unwritable`, where the record holds numbers that have no text.
    """
    cells = unpacked(position)
    try:
        return _text(ruleset, cells)
    except (NotWritable, KeyError) as error:
        problem = "This record is not a position: it holds numbers that mean nothing."
        raise position_error("unwritable", problem) from error


def _text(ruleset: Ruleset, cells: Position) -> PositionText:
    notation = notation_of(ruleset, _colours(cells))
    names, default = notation.names, notation.default_cells
    _check_unwritten(cells, default, names)
    cards = card_lists(cells, names)
    objectives = objective_lists(cells, default, names)
    rewards = reward_lists(cells, default, names)
    return PositionText(
        ruleset=notation.ruleset,
        options=notation.options,
        board=notation.board,
        territories=tuple(_territories(cells, names)),
        seats=tuple(
            (
                _seat_name(cells, names, seat),
                _seat_fields(cells, default, seat, names)
                | seat_cards(cells, cards, seat)
                | _seat_lists(objectives, rewards, seat)
                | seat_mission(cells, names, seat),
            )
            for seat in range(cells.seats)
        ),
        table=_table_fields(cells, default, names)
        | table_cards(cells, cards)
        | _face_up(objectives),
    )


def _colours(cells: Position) -> tuple[str, ...]:
    if not 1 <= cells.seats <= SEATS:
        raise NotWritable
    seated = cells.colour[: cells.seats]
    known = tuple(COLOURS[colour] for colour in seated if 0 <= colour < len(COLOURS))
    if len(set(known)) != cells.seats:
        raise NotWritable
    return known


def _check_unwritten(cells: Position, default: Position, names: PositionNames) -> None:
    """What the text leaves out: cells beyond the board and the seats, and what is counted."""
    for fields, used in (
        (BOARD_FIELDS, len(names.territories)),
        (("card",), len(names.cards)),
        (BY_SEAT, len(names.colours)),
        (("spare",), 0),
    ):
        for field in fields:
            if getattr(cells, field)[used:] != getattr(default, field)[used:]:
                raise NotWritable
    owners: Any = cells.owner
    if list(cells.territories) != [owners.count(owner) for owner in range(len(cells.territories))]:
        raise NotWritable


def _territories(cells: Position, names: PositionNames) -> Iterator[str]:
    """A word for each territory: owner, armies, marks, standing order."""
    letters, captured_marks, city_marks = names.letters, {0: "", 1: CAPTURED}, {0: "", 1: CITY}
    rows = zip(
        names.territories,
        *(getattr(cells, field) for field in BOARD_FIELDS),
        strict=False,  # the record has room for larger boards
    )
    for _, armies, owner, captured, city, standing in rows:
        if owner == NONE:
            held = NO_OWNER
        else:
            held = letters[owner] + (str(armies) if armies != HIDDEN else "?")
        if armies < HIDDEN or (owner == NONE and armies != 0):
            raise NotWritable
        yield held + city_marks[city] + captured_marks[captured] + ORDER_MARKS[standing]


def _seat_name(cells: Position, names: PositionNames, seat: int) -> str:
    status = STATUS[cells.status[seat]]
    return names.colours[seat] + (f":{status}" if status else "")


def _seat_fields(
    cells: Position, default: Position, seat: int, names: PositionNames
) -> dict[str, str]:
    fields: dict[str, str] = {}
    for field, form in SEAT_FIELDS.items():
        value = getattr(cells, field)[seat]
        if value != getattr(default, field)[seat]:
            fields[field] = form.write(value, names)
    return fields


def _seat_lists(objectives: Lists, rewards: Lists, seat: int) -> dict[str, str]:
    lists = {"objectives": objectives.get(seat), "rewards": rewards.get(seat)}
    return {key: ",".join(names) for key, names in lists.items() if names}


def _table_fields(cells: Position, default: Position, names: PositionNames) -> dict[str, str]:
    fields: dict[str, str] = {}
    known, usual = vars(cells), vars(default)
    for field, form in TABLE_FIELDS.items():
        if known[field] != usual[field] or field in ALWAYS_WRITTEN:
            fields[field] = form.write(known[field], names)
    rolling = cells.chance_seats
    if any(rolling):
        if not set(rolling) <= {0, 1}:
            raise NotWritable
        seats = zip(names.colours, rolling, strict=False)
        fields["chance_seats"] = ",".join(colour for colour, rolls in seats if rolls)
    return fields


def _face_up(objectives: Lists) -> dict[str, str]:
    shown = objectives.get(ObjectivePlace.FACE_UP)
    return {"face_up": ",".join(shown)} if shown else {}
