"""Digests of what is stored of a game, so that a change behind the table's back is found.

`game.digest` is the sum, modulo 2^256, of the SHA-256 of each line of its log and of each
notification: a row that is changed, added or deleted changes the sum, and rows can be added in any
order. `game.seats_digest` is the SHA-256 of its seats and their owners since the beginning. No key
is used: a person who can write to the database can compute them again. They find mistakes, and
forgers who do not know them; against the operator only what players keep elsewhere helps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from rubicon.table.storage import schema

LINE = ("log_index", "kind", "seat", "decision", "text", "at")
NOTIFICATION = ("log_index", "seat", "kind", "body", "at")
_SIZE = 2**256
_encode = msgspec.json.Encoder().encode
Row = Mapping[str, Any]


def with_rows(digest: str, lines: Iterable[Row], notifications: Iterable[Row]) -> str:
    """The digest of a game after more lines and notifications; `digest` is "" at its beginning."""
    total = int(digest or "0", 16)
    total += sum(_of("line", row, LINE) for row in lines)
    total += sum(_of("notification", row, NOTIFICATION) for row in notifications)
    return f"{total % _SIZE:064x}"


def line_hash(row: Row) -> str:
    """The SHA-256 of one line of a log, as lower-case hex digits."""
    return f"{_of('line', row, LINE):064x}"


def add_notification(connection: Connection, row: Row) -> None:
    """Add a stored notification to its game's digest; the caller has locked the game's row."""
    games = schema.game.c
    own = select(games.digest).where(games.id == row["game"])
    digest = with_rows(connection.execute(own).scalar_one(), [], [row])
    change = update(schema.game).where(games.id == row["game"])
    connection.execute(change.values(digest=digest))


def seats_digest(connection: Connection, game: str) -> str:
    """The digest of the seats of a game and their owners; names are left out."""
    seat = schema.seat.c
    wanted = select(seat.number, seat.colour, seat.account, seat.bot).where(seat.game == game)
    rows = [list(row) for row in connection.execute(wanted.order_by(seat.number))]
    return hashlib.sha256(json.dumps(["seats", rows]).encode()).hexdigest()


def seal_seats(connection: Connection, games: Sequence[str]) -> None:
    """Store the digests of the seats of these games anew, after their owners have changed."""
    columns = schema.game.c
    begun = select(columns.id).where(columns.id.in_(games), columns.head >= 0)
    for game in connection.execute(begun.order_by(columns.id)).scalars().all():
        change = update(schema.game).where(columns.id == game)
        connection.execute(change.values(seats_digest=seats_digest(connection, game)))


def _of(kind: str, row: Row, names: Sequence[str]) -> int:
    text = _encode([kind, *[row[name] for name in names]])
    return int.from_bytes(hashlib.sha256(text).digest())
