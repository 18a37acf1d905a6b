"""Tables as they are shown: to those who look for one, and to those who have one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from rubicon.table import schema
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby_seats import LOBBY, RUNNING, Sitting, seats_of_all
from rubicon.table.lobby_wish import Access
from rubicon.table.settings import Settings

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One seat; no account is ever shown."""

    number: int
    colour: str
    name: str  # "" while it is free
    bot: str | None
    free: bool
    kept: bool  # for whoever has its invite
    yours: bool
    host: bool


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table and who sits at it."""

    id: str
    state: str
    title: str
    access: str
    ruleset: str  # a preset and its version
    board: str
    options: str  # what differs from the preset
    settings: dict[str, Any]
    seats: tuple[SeatShown, ...]
    your_seat: str | None
    you_host: bool
    created: int
    changed: int
    started: int | None
    ended: int | None
    before: str | None


def show_table(connection: Connection, game: str, account: str | None = None) -> TableShown:
    """A table, as an account sees it."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return _shown(connection, [row], account)[0]


def open_tables(
    connection: Connection, account: str | None = None, most: int = MOST_SHOWN
) -> list[TableShown]:
    """The tables that anybody may join, the newest first."""
    games = schema.game.c
    wanted = select(schema.game).where(games.state == LOBBY, games.access == Access.OPEN.value)
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def own_games(connection: Connection, account: str, most: int = MOST_SHOWN) -> list[TableShown]:
    """The tables at which an account sits, or whose host it is; the latest first."""
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    wanted = select(schema.game).where(or_(games.host == account, games.id.in_(seated)))
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def watchable_games(
    connection: Connection, account: str | None = None, most: int = MOST_SHOWN
) -> list[TableShown]:
    """The games that anybody may watch, the latest first."""
    games = schema.game.c
    wanted = select(schema.game).where(
        games.state == RUNNING,
        games.access == Access.OPEN.value,
        games.settings.not_like('%"spectators": false%'),
    )
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def tables_by_state(connection: Connection) -> dict[str, int]:
    """How many tables wait in the lobby, and how many games run."""
    state = schema.game.c.state
    counted = select(state, func.count()).where(state.in_((LOBBY, RUNNING))).group_by(state)
    return {row[0]: int(row[1]) for row in connection.execute(counted)}


def _listed(connection: Connection, wanted: Any, account: str | None) -> list[TableShown]:
    return _shown(connection, connection.execute(wanted).all(), account)


def _shown(
    connection: Connection, rows: Sequence[Row[Any]], account: str | None
) -> list[TableShown]:
    seats = seats_of_all(connection, [row.id for row in rows])
    return [_table(row, seats.get(row.id, []), account) for row in rows]


def _table(row: Row[Any], seats: Sequence[Sitting], account: str | None) -> TableShown:
    headers = json.loads(row.ruleset)
    shown = tuple(_seat(seat, row.host, account) for seat in seats)
    return TableShown(
        row.id,
        row.state,
        row.title,
        row.access,
        headers.get("Ruleset", ""),
        headers.get("Board", ""),
        headers.get("Options", ""),
        Settings.read(json.loads(row.settings)).as_dict(),
        shown,
        next((seat.colour for seat in shown if seat.yours), None),
        account is not None and row.host == account,
        row.created,
        row.changed,
        row.started,
        row.ended,
        row.before,
    )


def _seat(seat: Sitting, host: str | None, account: str | None) -> SeatShown:
    return SeatShown(
        seat.number,
        seat.colour,
        seat.name,
        seat.bot,
        seat.free,
        seat.free and seat.invite is not None,
        account is not None and seat.account == account,
        host is not None and seat.account == host,
    )
