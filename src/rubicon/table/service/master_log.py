"""What the game master and the software did in a game: the lines of its log that say so."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from rubicon.table.game.master_requests import MasterWord, read_order
from rubicon.table.storage.event_log import LineKind, LogLine, lines_of

MASTER, SOFTWARE, PLAYERS = "master", "software", "players"
# Who does what without a request of the game master; what is missing is no matter of this list.
_BY = {
    LineKind.BOT: SOFTWARE,
    LineKind.LATE: SOFTWARE,
    LineKind.LOST_LINES: SOFTWARE,
    LineKind.END: SOFTWARE,
    LineKind.PAUSE: PLAYERS,
    LineKind.EXTEND: PLAYERS,
    LineKind.FORK: PLAYERS,
}
_OF_SEATS = (LineKind.AWAY, LineKind.ERASED)


@dataclass(frozen=True, slots=True)
class MasterLogEntry:
    """One line: who did it (`master`, `software`, `players` or a colour), and what of which seat.

    `event` is the kind of the line; `text` has the exact words of a request of the game master.
    """

    index: int
    at: int  # milliseconds since 1970
    by: str
    event: str
    seat: str
    text: str


def master_log(connection: Connection, game: str, last: int) -> list[MasterLogEntry]:
    """The entries up to a log index, the newest first."""
    entries: list[MasterLogEntry] = []
    asked = None
    for line in lines_of(connection, game):
        if line.index > last:
            break
        if line.kind is LineKind.MASTER:
            asked = read_order(line.text).word
        elif line.kind not in (LineKind.BOT, LineKind.UNDO, LineKind.REPORT):
            asked = None
        by = _author(line, asked)
        if by:
            entries.append(_entry(line, by))
    return entries[::-1]


def _author(line: LogLine, asked: MasterWord | None) -> str:
    if line.kind is LineKind.MASTER:
        return MASTER
    if line.kind is LineKind.UNDO:
        return MASTER if asked is MasterWord.UNDO else ""
    if line.kind is LineKind.BOT and not line.text:
        return line.seat
    if line.kind is LineKind.BOT and asked is not None:
        return MASTER
    return line.seat if line.kind in _OF_SEATS else _BY.get(line.kind, "")


def _entry(line: LogLine, by: str) -> MasterLogEntry:
    text = "" if line.kind is LineKind.LOST_LINES else line.text
    return MasterLogEntry(
        index=line.index,
        at=line.at,
        by=by,
        event=line.kind.value,
        seat=line.seat,
        text=text,
    )
