"""Row locks of games, until a transaction ends: one query for all games of a batch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from rubicon.table.storage.bulk import run_text
from rubicon.table.storage.clock import system_time

# SKIP LOCKED: a game that another server has locked must not hold up the rest of the batch.
_LOCK = (
    "SELECT id, head, digest, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
    " FROM game WHERE id = ANY(%s) ORDER BY id FOR UPDATE SKIP LOCKED"
)
# On SQLite the only writer has locked the whole file: reading the heads is enough.
_HEADS = "SELECT id, head, digest FROM game WHERE id IN (SELECT value FROM json_each(?))"
_EXISTS = {
    "postgresql": "SELECT 1 FROM game WHERE id = %s",
    "sqlite": "SELECT 1 FROM game WHERE id = ?",
}


class LockedGame(NamedTuple):
    """The head of a game whose row is locked."""

    head: int  # the last log index; below 0 in the lobby
    digest: str  # see `digest`
    at: int  # the database's time, in milliseconds since 1970


def lock_games(connection: Connection, games: Sequence[str]) -> dict[str, LockedGame]:
    """Lock the rows of games, except those that another server has locked; those that it locked."""
    if not games:
        return {}
    if connection.dialect.name == "sqlite":
        at = system_time()
        rows = run_text(connection, _HEADS, (json.dumps(games),))
        return {game: LockedGame(head, digest, at) for game, head, digest in rows}
    rows = run_text(connection, _LOCK, (sorted(games),))
    return {game: LockedGame(head, digest, at) for game, head, digest, at in rows}


def exists(connection: Connection, game: str) -> bool:
    """Whether a game exists."""
    found = run_text(connection, _EXISTS[connection.dialect.name], (game,))
    return found.fetchone() is not None
