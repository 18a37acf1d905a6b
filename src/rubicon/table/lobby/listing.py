"""Lists of tables: open tables, games to watch, and the tables of an account."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from rubicon.rules.record.headers import rebels_of
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby.masters import master_account
from rubicon.table.lobby.seats import LOBBY, RUNNING, SeatRow, seats_of_all
from rubicon.table.lobby.spectators import visible_change
from rubicon.table.lobby.table_request import Access
from rubicon.table.settings import Settings
from rubicon.table.storage import schema

MAX_SHOWN = 100


@dataclass(frozen=True, slots=True)
class TableSeatView:
    """One seat. It has no account id: ids are never shown to other people."""

    number: int
    colour: str
    name: str  # "" while the seat is free
    bot: str | None
    free: bool
    reserved: bool  # for the holder of its invite
    yours: bool
    host: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table and its seats; times in milliseconds since 1970."""

    id: str
    state: str
    title: str
    access: str
    ruleset: str  # the preset and its version
    board: str
    options: str  # those that differ from the preset
    settings: dict[str, Any]
    seats: tuple[TableSeatView, ...]
    your_seat: str | None
    you_host: bool
    created: int
    changed: int
    started: int | None
    ended: int | None
    previous: str | None  # for a rematch or a fork: the earlier game
    you_master: bool
    rebels: dict[str, int]  # armies by territory, as the game begins


def show_table(connection: Connection, game: str, account: str | None = None) -> TableView:
    """A table, as an account sees it."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return _shown(connection, [row], account)[0]


def open_tables(
    connection: Connection, account: str | None = None, most: int = MAX_SHOWN
) -> list[TableView]:
    """The tables that everyone may join, the last changed first."""
    games = schema.game.c
    wanted = select(schema.game).where(games.state == LOBBY, games.access == Access.OPEN.value)
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def own_games(connection: Connection, account: str, most: int = MAX_SHOWN) -> list[TableView]:
    """The tables at which an account sits, or that it hosts or runs, the last changed first."""
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    wanted = select(schema.game).where(
        or_(games.host == account, games.master == account, games.id.in_(seated))
    )
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def watchable_games(
    connection: Connection, account: str | None = None, most: int = MAX_SHOWN
) -> list[TableView]:
    """The games that everyone may watch, the last changed first."""
    games = schema.game.c
    wanted = select(schema.game).where(
        games.state == RUNNING,
        games.access == Access.OPEN.value,
        games.settings.not_like('%"spectators": false%'),
    )
    found = _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)
    return sorted(found, key=lambda table: -table.changed)  # as far as the client may know


def tables_by_state(connection: Connection) -> dict[str, int]:
    """How many tables wait in the lobby, and how many games run."""
    state = schema.game.c.state
    counted = select(state, func.count()).where(state.in_((LOBBY, RUNNING))).group_by(state)
    return {row[0]: int(row[1]) for row in connection.execute(counted)}


def _listed(connection: Connection, wanted: Any, account: str | None) -> list[TableView]:
    return _shown(connection, connection.execute(wanted).all(), account)


def _shown(
    connection: Connection, rows: Sequence[Row[Any]], account: str | None
) -> list[TableView]:
    seats = seats_of_all(connection, [row.id for row in rows])
    return [_table(connection, row, seats.get(row.id, []), account) for row in rows]


def _table(
    connection: Connection, row: Row[Any], seats: Sequence[SeatRow], account: str | None
) -> TableView:
    headers = json.loads(row.ruleset)
    shown = tuple(_seat(seat, row.host, account) for seat in seats)
    is_seated = any(seat.yours for seat in shown)
    return TableView(
        id=row.id,
        state=row.state,
        title=row.title,
        access=row.access,
        ruleset=headers.get("Ruleset", ""),
        board=headers.get("Board", ""),
        options=headers.get("Options", ""),
        settings=Settings.read(json.loads(row.settings)).as_dict(),
        seats=shown,
        your_seat=next((seat.colour for seat in shown if seat.yours), None),
        you_host=account is not None and row.host == account,
        created=row.created,
        changed=row.changed if is_seated else visible_change(connection, row),
        started=row.started,
        ended=row.ended,
        previous=row.before,
        you_master=account is not None and master_account(row) == account,
        rebels=rebels_of(headers),
    )


def _seat(seat: SeatRow, host: str | None, account: str | None) -> TableSeatView:
    return TableSeatView(
        number=seat.number,
        colour=seat.colour,
        name=seat.name,
        bot=seat.bot,
        free=seat.free,
        reserved=seat.free and seat.invite is not None,
        yours=account is not None and seat.account == account,
        host=host is not None and seat.account == host,
    )
