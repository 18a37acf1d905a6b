"""The time of the database, in milliseconds since 1970 (UTC)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from sqlalchemy import Connection, text


class SteadyTime:
    """The system's time in milliseconds, which never goes backwards.

    When the system's clock is set back, this one runs at half speed until the two agree again.
    """

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._lock = threading.Lock()
        self._last = wall()
        self._last_steady = steady()

    def __call__(self) -> int:
        with self._lock:  # reads from any thread
            steady = self._steady()
            self._last = max(self._wall(), self._last + (steady - self._last_steady) // 2)
            self._last_steady = steady
            return self._last // 1_000_000


system_time = SteadyTime()


def now(connection: Connection) -> int:
    """The database's time: the server's on PostgreSQL, this machine's on SQLite."""
    if connection.dialect.name == "sqlite":
        return system_time()
    found = connection.execute(text("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
    return int(found.scalar_one())
