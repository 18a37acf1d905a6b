"""Migrations create exactly the tables of `schema.py` on both databases, and touch no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Table, column, insert, select, text
from sqlalchemy import table as alchemy_table

from rubicon.table.admin.audit import verify_store
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.database import FORMER, Store, check_version, migrate, newest, versions
from tests.table.agreeing import votes
from tests.table.hosted import SOON
from tests.table.lobby.lobbied import lobbied


@pytest.fixture
def empty(url: str) -> Iterator[Store]:
    store = Store.open(url)
    yield store
    store.close()


def test_every_version_leads_to_the_schema(empty: Store) -> None:
    for version in reversed(versions()):
        assert migrate(empty, version) == version
    with empty.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_games_of_before_the_digests_get_theirs(empty: Store, tmp_path: Path) -> None:
    migrate(empty, "0004")
    with lobbied(tmp_path) as lobby:
        lobby.running().play(20)
        game = lobby.running()
        votes(game, "draw", *game.snapshot.game().colours)
        lobby.open()
        for table in schema.metadata.sorted_tables:
            if table.name != "checkpoint":
                names = [c.name for c in table.columns if not c.name.endswith(LATER)]
                names += ["digest"] if table.name == "token" else []
                copy_rows(lobby.table.store, empty, table, names)
        checkpoint = verify_store(lobby.table.store).checkpoint
    assert migrate(empty) == newest()
    report = verify_store(empty)
    assert (report.good, report.damaged, report.checkpoint) == (2, {}, checkpoint)


# The ends of the names of columns that came after the baseline.
LATER = ("digest", "pushed", "unreachable", "master")


def copy_rows(source: Store, to: Store, table: Table, names: list[str]) -> None:
    """Copy columns of all rows of a table."""
    wanted = select(*(table.c[name] for name in names))
    rows = [dict(row._mapping) for row in source.read(lambda c: c.execute(wanted).all())]
    # Not `insert(table)`, which would name the columns of later versions too.
    older = alchemy_table(table.name, *(column(name, table.c[name].type) for name in names))
    if rows:
        to.write(lambda c: c.execute(insert(older), rows).rowcount).result(SOON)


def test_twice_is_as_once(store: Store) -> None:
    assert migrate(store) == newest()
    store.read(check_version)


def test_several_workers_may_start_at_once(new_url: Callable[[str], str]) -> None:
    url = new_url("postgresql")
    stores = [Store.open(url) for _ in range(3)]
    with ThreadPoolExecutor() as threads:
        assert list(threads.map(migrate, stores)) == [newest()] * 3
    for store in stores:
        store.close()


def test_a_newer_store_is_refused_and_left_alone(store: Store) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    store.write(lambda c: c.execute(newer)).result(9)
    with pytest.raises(TableError) as caught:
        migrate(store)
    assert caught.value.code == "store/newer"
    assert "9999" in caught.value.message
    found = store.read(lambda c: c.execute(text("SELECT version_num FROM alembic_version")).all())
    assert found == [("9999",)]


def test_tables_of_other_making_are_refused(empty: Store) -> None:
    empty.write(lambda c: c.execute(text("CREATE TABLE game (id integer)"))).result(9)
    with pytest.raises(TableError) as caught:
        migrate(empty)
    assert caught.value.code == "store/foreign"
    with pytest.raises(TableError) as caught:
        empty.read(check_version)
    assert caught.value.code == "store/older"


@pytest.mark.parametrize("version", sorted(FORMER))
def test_a_database_of_before_the_baseline_is_refused(store: Store, version: str) -> None:
    older = text(f"UPDATE alembic_version SET version_num = '{version}'")
    store.write(lambda c: c.execute(older)).result(9)
    with pytest.raises(TableError) as caught:
        migrate(store)
    assert caught.value.code == "store/older"
    assert "rubicon table export" in str(caught.value)


def test_waiting_emails_are_found_by_their_index(store: Store) -> None:
    wanted = select(schema.notification.c.id).where(
        schema.WAITING, schema.notification.c.sent == 0, schema.notification.c.at <= 5
    )

    def explain(connection: Connection) -> str:
        prefix = "EXPLAIN " if store.shared else "EXPLAIN QUERY PLAN "
        if store.shared:
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        said = str(wanted.compile(connection, compile_kwargs={"literal_binds": True}))
        return str(connection.execute(text(prefix + said)).all())

    assert "ix_notification_waiting" in store.read(explain)
