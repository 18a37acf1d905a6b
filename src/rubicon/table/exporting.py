"""A game as files: its record, which `rubicon replay` plays again, and the transcript of its dice.

While a game lasts, its record holds what not everybody may know: until its end there are the facts
in its place, as one seat or the spectators were told them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from rubicon.dice.bodies import Request
from rubicon.dice.entry import Entry
from rubicon.dice.transcript import transcript
from rubicon.rules.record import Record
from rubicon.rules.record_headers import game_of
from rubicon.table import schema
from rubicon.table.beginning import colours_of
from rubicon.table.comparing import DICE
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lines import Kind, Line, lines_of
from rubicon.table.lives import dice_of
from rubicon.table.lobby_watching import visible_entry
from rubicon.table.page import SPECTATORS
from rubicon.table.settings import DiceSource, Settings

RECORD = "record.txt"
FACTS = "facts.jsonl"
TRANSCRIPT = "dice.jsonl"
GAME = "Game"  # headers of the record
ENDING = "Ending"  # where no rule ended it


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of a game, by their names."""

    game: str
    over: bool
    files: dict[str, str]

    def save(self, folder: Path) -> list[Path]:
        """Write them into a folder that has none of them yet; where they are."""
        paths = [folder / name for name in self.files]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path, text in zip(paths, self.files.values(), strict=True):
                with path.open("x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
        except OSError as error:
            message = f"{str(folder)[:200]!r} cannot be written to: {error.strerror}."
            raise TableError("export/cannot-write", message, "Name another folder.") from error
        return paths


def exported(connection: Connection, game: str, seat: str = SPECTATORS) -> Exported:
    """A game that is over, whole; of a running one what a seat, or a spectator, may know now."""
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    dice = dice_of(connection, game)
    if lines[-1].kind is Kind.END:
        files = {RECORD: record_of(game, lines).text(), TRANSCRIPT: transcript(dice)}
        return Exported(game, True, files)
    _check_seat(seat, json.loads(lines[0].text)["record"])
    last = visible_entry(connection, game, seat)
    facts = _facts(connection, game, seat, last)
    return Exported(game, False, {FACTS: facts, TRANSCRIPT: transcript(_until(dice, last))})


def record_of(game: str, lines: Sequence[Line]) -> Record:
    """The record of a game from its log; what was taken back is not in it."""
    beginning = json.loads(lines[0].text)
    played = game_of(beginning["record"])
    source: DiceSource = Settings.read(beginning["table"]).dice
    headers = {GAME: game, DICE: source.value}
    for line in lines:
        match line.kind:
            case Kind.ACTION:
                played.play(line.text)
            case Kind.OUTCOME:
                played.settle(line.text)
            case Kind.UNDO:
                played.undo(line.seat)
            case Kind.END if not played.over:
                headers[ENDING] = line.text
    return Record.of(played, headers)


def _check_seat(seat: str, headers: dict[str, str]) -> None:
    colours = colours_of(headers)
    if seat not in (SPECTATORS, *colours):
        message = f"Nobody plays {seat[:20]!r} in this game."
        raise TableError("export/seat", message, f"Seats: {', '.join(colours)}.")


def _facts(connection: Connection, game: str, seat: str, last: int) -> str:
    notice = schema.notice.c
    wanted = select(notice.entry, notice.body).where(
        notice.game == game, notice.seat == seat, notice.kind == "facts", notice.entry <= last
    )
    rows = connection.execute(wanted.order_by(notice.id))
    return "".join(f'{{"entry":{row.entry},"facts":{row.body}}}\n' for row in rows)


def _until(dice: Sequence[Entry], last: int) -> Sequence[Entry]:
    """The chain up to the last request that may be known."""
    for number, entry in enumerate(dice):
        if isinstance(entry.body, Request) and entry.body.entry > last:
            return dice[:number]
    return dice
