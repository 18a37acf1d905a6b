"""The operator closes a table whose game has not begun."""

from __future__ import annotations

from sqlalchemy import Connection

from rubicon.table.errors import TableError
from rubicon.table.lobby.appearance import is_legible
from rubicon.table.lobby.lifecycle import close_table
from rubicon.table.lobby.seats import LOBBY, RUNNING, locked

BY_OPERATOR = "closed by the operator"  # begins the reason of such an end
MAX_REASON_LENGTH = 200


def checked_reason(reason: str) -> str:
    """What the players read; TableError if it is empty, too long or cannot be read."""
    proper = reason.strip()
    if is_legible(proper) and 1 <= len(proper) <= MAX_REASON_LENGTH:
        return proper
    wanted = f"The players read it: 1 to {MAX_REASON_LENGTH} characters that everybody can see."
    raise TableError("table/reason", "This is not a valid reason.", wanted)


def close_in_lobby(connection: Connection, game: str, reason: str) -> bool:
    """Close a table whose game has not begun; False where the game runs.

    NoSuchGame; TableError where the table is closed already, or its game is over.
    """
    row = locked(connection, game)
    if row.state == RUNNING:
        return False
    if row.state != LOBBY:
        raise TableError("table/not-open", "This table is closed, or its game is over.", "")
    close_table(connection, game, f"{BY_OPERATOR}: {reason}")
    return True
