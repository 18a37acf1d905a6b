"""The text of a position, written from its record and read back the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote_plus, unquote_plus

from rubicon.engine import records
from rubicon.engine.records import Position
from rubicon.engine.setup import open_game
from rubicon.errors import RubiconError
from rubicon.rules.actions import MOST_ARMIES
from rubicon.rules.board.board import COLOURS, board_name, bundled_boards
from rubicon.rules.notation import position_fields
from rubicon.rules.ruleset.ruleset import DEFAULT_BOARD, Origin, Ruleset, preset_names
from rubicon.wording import nearest, one_of, quoted

# The syntax of a position's line: six parts, their words, and what is wrong with a line.
#
# Nothing in this part knows what the words mean: the parts below, which write and read them, do.

FORMAT = 1
LONGEST = 50_000  # characters; the largest board with every field fills a fifth of it
TITLE = "position"
END = "."
PARTS = ("the format", "the ruleset", "the board", "the territories", "the seats", "the table")


class PositionProblem(NamedTuple):
    """One thing that is wrong with a position; `code` without the group, as `chance`."""

    code: str
    sentence: str


class PositionError(RubiconError):
    """A text that is not a position, or an impossible one; `problems` has all that is wrong.

    `code` is that of the first problem.
    """

    def __init__(self, problems: Sequence[PositionProblem], suggestion: str = "") -> None:
        self.problems = tuple(problems)
        sentences = " ".join(problem.sentence for problem in problems)
        super().__init__(f"position/{problems[0].code}", sentences, suggestion)


def position_error(code: str, sentence: str, suggestion: str = "") -> PositionError:
    """The error for a line with a single problem."""
    return PositionError([PositionProblem(code, sentence)], suggestion)


class PositionText(NamedTuple):
    """A position in words: what its line says, part by part. `str` gives the line."""

    ruleset: tuple[str, int]  # the preset and its version
    options: Mapping[str, str]  # with `name` and `version` of a ruleset that is no preset
    board: tuple[str, int]
    territories: tuple[str, ...]
    seats: tuple[tuple[str, Mapping[str, str]], ...]  # colour and status, fields
    table: Mapping[str, str]

    def __str__(self) -> str:
        head = _head_text(self.ruleset, tuple(self.options.items()), self.board)
        seats = "; ".join(_fields_text(seat, fields) for seat, fields in self.seats)
        table = _fields_text("", self.table)
        return f"{head} / {' '.join(self.territories)} / {seats} /{table} {END}"

    @classmethod
    def parse(cls, text: object) -> PositionText:
        """The parts of a line; PositionError where it is cut short, too long or of another kind."""
        parts = _split(text)
        ruleset, *options = parts[1].split() or [""]
        seats = [seat.split() for seat in parts[4].split(";")]
        if not all(seats):
            raise position_error("seats", "A seat has no colour.", "Write a colour for each seat.")
        return cls(
            ruleset=(ruleset, _version(options[:1], "ruleset")),
            options={name: _unquoted(value) for name, value in _pairs(options[1:]).items()},
            board=_board(parts[2].split()),
            territories=tuple(parts[3].split()),
            seats=tuple((seat[0], _pairs(seat[1:])) for seat in seats),
            table=_pairs(parts[5].split()[:-1]),
        )


def _fields_text(first: str, fields: Mapping[str, str]) -> str:
    return " ".join((first, *(f"{name}={value}" for name, value in fields.items())))


@lru_cache(maxsize=256)
def _head_text(
    ruleset: tuple[str, int], options: tuple[tuple[str, str], ...], board: tuple[str, int]
) -> str:
    """The first three parts, which all positions of a game share."""
    given = {name: quote_plus(text, ":,", errors="replace") for name, text in options}
    return " / ".join(
        (
            f"{TITLE} {FORMAT}",
            _fields_text(f"{ruleset[0]} {ruleset[1]}", given),
            f"{quote_plus(board[0])} {board[1]}",
        )
    )


def _split(text: object) -> list[str]:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise position_error("too-long", f"This is not a text of at most {LONGEST} characters.")
    parts = text.split("/")
    title, _, number = " ".join(parts[0].split()).partition(" ")
    if title != TITLE or not number.isascii() or not number.isdecimal() or len(number) > 9:
        problem = f"{quoted(text, 40)} does not begin with `{TITLE} {FORMAT}`."
        raise position_error("not-a-position", problem)
    if int(number) > FORMAT:
        problem = f"The position has format {number}; this Rubicon reads formats up to {FORMAT}."
        raise position_error("newer", problem, "Use a newer Rubicon.")
    if len(parts) > len(PARTS):
        problem = f"There is text after {PARTS[-1]}."
        raise position_error("trailing", problem, f"End the line with ` {END}`.")
    if len(parts) < len(PARTS) or parts[-1].split()[-1:] != [END]:
        problem = f"The line is cut: it ends in {PARTS[len(parts) - 1]}, without a `{END}`."
        hint = f"A position has {len(PARTS)} parts and ends with ` {END}`."
        raise position_error("cut", problem, hint)
    return parts


def _version(words: Sequence[str], what: str) -> int:
    version = position_fields.whole(words[0]) if words else None
    if version is None:
        problem = f"The {what} has no version."
        raise position_error(what, problem, "Write a name and a version, such as `classic 1`.")
    return version


def _board(words: list[str]) -> tuple[str, int]:
    if len(words) != 2:
        problem = "The board is not written as a name and a version."
        raise position_error("board", problem, "Write, for example, `world 1`.")
    return _unquoted(words[0]), _version(words[1:], "board")


def _unquoted(text: str) -> str:
    return unquote_plus(text, errors="replace")


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals or not value:
            raise position_error("field", f"{quoted(word, 40)} is not written as NAME=VALUE.")
        if name in pairs:
            raise position_error("twice", f"{quoted(name, 40)} is written twice.")
        pairs[name] = value
    return pairs


# From a record to the words of its text.
#
# The words are not read back to see whether they give the same bytes: that would cost more than
# all the rest. Instead every cell is either written, or counted from what is written, or compared
# with its default; a number without a text is NotWritable.

CITY, CAPTURED, NO_OWNER = "*", "!", "-"
OWN_NAME = ("name", "version")
ALWAYS_WRITTEN = ("phase", "turn")
BOARD_FIELDS = ("armies", "owner", "captured", "city", "standing")
BY_SEAT = (
    *position_fields.SEAT_FIELDS,
    "colour",
    "status",
    "hand",
    "mission",
    "mission_fallback",
    "chance_seats",
)


class Notation(NamedTuple):
    """What the texts of all positions of one game have in common."""

    names: position_fields.PositionNames
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
        names=position_fields.PositionNames.of(ruleset, colours),
        ruleset=(ruleset.preset, Ruleset.load(ruleset.preset).version),
        options=own_name | dict(ruleset.differences),
        board=(board_name(ruleset.board), ruleset.board.version),
        default=default,
        default_cells=position_fields.cells_of(default),
    )


def blank(ruleset: Ruleset, seats: int) -> Position:
    """The position that a text differs from: an empty board, and all cards in the pile."""
    position = records.empty_position()
    open_game(position, ruleset.rules, ruleset.tables, seats)
    position.unplaced[:] = 0
    return position


def text_of(ruleset: Ruleset, position: Position) -> PositionText:
    """The words of a position, or of a seat's view of one.

    PositionError, `position/unwritable`, where the record holds numbers that have no text.
    """
    cells = position_fields.unpacked(position)
    try:
        return _text(ruleset, cells)
    except (position_fields.NotWritable, KeyError) as error:
        problem = "This record is not a position: it holds numbers that mean nothing."
        raise position_error("unwritable", problem) from error


def _text(ruleset: Ruleset, cells: Position) -> PositionText:
    notation = notation_of(ruleset, _colours(cells))
    names, default = notation.names, notation.default_cells
    _check_unwritten(cells, default, names)
    cards = position_fields.card_lists(cells, names)
    objectives = position_fields.objective_lists(cells, default, names)
    rewards = position_fields.reward_lists(cells, default, names)
    return PositionText(
        ruleset=notation.ruleset,
        options=notation.options,
        board=notation.board,
        territories=tuple(_territories(cells, names)),
        seats=tuple(
            (
                _seat_name(cells, names, seat),
                _seat_fields(cells, default, seat, names)
                | position_fields.seat_cards(cells, cards, seat)
                | _seat_lists(objectives, rewards, seat)
                | position_fields.seat_mission(cells, names, seat),
            )
            for seat in range(cells.seats)
        ),
        table=_table_fields(cells, default, names)
        | position_fields.table_cards(cells, cards)
        | _face_up(objectives),
    )


def _colours(cells: Position) -> tuple[str, ...]:
    if not 1 <= cells.seats <= records.SEATS:
        raise position_fields.NotWritable
    seated = cells.colour[: cells.seats]
    known = tuple(COLOURS[colour] for colour in seated if 0 <= colour < len(COLOURS))
    if len(set(known)) != cells.seats:
        raise position_fields.NotWritable
    return known


def _check_unwritten(
    cells: Position, default: Position, names: position_fields.PositionNames
) -> None:
    """What the text leaves out: cells beyond the board and the seats, and what is counted."""
    for fields, used in (
        (BOARD_FIELDS, len(names.territories)),
        (("card",), len(names.cards)),
        (BY_SEAT, len(names.colours)),
        (("spare",), 0),
    ):
        for field in fields:
            if getattr(cells, field)[used:] != getattr(default, field)[used:]:
                raise position_fields.NotWritable
    owners: Any = cells.owner
    if list(cells.territories) != [owners.count(owner) for owner in range(len(cells.territories))]:
        raise position_fields.NotWritable


def _territories(cells: Position, names: position_fields.PositionNames) -> Iterator[str]:
    """A word for each territory: owner, armies, marks, standing order."""
    letters, captured_marks, city_marks = names.letters, {0: "", 1: CAPTURED}, {0: "", 1: CITY}
    rows = zip(
        names.territories,
        *(getattr(cells, field) for field in BOARD_FIELDS),
        strict=False,  # the record has room for larger boards
    )
    for _, armies, owner, captured, city, standing in rows:
        if owner == records.NONE:
            held = NO_OWNER
        else:
            held = letters[owner] + (str(armies) if armies != records.HIDDEN else "?")
        if armies < records.HIDDEN or (owner == records.NONE and armies != 0):
            raise position_fields.NotWritable
        yield (
            held
            + city_marks[city]
            + captured_marks[captured]
            + position_fields.ORDER_MARKS[standing]
        )


def _seat_name(cells: Position, names: position_fields.PositionNames, seat: int) -> str:
    status = position_fields.STATUS[cells.status[seat]]
    return names.colours[seat] + (f":{status}" if status else "")


def _seat_fields(
    cells: Position, default: Position, seat: int, names: position_fields.PositionNames
) -> dict[str, str]:
    fields: dict[str, str] = {}
    for field, form in position_fields.SEAT_FIELDS.items():
        value = getattr(cells, field)[seat]
        if value != getattr(default, field)[seat]:
            fields[field] = form.write(value, names)
    return fields


def _seat_lists(
    objectives: position_fields.Lists, rewards: position_fields.Lists, seat: int
) -> dict[str, str]:
    lists = {"objectives": objectives.get(seat), "rewards": rewards.get(seat)}
    return {key: ",".join(names) for key, names in lists.items() if names}


def _table_fields(
    cells: Position, default: Position, names: position_fields.PositionNames
) -> dict[str, str]:
    fields: dict[str, str] = {}
    known, usual = vars(cells), vars(default)
    for field, form in position_fields.TABLE_FIELDS.items():
        if known[field] != usual[field] or field in ALWAYS_WRITTEN:
            fields[field] = form.write(known[field], names)
    rolling = cells.chance_seats
    if any(rolling):
        if not set(rolling) <= {0, 1}:
            raise position_fields.NotWritable
        seats = zip(names.colours, rolling, strict=False)
        fields["chance_seats"] = ",".join(colour for colour, rolls in seats if rolls)
    return fields


def _face_up(objectives: position_fields.Lists) -> dict[str, str]:
    shown = objectives.get(records.ObjectivePlace.FACE_UP)
    return {"face_up": ",".join(shown)} if shown else {}


# From the words of a position's text to a record; everything that is wrong is reported at once.

SIZES = ("hand_size", "pile_size", "discards_size")
SEAT_KEYS = (*position_fields.SEAT_FIELDS, "hand", "hand_size", "objectives", "rewards", "mission")
TABLE_KEYS = (
    *position_fields.TABLE_FIELDS,
    *position_fields.CARD_LISTS,
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
    version = position_fields.whole(given[-1])
    if len(given) != len(OWN_NAME) or version is None or version < 1:
        problem = "The ruleset has a name without a version, or a version without a name."
        raise position_error("ruleset", problem, "Write both: `name=mine version=1`.")
    return ruleset.called(given[0], version)


def cells_from(ruleset: Ruleset, text: PositionText, problems: Problems) -> Position:
    """The unpacked fields that a text describes; what is wrong with it is added to `problems`."""
    notation = notation_of(ruleset, _read_colours(text))
    names, cells = notation.names, position_fields.cells_of(notation.default)
    cells.colour[: len(names.colours)] = [COLOURS.index(colour) for colour in names.colours]
    # Hidden cards have no place; without this word a card that is not named is in the pile.
    if text.table.get("cards") == position_fields.HIDDEN_WORD:
        cells.card[: len(names.cards)] = [records.HIDDEN] * len(names.cards)
    _read_territories(text.territories, cells, names, problems)
    for seat, (name, fields) in enumerate(text.seats):
        _read_status(name, cells, seat, problems)
        _read_fields(fields, cells, seat, names, problems)
    _read_fields(text.table, cells, None, names, problems)
    # Sizes are compared with the counted cards, so they are read last.
    _count(cells, names)
    _read_sizes(text, cells, names, problems)
    return cells


def _read_colours(text: PositionText) -> tuple[str, ...]:
    colours = tuple(name.partition(":")[0] for name, _ in text.seats)
    for colour in colours:
        if colour not in COLOURS:
            problem = f"There is no colour {quoted(colour, 20)}."
            raise position_error("seats", problem, f"Colours: {', '.join(COLOURS)}.")
    if len(set(colours)) != len(colours):
        problem = f"Two seats have the same colour: {', '.join(colours)}."
        raise position_error("seats", problem, "Give each seat a different colour.")
    return colours


def _count(cells: Position, names: position_fields.PositionNames) -> None:
    """Fill in what is counted from the rest: territories, and the cards that can be seen."""
    owners: Any = cells.owner
    for owner in range(len(cells.territories)):
        cells.territories[owner] = owners.count(owner)
    places: Any = cells.card[: len(names.cards)]
    for seat in range(len(names.colours)):
        cells.hand[seat] = places.count(seat)
    cells.pile = places.count(records.CardPlace.PILE)
    cells.discards = places.count(records.CardPlace.DISCARDS)


def _read_sizes(
    text: PositionText, cells: Position, names: position_fields.PositionNames, problems: Problems
) -> None:
    """How many cards there are where some are hidden; otherwise they are counted."""
    hidden = records.HIDDEN in cells.card[: len(names.cards)]
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
    size, field = position_fields.whole(value), name.removesuffix("_size")
    counted = getattr(cells, field) if seat is None else getattr(cells, field)[seat]
    return size is not None and size >= counted and position_fields.put(cells, field, seat, size)


def _read_status(name: str, cells: Position, seat: int, problems: Problems) -> None:
    _, colon, status = name.partition(":")
    value = position_fields.STATUS_VALUES.get(status)
    if value is None or (colon and not status):
        known = one_of([word for word in position_fields.STATUS.values() if word])
        problem = f"{quoted(name, 40)}: write {known} after the colon of a seat."
        problems.append(PositionProblem("seats", problem))
    else:
        cells.status[seat] = value


def _read_territories(
    words: Sequence[str], cells: Position, names: position_fields.PositionNames, problems: Problems
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
        owner = records.NONE if held is None else names.owners.get(held[0], records.NONE)
        if held is None or (owner == records.NONE and held[0] != NO_OWNER):
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
    standing = position_fields.ORDER_VALUES.get(colon + order)
    counted = marked.removesuffix(CAPTURED)
    bare = counted.removesuffix(CITY)
    letter, count = bare[:1], bare[1:]
    armies = (
        records.HIDDEN if count == position_fields.HIDDEN_WORD else position_fields.whole(count)
    )
    if letter == NO_OWNER:
        armies = 0 if count == "" else None
    if standing is None or armies is None or armies > MOST_ARMIES:
        return None
    if armies < 0 and count != position_fields.HIDDEN_WORD:
        return None
    return _Held(letter, armies, int(bare != counted), int(counted != marked), standing)


def _read_fields(
    fields: Mapping[str, str],
    cells: Position,
    seat: int | None,
    names: position_fields.PositionNames,
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
        except position_fields.BadFieldValue as error:
            problems.append(PositionProblem("field", f"{name}={value[:60]}: {error}."))


def _read_field(
    name: str, value: str, cells: Position, seat: int | None, names: position_fields.PositionNames
) -> None:
    form = (
        position_fields.TABLE_FIELDS.get(name)
        if seat is None
        else position_fields.SEAT_FIELDS.get(name)
    )
    if form is not None:
        number = form.read(value, names)
        if number is None or not position_fields.put(cells, name, seat, number):
            raise position_fields.BadFieldValue("the field cannot have this value")
    elif name in SIZES:
        return  # read when the cards have been counted
    elif seat is None:
        _read_table_list(name, value, cells, names)
    else:
        readers = {
            "objectives": position_fields.read_objectives,
            "rewards": position_fields.read_rewards,
            "mission": position_fields.read_mission,
        }
        readers.get(name, position_fields.read_cards)(cells, names, seat, value)


def _read_table_list(
    name: str, value: str, cells: Position, names: position_fields.PositionNames
) -> None:
    if name == "face_up":
        position_fields.read_objectives(cells, names, int(records.ObjectivePlace.FACE_UP), value)
    elif name == "chance_seats":
        for colour in value.split(","):
            if colour not in names.colours:
                raise position_fields.BadFieldValue(f"no seat has the colour {colour[:20]!r}")
            cells.chance_seats[names.colours.index(colour)] = 1
    elif name != "cards":
        position_fields.read_cards(
            cells, names, position_fields.CARD_LISTS.get(name, int(records.CardPlace.PILE)), value
        )
    elif value != position_fields.HIDDEN_WORD:
        raise position_fields.BadFieldValue(f"the only value is {position_fields.HIDDEN_WORD}")
