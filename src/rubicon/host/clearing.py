"""Guests who came once, sat nowhere and never came back are forgotten."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, or_, select

from rubicon.host.accounts import ADMIN
from rubicon.table import schema
from rubicon.table.store import now

UNUSED = 30 * 24 * 3600 * 1000  # milliseconds since somebody was seen
MOST_AT_ONCE = 500


def clear_unused(connection: Connection) -> int:
    """Delete accounts that nothing hangs on, and their tokens; how many there were.

    They have no address, were not seen for UNUSED, and have no seat, no table and no word in a
    chat: nobody loses anything but a name.
    """
    account, token, host = schema.account.c, schema.token.c, schema.game.c.host
    used = or_(
        exists().where(schema.seat.c.account == account.id),
        exists().where(schema.chat.c.account == account.id),
        # these have no index: each is read once, not once for each account
        account.id.in_(select(host).where(host.is_not(None))),
        account.id.in_(select(schema.kicked.c.account)),
    )
    wanted = (
        select(account.id)
        .where(account.id != ADMIN, account.email.is_(None))
        .where(account.seen < now(connection) - UNUSED, ~used)
        .limit(MOST_AT_ONCE)
    )
    unused = list(connection.execute(wanted).scalars())
    if unused:
        connection.execute(delete(schema.token).where(token.account.in_(unused)))
        connection.execute(delete(schema.account).where(account.id.in_(unused)))
    return len(unused)
