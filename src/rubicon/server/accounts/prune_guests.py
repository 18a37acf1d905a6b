"""Deleting guest accounts that were never used."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, or_, select

from rubicon.server.accounts.tokens import ADMIN
from rubicon.server.push.subscriptions import forget_devices
from rubicon.server.webhooks.registry import forget_webhooks
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

UNUSED = 30 * 24 * 3600 * 1000  # milliseconds since the guest was last seen
BATCH = 500  # accounts deleted in one transaction


def prune_guests(connection: Connection) -> int:
    """Delete unused guests and their tokens; returns how many were deleted.

    A guest is unused who has no address, was not seen for 30 days, and has no seat, no hosted
    table, no chat line and no passkey, so that nothing but the name is lost.
    """
    account, token, host = schema.account.c, schema.token.c, schema.game.c.host
    used = or_(
        exists().where(schema.seat.c.account == account.id),
        exists().where(schema.chat.c.account == account.id),
        exists().where(schema.passkey.c.account == account.id),
        # These columns have no index: an uncorrelated subquery reads each table once.
        account.id.in_(select(host).where(host.is_not(None))),
        account.id.in_(select(schema.kicked.c.account)),
    )
    wanted = (
        select(account.id)
        .where(account.id != ADMIN, account.email.is_(None))
        .where(account.seen < now(connection) - UNUSED, ~used)
        .limit(BATCH)
    )
    unused = list(connection.execute(wanted).scalars())
    if unused:
        connection.execute(delete(schema.token).where(token.account.in_(unused)))
        forget_webhooks(connection, schema.webhook.c.account.in_(unused))
        forget_devices(connection, schema.push_subscription.c.account.in_(unused))
        connection.execute(delete(schema.account).where(account.id.in_(unused)))
    return len(unused)
