"""What a change of a table means for accounts: whose table it is, and who has a rematch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, or_, select

from rubicon.table.lobby.lifecycle import open_rematch
from rubicon.table.lobby.seats import LOBBY, OVER, RUNNING, seats_of
from rubicon.table.lobby.table_request import Access
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

FOLLOWED_AFTER_END = 24 * 3600 * 1000  # milliseconds in which a finished game can have a rematch


@dataclass(frozen=True, slots=True)
class TableNews:
    """A changed table and the accounts at it.

    `rematch` is the table that continues a finished game, None for none; `invites` has the secret
    of each account whose seat there is reserved.
    """

    row: Row[Any]
    accounts: frozenset[str]
    rematch: str | None
    invites: Mapping[str, str]

    @property
    def listed(self) -> bool:
        """Whether everybody may find and join it now."""
        return bool(self.row.state == LOBBY and self.row.access == Access.OPEN)


def table_news(connection: Connection, game: str) -> TableNews | None:
    """The news of a changed table; None where there is none."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        return None
    owners = {seat.number: seat.account for seat in seats_of(connection, game) if seat.account}
    rematch = open_rematch(connection, row) if row.state == OVER else None
    invites = {}
    if rematch is not None:
        reserved = {
            s.number: s.invite for s in seats_of(connection, rematch) if s.free and s.invite
        }
        invites = {
            owners[number]: secret for number, secret in reserved.items() if number in owners
        }
    accounts = frozenset(owners.values()) | ({row.host, row.master} - {None})
    return TableNews(row, accounts, rematch, invites)


def followed_games(connection: Connection, account: str, most: int) -> list[str]:
    """The games of an account that can still bring news, the last changed first."""
    games = schema.game.c
    recent = games.ended >= now(connection) - FOLLOWED_AFTER_END
    alive = or_(games.state.in_((LOBBY, RUNNING)), and_(games.state == OVER, recent))
    wanted = select(games.id).where(_own(account), alive)
    return list(connection.execute(wanted.order_by(games.changed.desc()).limit(most)).scalars())


def is_own(connection: Connection, game: str, account: str) -> bool:
    """Whether an account sits at a table, or hosts it."""
    wanted = select(schema.game.c.id).where(schema.game.c.id == game, _own(account))
    return connection.execute(wanted).first() is not None


def _own(account: str) -> ColumnElement[bool]:
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    return or_(games.host == account, games.master == account, games.id.in_(seated))
