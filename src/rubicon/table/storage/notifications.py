"""What other servers on one PostgreSQL database have committed, by LISTEN and NOTIFY.

A notification carries no data: the receiver reads the change from the database. So a notification
may be repeated, and the listener makes up for those that it missed while it was disconnected.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, func, select

from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import WORKER, Store
from rubicon.table.storage.statements import PostgresqlQuery

CHANNEL = "rubicon"
POLL_TIMEOUT = 1.0  # seconds; `close` takes at most that long
HEALTH_INTERVAL = 10.0  # seconds between two notes that the connection works
# `game.changed` is the time at which a transaction began. Catching up starts this many milliseconds
# before the last healthy moment, so that it finds transactions that were committed after it.
MARGIN = 60_000
MIN_DELAY, MAX_DELAY = 0.2, 5.0  # seconds between two attempts to reconnect
_NOTIFY = PostgresqlQuery(
    f"SELECT pg_notify('{CHANNEL}', payload)"
    " FROM json_to_recordset(%s::json) AS given(payload text)",
    "payload",
)
_LISTEN = f"LISTEN {CHANNEL}"
_log = logging.getLogger(__name__)


class ChangeKind(StrEnum):
    """What a notification is about."""

    GAME = "game"  # lines were added to the log
    TABLE = "table"  # the seats, the host or the state of a table
    CHAT = "chat"  # a new line
    ACCOUNTS = "accounts"  # an account or one of its tokens: caches must be emptied


@dataclass(frozen=True, slots=True)
class Change:
    """One change that a transaction has made."""

    what: ChangeKind
    game: str = ""
    number: int = -1  # the last log index of the transaction, or the id of a chat line
    since: int = -1  # the log index before the transaction's first line

    @property
    def adds_lines(self) -> bool:
        """Whether it names the lines that were added; else only the last log index is known."""
        return self.what is ChangeKind.GAME and self.since < self.number

    def text(self, worker: str) -> str:
        """The payload of the notification."""
        return f"{worker} {self.what} {self.game or '-'} {self.number} {self.since}"

    @staticmethod
    def parse(payload: str) -> tuple[str, Change]:
        """The sender's worker id and the change; ValueError for the payload of another program."""
        worker, what, game, number, since = payload.split(" ")
        return worker, Change(ChangeKind(what), game.strip("-"), int(number), int(since))


OnChange = Callable[[Change], None]


def announce(connection: Connection, change: Change) -> None:
    """Notify all servers of a change; PostgreSQL delivers it when this transaction commits."""
    if connection.dialect.name == "postgresql":
        worker = connection.get_execution_options().get(WORKER, "-")
        _NOTIFY.run(connection, [{"payload": change.text(worker)}])


class Listener:
    """A thread that calls `on_change` for what other servers have committed.

    Changes of this server are left out: its own services publish them. The listener reconnects
    with back-off, and then reports every table that has changed since. On SQLite, which only one
    process writes to, it does nothing.
    """

    def __init__(self, store: Store, on_change: OnChange) -> None:
        self.listening = threading.Event()  # set while LISTEN is active
        self._store = store
        self._on_change = on_change
        self._closed = threading.Event()
        self._healthy_at: int | None = None  # by the database's time
        self._last_chat_line = 0  # the id of the last chat line that was reported
        # The seconds of earlier interruptions, and the start of the present one. One tuple, which
        # is replaced as a whole: another thread reads both, without a lock.
        started = time.monotonic() if store.shared else None
        self._disconnected: tuple[float, float | None] = 0.0, started
        self._thread: threading.Thread | None = None
        if store.shared:
            self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
            self._thread.start()

    @property
    def disconnected_seconds(self) -> float:
        """Total time without a LISTEN connection, during which changes arrived late."""
        before, since = self._disconnected
        return before if since is None else before + time.monotonic() - since

    def close(self) -> None:
        """Stop the thread, and wait for its end."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        delay = MIN_DELAY
        while not self._closed.is_set():
            began = time.monotonic()
            try:
                self._listen()
            except Exception as error:  # of any kind: the thread must not end
                _log.warning("LISTEN connection lost, reconnecting", extra={"error": error})
            if self._disconnected[1] is None:
                self._disconnected = self._disconnected[0], time.monotonic()
            self.listening.clear()
            lasted = time.monotonic() - began > MAX_DELAY
            delay = MIN_DELAY if lasted else min(delay * 2, MAX_DELAY)
            self._closed.wait(delay)

    def _listen(self) -> None:
        with self._store.engine.connect() as pooled:
            connection = pooled.execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.exec_driver_sql(_LISTEN)
                self._disconnected = self.disconnected_seconds, None
                self.listening.set()
                # After LISTEN, so that no change falls between the query and the notifications.
                self._catch_up(connection)
                _log.info("LISTEN connection established")
                self._receive(connection)
            finally:
                connection.invalidate()  # a connection that listens must not return to the pool

    def _receive(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        checked = -HEALTH_INTERVAL
        while not self._closed.is_set():
            if time.monotonic() - checked > HEALTH_INTERVAL:
                self._healthy_at, checked = now(connection), time.monotonic()
            for notification in driver.notifies(timeout=POLL_TIMEOUT):
                self._received(notification.payload)

    def _received(self, payload: str) -> None:
        try:
            worker, change = Change.parse(payload)
        except ValueError:
            return  # another program uses the channel
        if change.what is ChangeKind.CHAT:
            self._last_chat_line = max(self._last_chat_line, change.number)
        if worker != self._store.worker:
            self._report(change)

    def _catch_up(self, connection: Connection) -> None:
        """Report every change that was committed while the connection was lost."""
        chat, games = schema.chat.c, schema.game.c
        if self._healthy_at is None:
            self._healthy_at = now(connection)
            last = connection.execute(select(func.max(chat.id))).scalar_one()
            self._last_chat_line = last or 0
            return
        self._report(Change(ChangeKind.ACCOUNTS))
        since = games.changed >= self._healthy_at - MARGIN
        begun = games.started >= self._healthy_at - MARGIN
        wanted = select(games.id, games.head, begun.label("begun")).where(since)
        for game in connection.execute(wanted).all():
            if game.head < 0 or game.begun:
                self._report(Change(ChangeKind.TABLE, game.id))
            if game.head >= 0:
                self._report(Change(ChangeKind.GAME, game.id, game.head, game.head))
        lines = select(chat.id, chat.game).where(chat.id > self._last_chat_line).order_by(chat.id)
        for line in connection.execute(lines).all():
            self._last_chat_line = line.id
            self._report(Change(ChangeKind.CHAT, line.game, line.id))

    def _report(self, change: Change) -> None:
        try:
            self._on_change(change)
        except Exception as error:  # one bad change must not hold up those after it
            fields = {"change": change.what, "game": change.game}
            _log.error("change handler failed", extra=fields, exc_info=error)
