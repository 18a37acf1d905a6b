"""A record: a whole game in one text file, with every action and every outcome.

    [Rubicon "1"]
    [Ruleset "classic 1"]
    [Board "world 1"]
    [Seats "red: Ann; blue: Bob; green"]

    = dice 3 5 2
    blue: claim alaska

`docs/notation.md` describes the format.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rubicon.arguments import is_path, shown
from rubicon.engine.legality import actor_of
from rubicon.engine.records.position import Position
from rubicon.errors import RubiconError
from rubicon.files import TooLarge, file_fault, read_bounded
from rubicon.rules.actions import (
    Action,
    Resign,
    RevealMission,
    Seal,
    StandingOrder,
    code_of,
)
from rubicon.rules.game.game import Entry, Game
from rubicon.rules.outcomes import Dice, Outcome, Pick, Roll
from rubicon.rules.record.headers import (
    RecordError,
    game_of,
    header_text,
    headers_of,
    result_of,
)
from rubicon.rules.record.lines import RecordLine, RecordParser
from rubicon.wording import quoted, quoted_path

LARGEST_FILE = 64_000_000
_FROM_A_FILE = "Record.load(path) reads a file."
_SAY_WHOSE = Seal | StandingOrder | Resign | RevealMission


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
    if isinstance(entry, _SAY_WHOSE | Roll | Dice | Pick):
        return ""
    return game.owner_name(int(actor_of(position, code_of(entry, game))))


def _play(game: Game, line: RecordLine, number: int) -> None:
    """Play one entry; a refusal becomes a RecordError that says where."""
    try:
        if isinstance(line.entry, Outcome):
            game.settle(line.entry)
        elif line.entry is not None:
            _check_seat(game, line, line.entry)
            game.play(line.entry)
    except RecordError:
        raise
    except RubiconError as error:
        problem = f"entry {number}, {str(line.entry)!r}: {error.message}"
        raise RecordError("illegal", line.number, problem, error.suggestion) from error


def _check_seat(game: Game, line: RecordLine, action: Action) -> None:
    actor = _actor(game, game.position, action)
    if line.seat and actor and line.seat != actor and game.refusal(action) is None:
        problem = f"{str(action)!r} is written for {line.seat}, but it is {actor}'s decision."
        raise RecordError("wrong-seat", line.number, problem)
