"""Statements that every order runs: written as SQLAlchemy Core, turned to SQL once a database.

Core builds the context of a statement anew each time it runs, which takes longer than SQLite takes
to do it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Update
from sqlalchemy.exc import DBAPIError

Row = Mapping[str, Any]
Values = Callable[[Row], Any]


class Statement:
    """Rows are mappings from `names`: the columns of an INSERT, the parameters of any other.

    Only for numbers and text: nothing is converted for a column's type.
    """

    def __init__(self, clause: Insert | Update | Delete, *names: str) -> None:
        self._clause = clause
        self._names = names
        self._prepared: dict[str, tuple[str, Values]] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it once for each row; DBAPIError where the database refuses."""
        sql, values = self._for(connection)
        given = [values(row) for row in rows]
        if connection.dialect.name != "sqlite":
            connection.exec_driver_sql(sql, given)
            return
        try:
            _driver(connection).executemany(sql, given)
        except sqlite3.Error as error:
            raise _wrapped(sql, error) from error

    def _for(self, connection: Connection) -> tuple[str, Values]:
        dialect = connection.dialect
        prepared = self._prepared.get(dialect.name)
        if prepared is None:
            names = list(self._names) if isinstance(self._clause, Insert) else None
            compiled: Any = self._clause.compile(dialect=dialect, column_keys=names)
            order = compiled.positiontup
            values: Values = dict if order is None else itemgetter(*order)
            prepared = self._prepared[dialect.name] = compiled.string, values
        return prepared


def run_in_sqlite(connection: Connection, sql: str) -> None:
    """Run a statement without parameters on SQLite; DBAPIError where it refuses."""
    try:
        _driver(connection).execute(sql)
    except sqlite3.Error as error:
        raise _wrapped(sql, error) from error


def _driver(connection: Connection) -> sqlite3.Connection:
    driver: Any = connection.connection.driver_connection
    return driver  # type: ignore[no-any-return]


def _wrapped(sql: str, error: sqlite3.Error) -> Exception:
    """As SQLAlchemy would raise it."""
    return DBAPIError.instance(sql, None, error, sqlite3.Error)
