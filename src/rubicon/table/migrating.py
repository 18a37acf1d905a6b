"""Brings a store to the version of the schema that this program knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from rubicon.table import schema
from rubicon.table.errors import TableError
from rubicon.table.store import Store

_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461031)")
_HERE = Path(__file__).with_name("migrations")


def migrate(store: Store, to: str = "head") -> str:
    """Bring a store to the newest version, or to an earlier one if it is new; which it is now.

    Several workers may do so at once. TableError `store/newer` where a newer Rubicon has made it,
    `store/foreign` where its tables are somebody else's; nothing is changed then.
    """
    with _altering(store) as connection:
        if store.shared:
            connection.execute(_ONE_AT_A_TIME)
        if version_of(connection) is None:
            _check_empty(connection)
        command.upgrade(alembic_config(connection), to)
        return str(version_of(connection))


def check_version(connection: Connection) -> None:
    """TableError where a store is not of the version that this program knows."""
    found = version_of(connection)
    if found != newest():
        said = "no version" if found is None else f"version {found}"
        message = f"The store has {said} of the schema; this program works with {newest()}."
        raise TableError("store/older", message, "Run: rubicon table migrate")


def version_of(connection: Connection) -> str | None:
    """The version of a store; None for one without any tables of ours."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in versions():
        message = f"A newer Rubicon made this store: version {found} of the schema is unknown here."
        hint = f"Install that Rubicon, or restore a backup; this one knows {newest()}."
        raise TableError("store/newer", message, hint)
    return found


def versions() -> list[str]:
    """All versions that this program knows, the newest first."""
    return [script.revision for script in _scripts().walk_revisions()]


def newest() -> str:
    """The version that this program works with."""
    return str(_scripts().get_current_head())


def alembic_config(connection: Connection | None = None) -> Config:
    """What Alembic is told; it reads its scripts from this package, and no file."""
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


@contextmanager
def _altering(store: Store) -> Iterator[Connection]:
    """A transaction in which SQLite may copy a table that others refer to."""
    with store.engine.connect() as connection:
        if not store.shared:
            connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
        finally:
            connection.invalidate()


def _check_empty(connection: Connection) -> None:
    ours = set(schema.metadata.tables) & set(inspect(connection).get_table_names())
    if ours:
        message = f"The database has tables of other making: {', '.join(sorted(ours)[:5])}."
        raise TableError("store/foreign", message, "Give Rubicon a database of its own.")
