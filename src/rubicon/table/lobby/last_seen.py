"""When the people at a table were last seen, as coarsely as other people may know it."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Connection, select

from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

MINUTE = 60_000  # milliseconds


class LastSeen(StrEnum):
    """When the owner of a seat was last seen: an exact time would be a record of their days."""

    NOW = "now"
    LATELY = "lately"
    TODAY = "today"
    EARLIER = "earlier"


# An account's `seen` is written at most once a minute, so two minutes still mean "now".
LIMITS = {
    LastSeen.NOW: 2 * MINUTE,
    LastSeen.LATELY: 15 * MINUTE,
    LastSeen.TODAY: 24 * 60 * MINUTE,
}


def last_seen_at(connection: Connection, game: str) -> dict[str, LastSeen]:
    """When the owner of each seat was last seen, by colour; bots are left out."""
    seat, account = schema.seat, schema.account
    wanted = (
        select(seat.c.colour, account.c.seen)
        .join(account, seat.c.account == account.c.id)
        .where(seat.c.game == game)
    )
    at = now(connection)
    return {row.colour: seen_before(at - row.seen) for row in connection.execute(wanted)}


def seen_before(milliseconds: int) -> LastSeen:
    """The word for an account that was last seen so long ago."""
    found = (word for word, limit in LIMITS.items() if milliseconds < limit)
    return next(found, LastSeen.EARLIER)
