"""The database's time, as a test sets it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import Connection

from rubicon.table.storage import writer
from rubicon.table.storage.statements import LockedGame, lock_games

START = 1_800_000_000_000
READERS = ("table.lobby.start", "table.deadlines")


class Time:
    """A clock that the test sets, in milliseconds."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self, _: object) -> int:
        return self.at

    def pass_by(self, seconds: float) -> None:
        """Advance the clock."""
        self.at += int(seconds * 1000)


def set_time(patch: pytest.MonkeyPatch, *more: str) -> Time:
    """Set the clock of every module of the table that reads the database's time, and of `more`.

    The database itself keeps the real time.
    """
    clock = Time()
    for module in (*READERS, *more):
        patch.setattr(f"rubicon.{module}.now", clock)

    def locked(connection: Connection, games: Sequence[str]) -> dict[str, LockedGame]:
        found = lock_games(connection, games)
        return {game: row._replace(at=clock.at) for game, row in found.items()}

    patch.setattr(writer, "lock_games", locked)
    return clock
