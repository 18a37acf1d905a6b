"""Backup and restore: one text format for both databases, written while the server runs.

One JSON value per line: the header, then for each table its columns and its rows as arrays, and at
the end the number of rows and the SHA-256 of all lines before. Bytes are `{"hex": …}`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.connection import is_unavailable, now, unavailable
from rubicon.table.storage.database import (
    Store,
    check_version,
    migrate,
    newest,
    version_of,
    versions,
)

FORMAT = 1
BATCH_ROWS = 500  # rows in one statement
ALEMBIC_TABLE = "alembic_version"
Progress = Callable[[str, int], None]
Row = list[Any]


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup holds. `at` is its time, in milliseconds since 1970."""

    version: str
    at: int
    rows: int
    games: int


def backup(store: Store, file: Path, progress: Progress = lambda table, rows: None) -> Copied:
    """Write a consistent snapshot to a new file; a name that ends in `.gz` compresses it.

    The file holds the secrets of running games: only its owner may read it. `progress` is called
    with the name of each table and the rows so far.
    """
    if file.exists():
        message = f"The file {str(file)[:200]!r} exists already."
        raise TableError(
            "backup/exists", message, "Choose another name, for example with the date."
        )
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with _new_file(part, packed=file.suffix == ".gz") as stream:
            copied = store.read(lambda c: _write(c, stream, progress), frozen=True)
        os.replace(part, file)
    except OSError as error:
        raise _cannot("written", file, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return copied


def restore(store: Store, file: Path, progress: Progress = lambda table, rows: None) -> Copied:
    """Fill an empty database from a backup in one transaction, and migrate it to this version.

    TableError where the database is not empty, or the backup is truncated, damaged, or written by
    a newer version.
    """
    header = _header_of(file)
    _check_empty(store)
    migrate(store, header["schema"])
    try:
        with store.engine.begin() as connection:
            copied = _fill(connection, file, header, progress)
    except SQLAlchemyError as error:
        raise (
            unavailable(error) if is_unavailable(error) else _damaged(file, "its rows do not fit")
        ) from error
    except (KeyError, ValueError, TypeError) as error:
        raise _damaged(file, "its rows do not fit") from error
    migrate(store)
    return copied


def _write(connection: Connection, stream: IO[bytes], progress: Progress) -> Copied:
    check_version(connection)
    version, at, rows, games = newest(), now(connection), 0, 0
    digest = hashlib.sha256()

    def line(value: object) -> None:
        written = json.dumps(value, separators=(",", ":")).encode() + b"\n"
        digest.update(written)
        stream.write(written)

    line({"rubicon": "backup", "format": FORMAT, "schema": version, "at": at})
    for table in schema.metadata.sorted_tables:
        progress(table.name, rows)
        line({"table": table.name, "columns": [column.name for column in table.columns]})
        found = connection.execution_options(yield_per=BATCH_ROWS).execute(_ordered(table))
        for row in found:
            line([_written(value) for value in row])
            rows += 1
            games += table.name == schema.game.name
    line({"rows": rows, "games": games, "sha256": digest.hexdigest()})
    return Copied(version, at, rows, games)


def _ordered(table: Table) -> Any:
    return select(table).order_by(*table.primary_key.columns)


def _written(value: Any) -> Any:
    return {"hex": bytes(value).hex()} if isinstance(value, bytes | memoryview) else value


def _read(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def _fill(connection: Connection, file: Path, header: dict[str, Any], progress: Progress) -> Copied:
    tables = MetaData()
    tables.reflect(connection)
    lines = _lines(file)
    next(lines)
    rows, games, table, columns = 0, 0, "", list[str]()
    batch: list[dict[str, Any]] = []
    for value in lines:
        if isinstance(value, list) and table:
            batch.append(dict(zip(columns, map(_read, value), strict=True)))
            rows, games = rows + 1, games + (table == schema.game.name)
            if len(batch) < BATCH_ROWS:
                continue
        _insert(connection, tables, table, batch)
        if isinstance(value, dict) and "table" in value:
            table, columns = value["table"], value["columns"]
            progress(table, rows)
        elif isinstance(value, dict):
            break
    if (rows, games) != (value.get("rows"), value.get("games")):
        raise _damaged(file, "its number of rows is wrong")
    if connection.dialect.name == "postgresql":
        _reset_sequences(connection, tables)
    return Copied(header["schema"], header["at"], rows, games)


def _insert(
    connection: Connection, tables: MetaData, table: str, batch: list[dict[str, Any]]
) -> None:
    if batch:
        connection.execute(insert(tables.tables[table]), batch)
        batch.clear()


def _reset_sequences(connection: Connection, tables: MetaData) -> None:
    """Set PostgreSQL's sequences: the rows were inserted with their numbers, which it ignores."""
    for table in tables.tables.values():
        for column in table.primary_key.columns:
            if len(table.primary_key.columns) == 1 and column.autoincrement is True:
                most = connection.execute(select(func.max(column))).scalar_one()
                number = text("SELECT setval(pg_get_serial_sequence(:table, :column), :most)")
                given = {"table": table.name, "column": column.name, "most": most}
                if most is not None:
                    connection.execute(number, given)


def _header_of(file: Path) -> dict[str, Any]:
    """The first line; TableError where the file cannot be restored."""
    header = next(_lines(file), None)
    if not isinstance(header, dict) or header.get("rubicon") != "backup":
        message = f"{str(file)[:200]!r} is not a backup of Rubicon."
        raise TableError("backup/none", message, "rubicon table backup FILE writes one.")
    if header.get("format") != FORMAT or header.get("schema") not in versions():
        version = str(header.get("schema"))[:20]
        message = f"Another version of Rubicon wrote this backup: schema {version}."
        raise TableError("backup/newer", message, "Restore it with that version, or a newer one.")
    return header


def _lines(file: Path) -> Iterator[Any]:
    """The lines as JSON; TableError where one is damaged or the checksum at the end is wrong."""
    digest, whole = hashlib.sha256(), False
    try:
        with _opened(file) as stream:
            for line in stream:
                value = json.loads(line)
                if isinstance(value, dict) and "sha256" in value:
                    whole = value["sha256"] == digest.hexdigest()
                    if not whole:
                        break
                digest.update(line)
                yield value
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise _damaged(file, "a line cannot be read") from error
    except OSError as error:
        raise _cannot("read", file, error) from error
    if not whole:
        raise _damaged(file, "it is incomplete, or was changed")


def _opened(file: Path) -> IO[bytes]:
    packed = file.suffix == ".gz"
    return gzip.open(file, "rb") if packed else file.open("rb")  # type: ignore[return-value]


@contextmanager
def _new_file(part: Path, *, packed: bool) -> Iterator[IO[bytes]]:
    """A new file that only its owner can read; it is synced to the disk when it is closed."""
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if packed:
            with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6) as stream:
                yield stream  # type: ignore[misc]
        else:
            yield file
        file.flush()
        os.fsync(file.fileno())


def _check_empty(store: Store) -> None:
    """TableError where the database has rows, or a newer version made it."""

    def job(connection: Connection) -> None:
        if version_of(connection) is None:
            return
        tables = MetaData()
        tables.reflect(connection)
        for table in tables.tables.values():
            if table.name != ALEMBIC_TABLE and connection.execute(select(table).limit(1)).first():
                message = f"The database is not empty: there are rows in {table.name!r}."
                raise TableError("backup/not-empty", message, "Restore into a new database.")

    store.read(job)


def _damaged(file: Path, why: str) -> TableError:
    message = f"The backup {str(file)[:200]!r} is damaged: {why}."
    return TableError("backup/damaged", message, "Nothing was restored. Use another copy.")


def _cannot(what: str, file: Path, error: OSError) -> TableError:
    message = f"{str(file)[:200]!r} cannot be {what}: {error.strerror or type(error).__name__}."
    return TableError(f"backup/cannot-be-{what}", message, "")
