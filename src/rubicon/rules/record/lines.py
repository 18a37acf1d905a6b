"""The lines of a record, and the parser that reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rubicon.errors import RubiconError
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.game.game import Entry
from rubicon.rules.notation.actions import parse_action
from rubicon.rules.notation.outcomes import parse_outcome
from rubicon.rules.outcomes import Outcome
from rubicon.rules.record.headers import (
    FORMAT,
    NEEDED,
    RecordError,
    board_of,
    read_header,
    read_seats,
)
from rubicon.wording import quoted

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
        if isinstance(self.entry, Outcome):
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
            raise RubiconError("seat/unknown", problem, f"Seats: {', '.join(self._colours)}.")
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
