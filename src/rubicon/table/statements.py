"""Statements that every order runs: written as SQLAlchemy Core, turned to SQL once a database.

Core builds the context of a statement anew each time it runs, which takes longer than SQLite takes
to do it; and each goes to PostgreSQL and back by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import JSON, Connection, Delete, Insert, Update, bindparam, column, func, select

from rubicon.table.transactions import Run, run_later

Row = Mapping[str, Any]
ROWS_TOGETHER = 50  # rows that one INSERT takes


class Statement:
    """Rows are mappings from `names`: the columns of an INSERT, the parameters of any other.

    Only for numbers and text: nothing is converted for a column's type.
    """

    def __init__(self, clause: Insert | Update | Delete, *names: str) -> None:
        self._clause = clause
        self._names = names
        self._prepared: dict[str, Prepared | OfDocuments] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each row; DBAPIError where the database refuses, maybe with the commit."""
        for sql, given in self._for(connection).runs(rows):
            run_later(connection, sql, given)

    def _for(self, connection: Connection) -> Prepared | OfDocuments:
        name = connection.dialect.name
        if name not in self._prepared:
            if name == "postgresql" and isinstance(self._clause, Insert):
                self._prepared[name] = OfDocuments(self._clause, self._names, connection)
            else:
                self._prepared[name] = Prepared(self._clause, self._names, connection)
        return self._prepared[name]


class Prepared:
    """A statement's SQL for one database; an INSERT takes several rows at once."""

    def __init__(
        self, clause: Insert | Update | Delete, names: Sequence[str], connection: Connection
    ) -> None:
        inserts = isinstance(clause, Insert)
        clause = clause.inline() if isinstance(clause, Insert) else clause  # returns nothing
        compiled = _compiled(clause, connection, list(names) if inserts else None)
        self._most = ROWS_TOGETHER if inserts else 1
        self._values: Callable[[Row], tuple[Any, ...]] = itemgetter(*compiled.positiontup)
        self._sql = compiled.string
        self._row = self._sql[self._sql.index("VALUES") + len("VALUES") :] if inserts else ""
        self._several: dict[int, str] = {1: self._sql}

    def runs(self, rows: Sequence[Row]) -> Iterator[Run]:
        """What is to be run for some rows."""
        for first in range(0, len(rows), self._most):
            together = rows[first : first + self._most]
            given = tuple(chain.from_iterable(map(self._values, together)))
            yield self._text(len(together)), given

    def _text(self, rows: int) -> str:
        if rows not in self._several:
            self._several[rows] = self._sql + f",{self._row}" * (rows - 1)
        return self._several[rows]


class OfDocuments:
    """An INSERT on PostgreSQL, of rows in one JSON document: it plans the same text but once."""

    def __init__(self, clause: Insert, names: Sequence[str], connection: Connection) -> None:
        columns = [column(name, clause.table.c[name].type) for name in names]
        documents = func.json_to_recordset(bindparam("rows", type_=JSON))
        given = documents.table_valued(*columns).render_derived(name="given", with_types=True)
        filled = clause.inline().from_select(names, select(given), include_defaults=False)
        self._names = tuple(names)
        self._sql = _compiled(filled, connection).string

    def runs(self, rows: Sequence[Row]) -> Iterator[Run]:
        """What is to be run for some rows."""
        yield self._sql, (json.dumps([{name: row[name] for name in self._names} for row in rows]),)


def _compiled(clause: Any, connection: Connection, keys: list[str] | None = None) -> Any:
    dialect: Any = type(connection.dialect)
    style = "qmark" if connection.dialect.name == "sqlite" else "format"
    return clause.compile(dialect=dialect(paramstyle=style), column_keys=keys)
