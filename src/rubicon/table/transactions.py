"""Transactions on SQLite, and on PostgreSQL, where every answer that is waited for costs time.

There what needs no answer waits, and goes with the next question or with the commit: a game that
goes on is two ways to the database and back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Transaction
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rubicon.table.sheet import Row, Run, Sheet

SAID = "said in this transaction"


@dataclass(slots=True)
class Said:
    """What a transaction on PostgreSQL has been told so far."""

    waiting: list[Run | Sheet] = field(default_factory=list)  # not yet sent
    sheet: Sheet | None = None  # that is being filled
    changes: int = 0  # statements that may change something


@contextmanager
def one_transaction(connection: Connection) -> Iterator[Connection]:
    """A transaction on PostgreSQL; DBAPIError where it refuses something, maybe at the end."""
    begun = connection.begin()
    connection.info[SAID] = Said()
    try:
        yield connection
        with pipelined(connection):
            _run_what_waits(connection)
            begun.commit()
    except BaseException:
        _take_back(connection, begun)
        raise
    finally:
        if not connection.invalidated:
            connection.info.pop(SAID, None)


def _take_back(connection: Connection, begun: Transaction) -> None:
    with suppress(SQLAlchemyError, psycopg.Error):  # where it is broken there is nothing left
        if connection.get_transaction() is begun:
            begun.rollback()
        if not connection.invalidated:
            driver_of(connection).rollback()  # a commit that failed is over for SQLAlchemy alone


def rows_wait(connection: Connection) -> bool:
    """Whether anything has not been sent yet that the database may refuse."""
    said: Said = connection.info[SAID]
    return any(isinstance(what, Sheet) for what in said.waiting)


def changes_of(connection: Connection) -> int:
    """How much this transaction may have changed: it grows with each statement but questions."""
    said: Said = connection.info[SAID]
    return said.changes


def is_sound(connection: Connection) -> bool:
    """Whether this transaction can still be committed: not where the database refused something."""
    return bool(driver_of(connection).pgconn.transaction_status != TransactionStatus.INERROR)


def check_sound(connection: Connection) -> None:
    """RuntimeError where somebody went on although the database had refused something: all that
    follows would be lost without a word."""
    if not is_sound(connection):
        raise RuntimeError("a refused statement was passed over")


@contextmanager
def on_one_sheet(connection: Connection, game: str) -> Iterator[None]:
    """Rows for a game that are added in here go to PostgreSQL as one statement, with those of
    other games that wait: none of them sees, or changes, what another writes."""
    said: Said | None = connection.info.get(SAID)
    if said is None:
        yield
        return
    assert said.sheet is None, "one sheet at a time"
    said.sheet = Sheet(game)
    try:
        yield
        _put_aside(said)
    finally:
        said.sheet = None


def add_rows(connection: Connection, sql: str, rows: Sequence[Row], names: Collection[str]) -> None:
    """Rows for a statement that takes them as one JSON document, at once or with what is next."""
    said: Said | None = connection.info.get(SAID)
    sheet = Sheet() if said is None or said.sheet is None else said.sheet
    sheet.add(sql, rows, names)
    if said is None:
        run_text(connection, *sheet.run())
        return
    said.changes += 1
    if said.sheet is None:
        said.waiting.append(sheet)


def run_text(connection: Connection, sql: str, given: Sequence[Any] = ()) -> Any:
    """Run SQL in the words of the driver; its cursor. DBAPIError where the database refuses."""
    driver = driver_of(connection)
    if SAID in connection.info:
        with pipelined(connection):
            _run_what_waits(connection)
            return driver.execute(sql, given)
    try:
        return driver.execute(sql, given)
    except (sqlite3.Error, psycopg.Error) as error:
        raise _wrapped(connection, sql, error) from error


def run_later(connection: Connection, sql: str, given: Sequence[Any] = ()) -> None:
    """Run SQL that nobody waits for, at once or with whatever is run next."""
    said: Said | None = connection.info.get(SAID)
    if said is None:
        run_text(connection, sql, given)
    else:
        _put_aside(said)
        said.waiting.append((sql, given))
        said.changes += 1


def about_to_run(connection: Connection, sql: str) -> None:
    """Whatever waits is run before a statement that may count on it."""
    said: Said | None = connection.info.get(SAID)
    if said is None:
        return
    said.changes += not sql.startswith("SELECT")
    if said.waiting or said.sheet:
        with pipelined(connection):
            _run_what_waits(connection)


def driver_of(connection: Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.driver_connection


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """What runs in here goes to PostgreSQL without waiting for each answer; errors come late."""
    try:
        with driver_of(connection).pipeline():
            yield
    except psycopg.Error as error:
        raise _wrapped(connection, "", error) from error


def _run_what_waits(connection: Connection) -> None:
    driver, said = driver_of(connection), connection.info[SAID]
    _put_aside(said)
    waiting, said.waiting = said.waiting, []
    for what in waiting:
        driver.execute(*(what.run() if isinstance(what, Sheet) else what))


def _put_aside(said: Said) -> None:
    """What is on the sheet waits, and the rest of it is written on another one."""
    sheet = said.sheet
    if not sheet:
        return
    last = said.waiting[-1] if said.waiting else None
    if isinstance(last, Sheet) and last.fits(sheet):
        last.join(sheet)
    else:
        said.waiting.append(sheet)
    said.sheet = Sheet(*sheet.about)


def _wrapped(connection: Connection, sql: str, error: Exception) -> Exception:
    """As SQLAlchemy would raise it."""
    base: Any = connection.dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, None, error, base, hide_parameters=True)
