"""What is checked before a database is used: that it is there, and that it is Rubicon's."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.failures import reason

MAGIC = b"SQLite format 3\0"  # the first bytes of every SQLite file
OURS = frozenset(schema.metadata.tables)  # `migrate` looks closer at a database with any of them
GIVE_ANOTHER = "Give Rubicon a new file of its own: --store sqlite:///rubicon.db"
# What PostgreSQL says, and what to do; the first that fits.
_ADVICE = (
    ("authentication failed", "Check the user and the password in the URL."),
    ("no password supplied", "Write the password into the URL."),
    ("does not exist", "Check the user and the name in the URL, or create the database: createdb."),
)
_OTHERWISE = "Check that PostgreSQL runs, and the host and the port in the URL."


def check_file(path: Path) -> None:
    """TableError where a file exists that is no database, a damaged one, or another program's.

    Nothing is written: not even the journal mode of another program's database is changed.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(len(MAGIC))
    except OSError:
        return  # it does not exist yet, or its opening explains what is wrong
    if not beginning:
        return
    shown = str(path)[:200]
    if beginning != MAGIC:
        message = f"The file {shown!r} is not a SQLite database."
        raise TableError("store/foreign", message, GIVE_ANOTHER)
    try:
        tables = _tables(path)
    except sqlite3.OperationalError:
        return  # it cannot be opened for reading now; its opening explains why
    except sqlite3.DatabaseError as error:
        message = f"The database {shown!r} is damaged: {error}."
        raise TableError("store/damaged", message, "Restore a backup: rubicon table restore") from (
            error
        )
    if tables and not tables & OURS:
        some = ", ".join(sorted(tables)[:5])
        message = f"Another program made the database {shown!r}; its tables are: {some}."
        raise TableError("store/foreign", message, GIVE_ANOTHER)


def _tables(path: Path) -> set[str]:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {str(name) for (name,) in rows if not str(name).startswith("sqlite_")}


def check_reachable(engine: Engine) -> None:
    """TableError where the PostgreSQL server cannot be reached, or refuses the user."""
    try:
        with engine.connect():
            return
    except SQLAlchemyError as error:
        raise cannot_open(engine, error) from error


def cannot_open(engine: Engine, error: SQLAlchemyError) -> TableError:
    """The error for a database that the server cannot be started with."""
    why = reason(error).rstrip(".")
    if engine.dialect.name == "sqlite":
        advice = "Check the permissions of the file, and the room on its disk."
        return TableError("store/cannot-open", f"The database cannot be used: {why}.", advice)
    shown = engine.url.render_as_string(hide_password=True)
    advice = next((hint for words, hint in _ADVICE if words in str(error)), _OTHERWISE)
    return TableError("store/cannot-open", f"The database {shown} cannot be used: {why}.", advice)
