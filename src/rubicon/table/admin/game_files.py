"""Games as files: export of a record and its transcript, and import of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, select

from rubicon.rules.game import Game
from rubicon.rules.record import ENDING, Record, game_of, headers_of
from rubicon.table.admin.record_audit import DICE
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.game_cache import dice_texts
from rubicon.table.game.log_lines import Acted, Beginning, LineKind, LogLine, Settled, said
from rubicon.table.lobby.lifecycle import new_table
from rubicon.table.lobby.people import visible_index
from rubicon.table.lobby.seats import secret
from rubicon.table.lobby.start import begin_game, colours_of
from rubicon.table.lobby.table_request import Access
from rubicon.table.notices import EVERYONE, SPECTATORS
from rubicon.table.settings import DEFAULT, DiceSource, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import lines_of

# Exports a game as files: its record for `rubicon replay`, and the transcript of its dice.
#
# The record of a running game holds secrets. Until the end, the export contains the facts that
# one seat or the spectators may know instead.

_SIGNED = re.compile(r'"sig":"[0-9a-f]{128}"\}$')
MOST_LINES = 500
RECORD = "record.txt"
FACTS = "facts.jsonl"
TRANSCRIPT = "dice.jsonl"
GAME = "Game"  # a header of the record: the game's id


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of a game, by their names."""

    game: str
    over: bool
    files: dict[str, str]

    def save(self, folder: Path) -> list[Path]:
        """Write the files into a folder, and return their paths; TableError where one exists."""
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
    """The record of a finished game; of a running one, what a seat or a spectator may know."""
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    if lines[-1].kind is LineKind.END:
        dice = transcript(dice_texts(connection, game))
        files = {RECORD: record_of(game, lines).text(), TRANSCRIPT: dice}
        return Exported(game, True, files)
    _check_seat(seat, said(lines[0], Beginning).record)
    last = visible_index(connection, game, seat)
    facts = _facts(connection, game, seat, last)
    dice = transcript(dice_texts(connection, game, log_index=last))
    return Exported(game, False, {FACTS: facts, TRANSCRIPT: dice})


def transcript_of(connection: Connection, game: str, seat: str, after: int = -1) -> str:
    """The lines of the dice transcript after a number, as far as a seat or a spectator may know;
    at most MOST_LINES of them.

    NoSuchGame where there is no game, or it has not begun.
    """
    last = visible_index(connection, game, seat)
    return transcript(dice_texts(connection, game, after + 1, MOST_LINES, log_index=last))


def record_of(game: str, lines: Sequence[LogLine]) -> Record:
    """The record of a game from its log, without actions that were undone."""
    beginning = said(lines[0], Beginning)
    played = game_of(beginning.record)
    source: DiceSource = Settings.read(beginning.table).dice
    headers = {GAME: game, DICE: source.value}
    for line in lines:
        match line.kind:
            case LineKind.ACTION:
                played.play(said(line, Acted, played).action)
            case LineKind.OUTCOME:
                played.settle(said(line, Settled).outcome)
            case LineKind.UNDO:
                played.undo(line.seat)
            case LineKind.END if not played.over:
                headers[ENDING] = line.text
    return Record.of(played, headers)


def _check_seat(seat: str, headers: dict[str, str]) -> None:
    colours = colours_of(headers)
    if seat not in (SPECTATORS, *colours):
        message = f"This game has no seat {seat[:20]!r}."
        raise TableError("export/seat", message, f"Seats: {', '.join(colours)}.")


def _facts(connection: Connection, game: str, seat: str, last: int) -> str:
    columns = schema.notification.c
    wanted = select(columns.log_index, columns.body).where(
        columns.game == game,
        columns.seat.in_((seat, EVERYONE)),
        columns.kind == "events",
        columns.log_index <= last,
    )
    rows = connection.execute(wanted.order_by(columns.id))
    return "".join(f'{{"index":{index},"facts":{body}}}\n' for index, body in rows)


def transcript(lines: Sequence[str]) -> str:
    """The text of a transcript, up to the last line that is signed.

    After it may come a request that is about to be answered, which no one has been shown.
    """
    shown = max((n for n, line in enumerate(lines, 1) if _SIGNED.search(line)), default=0)
    return "".join(f"{line}\n" for line in lines[:shown])


# Imports a record as a hosted game, which continues from its last position with new dice.

IMPORTED = "Imported"


@dataclass(frozen=True, slots=True)
class Imported:
    """The new game, and the invites of the seats that no bot plays, by their colour."""

    game: str
    invites: dict[str, str]


def import_record(
    connection: Connection,
    record: Record,
    title: str,
    *,
    bots: Mapping[str, str] | None = None,
    settings: Settings = DEFAULT,
) -> Imported:
    """Begin a game where a record ends; RecordError where the record breaks the rules.

    The log begins with the position and the number of moves that led to it; the dice get new
    secrets. The caller wakes the game after the commit. `bots` are the server's bots by their seat.
    """
    played = record.verify()
    again = Game.from_position(played.ruleset, played.position)
    headers = headers_of(again)
    headers[IMPORTED] = f"{len(record.entries)} entries"
    chosen = dict(bots or {})
    for colour in chosen:
        if colour not in played.colours:
            message = f"This record has no seat {colour[:20]!r}."
            raise TableError("import/seat", message, f"Seats: {', '.join(played.colours)}.")
    game = new_table(
        connection,
        host=None,
        title=title[:80],
        access=Access.PRIVATE,
        headers=headers,
        settings=settings,
        invite=None,
    )
    invites = {colour: secret() for colour in played.colours if colour not in chosen}
    rows = [
        {
            "game": game,
            "number": number,
            "colour": colour,
            "account": None,
            "bot": chosen.get(colour),
            "name": chosen.get(colour, ""),
            "invite": invites.get(colour),
        }
        for number, colour in enumerate(played.colours)
    ]
    connection.execute(insert(schema.seat), rows)
    begin_game(connection, game, headers, settings, chosen)
    return Imported(game, invites)
