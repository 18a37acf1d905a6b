"""Accounts whose address refuses e-mails for good: no more e-mails, and the others are told."""

from __future__ import annotations

import logging
from functools import partial

from sqlalchemy import ColumnElement, Connection, and_, select, update

from rubicon.table.commands.more_time import extend_unreachable
from rubicon.table.game.mail_policy import EMAIL_PENDING
from rubicon.table.lobby.lifecycle import notify
from rubicon.table.lobby.masters import master_place
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.service.table_service import TableService
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

BOUNCED = "bounced"  # the kind of the notification
log = logging.getLogger(__name__)


def mark_dead(table: TableService, account: str, address: str) -> bool:
    """Send no more e-mails to an address that refused one for good (RFC 3463, class 5).

    In each running game of the account its pending decision gets more time, once, and its own seat
    (by push message or webhook) and the host's are told. Idempotent; returns whether the address
    was the account's and was alive. Waits for the writer thread, so it must not run on it.
    """
    if not table.store.read(partial(_is_alive, account=account, address=address)):
        return False
    seats = table.store.read(partial(_running_seats, account=account))
    # The time first: a server that dies in between would not find the account again.
    for change in [
        table.change(game, partial(extend_unreachable, seat=seat)) for game, seat, _ in seats
    ]:
        change.result()
    marked = table.store.write(partial(_mark, account=account, address=address)).result()
    if marked:
        log.warning("address refuses e-mails", extra={"account": account})
    return marked


def mark_reachable(connection: Connection, account: str, address: str) -> None:
    """Send e-mails to an account again: what went to its address was used or answered."""
    columns = schema.account.c
    own = (columns.id == account) & (columns.email == address) & columns.unreachable.is_not(None)
    connection.execute(update(schema.account).where(own).values(unreachable=None))


def _is_alive(connection: Connection, account: str, address: str) -> bool:
    columns = schema.account.c
    wanted = select(columns.id).where(_alive(account, address))
    return connection.execute(wanted).first() is not None


def _alive(account: str, address: str) -> ColumnElement[bool]:
    columns = schema.account.c
    return and_(columns.id == account, columns.email == address, columns.unreachable.is_(None))


def _mark(connection: Connection, account: str, address: str) -> bool:
    change = (
        update(schema.account).where(_alive(account, address)).values(unreachable=now(connection))
    )
    if connection.execute(change).rowcount == 0:
        return False
    for game, seat, host in _running_seats(connection, account):
        # The digest of the game's row is changed, so the row is locked.
        locked = select(schema.game.c.id).where(schema.game.c.id == game).with_for_update()
        connection.execute(locked)
        for reader in {seat, host, master_place(connection, game)} - {""}:
            notify(connection, game, reader, BOUNCED, {"seat": seat}, EMAIL_PENDING)
    return True


def _running_seats(connection: Connection, account: str) -> list[tuple[str, str, str]]:
    """Game, seat and the host's seat ("" for none) of each running game."""
    game, own, host = schema.game.c, schema.seat.alias(), schema.seat.alias()
    hosts = (host.c.game == game.id) & (host.c.account == game.host)
    wanted = (
        select(game.id, own.c.colour, host.c.colour.label("host"))
        .select_from(schema.game)
        .join(own, own.c.game == game.id)
        .outerjoin(host, hosts)
        .where(own.c.account == account, game.state == RUNNING)
        .order_by(game.id)
    )
    return [(row.id, row.colour, row.host or "") for row in connection.execute(wanted)]
