"""Merging a guest into the account of the same person."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from rubicon.server.accounts.personal_data import erase_account
from rubicon.table.storage import schema
from rubicon.table.storage.digest import seal_seats


def merge_guest(connection: Connection, guest: str, account: str) -> None:
    """Give an account the guest's seats, chat, hosted games and devices, then erase the guest.

    In a game where both have a seat, the guest's seat loses its owner instead, as when a guest is
    erased: one person must not play two seats. The guest's tokens and passkeys are deleted: the
    person who asked for the link need not own the address, and must not get into that account.
    """
    seat, kicked = schema.seat, schema.kicked
    own_games = select(seat.c.game).where(seat.c.account == account).scalar_subquery()
    movable = select(seat.c.game).where(seat.c.account == guest, seat.c.game.not_in(own_games))
    games = list(connection.execute(movable).scalars())
    for table, owner, game in (
        (seat, seat.c.account, seat.c.game),
        (schema.chat, schema.chat.c.account, schema.chat.c.game),
        (schema.game, schema.game.c.host, schema.game.c.id),
        (schema.game, schema.game.c.master, schema.game.c.id),
    ):
        moved = update(table).where(owner == guest, game.in_(games))
        connection.execute(moved.values({owner: account}))
    seal_seats(connection, games)
    already = select(kicked.c.game).where(kicked.c.account == account).scalar_subquery()
    also = update(kicked).where(kicked.c.account == guest, kicked.c.game.not_in(already))
    connection.execute(also.values(account=account))
    for told in (schema.push_subscription, schema.news):
        moved = update(told).where(told.c.account == guest)
        connection.execute(moved.values(account=account))
    erase_account(connection, guest)
