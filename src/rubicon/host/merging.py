"""What a guest has goes over to the account that turns out to be the same person's."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from rubicon.host.accounts import erase
from rubicon.table import schema


def hand_over(connection: Connection, guest: str, account: str) -> None:
    """Give an account the guest's seats, with what goes with them, and erase the guest.

    Where the account sits in the same game, the guest's seat is nobody's from here on, as when a
    guest is erased: nobody plays two seats.
    """
    seat, kicked = schema.seat, schema.kicked
    others = select(seat.c.game).where(seat.c.account == account).scalar_subquery()
    moved = select(seat.c.game).where(seat.c.account == guest, seat.c.game.not_in(others))
    games = list(connection.execute(moved).scalars())
    for table, owner, game in (
        (seat, seat.c.account, seat.c.game),
        (schema.chat, schema.chat.c.account, schema.chat.c.game),
        (schema.game, schema.game.c.host, schema.game.c.id),
    ):
        mine = update(table).where(owner == guest, game.in_(games))
        connection.execute(mine.values({owner: account}))
    sent_away = select(kicked.c.game).where(kicked.c.account == account).scalar_subquery()
    also = update(kicked).where(kicked.c.account == guest, kicked.c.game.not_in(sent_away))
    connection.execute(also.values(account=account))
    erase(connection, guest)
