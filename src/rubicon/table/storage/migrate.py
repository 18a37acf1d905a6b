"""Migrates a database to the schema version of this program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.storage.opening import cannot_open

FORMER = frozenset({"0001", "0002", "0003"})  # before the baseline: cannot be migrated
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461031)")
_HERE = Path(__file__).with_name("migrations")


def migrate(store: Store, to: str = "head") -> str:
    """Migrate a database to version `to`, and return its version.

    Several servers may do so at the same time. TableError `store/newer` where a newer version of
    Rubicon made the database, `store/foreign` where another program did; then nothing is changed.
    """
    with _altering(store) as connection:
        if store.shared:
            connection.execute(_ONE_AT_A_TIME)  # servers that start together wait here
        if version_of(connection) is None:
            _check_empty(connection)
        command.upgrade(alembic_config(connection), to)
        return str(version_of(connection))


def check_version(connection: Connection) -> None:
    """TableError where the schema version is not that of this program."""
    found = version_of(connection)
    if found != newest():
        version = "no version" if found is None else f"version {found}"
        message = f"The database has {version} of the schema; this program needs {newest()}."
        raise TableError("store/older", message, "Run: rubicon table migrate")


def version_of(connection: Connection) -> str | None:
    """The schema version of a database; None for one without tables of Rubicon."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found in FORMER:
        message = "An earlier version of Rubicon made this database; it cannot be upgraded."
        hint = (
            "Export its games with that version (rubicon table export GAME), then give Rubicon a"
            " new database."
        )
        raise TableError("store/older", message, hint)
    if found is not None and found not in versions():
        message = (
            f"A newer Rubicon made this database: version {found} of the schema is unknown here."
        )
        hint = f"Install that Rubicon, or restore a backup; this one knows {newest()}."
        raise TableError("store/newer", message, hint)
    return found


def versions() -> list[str]:
    """All schema versions that this program knows, the newest first."""
    return [script.revision for script in _scripts().walk_revisions()]


def newest() -> str:
    """The schema version of this program."""
    return str(_scripts().get_current_head())


def alembic_config(connection: Connection | None = None) -> Config:
    """The settings of Alembic: its scripts are in this package, and there is no alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


@contextmanager
def _altering(store: Store) -> Iterator[Connection]:
    """A transaction that may alter tables. SQLite copies them, which foreign keys would prevent."""
    try:
        with store.engine.connect() as connection:
            if not store.shared:
                connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                connection.invalidate()
    except DBAPIError as error:
        raise cannot_open(store.engine, error) from error


def _check_empty(connection: Connection) -> None:
    ours = set(schema.metadata.tables) & set(inspect(connection).get_table_names())
    if ours:
        message = f"Another program made tables in this database: {', '.join(sorted(ours)[:5])}."
        raise TableError("store/foreign", message, "Give Rubicon a database of its own.")
