"""Jobs are committed together and fail alone; no game waits for the lock of another."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, Transaction, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from rubicon.table.errors import StoreOutcomeUnknown, StoreUnavailable
from rubicon.table.game.unit_of_work import (
    DELETE_CLOCKS,
    INSERT_LINES,
    SET_CLOCKS,
    UPDATE_END,
    UPDATE_HEAD,
)
from rubicon.table.storage import schema, statements, writer
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.notifications import Change, ChangeKind, announce
from rubicon.table.storage.statements import LockedGame, PendingRows, driver_of
from tests.table.conftest import Postgres
from tests.table.storage.test_database import held_up

SOON = 60
ODD = 'says "no" \\ or\n\té ☃ 😀 %s :x'


@pytest.fixture
def stored(store: Store) -> Store:
    """A store with three games that have begun, and one in the lobby."""
    rows = [
        {"id": game, "state": "running", "title": "", "access": "open", "ruleset": "{}"}
        | {"settings": "{}", "created": 0, "changed": 0, "head": head}
        for game, head in (("a", 3), ("b", 5), ("c", 7), ("lobby", -1))
    ]
    store.write(lambda c: c.execute(insert(schema.game), rows).rowcount).result(SOON)
    return store


def line(index: int, game: str = "a", said: str = ODD) -> dict[str, Any]:
    """A line of a game's log."""
    named = {"game": game, "log_index": index, "kind": "action", "seat": "red"}
    return named | {"decision": 1, "text": said, "at": 1 << 41}


def entries(connection: Connection) -> list[int]:
    """The lines of the first game."""
    log = schema.log.c
    wanted = select(log.log_index).where(log.game == "a").order_by(log.log_index)
    return list(connection.execute(wanted).scalars())


def test_buffered_rows_are_visible_to_the_next_query(stored: Store) -> None:
    def job(connection: Connection) -> tuple[list[int], int]:
        INSERT_LINES.run(connection, [line(4), line(5)])
        seen = entries(connection)
        INSERT_LINES.run(connection, [line(6)])
        counted = text("SELECT count(*) FROM log WHERE game = 'a'")
        return seen, connection.execute(counted).scalar_one()

    assert stored.write(job).result(SOON) == ([4, 5], 3)
    assert stored.read(entries) == [4, 5, 6]
    assert stored.read(lambda c: set(c.execute(select(schema.log.c.text)).scalars())) == {ODD}


CLOCK = {"game": "a", "seat": "red", "kind": "move", "log_index": 4, "due": 1 << 41}
HEAD = {"id": "a", "head": 4, "changed": 1 << 41, "void": 1 << 42, "digest": "0" * 64}


def clocks(connection: Connection) -> set[tuple[str, str, int, int]]:
    """All clocks."""
    clock = schema.clock.c
    wanted = select(clock.game, clock.kind, clock.log_index, clock.due)
    return {tuple(row) for row in connection.execute(wanted)}


def heads(connection: Connection) -> dict[str, int]:
    """Where the games stand."""
    game = schema.game.c
    return {row.id: row.head for row in connection.execute(select(game.id, game.head))}


def test_one_game_is_written_once_a_batch_and_in_order(stored: Store) -> None:
    def first(connection: Connection) -> None:
        INSERT_LINES.run(connection, [line(index) for index in range(4, 200)])
        SET_CLOCKS.run(connection, [CLOCK, CLOCK | {"kind": "warning"}])
        UPDATE_HEAD.run(connection, [HEAD])

    def second(connection: Connection) -> None:
        DELETE_CLOCKS.run(connection, [CLOCK])
        SET_CLOCKS.run(connection, [CLOCK | {"kind": "warning", "log_index": 5, "due": 7}])
        UPDATE_HEAD.run(connection, [HEAD | {"head": 5}])

    def third(connection: Connection) -> None:
        SET_CLOCKS.run(connection, [CLOCK | {"log_index": 6, "due": 8}])
        UPDATE_HEAD.run(connection, [HEAD | {"head": 6}])

    with held_up(stored):
        jobs = [stored.write(job, game="a") for job in (first, second, third)]
    assert [job.exception(SOON) for job in jobs] == [None] * 3
    assert stored.read(entries) == list(range(4, 200))
    assert stored.read(clocks) == {("a", "warning", 5, 7), ("a", "move", 6, 8)}
    assert stored.read(heads) == {"a": 6, "b": 5, "c": 7, "lobby": -1}


def test_units_of_several_games_are_written_together(
    stored: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bool] = []
    write = PendingRows.write

    def counted(rows: PendingRows, connection: Connection) -> None:
        written.append(True)
        write(rows, connection)

    monkeypatch.setattr(PendingRows, "write", counted)

    def unit(game: str, head: int) -> Callable[[Connection], None]:
        def job(connection: Connection) -> None:
            INSERT_LINES.run(connection, [line(8, game)])
            SET_CLOCKS.run(connection, [CLOCK | {"game": game, "log_index": head}])
            row = HEAD | {"id": game, "head": head}
            if game == "b":
                UPDATE_END.run(connection, [row | {"state": "over", "ended": 1 << 41}])
            else:
                UPDATE_HEAD.run(connection, [row])
            announce(connection, Change(ChangeKind.GAME, game, 8, 7))

        return job

    with held_up(stored):
        jobs = [stored.write(unit(game, 8), game=game) for game in "abc"]
    assert all(job.exception(SOON) is None for job in jobs)
    assert len(written) == 1
    again = [stored.write(unit(game, 9), game=game) for game in "abc"]
    assert all(isinstance(job.exception(SOON), IntegrityError) for job in again)
    assert stored.read(heads) == {"a": 8, "b": 8, "c": 8, "lobby": -1}
    over = select(schema.game.c.id).where(schema.game.c.state == "over")
    assert stored.read(lambda c: c.execute(over).scalars().all()) == ["b"]
    assert {row[::2] for row in stored.read(clocks)} == {("a", 8), ("b", 8), ("c", 8)}


def test_a_job_that_is_refused_takes_only_its_own_rows_back(stored: Store) -> None:
    def refused(connection: Connection) -> None:
        INSERT_LINES.run(connection, [line(5)])
        raise KeyError("refused")

    runs: list[int] = []

    def counted(connection: Connection) -> str:
        runs.append(1)
        return _keeper(4)(connection)

    with held_up(stored):
        jobs: list[Future[Any]] = [stored.write(counted), stored.write(refused)]
        jobs.append(stored.write(_keeper(6)))
    assert isinstance(jobs[1].exception(SOON), KeyError)
    assert [jobs[0].result(SOON), jobs[2].result(SOON)] == ["kept", "kept"]
    assert runs == [1]  # the transaction went on
    assert stored.read(entries) == [4, 6]


def test_a_locked_row_without_a_game_fails_after_a_bounded_wait(shared: list[Store]) -> None:
    held = text("SELECT head FROM game WHERE id = 'b' FOR UPDATE")
    with shared[1].engine.begin() as other:
        other.execute(held)
        began = time.monotonic()
        jobs = _at_once(shared[0], lambda c: c.execute(held).scalar_one(), _keeper(4))
        assert isinstance(jobs[0].exception(SOON), StoreUnavailable)
        assert jobs[1].result(SOON) == "kept"
        assert time.monotonic() - began < SOON


def test_the_writer_survives_a_connection_that_cannot_be_made(
    shared: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: writer.Writer) -> Connection:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(writer.Writer, "_connected", full)
        errors = [shared[0].write(_keeper(index)).exception(SOON) for index in range(4, 12)]
        assert all(isinstance(error, OSError) for error in errors)
    assert shared[0].write(_keeper(4)).result(SOON) == "kept"


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "with others"])
def test_what_is_refused_late_is_refused_whole(stored: Store, alone: bool) -> None:
    def twice(connection: Connection) -> str:
        INSERT_LINES.run(connection, [line(8)])
        INSERT_LINES.run(connection, [line(8)])
        return "done"

    jobs = [twice] if alone else [_keeper(4), twice, _keeper(5)]
    done = [stored.write(job) for job in jobs]
    errors = [future.exception(SOON) for future in done]
    assert isinstance(errors[len(errors) // 2], DBAPIError)
    assert [error is None for error in errors].count(False) == 1
    assert stored.read(entries) == ([] if alone else [4, 5])
    assert stored.write(_keeper(9)).result(SOON) == "kept"  # the connection is well


def _keeper(index: int) -> Callable[[Connection], str]:
    def keep(connection: Connection) -> str:
        INSERT_LINES.run(connection, [line(index)])
        return "kept"

    return keep


@pytest.fixture
def shared(postgres: Postgres) -> Iterator[list[Store]]:
    """Two workers on one PostgreSQL with three games."""
    url = postgres.database()
    stores = [Store.open(url), Store.open(url)]
    migrate(stores[0])
    rows = [
        {"id": game, "state": "running", "title": "", "access": "open", "ruleset": "{}"}
        | {"settings": "{}", "created": 0, "changed": 0, "head": head}
        for game, head in (("a", 3), ("b", 5), ("c", 7))
    ]
    stores[0].write(lambda c: c.execute(insert(schema.game), rows).rowcount).result(SOON)
    yield stores
    for store in stores:
        store.close()


def _head_of(store: Store, game: str) -> Future[int]:
    def work(_: Connection, locked: LockedGame | None) -> int:
        assert locked is not None
        return locked.head

    return store.run(lambda: store.transaction(work, game))


@pytest.mark.parametrize("stuck", [1, 20])
def test_a_game_that_another_worker_has_holds_up_no_other(shared: list[Store], stuck: int) -> None:
    with shared[1].engine.begin() as other:
        other.execute(text("SELECT head FROM game WHERE id = 'b' FOR UPDATE"))
        waiting = [_head_of(shared[0], "b") for _ in range(stuck)]
        assert [_head_of(shared[0], game).result(SOON) for game in "acac"] == [3, 7, 3, 7]
        assert not any(job.done() for job in waiting)
    assert [job.result(SOON) for job in waiting] == [5] * stuck


def test_a_server_that_goes_at_the_commit_leaves_it_open_what_was_done(
    shared: list[Store], postgres: Postgres
) -> None:
    runs: list[int] = []

    def cut_off(connection: Connection) -> None:
        runs.append(1)
        INSERT_LINES.run(connection, [line(4)])
        postgres.drop_connections(shared[0].url)

    def refuse(_: Connection) -> None:
        raise KeyError("no")

    refused, unsure = _at_once(shared[0], refuse, cut_off)
    assert isinstance(refused.exception(SOON), KeyError)  # it has done nothing, whatever became
    error = unsure.exception(SOON)
    assert isinstance(error, StoreOutcomeUnknown)
    assert error.code == "database/outcome-unknown"
    assert runs == [1]  # it may be on the disk: it is not done again
    assert shared[0].write(_keeper(5)).result(SOON) == "kept"


def _at_once(store: Store, *jobs: Callable[[Connection], Any]) -> list[Future[Any]]:
    """Jobs that one writing thread takes together."""
    with held_up(store):
        return [store.write(job) for job in jobs]


def test_a_row_that_cannot_be_written_fails_its_own_job(shared: list[Store]) -> None:
    strange = [line(5, said="\ud800"), line(6) | {"at": object()}, {"game": "a", "log_index": 7}]

    def write(row: dict[str, Any]) -> Callable[[Connection], Any]:
        return lambda connection: INSERT_LINES.run(connection, [row])

    jobs = _at_once(shared[0], _keeper(4), *map(write, strange), _keeper(8))
    errors = [type(job.exception(SOON)) for job in jobs]
    assert errors == [type(None), UnicodeEncodeError, TypeError, KeyError, type(None)]
    assert shared[0].read(entries) == [4, 8]


def test_rows_that_are_refused_beside_a_question_are_not_held_against_it(
    shared: list[Store],
) -> None:
    runs: list[str] = []

    def twice(connection: Connection) -> None:
        runs.append("twice")
        INSERT_LINES.run(connection, [line(4), line(4)])

    def look(connection: Connection) -> list[int]:
        runs.append("look")
        return entries(connection)

    guilty, *others = _at_once(shared[0], twice, look, _keeper(5))
    assert isinstance(guilty.exception(SOON), IntegrityError)
    assert [job.exception(SOON) for job in others] == [None, None]
    assert runs[:2] == ["twice", "look"]  # beside one another, and then each alone
    assert Counter(runs) == {"twice": 1 + writer.ATTEMPTS, "look": 2}


def test_a_thread_outlives_a_job_that_wants_to_end_it(stored: Store) -> None:
    def leave(connection: Connection) -> None:
        INSERT_LINES.run(connection, [line(4)])
        raise SystemExit

    for _ in range(3):
        assert isinstance(stored.write(leave).exception(SOON), RuntimeError)
    assert stored.write(_keeper(5)).result(SOON) == "kept"
    assert stored.read(entries) == [5]


def test_large_tables_are_updated_by_their_keys(shared: list[Store]) -> None:
    plans: list[str] = []
    rows = [
        {"id": f"g{number}", "state": "over", "title": "A house", "access": "open", "head": 9}
        | {"ruleset": "{}" * 50, "settings": "{}" * 50, "created": 0, "changed": 0}
        for number in range(4000)
    ]
    due = [
        CLOCK | {"game": row["id"], "kind": kind} for row in rows for kind in ("move", "warning")
    ]
    shared[0].write(lambda c: c.execute(insert(schema.game), rows).rowcount).result(SOON)
    shared[0].write(lambda c: c.execute(insert(schema.clock), due).rowcount).result(SOON)
    with shared[0].engine.begin() as connection:
        connection.execute(text("ANALYZE"))

    def explain(connection: Connection) -> None:
        texts = sorted(part.for_document() for part in (UPDATE_HEAD, DELETE_CLOCKS))
        sql = statements._as_one(tuple((part, False) for part in texts))
        sql = sql.replace("%s", "$1").replace("$1", "$2", 1)
        driver = driver_of(connection)
        plans.extend(row[0] for row in driver.execute(f"EXPLAIN (GENERIC_PLAN) {sql}".encode()))

    shared[0].write(explain).result(SOON)
    assert any("Update on game" in line for line in plans)
    assert any("Delete on clock" in line for line in plans)
    assert not any("Seq Scan" in line for line in plans), plans


def test_an_ignored_database_error_is_not_reported_as_success(shared: list[Store]) -> None:
    def passes_over(connection: Connection) -> str:
        with suppress(DBAPIError):
            connection.execute(text("SELECT no_such_thing"))
        return "done"

    jobs = _at_once(shared[0], _keeper(4), passes_over, _keeper(5))
    assert [job.exception(SOON) is None for job in jobs] == [True, False, True]
    assert shared[0].read(entries) == [4, 5]
    assert isinstance(jobs[1].exception(), RuntimeError)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_there_is_no_time_for_is_in_the_next_transaction(
    kind: str, new_url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SECONDS_PER_COMMIT", 0.1)
    store = Store.open(new_url(kind))
    migrate(store)
    within: list[Transaction | None] = []

    def slow(connection: Connection) -> int:
        time.sleep(0.06)
        within.append(connection.get_transaction())
        return len(within)

    jobs = _at_once(store, *[slow] * 8)
    assert sorted(job.result(SOON) for job in jobs) == list(range(1, 9))
    assert 3 <= len(set(within)) <= 8
    store.close()
