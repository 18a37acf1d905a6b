"""A position as one line, and back, exactly.

    position 1 / classic 1 / world 1 / r3 b1 … / red hand=alaska; blue / phase=attack turn=red .

What can be counted from the rest is not written; what is at its default is not written either. A
seat's view has a text too: `?` stands for what is hidden from it. See `docs/notation.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote_plus, unquote_plus

import numpy as np

from rubicon.rules.board import COLOURS, Board, bundled_boards
from rubicon.rules.board_parts import one_of, quoted
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import HIDDEN, NONE, CardPlace, ObjectivePlace, empty_position
from rubicon.rules.procedures.setup import open_game
from rubicon.rules.ruleset import DEFAULT_BOARD, Ruleset, preset_names
from rubicon.rules.suggestions import nearest
from rubicon.rules.text.position_checks import dead_ends, impossibilities
from rubicon.rules.text.position_fields import (
    HIDDEN_WORD,
    ORDER_MARKS,
    SEAT_FIELDS,
    STATUS,
    TABLE_FIELDS,
    Names,
    put,
    whole,
)
from rubicon.rules.text.position_lists import (
    CARD_LISTS,
    Misread,
    cards_hidden,
    face_up,
    read_cards,
    read_mission,
    read_objectives,
    read_rewards,
    seat_cards,
    seat_mission,
    seat_objectives,
    table_cards,
)

FORMAT = 1
LONGEST = 50_000
TITLE = "position"
END = "."
SECTIONS = ("the format", "the ruleset", "the board", "territories", "seats", "the table")
CITY, CAPTURED, NOBODY = "*", "!", "-"
OWN_NAME = ("name", "version")
SIZES = ("hand_size", "pile_size", "discards_size")
SEAT_KEYS = (*SEAT_FIELDS, "hand", "hand_size", "objectives", "rewards", "mission")
TABLE_KEYS = (
    *TABLE_FIELDS,
    *CARD_LISTS,
    *("cards", "pile", "pile_size", "discards_size", "face_up", "chance_seats"),
)


class Reason(NamedTuple):
    """One thing that is wrong with a position."""

    code: str
    sentence: str


class PositionError(RubiconError):
    """A text that is no position, or an impossible one; `reasons` are all of them.

    `code` is that of the first reason.
    """

    def __init__(self, reasons: Sequence[Reason], suggestion: str = "") -> None:
        self.reasons = tuple(reasons)
        sentences = " ".join(reason.sentence for reason in reasons)
        super().__init__(f"position/{reasons[0].code}", sentences, suggestion)


class Sheet(NamedTuple):
    """A position in words: what its text says, part by part."""

    ruleset: tuple[str, int]  # the preset
    options: Mapping[str, str]  # with `name` and `version` of a ruleset of one's own
    board: tuple[str, int]
    territories: tuple[str, ...]
    seats: tuple[tuple[str, Mapping[str, str]], ...]  # colour and status, fields
    table: Mapping[str, str]


def blank(ruleset: Ruleset, seats: int) -> Any:
    """The position that a text differs from: an empty board, and all cards in the pile."""
    position = empty_position()
    open_game(position, ruleset.rules, ruleset.tables, seats)
    position.unplaced[:] = 0
    return position


def board_name(board: Board) -> str:
    """The name under which `Board.load` finds a board again: an id, or a file."""
    bundled = board.id in bundled_boards() and Board.load(board.id) == board
    return board.id if bundled else str(board.path or board.id)


def hides(position: Any) -> bool:
    """Whether a record is the view of somebody from whom something is hidden."""
    fields = ("armies", "standing", "card", "unplaced", "standing_all", "mission_fallback")
    singles = ("attack_dice", "order_standing")
    return any((position[field] == HIDDEN).any() for field in fields) or any(
        position[field] == HIDDEN for field in singles
    )


def position_text(ruleset: Ruleset, position: Any) -> str:
    """The line of a position, or of a seat's view of one; PositionError where it is neither."""
    return sheet_text(sheet_of(ruleset, position))


def sheet_text(sheet: Sheet) -> str:
    """The line that a sheet fills."""
    options = {
        name: quote_plus(text, ":,", errors="replace") for name, text in sheet.options.items()
    }
    seats = "; ".join(" ".join((seat, *_pairs_text(fields))) for seat, fields in sheet.seats)
    sections = (
        f"{TITLE} {FORMAT}",
        " ".join((sheet.ruleset[0], str(sheet.ruleset[1]), *_pairs_text(options))),
        f"{quote_plus(sheet.board[0])} {sheet.board[1]}",
        " ".join(sheet.territories),
        seats,
        " ".join((*_pairs_text(sheet.table), END)),
    )
    return " / ".join(sections)


def _pairs_text(fields: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in fields.items()]


def sheet_of(ruleset: Ruleset, position: Any) -> Sheet:
    """The words of a position; reading them back must give the same bytes."""
    reasons: list[Reason] = []
    try:
        sheet = _sheet(ruleset, position)
        again = _position_of(ruleset, sheet, reasons)
    except (IndexError, KeyError):
        reasons = [Reason("unwritable", "")]
    if reasons or np.asarray(again).tobytes() != np.asarray(position).tobytes():
        told = "This record is no position: it holds numbers that mean nothing."
        raise PositionError([Reason("unwritable", told)])
    return sheet


def _sheet(ruleset: Ruleset, position: Any) -> Sheet:
    default = blank(ruleset, int(position.seats))
    colours = [COLOURS[int(colour)] for colour in position.colour[: int(position.seats)]]
    names = Names.of(ruleset, colours)
    return Sheet(
        (ruleset.preset, Ruleset.load(ruleset.preset).version),
        {**_own_name(ruleset), **ruleset.differences},
        (board_name(ruleset.board), ruleset.board.version),
        tuple(_territory(position, t, names) for t in range(len(names.territories))),
        tuple(_seat(position, default, seat, names) for seat in range(len(colours))),
        dict(_table(position, default, names)),
    )


def _own_name(ruleset: Ruleset) -> dict[str, str]:
    """Name and version of a ruleset that is no preset, as if they were options."""
    return dict(zip(OWN_NAME, map(str, ruleset.own_name or ()), strict=False))


def _territory(position: Any, t: int, names: Names) -> str:
    owner, armies = int(position.owner[t]), int(position.armies[t])
    count = HIDDEN_WORD if armies == HIDDEN else str(armies)
    held = NOBODY if owner == NONE else names.letter_of(owner) + count
    marks = CITY * int(position.city[t]) + CAPTURED * int(position.captured[t])
    return held + marks + ORDER_MARKS[int(position.standing[t])]


def _seat(position: Any, default: Any, seat: int, names: Names) -> tuple[str, Mapping[str, str]]:
    status = STATUS[position.status[seat]]
    name = names.colours[seat] + (f":{status}" if status else "")
    fields = {
        field: spelling.written(int(position[field][seat]), names)
        for field, spelling in SEAT_FIELDS.items()
        if position[field][seat] != default[field][seat]
    }
    for tokens in (seat_cards, seat_objectives, seat_mission):
        fields |= dict(tokens(position, names, seat))
    return name, fields


def _table(position: Any, default: Any, names: Names) -> Iterator[tuple[str, str]]:
    for field, spelling in TABLE_FIELDS.items():
        if position[field] != default[field] or field in ("phase", "turn"):
            yield field, spelling.written(int(position[field]), names)
    rolling = [colour for seat, colour in enumerate(names.colours) if position.chance_seats[seat]]
    if rolling:
        yield "chance_seats", ",".join(rolling)
    yield from table_cards(position, names)
    yield from face_up(position, names)


def parse_position(text: str) -> tuple[Ruleset, Any]:
    """The ruleset and the record of a line; PositionError says everything that is wrong.

    A view, in which something is hidden, is refused: see `parse_view`.
    """
    ruleset, position = parse_view(text)
    if hides(position):
        told = "Something is hidden in this position: it is what one seat sees of a game."
        raise PositionError([Reason("hidden", told)])
    return ruleset, position


def parse_view(text: str) -> tuple[Ruleset, Any]:
    """The ruleset and the record of a line in which things may be hidden."""
    return position_of(read_sheet(text))


def position_of(sheet: Sheet) -> tuple[Ruleset, Any]:
    """The ruleset and the record that a sheet describes."""
    ruleset = _ruleset(sheet)
    reasons: list[Reason] = []
    position = _position_of(ruleset, sheet, reasons)
    if not reasons:
        reasons = [Reason(code, told) for code, told in impossibilities(ruleset, position)]
    if not reasons and not hides(position):
        reasons = [Reason(code, told) for code, told in dead_ends(ruleset, position)]
    if reasons:
        raise PositionError(reasons)
    return ruleset, position


def _wrong(code: str, sentence: str, suggestion: str = "") -> PositionError:
    return PositionError([Reason(code, sentence)], suggestion)


def read_sheet(text: str) -> Sheet:
    """The parts of a line; PositionError where it is cut short, too long or of another kind."""
    sections = _sections(text)
    ruleset, *options = sections[1].split() or [""]
    seats = [seat.split() for seat in sections[4].split(";")]
    if not all(seats):
        raise _wrong("seats", "A seat has no colour.")
    return Sheet(
        (ruleset, _version(options[:1], "ruleset")),
        {name: _unquoted(value) for name, value in _pairs(options[1:]).items()},
        _board_words(sections[2].split()),
        tuple(sections[3].split()),
        tuple((seat[0], _pairs(seat[1:])) for seat in seats),
        _pairs(sections[5].removesuffix(END).split()),
    )


def _sections(text: object) -> list[str]:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise _wrong("too-long", f"This is no text of at most {LONGEST} characters.")
    sections = [" ".join(section.split()) for section in text.split("/")]
    title, _, number = sections[0].partition(" ")
    if title != TITLE or not number.isascii() or not number.isdecimal() or len(number) > 9:
        told = f"{quoted(text, 40)} does not begin with `{TITLE} {FORMAT}`."
        raise _wrong("not-a-position", told)
    if int(number) > FORMAT:
        told = f"The position has format {number}; the newest known here is {FORMAT}."
        raise _wrong("newer", told, "A newer Rubicon reads it.")
    if len(sections) > len(SECTIONS):
        raise _wrong("trailing", f"Something stands behind {SECTIONS[-1]}.")
    if len(sections) < len(SECTIONS) or not (" " + sections[-1]).endswith(f" {END}"):
        told = (
            f"The line is cut: {SECTIONS[len(sections) - 1]} is the last part, without a `{END}`."
        )
        raise _wrong("cut", told, f"A position has {len(SECTIONS)} parts and ends with ` {END}`.")
    return sections


def _version(words: Sequence[str], what: str) -> int:
    version = whole(words[0]) if words else None
    if version is None:
        raise _wrong(what, f"The {what} needs a name and a version.")
    return version


def _board_words(words: list[str]) -> tuple[str, int]:
    if len(words) != 2:
        raise _wrong("board", "The board needs a name and a version.")
    return _unquoted(words[0]), _version(words[1:], "board")


def _unquoted(text: str) -> str:
    return unquote_plus(text, errors="replace")


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals or not value:
            raise _wrong("field", f"{quoted(word, 40)} is not NAME=VALUE.")
        if name in pairs:
            raise _wrong("twice", f"{quoted(name, 40)} is written twice.")
        pairs[name] = value
    return pairs


def _ruleset(sheet: Sheet) -> Ruleset:
    if sheet.ruleset[0] not in preset_names():
        hint = nearest(sheet.ruleset[0], preset_names())
        raise _wrong("ruleset", f"There is no ruleset {quoted(sheet.ruleset[0], 40)}.", hint)
    board = None if sheet.board[0] == DEFAULT_BOARD else sheet.board[0]  # None is kept ready
    options = {name: value for name, value in sheet.options.items() if name not in OWN_NAME}
    ruleset = _called(Ruleset.load(sheet.ruleset[0], options, board=board), sheet.options)
    known = Ruleset.load(sheet.ruleset[0]).version
    for what, (name, said), here in (
        ("ruleset", sheet.ruleset, known),
        ("board", sheet.board, ruleset.board.version),
    ):
        if said != here:
            told = (
                f"The position is of version {said} of the {what} {quoted(name)}; here is {here}."
            )
            raise _wrong(f"{what}-version", told)
    return ruleset


def _called(ruleset: Ruleset, options: Mapping[str, str]) -> Ruleset:
    """The ruleset under the name and version that are written, if there are any."""
    given = [options[word] for word in OWN_NAME if word in options]
    if not given:
        return ruleset
    version = whole(given[-1])
    if len(given) != len(OWN_NAME) or version is None or version < 1:
        raise _wrong("ruleset", "A ruleset of one's own needs a name and a version.")
    return ruleset.called(given[0], version)


def _position_of(ruleset: Ruleset, sheet: Sheet, reasons: list[Reason]) -> Any:
    """The record that the words of a sheet fill; what is wrong with them goes to `reasons`."""
    colours = _colours(sheet)
    position = blank(ruleset, len(colours))
    position.colour[: len(colours)] = [COLOURS.index(colour) for colour in colours]
    names = Names.of(ruleset, colours)
    if sheet.table.get("cards") == HIDDEN_WORD:
        position.card[: len(names.cards)] = HIDDEN
    _read_territories(sheet.territories, position, names, reasons)
    for seat, (name, fields) in enumerate(sheet.seats):
        _read_status(name, position, seat, reasons)
        _read_fields(fields, position, seat, names, reasons)
    _read_fields(sheet.table, position, None, names, reasons)
    _count(position, names)
    _read_sizes(sheet, position, names, reasons)
    return position


def _count(position: Any, names: Names) -> None:
    """Fill in what is counted from the rest: territories, and the cards that can be seen."""
    for owner in range(len(position.territories)):
        position.territories[owner] = int((position.owner == owner).sum())
    places = position.card[: len(names.cards)]
    for seat in range(len(names.colours)):
        position.hand[seat] = int((places == seat).sum())
    position.pile = int((places == CardPlace.PILE).sum())
    position.discards = int((places == CardPlace.DISCARDS).sum())


def _read_sizes(sheet: Sheet, position: Any, names: Names, reasons: list[Reason]) -> None:
    """How many cards there are where some are hidden; otherwise they are counted."""
    parts = [(None, sheet.table), *enumerate(fields for _, fields in sheet.seats)]
    for seat, fields in parts:
        keys = TABLE_KEYS if seat is None else SEAT_KEYS
        for name in fields.keys() & set(SIZES) & set(keys):
            if not cards_hidden(position, names):
                told = f"{name} is written only where cards are hidden; here they are counted."
                reasons.append(Reason("count", told))
            elif not _read_size(name, fields[name], position, seat):
                told = f"{name}={quoted(fields[name], 20)} is no number of cards."
                reasons.append(Reason("field", told))


def _read_size(name: str, value: str, position: Any, seat: int | None) -> bool:
    size, field = whole(value), name.removesuffix("_size")
    counted = position[field] if seat is None else position[field][seat]
    return size is not None and size >= counted and put(position, field, seat, size)


def _colours(sheet: Sheet) -> list[str]:
    colours = [name.partition(":")[0] for name, _ in sheet.seats]
    for colour in colours:
        if colour not in COLOURS:
            told = f"{quoted(colour, 20)} is no colour."
            raise _wrong("seats", told, f"Colours: {', '.join(COLOURS)}.")
    if len(set(colours)) != len(colours):
        raise _wrong("seats", f"{', '.join(colours)}: a colour sits there twice.")
    return colours


def _read_status(name: str, position: Any, seat: int, reasons: list[Reason]) -> None:
    _, colon, status = name.partition(":")
    found = [number for number, word in STATUS.items() if word == status]
    if not found or (colon and not status):
        told = (
            f"{quoted(name, 40)}: a seat is {one_of([word for word in STATUS.values() if word])}."
        )
        reasons.append(Reason("seats", told))
    else:
        position.status[seat] = found[0]


def _read_territories(
    words: Sequence[str], position: Any, names: Names, reasons: list[Reason]
) -> None:
    if len(words) != len(names.territories):
        told = f"{len(words)} territories are written; the board has {len(names.territories)}."
        reasons.append(Reason("territories", told))
        return
    for t, word in enumerate(words):
        if not _read_territory(word, position, t, names):
            told = f"{quoted(word, 20)} says nothing about {names.territories[t]}."
            reasons.append(Reason("territory", told))


def _read_territory(word: str, position: Any, t: int, names: Names) -> bool:
    held, colon, order = word.partition(":")
    marks = {mark: number for number, mark in ORDER_MARKS.items()}
    standing = marks.get(colon + order)
    bare = held.removesuffix(CAPTURED)
    position.captured[t] = int(bare != held)
    name = bare.removesuffix(CITY)
    position.city[t] = int(name != bare)
    if standing is None:
        return False
    position.standing[t] = standing
    return name == NOBODY or _read_owner(name, position, t, names)


def _read_owner(name: str, position: Any, t: int, names: Names) -> bool:
    owner, count = names.owner_of(name[:1]), name[1:]
    armies = HIDDEN if count == HIDDEN_WORD else whole(count)
    if owner is None or armies is None or (armies < 0 and count != HIDDEN_WORD):
        return False
    position.owner[t] = owner
    return put(position, "armies", t, armies)


def _read_fields(
    fields: Mapping[str, str],
    position: Any,
    seat: int | None,
    names: Names,
    reasons: list[Reason],
) -> None:
    keys = TABLE_KEYS if seat is None else SEAT_KEYS
    for name, value in fields.items():
        if name not in keys:
            hint = nearest(name, keys)
            told = f"{quoted(name, 30)} is no field here. {hint}".strip()
            reasons.append(Reason("unknown-field", told))
            continue
        try:
            _read_field(name, value, position, seat, names)
        except Misread as error:
            reasons.append(Reason("field", f"{name}={value[:60]}: {error}."))


def _read_field(name: str, value: str, position: Any, seat: int | None, names: Names) -> None:
    spelling = TABLE_FIELDS.get(name) if seat is None else SEAT_FIELDS.get(name)
    if spelling is not None:
        number = spelling.value(value, names)
        if number is None or not put(position, name, seat, number):
            raise Misread("this is none of its values")
    elif name in SIZES:
        return  # read when the cards have been counted
    elif seat is None:
        _read_table_list(name, value, position, names)
    else:
        readers = {"objectives": read_objectives, "rewards": read_rewards, "mission": read_mission}
        readers.get(name, read_cards)(position, names, seat, value)


def _read_table_list(name: str, value: str, position: Any, names: Names) -> None:
    if name == "face_up":
        read_objectives(position, names, ObjectivePlace.FACE_UP, value)
    elif name == "chance_seats":
        for colour in value.split(","):
            if colour not in names.colours:
                raise Misread(f"{colour[:20]!r} has no seat")
            position.chance_seats[names.colours.index(colour)] = 1
    elif name != "cards":
        read_cards(position, names, CARD_LISTS.get(name, CardPlace.PILE), value)
    elif value != HIDDEN_WORD:
        raise Misread(f"the only value is {HIDDEN_WORD}")
