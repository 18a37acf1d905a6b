"""Backup and restore: while games go on, from either database to either, whole or not at all."""

from __future__ import annotations

import gzip
import json
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.backup import backup, restore
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.table.hosted import GAME, SOON, Hosted
from tests.table.storage.test_database import begin

Kinds = Callable[[str], str]


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Everything that is stored."""

    def job(connection: object) -> dict[str, list[tuple[object, ...]]]:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(  # type: ignore[attr-defined]
                    select(table).order_by(*table.primary_key.columns)
                )
            ]
            for table in schema.metadata.sorted_tables
        }

    return store.read(job)


@pytest.fixture
def playing(store: Store) -> Hosted:
    """A game in the middle, and a person."""
    game = begin(TableService(store))
    game.play(8)
    person = {"id": "ann", "name": "Ann", "email": "ann@example.org", "created": 1, "seen": 2}
    store.write(lambda c: c.execute(schema.account.insert(), person | {"settings": "{}"}))
    secret = {"name": "key", "value": bytes(range(256))}
    store.write(lambda c: c.execute(schema.secret.insert(), secret)).result(SOON)
    return game


@pytest.fixture
def empty(new_url: Kinds, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty database of the kind that is wished for."""
    store = Store.open(new_url(request.param))
    yield store
    store.close()


@pytest.mark.parametrize("empty", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("name", ["backup.jsonl", "backup.jsonl.gz"])
def test_there_and_back(playing: Hosted, empty: Store, name: str, tmp_path: Path) -> None:
    file, told = tmp_path / name, []
    copied = backup(playing.table.store, file, lambda table, _: told.append(table))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert told == [table.name for table in schema.metadata.sorted_tables]
    assert restore(empty, file) == copied
    assert rows(empty) == rows(playing.table.store)
    assert verify_store(empty).damaged == {}
    before = playing.snapshot
    again = Hosted(TableService(empty))
    assert again.snapshot.witness == before.witness
    again.play(5)  # new notices get new numbers
    assert again.snapshot.head > before.head


def test_a_backup_while_games_go_on_is_of_one_moment(
    playing: Hosted, new_url: Kinds, tmp_path: Path
) -> None:
    stopped = threading.Event()

    def play() -> None:
        while not stopped.is_set() and playing.snapshot.ending is None:
            playing.play(1)

    thread = threading.Thread(target=play)
    thread.start()
    heads = []
    try:
        for number in range(4):
            file = tmp_path / f"{number}.jsonl"
            beside = Store.open_read_only(playing.table.store.url)
            backup(beside, file)
            beside.close()
            store = Store.open(new_url("sqlite"))
            restore(store, file)
            report = verify_store(store)
            assert report.damaged == {}
            heads.append(report.log_lines)
            store.close()
    finally:
        stopped.set()
        thread.join()
    assert heads == sorted(heads)
    assert heads[-1] > heads[0]


def test_only_an_empty_store_is_filled(playing: Hosted, tmp_path: Path) -> None:
    file = tmp_path / "backup.jsonl"
    backup(playing.table.store, file)
    with pytest.raises(TableError) as caught:
        restore(playing.table.store, file)
    assert caught.value.code == "backup/not-empty"
    with pytest.raises(TableError) as caught:
        backup(playing.table.store, file)
    assert caught.value.code == "backup/exists"
    with pytest.raises(TableError) as caught:
        backup(playing.table.store, tmp_path / "no" / "folder.jsonl")
    assert caught.value.code == "backup/cannot-be-written"


@pytest.fixture
def sqlite(new_url: Kinds) -> Iterator[Store]:
    store = Store.open(new_url("sqlite"))
    yield store
    store.close()


@pytest.fixture
def file(sqlite: Store, tmp_path: Path) -> Path:
    """A backup of a game."""
    migrate(sqlite)
    begin(TableService(sqlite)).play(5)
    backup(sqlite, tmp_path / "good.jsonl")
    return tmp_path / "good.jsonl"


def cut(lines: list[str]) -> list[str]:
    return lines[:-1]


def without_a_row(lines: list[str]) -> list[str]:
    return [*lines[:20], *lines[21:]]


def with_another_row(lines: list[str]) -> list[str]:
    place = next(n for n, line in enumerate(lines) if "running" in line)
    return [*lines[:place], lines[place].replace("running", "over"), *lines[place + 1 :]]


def no_json(lines: list[str]) -> list[str]:
    return [*lines[:5], "nonsense", *lines[6:]]


def a_newer_one(lines: list[str]) -> list[str]:
    return [json.dumps(json.loads(lines[0]) | {"schema": "9999"}), *lines[1:]]


def another_file(_: list[str]) -> list[str]:
    return ["[Rubicon 1]"]


def nothing(_: list[str]) -> list[str]:
    return []


def another_table(lines: list[str]) -> list[str]:
    place = next(n for n, line in enumerate(lines) if '"table":"log"' in line)
    return [*lines[:place], lines[place].replace('"log"', '"logs"'), *lines[place + 1 :]]


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (cut, "backup/damaged"),
        (without_a_row, "backup/damaged"),
        (with_another_row, "backup/damaged"),
        (no_json, "backup/damaged"),
        (another_table, "backup/damaged"),
        (a_newer_one, "backup/newer"),
        (another_file, "backup/damaged"),
        (nothing, "backup/damaged"),
    ],
)
def test_a_damaged_backup_fills_nothing(
    damage: Callable[[list[str]], list[str]], code: str, file: Path, new_url: Kinds
) -> None:
    lines = file.read_text("utf-8").splitlines()
    bad = file.with_name("bad.jsonl")
    bad.write_text("".join(f"{line}\n" for line in damage(lines)), "utf-8")
    store = Store.open(new_url("sqlite"))
    with pytest.raises(TableError) as caught:
        restore(store, bad)
    assert caught.value.code == code
    restore(store, file)  # it is still empty
    count = select(func.count()).select_from(schema.game).where(schema.game.c.id == GAME)
    assert store.read(lambda connection: connection.execute(count).scalar_one()) == 1
    store.close()


def test_a_cut_packed_backup(file: Path, sqlite: Store, new_url: Kinds) -> None:
    packed = file.with_name("packed.gz")
    packed.write_bytes(gzip.compress(file.read_bytes())[:-50])
    store = Store.open(new_url("sqlite"))
    with pytest.raises(TableError) as caught:
        restore(store, packed)
    assert caught.value.code == "backup/damaged"
    with pytest.raises(TableError) as caught:
        restore(store, file.with_name("none.jsonl"))
    assert caught.value.code == "backup/cannot-be-read"
    store.close()
