"""The database: acknowledged rows are durable, failed jobs store nothing, outages end."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, text

from rubicon.players.player import Player
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.errors import Stale, StoreUnavailable, TableError
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import Settings
from rubicon.table.storage import connection as sqlite_file
from rubicon.table.storage import schema, writer
from rubicon.table.storage.connection import SteadyTime
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import TableService
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON, Hosted
from tests.waiting import until

KEEP = text("INSERT INTO secret (name, value) VALUES (:name, :value)")
KEPT = select(schema.secret.c.name).order_by(schema.secret.c.name)


def keep(name: str, size: int = 3) -> Callable[[Connection], str]:
    """A job that writes a row of some size."""

    def job(connection: Connection) -> str:
        connection.execute(KEEP, {"name": name, "value": bytes(size)})
        return name

    return job


def kept(store: Store) -> list[str]:
    """The names of the rows."""
    return store.read(lambda connection: [row.name for row in connection.execute(KEPT)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def sqlite(file: Path) -> Iterator[Store]:
    store = Store.open(str(file))
    migrate(store)
    yield store
    store.close()


@contextmanager
def held_up(store: Store) -> Iterator[None]:
    """Keep the writer thread busy: the jobs submitted meanwhile become one batch."""
    busy, go_on = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        busy.set()
        go_on.wait(SOON)

    held = store.write(hold)
    assert busy.wait(SOON)
    yield
    go_on.set()
    held.result(SOON)


def test_a_failing_job_is_undone_alone(store: Store) -> None:
    def fail(connection: Connection) -> None:
        keep("b")(connection)
        raise KeyError("unforeseen")

    undone: list[str] = []

    def work(connection: Connection, _: object) -> None:
        fail(connection)

    def submit() -> Future[None]:
        return store.run(lambda: store.transaction(work, None, lambda: undone.append("b")))

    with held_up(store):
        jobs: list[Future[Any]] = [store.write(keep("a")), submit()]
        jobs.append(store.write(lambda c: c.execute(text("no such statement"))))
        jobs.append(store.write(lambda c: c.execute(KEEP, {"name": None, "value": b""})))
        jobs.append(store.write(keep("c")))
    errors = [job.exception(SOON) for job in jobs]
    assert [error is None for error in errors] == [True, False, False, False, True]
    assert isinstance(errors[1], KeyError)
    assert not any(isinstance(error, StoreUnavailable) for error in (errors[1], errors[3]))
    assert undone == ["b"] * 2  # with the others, and by itself
    assert kept(store) == ["a", "c"]


def test_a_result_comes_only_when_it_is_durable(url: str) -> None:
    store = Store.open(url)
    migrate(store)
    beside = Store.open_read_only(url)
    for number in range(20):
        store.write(keep(str(number))).result(SOON)
        assert str(number) in kept(beside)
    beside.close()
    store.close()


def test_closing_finishes_waiting_jobs_and_their_consequences(url: str) -> None:
    store = Store.open(url)
    migrate(store)
    follows: list[Future[str]] = []
    with held_up(store):
        jobs = [store.write(keep(f"job{number}")) for number in range(50)]
        jobs += [store.write(keep(f"apart{number}")) for number in range(5)]
        for after in jobs[49], jobs[-1]:
            after.add_done_callback(
                lambda done: follows.append(store.write(keep(f"after {done.result()}")))
            )
        closing = threading.Thread(target=store.close)
        closing.start()
        time.sleep(0.1)  # for the blocked job
    closing.join(SOON)
    assert not closing.is_alive()
    assert {follow.result(0) for follow in follows} == {"after job49", "after apart4"}
    assert all(job.result(0) for job in jobs)
    with pytest.raises(StoreUnavailable, match="stopping"):
        store.write(keep("late")).result(SOON)
    again = Store.open_read_only(url)
    assert len(kept(again)) == 57
    again.close()


def test_a_job_cannot_be_cancelled(store: Store) -> None:
    with held_up(store):
        job = store.write(keep("a"))
        assert not job.cancel()
    assert job.result(SOON) == "a"
    assert store.write(keep("b")).result(SOON) == "b"


def test_too_many_jobs_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_WAITING", 5)
    with held_up(store):
        jobs = [store.write(keep(str(number))) for number in range(6)]
    with pytest.raises(StoreUnavailable, match="too many"):
        jobs[5].result(SOON)
    assert [job.result(SOON) for job in jobs[:5]] == list("01234")


def test_a_full_disk_fails_those_that_need_room_and_then_all_is_well(sqlite: Store) -> None:
    def fill(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 5}")
        keep("big", 1_000_000)(connection)

    with held_up(sqlite):
        jobs: list[Future[Any]] = [sqlite.write(keep("with it")), sqlite.write(fill)]
        jobs += [sqlite.write(keep(f"behind{number}")) for number in range(300)]
    failed = [job for job in jobs if isinstance(job.exception(SOON), StoreUnavailable)]
    assert jobs[1] in failed
    assert "full" in str(jobs[1].exception())
    assert sqlite.write(keep("after")).result(SOON) == "after"
    acknowledged = {job.result() for job in jobs if job.exception() is None}
    assert set(kept(sqlite)) == acknowledged | {"after"}


def test_an_io_error_is_reported_and_survived(sqlite: Store) -> None:
    sqlite.write(keep("before")).result(SOON)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        for name in ("one", "two"):
            with pytest.raises(StoreUnavailable):
                sqlite.write(keep(name, 2_000_000)).result(SOON)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    sqlite.write(keep("after", 2_000_000)).result(SOON)
    assert kept(sqlite) == ["after", "before"]


def test_a_locked_file_fails_all_that_wait_for_it_together(
    sqlite: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parked = ("busy_timeout=1000", *sqlite_file.PRAGMAS[1:])
    monkeypatch.setattr(sqlite_file, "PRAGMAS", parked)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    jobs = [sqlite.write(keep(str(number))) for number in range(500)]
    assert all(isinstance(job.exception(SOON), StoreUnavailable) for job in jobs)
    assert time.monotonic() - begun < 100  # and not a second for each
    other.execute("ROLLBACK")
    other.close()
    assert sqlite.write(keep("after")).result(SOON) == "after"


def test_a_deleted_file_is_detected_and_not_recreated(sqlite: Store, file: Path) -> None:
    sqlite.write(keep("before")).result(SOON)
    away = file.with_name("moved.db")
    file.rename(away)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="deleted"):
            sqlite.write(keep("lost")).result(SOON)
        with pytest.raises(StoreUnavailable, match="deleted"):
            kept(sqlite)
    assert not file.exists()
    file.write_bytes(b"")
    with pytest.raises(StoreUnavailable, match="replaced"):
        sqlite.write(keep("lost")).result(SOON)
    away.rename(file)
    sqlite.write(keep("after")).result(SOON)
    assert kept(sqlite) == ["after", "before"]


HOLD = "import sys; from rubicon.table.storage.database import Store; s = Store.open(sys.argv[1]); print('held', flush=True); input()"  # noqa: E501


def test_a_second_process_is_refused_until_the_first_is_gone(file: Path) -> None:
    program = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        with pytest.raises(TableError) as caught:
            Store.open(str(file))
        assert caught.value.code == "store/held"
        assert str(first.pid) in caught.value.message
        Store.open_read_only(str(file)).close()  # reading is allowed
        first.kill()
    store = Store.open(str(file))
    with pytest.raises(TableError, match="This process"):
        Store.open(str(file))
    if pid := os.fork():  # a child does not hold it in our place
        store.close()
        Store.open(str(file)).close()
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    else:
        time.sleep(SOON)
        os._exit(0)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("mysql://host/database", "store/bad-url"),
        ("nonsense://", "store/bad-url"),
        ("sqlite://", "store/bad-url"),
        ("sqlite:///:memory:", "store/bad-url"),
        ("sqlite:///{folder}", "store/bad-url"),
        ("{folder}/file/games.db", "store/cannot-open"),
    ],
)
def test_what_is_no_store_is_refused(written: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TableError) as caught:
        Store.open(written.format(folder=tmp_path))
    assert caught.value.code == code
    with pytest.raises(TableError):
        Store.open_read_only(f"{tmp_path}/none.db")


def test_a_password_is_not_in_errors() -> None:
    with pytest.raises(TableError) as caught:
        Store.open_read_only("postgresql://somebody:sesame@127.0.0.1:9/nowhere")
    assert "sesame" not in str(caught.value)


def test_time_never_goes_back_and_does_not_stand_still() -> None:
    wall, steady = [10_000_000_000], [0]
    told = SteadyTime(lambda: wall[0], lambda: steady[0])

    def pass_by(milliseconds: int, jump: int = 0) -> int:
        wall[0] += (milliseconds + jump) * 1_000_000
        steady[0] += milliseconds * 1_000_000
        return told()

    assert pass_by(100) == 10_100
    assert pass_by(100, jump=-5_000) == 10_150
    assert pass_by(100) == 10_200
    assert pass_by(20_000) == 25_300  # met again
    assert pass_by(0, jump=60_000) == 85_300


# PostgreSQL, with several workers on one database


@pytest.fixture
def workers(new_url: Callable[[str], str]) -> Iterator[list[TableService]]:
    """Two workers, each with a store of its own on one database."""
    url = new_url("postgresql")
    stores = [Store.open(url) for _ in range(2)]
    migrate(stores[0])
    yield [TableService(store) for store in stores]
    for store in stores:
        store.close()


def begin(table: TableService) -> Hosted:
    """A game at one of the workers."""
    game = Hosted(table)
    game.begin(Ruleset.load("classic", board="skerries"), 3, Settings())
    return game


def test_two_workers_at_one_game_lose_nothing_and_double_nothing(
    workers: list[TableService],
) -> None:
    begin(workers[0])
    taken: set[tuple[str, int, int]] = set()

    def play(table: TableService) -> None:
        game = Hosted(table)
        while len(taken) < 80:  # the set-up alone has more decisions
            snapshot = game.snapshot
            if not snapshot.decisions:  # dice are being rolled
                time.sleep(0.001)
                continue
            seat, decision = next(iter(snapshot.decisions.items()))
            action = str(Player("greedy", seat, seed=decision).decide(snapshot.game()))
            try:
                receipt = game.submit_async(seat, decision, action).result(SOON)
            except Stale:
                continue
            taken.add((seat, decision, receipt.first))

    threads = [threading.Thread(target=play, args=(table,)) for table in workers * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = workers[0].store
    lines = store.read(lambda connection: lines_of(connection, GAME))
    decided = [
        (line.seat, line.decision, line.index) for line in lines if line.kind is LineKind.ACTION
    ]
    assert set(decided) == taken
    assert len({(seat, decision) for seat, decision, _ in decided}) == len(decided) >= 80
    assert [line.index for line in lines] == list(range(len(lines)))
    hosted = store.read(lambda connection: rebuilt(connection, GAME))
    for table in workers:
        assert str(table.snapshot(GAME).game()) == str(hosted.game)


def test_connections_that_are_cut_off_are_made_again(
    workers: list[TableService], postgres: Postgres
) -> None:
    game = begin(workers[0])
    head = game.snapshot.head
    runs: list[int] = []

    def slow(connection: Connection) -> int:
        runs.append(1)
        connection.execute(text("SELECT pg_sleep(:seconds)"), {"seconds": 20 if runs == [1] else 0})
        return len(runs)

    job = workers[0].store.write(slow)
    until(lambda: bool(runs))
    postgres.drop_connections(workers[0].store.url)
    assert job.result(SOON) == 2  # nothing of it was stored: it is done again
    assert game.play(5) == 5
    assert game.snapshot.head > head


def test_a_database_that_is_gone_comes_back(
    workers: list[TableService], postgres: Postgres
) -> None:
    game = begin(workers[0])
    seat, decision = game.mover()
    action = str(Player("greedy", seat, seed=1).decide(game.snapshot.game()))
    postgres.stop()
    try:
        begun = time.monotonic()
        jobs = [game.submit_async(seat, decision, action) for _ in range(20)]
        assert all(isinstance(job.exception(SOON), StoreUnavailable) for job in jobs)
        with pytest.raises(StoreUnavailable):
            kept(workers[0].store)
        assert time.monotonic() - begun < 2 * SOON  # they do not wait one after the other
    finally:
        postgres.start()
    receipt = game.submit_async(seat, decision, action).result(SOON)
    assert game.submit_async(seat, decision, action).result(SOON) == receipt
    assert Hosted(workers[1]).snapshot.head == game.snapshot.head


def test_a_row_that_is_held_for_ever_is_not_waited_for(
    workers: list[TableService], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_WAIT", 0.5)
    impatient = Store.open(workers[0].store.url)
    game = begin(TableService(impatient))
    seat, decision = game.mover()
    with workers[1].store.engine.begin() as other:
        other.execute(select(schema.game.c.head).where(schema.game.c.id == GAME).with_for_update())
        waiting = game.submit_async(seat, decision, "resign")
        assert isinstance(waiting.exception(SOON), StoreUnavailable)
    assert game.play(3) == 3
    impatient.close()
