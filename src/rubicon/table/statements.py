"""Statements that every order runs: written as SQLAlchemy Core, turned to SQL once a database.

Core builds the context of a statement anew each time it runs, which takes longer than SQLite takes
to do it; and each goes to PostgreSQL and back by itself. There a statement takes all its rows as
one JSON document, so that its text is planned but once, and those of many pages are one.
Rows are mappings by name, of numbers and texts only: nothing is converted for a column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from rubicon.table.sheet import Row
from rubicon.table.transactions import add_rows, run_text

ROWS_TOGETHER = 50  # rows that one INSERT takes on SQLite
# A limit that PostgreSQL does not know when it plans: it then expects few rows, and finds those of
# a large table by their keys instead of reading all of it.
_FEW = select(literal_column("1000000")).scalar_subquery()
Change = Callable[[Mapping[str, ColumnElement[Any]]], Update | Delete]


class Statement(ABC):
    """Runs for rows of these columns."""

    def __init__(self, columns: Mapping[str, Column[Any]]) -> None:
        self._columns = columns
        self._of_document = ""  # on PostgreSQL

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; DBAPIError where the database refuses, maybe with the commit."""
        if connection.dialect.name == "postgresql":
            self._of_document = self._of_document or self._for_document(connection)
            add_rows(connection, self._of_document, rows, self._columns)
        else:
            self._run_rows(connection, rows)

    @abstractmethod
    def _for_document(self, connection: Connection) -> str:
        """Its text on PostgreSQL, which takes the rows as one JSON document."""

    @abstractmethod
    def _run_rows(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it on SQLite."""


class Insertion(Statement):
    """Adds rows to a table; with a `key`, a row that is there already gets the other values."""

    def __init__(self, table: Table, *names: str, key: Collection[str] = ()) -> None:
        super().__init__({name: table.c[name] for name in names})
        self._table = table
        self._key = key
        self._values: Callable[[Row], tuple[Any, ...]] = itemgetter(*names)
        self._texts: dict[int, str] = {}  # on SQLite, by how many rows they take

    def _run_rows(self, connection: Connection, rows: Sequence[Row]) -> None:
        for together in _parts(rows, ROWS_TOGETHER):
            given = tuple(chain.from_iterable(map(self._values, together)))
            run_text(connection, self._for_rows(connection, len(together)), given)

    def _for_document(self, connection: Connection) -> str:
        given = select(_given(self._columns))
        added = self._replacing(postgresql.insert(self._table).inline())
        return _compiled(added.from_select(list(self._columns), given, False), connection)

    def _for_rows(self, connection: Connection, count: int) -> str:
        if count not in self._texts:
            added = self._replacing(sqlite.insert(self._table).inline())
            text = _compiled(added, connection, list(self._columns))
            row = f"({', '.join('?' * len(self._columns))})"
            self._texts[count] = text.replace(row, ", ".join([row] * count), 1)
        return self._texts[count]

    def _replacing(self, added: Any) -> Any:
        if not self._key:
            return added
        values = {name: added.excluded[name] for name in self._columns if name not in self._key}
        return added.on_conflict_do_update(index_elements=list(self._key), set_=values)


class Alteration(Statement):
    """Changes or deletes what is there; `change` says how, of the values of a row."""

    def __init__(self, change: Change, **columns: Column[Any]) -> None:
        super().__init__(columns)
        self._change = change
        self._of_row: tuple[str, Callable[[Row], tuple[Any, ...]]] | None = None  # on SQLite

    def _run_rows(self, connection: Connection, rows: Sequence[Row]) -> None:
        text, values = self._of_row = self._of_row or self._for_row(connection)
        for row in rows:
            run_text(connection, text, values(row))

    def _for_document(self, connection: Connection) -> str:
        few = select(_given(self._columns)).limit(_FEW).subquery("few")
        return _compiled(self._change(dict(few.c.items())), connection)

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
