"""Who was at the table when something happened, from the log alone."""

from __future__ import annotations

from sqlalchemy import Connection, select

from rubicon.table.game.hosted_game import NO_SEAT, present_after
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import ANSWERS, LineKind, LogLine

WINDOW = 100  # answers before a moment: who sent orders longer ago is not present


def present_at(connection: Connection, game: str, index: int) -> str:
    """The seat that was present at a log index; "" for none. See `present_after`."""
    log = schema.log.c
    wanted = (
        select(log.log_index, log.kind, log.seat, log.decision, log.at)
        .where(log.game == game, log.log_index <= index)
        .where(log.kind.in_([kind.value for kind in ANSWERS]))
        .order_by(log.log_index.desc())
        .limit(WINDOW)
    )
    present, ordered = NO_SEAT, dict[str, LogLine]()
    for row in reversed(connection.execute(wanted).all()):
        line = LogLine(
            index=row.log_index,
            kind=LineKind(row.kind),
            seat=row.seat,
            decision=row.decision,
            text="",
            at=row.at,
        )
        if line.kind is LineKind.ORDERS:
            ordered[line.seat] = line
        present = present_after(line, present, ordered)
    return present
