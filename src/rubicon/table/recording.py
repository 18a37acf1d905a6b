"""The record of a hosted game: everything that was decided and rolled, for `rubicon replay`."""

from __future__ import annotations

from sqlalchemy import Connection

from rubicon.rules.record import Record
from rubicon.table.errors import NoSuchGame
from rubicon.table.lines import Kind, lines_of
from rubicon.table.live import beginning_of


def record_of(connection: Connection, game: str) -> Record:
    """The record, with colours for names; it tells everything that was hidden."""
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    played = beginning_of(lines[0])
    for line in lines:
        match line.kind:
            case Kind.ACTION:
                played.play(line.text)
            case Kind.OUTCOME:
                played.settle(line.text)
            case Kind.UNDO:
                played.undo(line.seat)
    return Record.of(played)
