"""Statements that every order runs: written as SQLAlchemy Core, turned to SQL once a database.

Core builds the context of a statement anew each time it runs, which takes longer than SQLite takes
to do it; and each goes to PostgreSQL and back by itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter
from typing import Any

import psycopg
from sqlalchemy import Connection, Delete, Insert, Update
from sqlalchemy.exc import DBAPIError

Row = Mapping[str, Any]
MOST_TOGETHER = 50  # rows that one INSERT takes
TOGETHER = "sent together"


class Statement:
    """Rows are mappings from `names`: the columns of an INSERT, the parameters of any other.

    Only for numbers and text: nothing is converted for a column's type.
    """

    def __init__(self, clause: Insert | Update | Delete, *names: str) -> None:
        self._clause = clause
        self._names = names
        self._prepared: dict[str, Prepared] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; DBAPIError where the database refuses."""
        prepared = self._for(connection)
        for first in range(0, len(rows), prepared.most):
            together = rows[first : first + prepared.most]
            given = tuple(chain.from_iterable(map(prepared.values, together)))
            run_text(connection, prepared.sql(len(together)), given)

    def _for(self, connection: Connection) -> Prepared:
        name = connection.dialect.name
        if name not in self._prepared:
            self._prepared[name] = Prepared(self._clause, self._names, connection)
        return self._prepared[name]


class Prepared:
    """A statement's SQL for one database; an INSERT takes several rows at once."""

    def __init__(
        self, clause: Insert | Update | Delete, names: Sequence[str], connection: Connection
    ) -> None:
        inserts = isinstance(clause, Insert)
        clause = clause.inline() if isinstance(clause, Insert) else clause  # returns nothing
        dialect: Any = type(connection.dialect)
        style = "qmark" if connection.dialect.name == "sqlite" else "format"
        keys = list(names) if inserts else None
        compiled: Any = clause.compile(dialect=dialect(paramstyle=style), column_keys=keys)
        order = compiled.positiontup
        self.most = MOST_TOGETHER if inserts else 1
        self.values: Callable[[Row], tuple[Any, ...]] = itemgetter(*order)
        self._sql = compiled.string
        self._row = self._sql[self._sql.index("VALUES") + len("VALUES") :] if inserts else ""
        self._several: dict[int, str] = {1: self._sql}

    def sql(self, rows: int) -> str:
        """The text for so many rows."""
        if rows not in self._several:
            self._several[rows] = self._sql + f",{self._row}" * (rows - 1)
        return self._several[rows]


@contextmanager
def sent_together(connection: Connection) -> Iterator[None]:
    """What is written in here goes to PostgreSQL as one statement, once it is all said.

    Parts of one statement do not see one another's rows: what deletes is sent part by part.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    parts: list[tuple[str, Sequence[Any]]] = []
    connection.info[TOGETHER] = parts
    try:
        yield
    finally:
        del connection.info[TOGETHER]
    if any(sql.startswith("DELETE") for sql, _ in parts):
        with pipelined(connection):
            for sql, given in parts:
                run_text(connection, sql, given)
    elif parts:
        run_text(connection, _as_one([sql for sql, _ in parts]), _flat(given for _, given in parts))


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """What runs in here goes to PostgreSQL without waiting for each answer; errors come late."""
    try:
        with driver_of(connection).pipeline():
            yield
    except psycopg.Error as error:
        raise _wrapped(connection, "", error) from error


def run_text(connection: Connection, sql: str, given: Sequence[Any] = ()) -> Any:
    """Run SQL in the words of the driver; its cursor. DBAPIError where the database refuses."""
    driver = driver_of(connection)
    if not isinstance(driver, sqlite3.Connection) and TOGETHER in connection.info:
        connection.info[TOGETHER].append((sql, given))
        return None
    try:
        return driver.execute(sql, given)
    except (sqlite3.Error, psycopg.Error) as error:
        raise _wrapped(connection, sql, error) from error


def _as_one(parts: Sequence[str]) -> str:
    """One statement of several that write; a SELECT may come last."""
    *written, last = parts if parts[-1].startswith("SELECT") else (*parts, "SELECT 1")
    named = ", ".join(f"part{number} AS ({sql})" for number, sql in enumerate(written))
    return f"WITH {named} {last}" if named else last


def _flat(given: Iterable[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(given))


def driver_of(connection: Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.driver_connection


def _wrapped(connection: Connection, sql: str, error: Exception) -> Exception:
    """As SQLAlchemy would raise it."""
    base: Any = connection.dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, None, error, base, hide_parameters=True)
