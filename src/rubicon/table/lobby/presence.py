"""Whether the people at a table are there, as coarsely as other people may know it."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Connection, select

from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

MINUTE = 60_000  # milliseconds


class SeatPresence(StrEnum):
    """When the owner of a seat was last seen: an exact time would be a record of their days."""

    HERE = "here"
    LATELY = "lately"
    TODAY = "today"
    AWAY = "away"


# An account's `seen` is written at most once a minute, so two minutes still mean "here".
LIMITS = {
    SeatPresence.HERE: 2 * MINUTE,
    SeatPresence.LATELY: 15 * MINUTE,
    SeatPresence.TODAY: 24 * 60 * MINUTE,
}


def presence_at(connection: Connection, game: str) -> dict[str, SeatPresence]:
    """The presence of each seat that a person owns, by colour."""
    seat, account = schema.seat, schema.account
    wanted = (
        select(seat.c.colour, account.c.seen)
        .join(account, seat.c.account == account.c.id)
        .where(seat.c.game == game)
    )
    at = now(connection)
    return {row.colour: presence_after(at - row.seen) for row in connection.execute(wanted)}


def presence_after(milliseconds: int) -> SeatPresence:
    """The presence of an account that was last seen so long ago."""
    found = (presence for presence, limit in LIMITS.items() if milliseconds < limit)
    return next(found, SeatPresence.AWAY)
