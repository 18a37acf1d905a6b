"""Checkpoints: a numbered list of the games that have begun, so that a deleted game is missed.

The hash of a row covers the row before it, the game and the first line of its log. A gap in the
numbers, or a game that is not stored any more, shows a deletion. That the last
games were deleted together with their checkpoints shows only a checkpoint that was kept elsewhere.
"""

from __future__ import annotations

import hashlib
import json

from sqlalchemy import Connection, insert, select, text

from rubicon.table.storage import schema
from rubicon.table.storage.digest import LINE, Row, line_hash

FIRST = "0" * 64  # the hash before the first checkpoint
# Two servers must not give the same number: the second one waits until the first has committed.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461032)")


def add_checkpoint(connection: Connection, begin: Row) -> None:
    """Add a game that begins; `begin` is the row of the first line of its log."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ONE_AT_A_TIME)
    columns = schema.checkpoint.c
    last = select(columns.number, columns.hash).order_by(columns.number.desc()).limit(1)
    number, before = connection.execute(last).one_or_none() or (0, FIRST)
    row = {"number": number + 1, "game": begin["game"]}
    row["hash"] = next_hash(before, number + 1, begin)
    connection.execute(insert(schema.checkpoint), row)


def next_hash(before: str, number: int, begin: Row) -> str:
    """The hash of a checkpoint behind the one with the hash `before`."""
    covered = json.dumps([before, number, begin["game"], line_hash(begin)])
    return hashlib.sha256(covered.encode()).hexdigest()


def beginnings(connection: Connection) -> dict[str, Row]:
    """The first line of each log, by game."""
    log = schema.log.c
    wanted = select(log.game, *(log[name] for name in LINE)).where(log.log_index == 0)
    return {row.game: dict(row._mapping) for row in connection.execute(wanted)}
