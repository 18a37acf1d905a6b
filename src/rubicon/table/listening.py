"""What other workers on one database have written: PostgreSQL tells it, behind each commit.

A notification only wakes: whoever hears one reads what it speaks of. So one that is told twice does
no harm, and what was missed while the database was away is told afterwards.
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

from rubicon.table import schema
from rubicon.table.store import WORKER, Store, now
from rubicon.table.transactions import add_rows

CHANNEL = "rubicon"
LOOKED_AGAIN = 1.0  # seconds until `close` is heeded
HEALTHY_EVERY = 10.0  # seconds
MARGIN = 60_000  # milliseconds that a page may take from its beginning to its commit
SHORTEST_REST, LONGEST_REST = 0.2, 5.0  # seconds between attempts to come back
_ANNOUNCE = (
    f"SELECT pg_notify('{CHANNEL}', told) FROM json_to_recordset(%s::json) AS given(told text)"
)
_LISTEN = f"LISTEN {CHANNEL}"
_log = logging.getLogger(__name__)


class What(StrEnum):
    PAGE = "page"  # a game has gone on
    TABLE = "table"  # somebody sat down, the game was begun, …
    CHAT = "chat"  # something was said
    ACCOUNTS = "accounts"  # a token, or an account, is no longer what it was


@dataclass(frozen=True, slots=True)
class Change:
    """What a transaction has changed."""

    what: What
    game: str = ""
    number: int = -1  # the page's last entry, or the id of a line of the chat
    since: int = -1  # the entry that the page began behind

    @property
    def is_page(self) -> bool:
        """Whether it says what a page brought, and not only how far a game is."""
        return self.what is What.PAGE and self.since < self.number

    def text(self, worker: str) -> str:
        """As it is told."""
        return f"{worker} {self.what} {self.game or '-'} {self.number} {self.since}"

    @staticmethod
    def parse(told: str) -> tuple[str, Change]:
        """The worker that told it, and what; ValueError where it is nothing of ours."""
        worker, what, game, number, since = told.split(" ")
        return worker, Change(What(what), game.strip("-"), int(number), int(since))


OnChange = Callable[[Change], None]


def announce(connection: Connection, change: Change) -> None:
    """Tell all workers, behind the commit of this transaction, what has changed."""
    if connection.dialect.name == "postgresql":
        worker = connection.get_execution_options().get(WORKER, "-")
        add_rows(connection, _ANNOUNCE, [{"told": change.text(worker)}], ("told",))


class Listener:
    """A thread that calls `on_change` for what other workers have committed.

    What was committed through its own store is not told: the table itself tells that. It comes back
    by itself when the database does, and then tells of every table that was changed meanwhile, by
    whomever. SQLite has no other workers: there it does nothing.
    """

    def __init__(self, store: Store, on_change: OnChange) -> None:
        self.listening = threading.Event()  # what is committed from now on is told
        self._store = store
        self._on_change = on_change
        self._closed = threading.Event()
        self._healthy_at: int | None = None  # by the database's time
        self._last_said = 0  # the line of the chat that was heard last
        # The seconds until it last heard again, and since when it does not; one for both, as
        # another thread reads them.
        self._deaf: tuple[float, float | None] = 0.0, time.monotonic() if store.shared else None
        self._thread: threading.Thread | None = None
        if store.shared:
            self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
            self._thread.start()

    @property
    def deaf_seconds(self) -> float:
        """How long others were not heard so far, in all: they were heard late."""
        before, since = self._deaf
        return before if since is None else before + time.monotonic() - since

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
                _log.warning("what other hosts write is not heard", extra={"error": error})
            if self._deaf[1] is None:
                self._deaf = self._deaf[0], time.monotonic()
            self.listening.clear()
            lasted = time.monotonic() - began > LONGEST_REST
            rest = SHORTEST_REST if lasted else min(rest * 2, LONGEST_REST)
            self._closed.wait(rest)

    def _listen(self) -> None:
        with self._store.engine.connect() as pooled:
            connection = pooled.execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.exec_driver_sql(_LISTEN)
                self._deaf = self.deaf_seconds, None
                self.listening.set()
                self._catch_up(connection)
                _log.info("what other hosts write is heard")
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
                self._heard(heard.payload)

    def _heard(self, told: str) -> None:
        try:
            worker, change = Change.parse(told)
        except ValueError:
            return  # somebody else uses the channel
        if change.what is What.CHAT:
            self._last_said = max(self._last_said, change.number)
        if worker != self._store.worker:
            self._tell(change)

    def _catch_up(self, connection: Connection) -> None:
        """Tell what was committed while nobody listened."""
        chat, games = schema.chat.c, schema.game.c
        if self._healthy_at is None:
            self._healthy_at = now(connection)
            self._last_said = connection.execute(select(func.max(chat.id))).scalar_one() or 0
            return
        self._tell(Change(What.ACCOUNTS))
        since = games.changed >= self._healthy_at - MARGIN
        begun = games.started >= self._healthy_at - MARGIN
        wanted = select(games.id, games.head, begun.label("begun")).where(since)
        for game in connection.execute(wanted).all():
            if game.head < 0 or game.begun:
                self._tell(Change(What.TABLE, game.id))
            if game.head >= 0:
                self._tell(Change(What.PAGE, game.id, game.head, game.head))
        lines = select(chat.id, chat.game).where(chat.id > self._last_said).order_by(chat.id)
        for line in connection.execute(lines).all():
            self._last_said = line.id
            self._tell(Change(What.CHAT, line.game, line.id))

    def _tell(self, change: Change) -> None:
        try:
            self._on_change(change)
        except Exception as error:  # one who cannot be told does not keep it from the others
            told = {"what": change.what, "game": change.game}
            _log.error("a change could not be passed on", extra=told, exc_info=error)
