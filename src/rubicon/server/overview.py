"""The state of a server in numbers, for the page of its administrator."""

from __future__ import annotations

import logging
import shutil
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Select, func, select, text

from rubicon.server.accounts import ADMIN
from rubicon.server.outbox import NOTIFICATION_ROWS
from rubicon.server.push import PushQueue
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store, version_of

DAY = 24 * 3600 * 1000  # milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountCounts:
    """Accounts: all, those with an e-mail address, and those seen within a day and a week."""

    all: int
    saved: int
    seen_today: int
    seen_this_week: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseState:
    """The database: its kind, schema version and size in bytes.

    `disk_free` and `disk_total` are of the disk that holds it, in bytes; None for PostgreSQL, which
    may run on another machine.
    """

    kind: str
    schema: str | None
    bytes: int
    disk_free: int | None
    disk_total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCounts:
    """What the database holds; `tables` by state, messages that wait, reported chat lines."""

    time: int
    tables: Mapping[str, int]
    accounts: AccountCounts
    emails_waiting: int
    push_waiting: int
    push_devices: int
    reports: int
    database: DatabaseState


def stored_counts(store: Store) -> StoredCounts:
    """All counts, from one transaction."""
    return store.read(lambda connection: _counts(connection, store))


def _counts(connection: Connection, store: Store) -> StoredCounts:
    game, account, at = schema.game.c, schema.account.c, now(connection)
    by_state = select(game.state, func.count()).group_by(game.state)
    people = select(func.count()).select_from(schema.account).where(account.id != ADMIN)

    def count(wanted: Select[int]) -> int:
        return int(connection.execute(wanted).scalar_one())

    return StoredCounts(
        time=at,
        tables={row[0]: int(row[1]) for row in connection.execute(by_state)},
        accounts=AccountCounts(
            all=count(people),
            saved=count(people.where(account.email.is_not(None))),
            seen_today=count(people.where(account.seen > at - DAY)),
            seen_this_week=count(people.where(account.seen > at - 7 * DAY)),
        ),
        emails_waiting=NOTIFICATION_ROWS.count(connection),
        push_waiting=PushQueue.rows.count(connection),
        push_devices=count(select(func.count()).select_from(schema.push_subscription)),
        reports=count(select(func.count()).where(schema.chat.c.reported.is_not(None))),
        database=_database(connection, store),
    )


def _database(connection: Connection, store: Store) -> DatabaseState:
    kind = store.engine.dialect.name
    if store.shared:
        size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return DatabaseState(
            kind=kind,
            schema=version_of(connection),
            bytes=int(size),
            disk_free=None,
            disk_total=None,
        )
    file = Path(store.display_name)
    disk = shutil.disk_usage(file.parent)
    files = (file, file.with_name(f"{file.name}-wal"))
    return DatabaseState(
        kind=kind,
        schema=version_of(connection),
        bytes=sum(each.stat().st_size for each in files if each.exists()),
        disk_free=disk.free,
        disk_total=disk.total,
    )


# How often each warning and error was logged since the start, for the administrator.

MAX_EVENTS = 100  # different ones; the one that was logged longest ago is forgotten first
LOGGER = "rubicon"


@dataclass(slots=True)
class LoggedEvent:
    """An event of the log; `last` in milliseconds since 1970."""

    event: str
    level: str
    count: int
    last: int


class LogCounts(logging.Handler):
    """Counts what Rubicon logs as a warning or worse, by its event: a text without variables."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._events: OrderedDict[tuple[str, str], LoggedEvent] = OrderedDict()
        self._guard = threading.Lock()

    def attach(self) -> None:
        """Count from now on."""
        logging.getLogger(LOGGER).addHandler(self)

    def detach(self) -> None:
        """Count no more."""
        logging.getLogger(LOGGER).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        level, event = record.levelname.lower(), str(record.msg)
        with self._guard:
            found = self._events.setdefault((level, event), LoggedEvent(event, level, 0, 0))
            found.count += 1
            found.last = int(record.created * 1000)
            self._events.move_to_end((level, event))
            while len(self._events) > MAX_EVENTS:
                self._events.popitem(last=False)

    def events(self) -> list[LoggedEvent]:
        """All events, the last one first."""
        with self._guard:
            return [
                LoggedEvent(each.event, each.level, each.count, each.last)
                for each in reversed(self._events.values())
            ]
