"""What other workers on one database have written: PostgreSQL tells it, behind each commit.

A notification only wakes: whoever hears one reads from the last entry that it knows. So one that is
told twice does no harm, and what was missed while the database was away is told afterwards.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select, text

from rubicon.table import schema
from rubicon.table.store import Store, now

CHANNEL = "rubicon"
LOOKED_AGAIN = 1.0  # seconds until `close` is heeded
HEALTHY_EVERY = 10.0  # seconds
MARGIN = 60_000  # milliseconds that a page may take from its beginning to its commit
SHORTEST_REST, LONGEST_REST = 0.2, 5.0  # seconds between attempts to come back
_ANNOUNCE = text(f"SELECT pg_notify('{CHANNEL}', :told)")
_LISTEN = f"LISTEN {CHANNEL}"
_log = logging.getLogger(__name__)

OnChange = Callable[[str, int], None]


def announce(connection: Connection, game: str, entry: int) -> None:
    """Tell all workers, behind the commit of this transaction, that a game has gone on."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ANNOUNCE, {"told": f"{game} {entry}"})


class Listener:
    """A thread that calls `on_change(game, entry)` for what any worker has committed.

    It comes back by itself when the database does, and then tells of every game that was changed
    meanwhile. SQLite has no other workers: there it does nothing.
    """

    def __init__(self, store: Store, on_change: OnChange) -> None:
        self.listening = threading.Event()  # what is committed from now on is told
        self._store = store
        self._on_change = on_change
        self._closed = threading.Event()
        self._healthy_at: int | None = None  # by the database's time
        self._thread: threading.Thread | None = None
        if store.shared:
            self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        rest = SHORTEST_REST
        while not self._closed.is_set():
            began = time.monotonic()
            try:
                self._listen()
            except Exception as error:  # whatever it is: it comes back
                _log.warning("The database's notifications are away: %s", error)
            self.listening.clear()
            lasted = time.monotonic() - began > LONGEST_REST
            rest = SHORTEST_REST if lasted else min(rest * 2, LONGEST_REST)
            self._closed.wait(rest)

    def _listen(self) -> None:
        with self._store.engine.connect() as pooled:
            connection = pooled.execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.exec_driver_sql(_LISTEN)
                self.listening.set()
                self._catch_up(connection)
                self._hear(connection)
            finally:
                connection.invalidate()  # nobody else shall get a connection that listens

    def _hear(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        checked = -HEALTHY_EVERY
        while not self._closed.is_set():
            if time.monotonic() - checked > HEALTHY_EVERY:
                self._healthy_at, checked = now(connection), time.monotonic()
            for heard in driver.notifies(timeout=LOOKED_AGAIN):
                game, _, entry = heard.payload.partition(" ")
                self._tell(game, int(entry))

    def _catch_up(self, connection: Connection) -> None:
        """Tell what was committed while nobody listened."""
        if self._healthy_at is None:
            return
        columns = schema.game.c
        missed = select(columns.id, columns.head).where(
            columns.changed >= self._healthy_at - MARGIN, columns.head >= 0
        )
        for row in connection.execute(missed).all():
            self._tell(row.id, row.head)

    def _tell(self, game: str, entry: int) -> None:
        try:
            self._on_change(game, entry)
        except Exception:  # one who cannot be told does not keep it from the others
            _log.exception("A change of the game %s could not be passed on", game)
