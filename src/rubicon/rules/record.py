"""The record of a game: headers, and one line for each action and outcome."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rubicon.engine.legality import actor_of
from rubicon.engine.records import NEUTRAL, Position, Standing
from rubicon.errors import NotFound, RubiconError, is_path, shown
from rubicon.files import TooLarge, file_fault, read_bounded
from rubicon.rules import actions
from rubicon.rules.board.board import COLOURS, Board, board_name
from rubicon.rules.game import Entry, Game
from rubicon.rules.notation.actions import parse_action, parse_outcome
from rubicon.rules.notation.position_fields import whole
from rubicon.rules.notation.positions import parse_position, position_text
from rubicon.rules.ruleset.file import fits
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override, preset_names
from rubicon.wording import nearest, quoted, quoted_path

# The headers of a record: the start of a game as texts, and the game that they start.

FORMAT = 1
NEEDED = ("Rubicon", "Ruleset", "Board", "Seats")
UNFINISHED = "*"
ENDING = "Ending"  # a header: the result of a hosted game that no rule ended, and why
DRAW = "draw"
# A quotation mark or backslash in a value is escaped by a backslash, as in PGN.
_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]{0,40}) "((?:[^"\\]|\\.)*)"\]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {written[1]: plain for plain, written in _ESCAPES.items()}
_ORDERS = {text: order for order, text in actions.STANDING_TEXTS.items()}


class RecordError(RubiconError):
    """A record that cannot be read or played; `line` counts from 1; 0: no single line."""

    def __init__(self, code: str, line: int, problem: str, suggestion: str = "") -> None:
        self.line = line
        where = f"line {line}: " if line else ""
        super().__init__(f"record/{code}", f"{where}{problem}", suggestion)


def header_text(name: str, value: str) -> str:
    """`[Name "value"]`."""
    escaped = "".join(_ESCAPES.get(letter, letter) for letter in value)
    return f'[{name} "{escaped}"]'


def read_header(text: str) -> tuple[str, str] | None:
    """Name and value of a header line; None for any other line."""
    found = _HEADER.fullmatch(text)
    if not found:
        return None
    value = re.sub(r"\\(.)", lambda escape: _UNESCAPES.get(escape[1], escape[1]), found[2])
    return found[1], value


def headers_of(game: Game) -> dict[str, str]:
    """The headers of a game: how it started, and its result so far."""
    headers = {"Rubicon": str(FORMAT)} | ruleset_headers(game.ruleset)
    headers["Seats"] = seats_text(game.colours, game.names)
    return headers | _beginning(game) | {"Result": result_of(game)}


def ruleset_headers(ruleset: Ruleset) -> dict[str, str]:
    """The headers that name a ruleset and its board; `ruleset_of` reads them."""
    headers = {
        "Ruleset": f"{ruleset.preset} {Ruleset.load(ruleset.preset).version}",
        "Board": f"{board_name(ruleset.board)} {ruleset.board.version}",
    }
    if ruleset.own_name is not None:
        headers["Called"] = "{} {}".format(*ruleset.own_name)
    if ruleset.differences:
        headers["Options"] = "; ".join(f"{k}={v}" for k, v in ruleset.differences.items())
    return headers


def result_of(game: Game) -> str:
    """A colour, `draw`, or `*` while the game lasts."""
    if not game.over:
        return UNFINISHED
    return game.winner or DRAW


def _beginning(game: Game) -> dict[str, str]:
    """How the game started: as a new game, or from a position."""
    start = game.start
    territories = zip(game.territories, start.owner, start.armies, strict=False)
    rebels = {name: int(armies) for name, owner, armies in territories if owner == NEUTRAL}
    standing = Standing(max(0, int(start.standing_all[0])))
    beginning = {"Standing": actions.STANDING_TEXTS[standing]}
    if rebels:
        beginning["Rebels"] = " ".join(f"{name}:{armies}" for name, armies in rebels.items())
    # A game from a position is recognised by its bytes: only then the whole position is written.
    try:
        fresh = _new(game.ruleset, game.colours, game.names, rebels, standing)
    except RubiconError:
        fresh = None
    if fresh is not None and same_position(fresh.start, start):
        return beginning
    return {"Position": position_text(game.ruleset, start)}


def same_position(one: Position, other: Position) -> bool:
    """Whether two positions have equal bytes."""
    return one.tobytes() == other.tobytes()


def _new(
    ruleset: Ruleset,
    colours: tuple[str, ...],
    names: tuple[str, ...],
    rebels: Mapping[str, int],
    standing: Standing,
) -> Game:
    return Game.new(ruleset, names=names, colours=colours, rebels=rebels, standing=standing)


def seats_text(colours: tuple[str, ...], names: tuple[str, ...]) -> str:
    """`red: Ann; blue: Bob`; a colour alone where the player has no other name."""
    return "; ".join(map(_seat_text, colours, names))


def _seat_text(colour: str, name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace(";", "\\;")
    return colour if name == colour else f"{colour}: {escaped}"


def read_seats(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The colours and the names of a header `Seats`."""
    # `\;` is part of a name; only a bare semicolon separates seats.
    parts = re.findall(r"(?:[^;\\]|\\.)+", text)
    pairs = [part.partition(":") for part in parts]
    colours = tuple(colour.strip().lower() for colour, _, _ in pairs)
    names = tuple(
        re.sub(r"\\(.)", r"\1", name.removeprefix(" ")) if colon else colour
        for colour, (_, colon, name) in zip(colours, pairs, strict=True)
    )
    return colours, names


def board_of(headers: Mapping[str, str]) -> Board:
    """The board that the headers name."""
    name, version = _named(headers, "Board")
    board = Board.load(name)
    _same_version("board", name, version, board.version)
    return board


def _named(headers: Mapping[str, str], header: str) -> tuple[str, str]:
    name, space, version = headers[header].rpartition(" ")
    if not space or not version.isdecimal():
        problem = f"[{header} {quoted(headers[header])}] is not a name and a version."
        raise RecordError("bad-header", 0, problem)
    return name, version


def _same_version(what: str, name: str, said: str, known: int) -> None:
    if said != str(known):
        problem = f"it needs version {said[:20]} of the {what} {name}; this Rubicon has {known}."
        raise RecordError(f"{what}-version", 0, problem)


def ruleset_of(headers: Mapping[str, str]) -> Ruleset:
    """The ruleset that the headers name."""
    name, version = _named(headers, "Ruleset")
    if name not in preset_names():
        problem = f"there is no ruleset {quoted(name)}."
        raise RecordError("bad-header", 0, problem, nearest(name, preset_names()))
    _same_version("ruleset", name, version, Ruleset.load(name).version)
    parts = [part for part in headers.get("Options", "").split(";") if part.strip()]
    ruleset = Ruleset.load(name, dict(map(parse_override, parts)), board=board_of(headers))
    return _called(ruleset, headers) if "Called" in headers else ruleset


def _called(ruleset: Ruleset, headers: Mapping[str, str]) -> Ruleset:
    """The ruleset under its own name and version, from the header `Called`."""
    name, version = _named(headers, "Called")
    number = whole(version)
    if number is None or not (fits("name", name) and fits("version", number)):
        problem = f"[Called {quoted(headers['Called'])}] is not the name and version of a ruleset."
        raise RecordError("bad-header", 0, problem)
    return ruleset.called(name, number)


def rebels_of(headers: Mapping[str, str]) -> dict[str, int]:
    """The armies of the rebels at the start, by territory; RecordError for what is none."""
    return _rebels(headers.get("Rebels", ""))


def _rebels(text: str) -> dict[str, int]:
    rebels: dict[str, int] = {}
    for entry in text.split():
        name, _, armies = entry.partition(":")
        if not armies.isascii() or not armies.isdecimal() or len(armies) > 6 or name in rebels:
            raise RecordError(
                "bad-header", 0, f"[Rebels]: {quoted(entry)} is not TERRITORY:ARMIES."
            )
        rebels[name] = int(armies)
    return rebels


def game_of(headers: Mapping[str, str]) -> Game:
    """The game that the headers start."""
    ruleset = ruleset_of(headers)
    colours, names = read_seats(headers["Seats"])
    if "Position" in headers:
        return _from_position(headers["Position"], ruleset, colours, names)
    standing = _ORDERS.get(headers.get("Standing", "max"))
    if standing is None:
        problem = f"[Standing {quoted(headers['Standing'])}] is not none, 1, 2 or max."
        raise RecordError("bad-header", 0, problem)
    return _new(ruleset, colours, names, rebels_of(headers), standing)


def _from_position(
    text: str, ruleset: Ruleset, colours: tuple[str, ...], names: tuple[str, ...]
) -> Game:
    played, position = parse_position(text)
    game = Game.from_position(played, position, names=names)
    if played != ruleset or game.colours != colours:
        problem = "[Position] has another ruleset, board or seats than the other headers."
        raise RecordError("bad-header", 0, problem)
    return game


# The lines of a record, and the parser that reads them.

LONGEST_LINE = 60_000  # characters; a header with a position of the largest board fits
CHANCE = "= "
_WHO = re.compile(r"([A-Za-z]+):\s*(.*)", re.DOTALL)
# Neither sign occurs in an action or an outcome, so the first one begins the note.
_NOTE = re.compile(r"[;#]")


@dataclass(frozen=True)
class RecordLine:
    """An entry with the colour of its seat, or only a note; `number` is the line in the file."""

    entry: Entry | None = None
    seat: str = ""
    note: str = ""
    number: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "note", " ".join(self.note.split()))

    def __str__(self) -> str:
        note = f"; {self.note}" if self.note else ""
        return "  ".join(part for part in (self._entry(), note) if part)

    def _entry(self) -> str:
        if isinstance(self.entry, actions.Outcome):
            return f"{CHANCE}{self.entry}"
        return f"{self.seat}: {self.entry}" if self.seat else str(self.entry or "")


class RecordParser:
    """Parses a record into `headers` and `lines`.

    With `salvage`, `unread` is the text from the first unreadable line on.
    """

    def __init__(self, text: str, salvage: bool) -> None:
        self.headers: dict[str, str] = {}
        self.lines: list[RecordLine] = []
        self.unread = ""
        self._board: Board | None = None
        self._colours: tuple[str, ...] = ()
        # Line ends of all systems; `splitlines` would also split at rarer characters in names.
        rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        try:
            self._read(rows)
        except RecordError as error:
            if not salvage or self._board is None:
                raise
            self.unread = "\n".join(rows[max(error.line, 1) - 1 :])

    def _read(self, rows: list[str]) -> None:
        for number, row in enumerate(rows, 1):
            if len(row) > LONGEST_LINE:
                raise RecordError(
                    "long-line",
                    number,
                    f"the line has {len(row)} characters; the most is {LONGEST_LINE}.",
                )
            self._read_row(number, row.strip(), whole=number < len(rows))
        self._close_headers(len(rows))

    def _read_row(self, number: int, row: str, whole: bool) -> None:
        if not row:
            return
        # A last line without its line break may have lost its end: `occupy 12` read as `occupy 1`.
        if not whole:
            problem = f"{quoted(row)} has no end of line: the file may have been cut here."
            raise RecordError("cut", number, problem, "Add a line break, or salvage the record.")
        if row.startswith("[") and self._board is None:
            self._read_header(number, row)
        elif row.startswith((";", "#")):
            self._read_note(number, row)
        else:
            self._close_headers(number)
            self.lines.append(self._entry(number, row))

    def _read_header(self, number: int, row: str) -> None:
        header = read_header(row)
        if header is None:
            raise RecordError("bad-header", number, f'{quoted(row)} is not [Name "value"].')
        name, value = header
        if not self.headers and name != "Rubicon":
            raise _no_record(number)
        if name in self.headers:
            raise RecordError("bad-header", number, f"[{name}] is written twice.")
        if name == "Rubicon":
            _check_format(number, value)
        self.headers[name] = value

    def _read_note(self, number: int, row: str) -> None:
        line = RecordLine(note=row[1:], number=number)
        if line.note:
            self.lines.append(line)

    def _close_headers(self, number: int) -> None:
        """Check before the first entry that all required headers are there."""
        if self._board is not None:
            return
        if not self.headers:
            raise _no_record(number)
        for name in NEEDED:
            if name not in self.headers:
                raise RecordError("missing-header", number, f"the header [{name}] is missing.")
        self._colours, _ = read_seats(self.headers["Seats"])
        different = len(set(self._colours)) == len(self._colours) > 0
        if not different or not set(self._colours) <= set(COLOURS):
            problem = f"[Seats {quoted(self.headers['Seats'])}] does not name different colours."
            raise RecordError("bad-header", 0, problem, f"Colours: {', '.join(COLOURS)}.")
        self._board = board_of(self.headers)

    def _entry(self, number: int, row: str) -> RecordLine:
        written, *notes = _NOTE.split(row, maxsplit=1)
        note = notes[0] if notes else ""
        try:
            if row.startswith("="):
                return RecordLine(parse_outcome(written[1:].strip()), note=note, number=number)
            seat, action = self._who(written.strip())
            return RecordLine(parse_action(action, self._known, self._colours), seat, note, number)
        except RubiconError as error:
            raise RecordError("bad-line", number, error.message, error.suggestion) from error

    @property
    def _known(self) -> Board:
        assert self._board is not None
        return self._board

    def _who(self, text: str) -> tuple[str, str]:
        """The colour before an action, if one is written."""
        found = _WHO.fullmatch(text)
        if found is None:
            return "", text
        seat = found[1].lower()
        if seat not in self._colours:
            problem = f"there is no seat {quoted(found[1])} in this game."
            raise NotFound("seat/unknown", problem, f"Seats: {', '.join(self._colours)}.")
        return seat, found[2]


def _no_record(number: int) -> RecordError:
    problem = f'this is not a record: its first line is not [Rubicon "{FORMAT}"].'
    return RecordError("not-a-record", number, problem)


def _check_format(number: int, value: str) -> None:
    if not value.isascii() or not value.isdecimal() or len(value) > 9:
        raise RecordError("bad-header", number, f"[Rubicon {quoted(value)}] is not a version.")
    if int(value) > FORMAT:
        problem = f"this record has format {value}; this Rubicon reads formats up to {FORMAT}."
        raise RecordError("newer", number, problem, "Use a newer Rubicon.")


# A record: a whole game in one text file, with every action and every outcome.
#
#     [Rubicon "1"]
#     [Ruleset "classic 1"]
#     [Board "world 1"]
#     [Seats "red: Ann; blue: Bob; green"]
#
#     = dice 3 5 2
#     blue: claim alaska
#
# `docs/notation.md` describes the format.

LARGEST_FILE = 64_000_000
_FROM_A_FILE = "Record.load(path) reads a file."
_SAY_WHOSE = actions.Seal | actions.StandingOrder | actions.Resign | actions.RevealMission


@dataclass(frozen=True)
class Record:
    """A game as text: how it started (`headers`), and everything that happened since (`lines`).

    `unread` is the text of a salvaged file from the first unreadable line on.
    """

    headers: Mapping[str, str]
    lines: tuple[RecordLine, ...] = ()
    unread: str = field(default="", compare=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The actions and outcomes, in order."""
        return tuple(line.entry for line in self.lines if line.entry is not None)

    @staticmethod
    def of(game: Game, headers: Mapping[str, str] | None = None) -> Record:
        """The record of a game; the caller adds `headers` such as the date."""
        return Record(headers_of(game) | dict(headers or {}), tuple(_lines_of(game)))

    def text(self) -> str:
        """The whole file; `Record.parse` gives the same record back."""
        written = [header_text(name, value) for name, value in self.headers.items()]
        blank = True
        for line in self.lines:
            if blank or line.entry is None:
                written.append("")
            blank = False
            written.append(str(line))
        return "\n".join(written) + "\n"

    @staticmethod
    def parse(text: str, *, salvage: bool = False) -> Record:
        """The record that a text holds; RecordError names the first line that is wrong.

        `salvage` keeps the lines before it, if the headers that a replay needs are there.
        """
        if not isinstance(text, str):
            raise RecordError("not-text", 0, f"{shown(text)} is not a text.", _FROM_A_FILE)
        reading = RecordParser(text, salvage)
        return Record(reading.headers, tuple(reading.lines), reading.unread)

    def replay(self, until: int | None = None) -> Game:
        """Play the record again with every entry checked, or only its first `until` entries.

        RecordError names the line, the entry and the reason where the rules refuse one.
        """
        game = game_of(self.headers)
        played = [line for line in self.lines if line.entry is not None]
        for number, line in enumerate(played[:until], 1):
            _play(game, line, number)
        return game

    def verify(self) -> Game:
        """Replay the record and compare the result with its header."""
        game = self.replay()
        said = self.headers.get("Result", result_of(game))
        if said != result_of(game):
            problem = (
                f"the header says that the result is {quoted(said)}; it is {result_of(game)!r}."
            )
            raise RecordError("wrong-result", 0, problem)
        return game

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically: readers find the old file or the new one, never a part."""
        # A link is followed, so that saving replaces the file and not the link to it.
        target = Path(os.path.realpath(path))
        # The process id keeps two writers apart; the last to replace the file wins.
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            data = self.text().encode("utf-8")
            _write(part, data)
            os.replace(part, target)
        except (OSError, ValueError) as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            problem = f"{quoted_path(target)} cannot be written: {file_fault(error)}."
            raise RecordError("cannot-write", 0, problem) from error

    @staticmethod
    def load(path: str | os.PathLike[str], *, salvage: bool = False) -> Record:
        """The record in a file; RecordError where it cannot be read or is not a record."""
        if not is_path(path):
            raise RecordError("not-a-path", 0, f"{shown(path)} is not the path of a file.")
        file = Path(path)
        try:
            data = read_bounded(file, LARGEST_FILE)
        except TooLarge as error:
            problem = f"{quoted_path(file)} is too large for a record."
            raise RecordError("too-large", 0, problem) from error
        except (OSError, ValueError) as error:
            problem = f"{quoted_path(file)} cannot be read: {file_fault(error)}."
            raise RecordError("cannot-read", 0, problem) from error
        return Record.parse(_decoded(data, salvage), salvage=salvage)


def _write(part: Path, data: bytes) -> None:
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        # Without fsync a power failure may leave the renamed file empty.
        os.fsync(file.fileno())


def _decoded(data: bytes, salvage: bool) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `utf-8-sig` drops a byte-order mark that some editors write.
        good = data[: error.start]
        if salvage:
            return good.decode("utf-8-sig")
        line = good.count(b"\n") + 1
        raise RecordError("not-utf8", line, "this is not UTF-8 text.") from error


def _lines_of(game: Game) -> Iterator[RecordLine]:
    """Every entry with its seat, and a heading where a turn begins."""
    heading = ""  # of the entries so far; a new one is written once, before its first entry
    for entry, before in zip(game.history, game.positions, strict=True):
        here = _heading(game, before)
        if here != heading:
            yield RecordLine(note=here)
            heading = here
        yield RecordLine(entry, _actor(game, before, entry))


def _heading(game: Game, position: Position) -> str:
    if position.round_number < 1:
        return "Set-up"
    return f"Round {position.round_number}, {game.colours[int(position.turn)]}"


def _actor(game: Game, position: Position, entry: Entry) -> str:
    """The colour of an action's seat; "" for outcomes and actions that name their seat."""
    if isinstance(entry, _SAY_WHOSE | actions.Roll | actions.Dice | actions.Pick):
        return ""
    return game.owner_name(int(actor_of(position, actions.code_of(entry, game))))


def _play(game: Game, line: RecordLine, number: int) -> None:
    """Play one entry; a refusal becomes a RecordError that says where."""
    try:
        if isinstance(line.entry, actions.Outcome):
            game.settle(line.entry)
        elif line.entry is not None:
            _check_seat(game, line, line.entry)
            game.play(line.entry)
    except RecordError:
        raise
    except RubiconError as error:
        problem = f"entry {number}, {str(line.entry)!r}: {error.message}"
        raise RecordError("illegal", line.number, problem, error.suggestion) from error


def _check_seat(game: Game, line: RecordLine, action: actions.Action) -> None:
    actor = _actor(game, game.position, action)
    if line.seat and actor and line.seat != actor and game.refusal(action) is None:
        problem = f"{str(action)!r} is written for {line.seat}, but it is {actor}'s decision."
        raise RecordError("wrong-seat", line.number, problem)
