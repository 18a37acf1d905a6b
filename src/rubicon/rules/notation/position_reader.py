"""From the words of a position's text to a record; everything that is wrong is reported at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rubicon.engine.records.position import (
    HIDDEN,
    NONE,
    CardPlace,
    ObjectivePlace,
    Position,
)
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.board.board import COLOURS, bundled_boards
from rubicon.rules.notation.position_cells import cells_of, put
from rubicon.rules.notation.position_fields import (
    HIDDEN_WORD,
    ORDER_VALUES,
    SEAT_FIELDS,
    STATUS,
    STATUS_VALUES,
    TABLE_FIELDS,
    PositionNames,
    whole,
)
from rubicon.rules.notation.position_lists import (
    CARD_LISTS,
    BadFieldValue,
    read_cards,
    read_mission,
    read_objectives,
    read_rewards,
)
from rubicon.rules.notation.position_text import PositionProblem, PositionText, position_error
from rubicon.rules.notation.position_writer import CAPTURED, CITY, NO_OWNER, OWN_NAME, notation_of
from rubicon.rules.ruleset.ruleset import DEFAULT_BOARD, Ruleset, preset_names
from rubicon.suggestions import nearest
from rubicon.wording import one_of, quoted

SIZES = ("hand_size", "pile_size", "discards_size")
SEAT_KEYS = (*SEAT_FIELDS, "hand", "hand_size", "objectives", "rewards", "mission")
TABLE_KEYS = (
    *TABLE_FIELDS,
    *CARD_LISTS,
    *("cards", "pile", "pile_size", "discards_size", "face_up", "chance_seats"),
)

Options = tuple[tuple[str, str], ...]
Problems = list[PositionProblem]


def ruleset_of(text: PositionText) -> Ruleset:
    """The ruleset and board that a text names, in the versions that it names."""
    read = _cached_ruleset if text.board[0] in bundled_boards() else _ruleset
    return read(text.ruleset, tuple(text.options.items()), text.board)


def _ruleset(named: tuple[str, int], options: Options, board: tuple[str, int]) -> Ruleset:
    name = named[0]
    if name not in preset_names():
        hint = nearest(name, preset_names())
        raise position_error("ruleset", f"There is no ruleset {quoted(name, 40)}.", hint)
    known = Ruleset.load(name).version
    changes = {option: value for option, value in options if option not in OWN_NAME}
    # Ruleset.load keeps the presets on the default board ready, and only those.
    other_board = None if board[0] == DEFAULT_BOARD else board[0]
    ruleset = _renamed(Ruleset.load(name, changes, board=other_board), dict(options))
    _check_version("ruleset", named, known)
    _check_version("board", board, ruleset.board.version)
    return ruleset


# A board from a file is read anew each time, as the file may have changed.
_cached_ruleset = lru_cache(maxsize=64)(_ruleset)


def _check_version(what: str, named: tuple[str, int], known: int) -> None:
    name, version = named
    if version != known:
        problem = (
            f"The position needs version {version} of the {what} {quoted(name)}; "
            f"this Rubicon has version {known}."
        )
        raise position_error(f"{what}-version", problem)


def _renamed(ruleset: Ruleset, options: Mapping[str, str]) -> Ruleset:
    """The ruleset under the name and version that are written, if there are any."""
    given = [options[word] for word in OWN_NAME if word in options]
    if not given:
        return ruleset
    version = whole(given[-1])
    if len(given) != len(OWN_NAME) or version is None or version < 1:
        problem = "The ruleset has a name without a version, or a version without a name."
        raise position_error("ruleset", problem, "Write both: `name=mine version=1`.")
    return ruleset.called(given[0], version)


def cells_from(ruleset: Ruleset, text: PositionText, problems: Problems) -> Position:
    """The unpacked fields that a text describes; what is wrong with it is added to `problems`."""
    notation = notation_of(ruleset, _colours(text))
    names, cells = notation.names, cells_of(notation.default)
    cells.colour[: len(names.colours)] = [COLOURS.index(colour) for colour in names.colours]
    # Hidden cards have no place; without this word a card that is not named is in the pile.
    if text.table.get("cards") == HIDDEN_WORD:
        cells.card[: len(names.cards)] = [HIDDEN] * len(names.cards)
    _read_territories(text.territories, cells, names, problems)
    for seat, (name, fields) in enumerate(text.seats):
        _read_status(name, cells, seat, problems)
        _read_fields(fields, cells, seat, names, problems)
    _read_fields(text.table, cells, None, names, problems)
    # Sizes are compared with the counted cards, so they are read last.
    _count(cells, names)
    _read_sizes(text, cells, names, problems)
    return cells


def _colours(text: PositionText) -> tuple[str, ...]:
    colours = tuple(name.partition(":")[0] for name, _ in text.seats)
    for colour in colours:
        if colour not in COLOURS:
            problem = f"There is no colour {quoted(colour, 20)}."
            raise position_error("seats", problem, f"Colours: {', '.join(COLOURS)}.")
    if len(set(colours)) != len(colours):
        problem = f"Two seats have the same colour: {', '.join(colours)}."
        raise position_error("seats", problem, "Give each seat a colour of its own.")
    return colours


def _count(cells: Position, names: PositionNames) -> None:
    """Fill in what is counted from the rest: territories, and the cards that can be seen."""
    owners: Any = cells.owner
    for owner in range(len(cells.territories)):
        cells.territories[owner] = owners.count(owner)
    places: Any = cells.card[: len(names.cards)]
    for seat in range(len(names.colours)):
        cells.hand[seat] = places.count(seat)
    cells.pile = places.count(CardPlace.PILE)
    cells.discards = places.count(CardPlace.DISCARDS)


def _read_sizes(
    text: PositionText, cells: Position, names: PositionNames, problems: Problems
) -> None:
    """How many cards there are where some are hidden; otherwise they are counted."""
    hidden = HIDDEN in cells.card[: len(names.cards)]
    for seat, fields in ((None, text.table), *enumerate(fields for _, fields in text.seats)):
        keys = TABLE_KEYS if seat is None else SEAT_KEYS
        for name in SIZES:
            if name not in fields or name not in keys:
                continue
            if not hidden:
                problem = f"{name} is written although no card is hidden; leave it out."
                problems.append(PositionProblem("count", problem))
            elif not _read_size(name, fields[name], cells, seat):
                problem = f"{name}={quoted(fields[name], 20)} is not a possible number of cards."
                problems.append(PositionProblem("field", problem))


def _read_size(name: str, value: str, cells: Position, seat: int | None) -> bool:
    size, field = whole(value), name.removesuffix("_size")
    counted = getattr(cells, field) if seat is None else getattr(cells, field)[seat]
    return size is not None and size >= counted and put(cells, field, seat, size)


def _read_status(name: str, cells: Position, seat: int, problems: Problems) -> None:
    _, colon, status = name.partition(":")
    value = STATUS_VALUES.get(status)
    if value is None or (colon and not status):
        known = one_of([word for word in STATUS.values() if word])
        problem = f"{quoted(name, 40)}: after the colon of a seat stands {known}."
        problems.append(PositionProblem("seats", problem))
    else:
        cells.status[seat] = value


def _read_territories(
    words: Sequence[str], cells: Position, names: PositionNames, problems: Problems
) -> None:
    if len(words) != len(names.territories):
        problem = f"{len(words)} territories are written; the board has {len(names.territories)}."
        problems.append(PositionProblem("territories", problem))
        return
    # This loop takes a fifth of the time of reading a position, hence the local names.
    owners, armies, captured = cells.owner, cells.armies, cells.captured
    cities, standing = cells.city, cells.standing
    for t, word in enumerate(words):
        held = _held(word)
        owner = NONE if held is None else names.owners.get(held[0], NONE)
        if held is None or (owner == NONE and held[0] != NO_OWNER):
            problem = f"{quoted(word, 20)} does not describe {names.territories[t]}."
            problems.append(PositionProblem("territory", problem))
            continue
        owners[t] = owner
        _, armies[t], cities[t], captured[t], standing[t] = held


class _Held(NamedTuple):
    """What the word of a territory says."""

    letter: str
    armies: int
    city: int
    captured: int
    standing: int


@lru_cache(maxsize=4096)
def _held(word: str) -> _Held | None:
    """The meaning of `r3*!:max`; None where it has none. A few words fill most boards."""
    marked, colon, order = word.partition(":")
    standing = ORDER_VALUES.get(colon + order)
    counted = marked.removesuffix(CAPTURED)
    bare = counted.removesuffix(CITY)
    letter, count = bare[:1], bare[1:]
    armies = HIDDEN if count == HIDDEN_WORD else whole(count)
    if letter == NO_OWNER:
        armies = 0 if count == "" else None
    if standing is None or armies is None or armies > MOST_ARMIES:
        return None
    if armies < 0 and count != HIDDEN_WORD:
        return None
    return _Held(letter, armies, int(bare != counted), int(counted != marked), standing)


def _read_fields(
    fields: Mapping[str, str],
    cells: Position,
    seat: int | None,
    names: PositionNames,
    problems: Problems,
) -> None:
    keys = TABLE_KEYS if seat is None else SEAT_KEYS
    for name, value in fields.items():
        if name not in keys:
            where = "the table" if seat is None else "a seat"
            problem = f"There is no field {quoted(name, 30)} of {where}. {nearest(name, keys)}"
            problems.append(PositionProblem("unknown-field", problem.strip()))
            continue
        try:
            _read_field(name, value, cells, seat, names)
        except BadFieldValue as error:
            problems.append(PositionProblem("field", f"{name}={value[:60]}: {error}."))


def _read_field(
    name: str, value: str, cells: Position, seat: int | None, names: PositionNames
) -> None:
    form = TABLE_FIELDS.get(name) if seat is None else SEAT_FIELDS.get(name)
    if form is not None:
        number = form.read(value, names)
        if number is None or not put(cells, name, seat, number):
            raise BadFieldValue("the field cannot have this value")
    elif name in SIZES:
        return  # read when the cards have been counted
    elif seat is None:
        _read_table_list(name, value, cells, names)
    else:
        readers = {"objectives": read_objectives, "rewards": read_rewards, "mission": read_mission}
        readers.get(name, read_cards)(cells, names, seat, value)


def _read_table_list(name: str, value: str, cells: Position, names: PositionNames) -> None:
    if name == "face_up":
        read_objectives(cells, names, int(ObjectivePlace.FACE_UP), value)
    elif name == "chance_seats":
        for colour in value.split(","):
            if colour not in names.colours:
                raise BadFieldValue(f"no seat has the colour {colour[:20]!r}")
            cells.chance_seats[names.colours.index(colour)] = 1
    elif name != "cards":
        read_cards(cells, names, CARD_LISTS.get(name, int(CardPlace.PILE)), value)
    elif value != HIDDEN_WORD:
        raise BadFieldValue(f"the only value is {HIDDEN_WORD}")
