"""The departure of an erased account from every table at which it sits or that it hosts."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, or_, select, update

from rubicon.table.lobby.seats import LOBBY, RUNNING, leave, locked
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.digest import seal_seats
from rubicon.table.storage.notifications import Change, ChangeKind, announce

# The kind of a row of `schema.clock` that is due at once: the sweep of deadlines adds the line to
# the log. The log itself is written by the table service only, one game at a time.
ERASED = "erased"


def depart(connection: Connection, account: str) -> list[str]:
    """Take an account from all its tables, inside an open transaction; those in the lobby.

    In the lobby it leaves: the next person becomes host, or the table is closed. A running game is
    marked, so that the sweep of deadlines treats the seat as the table's `timeout_policy` says. The
    seats of games keep their colour as name, so that games remain complete.
    """
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    wanted = select(games.id).where(or_(games.host == account, games.id.in_(seated)))
    tables: list[str] = []
    # In a fixed order, so that two departures never lock two games the other way round.
    all_games = connection.execute(wanted.order_by(games.id)).scalars().all()
    for game in all_games:
        state = locked(connection, game).state
        if state == LOBBY:
            leave(connection, game, account)
            announce(connection, Change(ChangeKind.TABLE, game))
            tables.append(game)
        elif state == RUNNING:
            _mark(connection, game, account)
    own = update(schema.seat).where(seat.account == account)
    connection.execute(own.values(name=seat.colour, account=None))
    hosted = update(schema.game).where(games.host == account)
    connection.execute(hosted.values(host=None))
    run = update(schema.game).where(games.master == account)
    connection.execute(run.values(master=None))
    seal_seats(connection, all_games)
    return tables


def _mark(connection: Connection, game: str, account: str) -> None:
    seat, clock = schema.seat.c, schema.clock.c
    own = select(seat.colour).where(seat.game == game, seat.account == account)
    for colour in connection.execute(own).scalars().all():
        key = (clock.game == game, clock.seat == colour, clock.kind == ERASED)
        connection.execute(delete(schema.clock).where(*key))
        row = {"game": game, "seat": colour, "kind": ERASED, "log_index": 0, "due": now(connection)}
        connection.execute(insert(schema.clock), row)
