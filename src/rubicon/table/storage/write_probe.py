"""Finds out whether a database stores what is written to it: a full disk can still be read."""

from __future__ import annotations

import secrets
import threading
import time

from sqlalchemy import Connection, delete, insert

from rubicon.table.errors import StoreUnavailable
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

INTERVAL = 1.0  # seconds for which a result holds
WAIT = 3.0  # seconds after which a write has failed
SIZE = 4096  # bytes that are written: a page


class WriteProbe:
    """Writes a row and deletes it again, at most once in INTERVAL; any thread may ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._at = float("-inf")
        self._works = True

    def works(self) -> bool:
        """Whether the last write was stored; a new one is tried where that is too long ago."""
        failed_since = self._store.metrics.write_failed_at >= self._at
        is_old = time.monotonic() - self._at >= INTERVAL
        if (is_old or failed_since) and self._lock.acquire(blocking=False):
            try:
                self._at, self._works = time.monotonic(), self._write()
            finally:
                self._lock.release()
        return self._works

    def _write(self) -> bool:
        try:
            self._store.write(_write_and_delete).result(WAIT)
        except (StoreUnavailable, TimeoutError):
            return False
        return True


def _write_and_delete(connection: Connection) -> None:
    name = f"probe {secrets.token_hex(8)}"
    connection.execute(insert(schema.secret), {"name": name, "value": bytes(SIZE)})
    connection.execute(delete(schema.secret).where(schema.secret.c.name == name))
