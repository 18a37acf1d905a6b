"""Statements that every order runs: written as SQLAlchemy Core, turned to SQL once a database.

Core builds the context of a statement anew each time it runs, which takes longer than SQLite takes
to do it; and each goes to PostgreSQL and back by itself. There a statement takes all its rows as
one JSON document, so that its text is planned but once, and those of many pages are one.
Rows are mappings by name, of numbers and texts only: nothing is converted for a column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Table,
    Update,
    bindparam,
    column,
    func,
    insert,
    select,
)

from rubicon.table.sheet import Row
from rubicon.table.transactions import add_rows, run_text

ROWS_TOGETHER = 50  # rows that one INSERT takes on SQLite
Change = Callable[[Mapping[str, ColumnElement[Any]]], Update | Delete]


class Insertion:
    """Adds rows to a table."""

    def __init__(self, table: Table, *names: str) -> None:
        self._table = table
        self._columns = {name: table.c[name] for name in names}
        self._values: Callable[[Row], tuple[Any, ...]] = itemgetter(*names)
        self._texts: dict[int, str] = {}  # on SQLite, by how many rows they take
        self._of_document = ""  # on PostgreSQL

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; DBAPIError where the database refuses, maybe with the commit."""
        if connection.dialect.name == "postgresql":
            self._of_document = self._of_document or self._for_document(connection)
            add_rows(connection, self._of_document, rows)
            return
        for together in _parts(rows, ROWS_TOGETHER):
            given = tuple(chain.from_iterable(map(self._values, together)))
            run_text(connection, self._for_rows(connection, len(together)), given)

    def _for_document(self, connection: Connection) -> str:
        given = select(_given(self._columns))
        filled = insert(self._table).inline().from_select(list(self._columns), given, False)
        return _compiled(filled, connection)

    def _for_rows(self, connection: Connection, count: int) -> str:
        if count not in self._texts:
            added = insert(self._table).inline()
            text = _compiled(added, connection, list(self._columns))
            values = text.partition(" VALUES ")[2]
            self._texts[count] = text + f", {values}" * (count - 1)
        return self._texts[count]


class Alteration:
    """Changes or deletes what is there; `change` says how, of the values of a row."""

    def __init__(self, change: Change, **columns: Column[Any]) -> None:
        self._change = change
        self._columns = columns
        self._of_row: tuple[str, Callable[[Row], tuple[Any, ...]]] | None = None  # on SQLite
        self._of_document = ""  # on PostgreSQL

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; DBAPIError where the database refuses, maybe with the commit."""
        if connection.dialect.name == "postgresql":
            self._of_document = self._of_document or self._for_document(connection)
            add_rows(connection, self._of_document, rows)
            return
        text, values = self._of_row = self._of_row or self._for_row(connection)
        for row in rows:
            run_text(connection, text, values(row))

    def _for_document(self, connection: Connection) -> str:
        given = _given(self._columns)
        return _compiled(self._change(given.c), connection)

    def _for_row(self, connection: Connection) -> tuple[str, Callable[[Row], tuple[Any, ...]]]:
        given = {
            name: bindparam(f"given_{name}", type_=c.type) for name, c in self._columns.items()
        }
        compiled = _compile(self._change(given), connection)
        order = [name.removeprefix("given_") for name in compiled.positiontup]
        return compiled.string, itemgetter(*order)


def _given(columns: Mapping[str, Column[Any]]) -> Any:
    """The rows of a JSON document."""
    typed = [column(name, like.type) for name, like in columns.items()]
    rows = func.json_to_recordset(bindparam("rows", type_=JSON)).table_valued(*typed)
    return rows.render_derived(name="given", with_types=True)


def _parts(rows: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    return (rows[first : first + most] for first in range(0, len(rows), most))


def _compiled(clause: Any, connection: Connection, keys: list[str] | None = None) -> str:
    return str(_compile(clause, connection, keys).string)


def _compile(clause: Any, connection: Connection, keys: list[str] | None = None) -> Any:
    dialect: Any = type(connection.dialect)
    style = "qmark" if connection.dialect.name == "sqlite" else "format"
    return clause.compile(dialect=dialect(paramstyle=style), column_keys=keys)
