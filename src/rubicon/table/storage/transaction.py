"""An open transaction: statements without a result are buffered, and sent with the commit.

On PostgreSQL each awaited result costs a round trip: a batch of games takes two, one to lock its
rows and one for all writes with the commit. On SQLite the rows of all games of a batch are inserted
together, so that the writer thread releases the interpreter lock less often.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from rubicon.table.storage.bulk import PENDING, PendingRows, driver_of, pipelined

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
