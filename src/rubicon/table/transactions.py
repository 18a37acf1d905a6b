"""Transactions on SQLite, and on PostgreSQL, where every answer that is waited for costs time.

There what needs no answer waits, and goes with the next question or with the commit: a game that
goes on is two ways to the database and back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Transaction
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

Run = tuple[str, Sequence[Any]]  # SQL, and what is given to it
SAID = "said in this transaction"


@dataclass(slots=True)
class Said:
    """What a transaction on PostgreSQL has been told so far."""

    waiting: list[Run] = field(default_factory=list)  # not yet sent
    sent: int = 0  # how often what waited was sent
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
def sent_together(connection: Connection) -> Iterator[None]:
    """What is run later in here goes to PostgreSQL as one statement, once it is all said.

    Parts of one statement do not see one another's rows, and only the last may be a question: what
    does not fit together is sent part by part.
    """
    said: Said | None = connection.info.get(SAID)
    if said is None:
        yield
        return
    first, sent = len(said.waiting), said.sent
    yield
    parts = said.waiting[first:]
    if len(parts) < 2 or said.sent != sent or not _fit_together([sql for sql, _ in parts]):
        return
    as_one = _as_one([sql for sql, _ in parts])
    said.waiting[first:] = [(as_one, tuple(chain.from_iterable(given for _, given in parts)))]


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
        said.waiting.append((sql, given))
        said.changes += 1


def about_to_run(connection: Connection, sql: str) -> None:
    """Whatever waits is run before a statement that may count on it."""
    said: Said | None = connection.info.get(SAID)
    if said is None:
        return
    said.changes += not sql.startswith("SELECT")
    if said.waiting:
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
    waiting, said.waiting = said.waiting, []
    said.sent += bool(waiting)
    for sql, given in waiting:
        driver.execute(sql, given)


def _fit_together(parts: Sequence[str]) -> bool:
    changed_alone = any(sql.startswith("DELETE") for sql in parts)
    return not changed_alone and not any(sql.startswith("SELECT") for sql in parts[:-1])


def _as_one(parts: Sequence[str]) -> str:
    """One statement of several that write; a SELECT may come last."""
    *written, last = parts if parts[-1].startswith("SELECT") else (*parts, "SELECT 1")
    named = ", ".join(f"part{number} AS ({sql})" for number, sql in enumerate(written))
    return f"WITH {named} {last}"


def _wrapped(connection: Connection, sql: str, error: Exception) -> Exception:
    """As SQLAlchemy would raise it."""
    base: Any = connection.dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, None, error, base, hide_parameters=True)
