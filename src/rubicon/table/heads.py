"""The last entries of games on PostgreSQL, locked until a transaction ends.

Those of all games that a transaction goes on with are locked by one question.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from rubicon.table.transactions import run_text

KNOWN = "locked heads"  # in a connection: what a transaction knows before it is asked for
Head = tuple[int, int]  # the last entry, below 0 in the lobby; the time in milliseconds
_LOCK = (
    "SELECT id, head, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
    " FROM game WHERE id = ANY(%s) ORDER BY id FOR UPDATE"
)
_LOCK_FREE = f"{_LOCK} SKIP LOCKED"


def lock_heads(connection: Connection, games: Iterable[str]) -> set[str]:
    """Lock those of some games that nobody else has; which they are. `locked_head` tells more."""
    wanted = sorted(games)
    heads = _ask(connection, _LOCK_FREE, wanted) if wanted else {}
    connection.info[KNOWN] = connection.get_transaction(), heads
    return set(heads)


def locked_head(connection: Connection, game: str) -> Head | None:
    """Where a game stands, locked; None where there is no such game.

    What `lock_heads` was told is told once: behind that the transaction may have gone on.
    """
    told_in, heads = connection.info.get(KNOWN, (None, {}))
    known = heads.pop(game, None) if told_in is connection.get_transaction() else None
    return known or _ask(connection, _LOCK, [game]).get(game)


def _ask(connection: Connection, sql: str, games: list[str]) -> dict[str, Head]:
    return {game: (head, at) for game, head, at in run_text(connection, sql, (games,))}
