"""A record: a whole game in one text file, every action and every answer of chance.

    [Rubicon "1"]
    [Ruleset "classic 1"]
    [Board "world 1"]
    [Seats "red: Ann; blue: Bob; green"]

    = dice 3 5 2
    blue: claim alaska

`docs/notation.md` describes the form.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubicon.rules.actions import (
    Action,
    Resign,
    RevealMission,
    Seal,
    StandingOrder,
    code_of,
)
from rubicon.rules.board_parts import quoted, quoted_path
from rubicon.rules.bounded import TooLarge, read_bounded
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Entry, Game
from rubicon.rules.kinds import is_path, shown
from rubicon.rules.outcomes import Dice, Outcome, Pick, Roll
from rubicon.rules.procedures.legality import actor_of
from rubicon.rules.record_headers import (
    RecordError,
    game_of,
    header_text,
    headers_of,
    result_of,
)
from rubicon.rules.record_lines import Line, Reading

LARGEST_FILE = 64_000_000
_FROM_A_FILE = "Record.load(path) reads a file."
_SAY_WHOSE = Seal | StandingOrder | Resign | RevealMission


@dataclass(frozen=True)
class Record:
    """A game as it is kept: what it began with, and everything that happened since.

    `unread` is what a salvaged file holds behind the last line that could be read.
    """

    headers: Mapping[str, str]
    lines: tuple[Line, ...] = ()
    unread: str = field(default="", compare=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The actions and outcomes, in order."""
        return tuple(line.entry for line in self.lines if line.entry is not None)

    @staticmethod
    def of(game: Game, headers: Mapping[str, str] | None = None) -> Record:
        """The record of a game; `headers` are added, such as a date that only the caller knows."""
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

        `salvage` keeps what stands before that line, as far as there are the headers to play it.
        """
        if not isinstance(text, str):
            raise RecordError("not-text", 0, f"{shown(text)} is not a text.", _FROM_A_FILE)
        reading = Reading(text, salvage)
        return Record(reading.headers, tuple(reading.lines), reading.unread)

    def replay(self, until: int | None = None) -> Game:
        """Play it again through the checked door, or only its first entries.

        RecordError tells the line, the entry and the reason where the rules say no.
        """
        game = game_of(self.headers)
        played = [line for line in self.lines if line.entry is not None]
        for number, line in enumerate(played[:until], 1):
            _play(game, line, number)
        return game

    def verify(self) -> Game:
        """Replay it, and see that it ended as its header says."""
        game = self.replay()
        said = self.headers.get("Result", result_of(game))
        if said != result_of(game):
            problem = f"the result is said to be {quoted(said)}; it is {result_of(game)!r}."
            raise RecordError("wrong-result", 0, problem)
        return game

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; whoever reads meanwhile finds the old one or the new one, whole."""
        target = Path(os.path.realpath(path))
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            data = self.text().encode("utf-8")
            _write(part, data)
            os.replace(part, target)
        except (OSError, ValueError) as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            problem = f"{quoted_path(target)} cannot be written: {_why(error)}."
            raise RecordError("cannot-write", 0, problem) from error

    @staticmethod
    def load(path: str | os.PathLike[str], *, salvage: bool = False) -> Record:
        """The record in a file; RecordError where it is none."""
        if not is_path(path):
            raise RecordError("not-a-path", 0, f"{shown(path)} is not the path of a file.")
        file = Path(path)
        try:
            data = read_bounded(file, LARGEST_FILE)
        except TooLarge as error:
            problem = f"{quoted_path(file)} is too large for a record."
            raise RecordError("too-large", 0, problem) from error
        except (OSError, ValueError) as error:
            problem = f"{quoted_path(file)} cannot be read: {_why(error)}."
            raise RecordError("cannot-read", 0, problem) from error
        return Record.parse(_decoded(data, salvage), salvage=salvage)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _write(part: Path, data: bytes) -> None:
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _decoded(data: bytes, salvage: bool) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start]
        if salvage:
            return good.decode("utf-8-sig")
        line = good.count(b"\n") + 1
        raise RecordError("not-utf8", line, "this is not UTF-8 text.") from error


def _lines_of(game: Game) -> Iterator[Line]:
    """Every entry with who took it, and a heading where a turn begins."""
    heading = ""
    for entry, before in zip(game.history, game.positions, strict=True):
        here = _heading(game, before)
        if here != heading:
            yield Line(note=here)
            heading = here
        yield Line(entry, _actor(game, before, entry))


def _heading(game: Game, position: Any) -> str:
    if position.round_number < 1:
        return "Set-up"
    return f"Round {position.round_number}, {game.colours[int(position.turn)]}"


def _actor(game: Game, position: Any, entry: Entry) -> str:
    """Whose action it was, unless chance spoke or the action itself says it."""
    if isinstance(entry, _SAY_WHOSE | Roll | Dice | Pick):
        return ""
    return game.owner_name(int(actor_of(position, code_of(entry, game))))


def _play(game: Game, line: Line, number: int) -> None:
    """One entry; everything that is refused becomes a RecordError that says where."""
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


def _check_seat(game: Game, line: Line, action: Action) -> None:
    actor = _actor(game, game.position, action)
    if line.seat and actor and line.seat != actor and game.refusal(action) is None:
        problem = f"{str(action)!r} is said to be {line.seat}'s, but it is {actor}'s to decide."
        raise RecordError("wrong-seat", line.number, problem)
