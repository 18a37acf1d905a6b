"""Statements that are collected and sent together, row locks, and transactions."""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Engine,
    Table,
    Update,
    bindparam,
    column,
    event,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rubicon.table.storage.connection import system_time

# Bulk statements for the writes of every order, compiled from SQLAlchemy Core once per dialect.
#
# Core builds a context for each execution, which takes longer than SQLite needs for the
# statement. On PostgreSQL a statement takes all its rows as one JSON document, so that its text
# is planned once, and the statements of a whole batch of games are sent as one. Rows are mappings
# of numbers and texts only: values are not converted.

Row = Mapping[str, Any]
PENDING = "pending rows"  # the key in a connection's `info` while a transaction is open
ROWS_PER_INSERT = (
    64,
    16,
    4,
    1,
)  # on SQLite: few sizes, so that its cache holds the prepared statements
# A LIMIT that PostgreSQL cannot see when it plans: it then expects few rows, and uses the key of a
# large table instead of scanning it.
_FEW = select(literal_column("1000000")).scalar_subquery()
Change = Callable[[Mapping[str, ColumnElement[Any]]], Update | Delete]
_encode = msgspec.json.Encoder().encode


def run_text(connection: Connection, sql: str, given: Sequence[Any] = ()) -> Any:
    """Run SQL; the driver's cursor. DBAPIError where the database refuses it."""
    if connection.dialect.name != "sqlite":
        with pipelined(connection):
            return driver_of(connection).execute(sql, given)
    return run_sqlite(connection, driver_of(connection), sql, given)


def run_sqlite(connection: Connection, driver: Any, sql: str, given: Sequence[Any]) -> Any:
    """As `run_text`, for callers that run many statements: they look the driver up once."""
    try:
        return driver.execute(sql, given)
    except sqlite3.Error as error:
        raise _wrapped(connection, sql, error) from error


def driver_of(connection: Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.driver_connection


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """Statements in here go to PostgreSQL without waiting for each answer; errors come late."""
    try:
        with driver_of(connection).pipeline():
            yield
    except psycopg.Error as error:
        raise _wrapped(connection, "", error) from error


def _wrapped(connection: Connection, sql: str, error: Exception) -> Exception:
    """As SQLAlchemy would raise it."""
    base: Any = connection.dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, None, error, base, hide_parameters=True)


class Statement(ABC):
    """A statement that runs for many rows; `names` are their keys."""

    reads = False  # whether it is a SELECT, which must be the last one on PostgreSQL

    def __init__(self, names: Collection[str]) -> None:
        self.names = tuple(names)

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; in an open transaction the rows are buffered until its next flush.

        DBAPIError where the database refuses a row, perhaps only at the commit.
        """
        pending: PendingRows | None = connection.info.get(PENDING)
        if pending is None:
            pending = PendingRows()
            pending.added.append((self, rows))
            pending.write(connection)
        else:
            pending.added.append((self, rows))

    @abstractmethod
    def for_document(self) -> str:
        """The SQL for PostgreSQL, with the rows as one JSON document."""

    @abstractmethod
    def run_rows(self, connection: Connection, driver: Any, rows: Sequence[Row]) -> None:
        """Run it on SQLite, which has no round trips to save."""


class PendingRows:
    """Buffered rows with their statements, in order; no caller changes rows afterwards."""

    def __init__(self) -> None:
        self.added: list[tuple[Statement, Sequence[Row]]] = []

    def __bool__(self) -> bool:
        return bool(self.added)

    def mark(self) -> int:
        """A position for `truncate`."""
        return len(self.added)

    def truncate(self, mark: int) -> None:
        """Drop the rows that were added after `mark`."""
        del self.added[mark:]

    def write(self, connection: Connection) -> None:
        """Send all rows. Statements run in any order: no two of them may concern the same row.

        A batch has one job per game at most (`Writer._next_batch`), which ensures that.
        """
        by_statement: dict[Statement, list[Row]] = {}
        for statement, rows in self.added:
            by_statement.setdefault(statement, []).extend(rows)
        self.added.clear()
        if connection.dialect.name == "sqlite":
            driver = driver_of(connection)
            for statement, every in by_statement.items():
                statement.run_rows(connection, driver, every)
            return
        # Always in the same order, so that PostgreSQL plans few different texts.
        parts = sorted(by_statement, key=lambda part: (part.reads, part.for_document()))
        text = _as_one(tuple((part.for_document(), part.reads) for part in parts))
        driver_of(connection).execute(text, [_document(part, by_statement[part]) for part in parts])


class Insertion(Statement):
    """Inserts rows; with a `key`, an existing row is updated (INSERT … ON CONFLICT)."""

    def __init__(self, table: Table, *names: str, key: Collection[str] = ()) -> None:
        super().__init__(names)
        self._table = table
        self._key = key
        self._values: Callable[[Row], tuple[Any, ...]] = itemgetter(*names)
        self._document = ""
        self._texts: dict[int, str] = {}  # on SQLite, by how many rows they take

    def run_rows(self, connection: Connection, driver: Any, rows: Sequence[Row]) -> None:
        first = 0
        for size in ROWS_PER_INSERT:
            while first + size <= len(rows):
                text = self._texts.get(size) or self._for_rows(size)
                given = chain.from_iterable(map(self._values, rows[first : first + size]))
                run_sqlite(connection, driver, text, tuple(given))
                first += size

    def for_document(self) -> str:
        if not self._document:
            columns = {name: self._table.c[name] for name in self.names}
            added = self._replacing(postgresql.insert(self._table).inline())
            chosen = added.from_select(list(self.names), select(_given(columns)), False)
            self._document = _compile(chosen, _POSTGRESQL).string
        return self._document

    def _for_rows(self, count: int) -> str:
        added = self._replacing(sqlite.insert(self._table).inline())
        text = _compile(added, _SQLITE, list(self.names)).string
        row = f"({', '.join('?' * len(self.names))})"
        self._texts[count] = text.replace(row, ", ".join([row] * count), 1)
        return self._texts[count]

    def _replacing(self, added: Any) -> Any:
        if not self._key:
            return added
        values = {name: added.excluded[name] for name in self.names if name not in self._key}
        return added.on_conflict_do_update(index_elements=list(self._key), set_=values)


class Alteration(Statement):
    """Updates or deletes rows; `change` builds the statement from the values of a row."""

    def __init__(self, change: Change, **columns: Column[Any]) -> None:
        super().__init__(columns)
        self._columns = columns
        self._change = change
        self._document = ""
        self._of_row: tuple[str, Callable[[Row], tuple[Any, ...]]] | None = None  # on SQLite

    def run_rows(self, connection: Connection, driver: Any, rows: Sequence[Row]) -> None:
        text, values = self._of_row = self._of_row or self._for_row()
        for row in rows:
            run_sqlite(connection, driver, text, values(row))

    def for_document(self) -> str:
        if not self._document:
            few = select(_given(self._columns)).limit(_FEW).subquery("few")
            self._document = _compile(self._change(dict(few.c.items())), _POSTGRESQL).string
        return self._document

    def _for_row(self) -> tuple[str, Callable[[Row], tuple[Any, ...]]]:
        given = {
            name: bindparam(f"given_{name}", type_=c.type) for name, c in self._columns.items()
        }
        compiled = _compile(self._change(given), _SQLITE)
        order = [name.removeprefix("given_") for name in compiled.positiontup]
        return compiled.string, itemgetter(*order)


class PostgresqlQuery(Statement):
    """A SELECT with an effect, such as `pg_notify`; not for SQLite."""

    reads = True

    def __init__(self, text: str, *names: str) -> None:
        super().__init__(names)
        self._text = text

    def for_document(self) -> str:
        return self._text

    def run_rows(self, connection: Connection, driver: Any, rows: Sequence[Row]) -> None:
        raise NotImplementedError(self._text)


def _document(statement: Statement, rows: Sequence[Row]) -> str:
    return _encode([{name: row[name] for name in statement.names} for row in rows]).decode()


def _given(columns: Mapping[str, Column[Any]]) -> Any:
    """The rows of a JSON document, as a table with typed columns."""
    typed = [column(name, like.type) for name, like in columns.items()]
    rows = func.json_to_recordset(bindparam("rows", type_=JSON)).table_valued(*typed)
    return rows.render_derived(name="given", with_types=True)


@lru_cache(maxsize=256)
def _as_one(parts: tuple[tuple[str, bool], ...]) -> str:
    """One statement of several, as CTEs that write; the last may be a SELECT."""
    if len(parts) == 1:
        return parts[0][0]
    *written, (last, _) = parts if parts[-1][1] else (*parts, ("SELECT 1", True))
    named = ", ".join(f"part{number} AS ({sql})" for number, (sql, _) in enumerate(written))
    return f"WITH {named} {last}"


_POSTGRESQL: Any = postgresql.dialect(paramstyle="format")  # type: ignore[no-untyped-call]
_SQLITE: Any = sqlite.dialect(paramstyle="qmark")


def _compile(clause: Any, dialect: Any, keys: list[str] | None = None) -> Any:
    return clause.compile(dialect=dialect, column_keys=keys)


# Row locks of games, until a transaction ends: one query for all games of a batch.

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


# An open transaction: statements without a result are buffered, and sent with the commit.
#
# On PostgreSQL each awaited result costs a round trip: a batch of games takes two, one to lock
# its rows and one for all writes with the commit. On SQLite the rows of all games of a batch are
# inserted together, so that the writer thread releases the interpreter lock less often.

OPEN = "open transaction"  # the key in a connection's `info`


@dataclass(slots=True)
class OpenTransaction:
    """A transaction with its buffered rows."""

    connection: Connection
    rows: PendingRows = field(default_factory=PendingRows)
    changes: int = 0  # sent statements that may have changed a row

    @property
    def is_sound(self) -> bool:
        """Whether it can be committed: PostgreSQL has refused no statement."""
        if self.connection.dialect.name == "sqlite":
            return True
        status = driver_of(self.connection).pgconn.transaction_status
        return bool(status != TransactionStatus.INERROR)

    def check_sound(self) -> None:
        """RuntimeError where a job has ignored an error: its COMMIT would be a silent ROLLBACK."""
        if not self.is_sound:
            raise RuntimeError("a job ignored that the database refused a statement")

    def flush(self) -> None:
        """Send the buffered rows."""
        if self.rows:
            self.changes += 1
            self.rows.write(self.connection)


def flush_before_statements(engine: Engine) -> None:
    """Send the buffered rows before every other statement, which must see them."""

    def flush(connection: Connection, _: Any, sql: str, *__: Any) -> None:
        open_: OpenTransaction | None = connection.info.get(OPEN)
        if open_ is not None:
            open_.changes += not sql.startswith("SELECT")
            open_.flush()

    event.listen(engine, "before_cursor_execute", flush)


@contextmanager
def transaction(connection: Connection) -> Iterator[OpenTransaction]:
    """A transaction; DBAPIError where the database refuses a statement, perhaps at the commit."""
    begun = connection.begin()
    open_ = OpenTransaction(connection)
    connection.info.update({OPEN: open_, PENDING: open_.rows})
    try:
        yield open_
        if connection.dialect.name == "sqlite":
            open_.flush()
            begun.commit()
        else:
            with pipelined(connection):
                open_.flush()
                begun.commit()
    except BaseException:
        with suppress(SQLAlchemyError, psycopg.Error, sqlite3.Error):
            if connection.get_transaction() is begun:
                begun.rollback()
            if not connection.invalidated:
                # A failed commit ends the transaction for SQLAlchemy, but not for the driver.
                driver_of(connection).rollback()
        raise
    finally:
        if not connection.invalidated:
            connection.info.pop(OPEN, None)
            connection.info.pop(PENDING, None)
