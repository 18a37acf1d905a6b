"""What waits in a transaction is sent in order and refused whole; no game waits for another."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, Transaction, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from rubicon.table import backlog, schema, writers
from rubicon.table.errors import StoreAway, StoreUnsure
from rubicon.table.heads import lock_heads, locked_head
from rubicon.table.kept_connection import KeptConnection
from rubicon.table.listening import Change, What, announce
from rubicon.table.migrating import migrate
from rubicon.table.page import (
    DELETE_CLOCKS,
    END,
    GO_ON,
    INSERT_LINES,
    SET_CLOCKS,
)
from rubicon.table.sheet import Sheet
from rubicon.table.store import Store
from rubicon.table.transactions import (
    SAID,
    Said,
    driver_of,
    on_one_sheet,
    run_later,
    run_text,
)
from tests.table.conftest import Postgres
from tests.table.test_store import held_up

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


def line(entry: int, game: str = "a", said: str = ODD) -> dict[str, Any]:
    """A line of a game's log."""
    named = {"game": game, "entry": entry, "kind": "action", "seat": "red"}
    return named | {"duty": 1, "text": said, "at": 1 << 41}


def entries(connection: Connection) -> list[int]:
    """The lines of the first game."""
    log = schema.log.c
    wanted = select(log.entry).where(log.game == "a").order_by(log.entry)
    return list(connection.execute(wanted).scalars())


def test_what_waits_is_there_for_the_next_question(stored: Store) -> None:
    def job(connection: Connection) -> tuple[list[int], int]:
        INSERT_LINES.run(connection, [line(4), line(5)])
        seen = entries(connection)
        INSERT_LINES.run(connection, [line(6)])
        counted = run_text(connection, "SELECT count(*) FROM log WHERE game = 'a'").fetchone()
        return seen, counted[0]

    assert stored.write(job).result(SOON) == ([4, 5], 3)
    assert stored.read(entries) == [4, 5, 6]
    assert stored.read(lambda c: set(c.execute(select(schema.log.c.text)).scalars())) == {ODD}


CLOCK = {"game": "a", "seat": "red", "kind": "move", "entry": 4, "due": 1 << 41}
HEAD = {"id": "a", "head": 4, "changed": 1 << 41, "void": 1 << 42}


def clocks(connection: Connection) -> set[tuple[str, str, int, int]]:
    """All clocks."""
    clock = schema.clock.c
    wanted = select(clock.game, clock.kind, clock.entry, clock.due)
    return {tuple(row) for row in connection.execute(wanted)}


def heads(connection: Connection) -> dict[str, int]:
    """Where the games stand."""
    game = schema.game.c
    return {row.id: row.head for row in connection.execute(select(game.id, game.head))}


def test_pages_of_one_game_are_written_one_behind_the_other(stored: Store) -> None:
    def job(connection: Connection) -> None:
        with on_one_sheet(connection, "a"):
            INSERT_LINES.run(connection, [line(entry) for entry in range(4, 64)])
            SET_CLOCKS.run(connection, [CLOCK, CLOCK | {"kind": "warning"}])
            GO_ON.run(connection, [HEAD])
        with on_one_sheet(connection, "a"):
            DELETE_CLOCKS.run(connection, [CLOCK])
            SET_CLOCKS.run(connection, [CLOCK | {"kind": "warning", "entry": 5, "due": 7}])
            GO_ON.run(connection, [HEAD | {"head": 5}])
        with on_one_sheet(connection, "a"):
            SET_CLOCKS.run(connection, [CLOCK | {"entry": 6, "due": 8}])
            GO_ON.run(connection, [HEAD | {"head": 6}])

    stored.write(job).result(SOON)
    assert stored.read(entries) == list(range(4, 64))
    assert stored.read(clocks) == {("a", "warning", 5, 7), ("a", "move", 6, 8)}
    assert stored.read(heads) == {"a": 6, "b": 5, "c": 7, "lobby": -1}


def test_pages_of_several_games_are_written_together(stored: Store) -> None:
    def page(game: str, head: int) -> Callable[[Connection], None]:
        def job(connection: Connection) -> None:
            with on_one_sheet(connection, game):
                INSERT_LINES.run(connection, [line(8, game)])
                SET_CLOCKS.run(connection, [CLOCK | {"game": game, "entry": head}])
                row = HEAD | {"id": game, "head": head}
                if game == "b":
                    END.run(connection, [row | {"state": "over", "ended": 1 << 41}])
                else:
                    GO_ON.run(connection, [row])

        return job

    with held_up(stored):
        jobs = [stored.write(page(g, head), game=g) for head in (8, 9) for g in "abc"]
    assert all(job.exception(SOON) is None for job in jobs[:3])
    assert [job.exception(SOON) is None for job in jobs[3:]] == [False] * 3  # lines that are there
    assert stored.read(heads) == {"a": 8, "b": 8, "c": 8, "lobby": -1}
    over = select(schema.game.c.id).where(schema.game.c.state == "over")
    assert stored.read(lambda c: c.execute(over).scalars().all()) == ["b"]
    assert {row[::2] for row in stored.read(clocks)} == {("a", 8), ("b", 8), ("c", 8)}


def test_many_pages_are_one_statement(shared: list[Store], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    run = Sheet.run

    def counted(sheet: Sheet) -> tuple[str, Sequence[Any]]:
        sent.append(run(sheet)[0])
        return run(sheet)

    monkeypatch.setattr(Sheet, "run", counted)

    def page(game: str) -> Callable[[Connection], None]:
        def job(connection: Connection) -> None:
            with on_one_sheet(connection, game):
                INSERT_LINES.run(connection, [line(8, game)])
                GO_ON.run(connection, [HEAD | {"id": game, "head": 8}])
                announce(connection, Change(What.PAGE, game, 8, 7))

        return job

    for job in _at_once(shared[0], *map(page, "abc")):
        job.result(SOON)
    assert len(sent) == 1
    assert shared[0].read(heads) == {"a": 8, "b": 8, "c": 8}


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


def _keeper(entry: int) -> Callable[[Connection], str]:
    def keep(connection: Connection) -> str:
        INSERT_LINES.run(connection, [line(entry)])
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


def test_heads_are_told_once_and_only_to_their_transaction(shared: list[Store]) -> None:
    def ahead(connection: Connection) -> tuple[set[str], list[int]]:
        free = lock_heads(connection, {"a", "b", "nowhere"})
        first = locked_head(connection, "a")
        connection.execute(text("UPDATE game SET head = 4 WHERE id = 'a'"))
        again, nowhere = locked_head(connection, "a"), locked_head(connection, "nowhere")
        assert first is not None
        assert again is not None
        assert nowhere is None
        return free, [first[0], again[0]]

    assert shared[0].write(ahead).result(SOON) == ({"a", "b"}, [3, 4])
    shared[1].write(lambda c: c.execute(text("UPDATE game SET head = 9")).rowcount).result(SOON)
    for _ in range(4):  # each writing thread's connection
        head = shared[0].write(lambda c: locked_head(c, "b")).result(SOON)
        assert head is not None
        assert head[0] == 9


def _head_of(store: Store, game: str) -> Future[Any]:
    return store.write(lambda connection: locked_head(connection, game), game=game)


@pytest.mark.parametrize("stuck", [1, 20])
def test_a_game_that_another_worker_has_holds_up_no_other(shared: list[Store], stuck: int) -> None:
    with shared[1].engine.begin() as other:
        other.execute(text("SELECT head FROM game WHERE id = 'b' FOR UPDATE"))
        waiting = [_head_of(shared[0], "b") for _ in range(stuck)]
        assert [_head_of(shared[0], game).result(SOON)[0] for game in "acac"] == [3, 7, 3, 7]
        assert not any(job.done() for job in waiting)
    assert [job.result(SOON)[0] for job in waiting] == [5] * stuck


def test_a_server_that_goes_at_the_commit_leaves_it_open_what_was_done(
    shared: list[Store], postgres: Postgres
) -> None:
    runs: list[int] = []

    def cut_off(connection: Connection) -> None:
        runs.append(1)
        run_later(connection, "SELECT 1")
        postgres.drop_connections(shared[0].url)

    def refuse(_: Connection) -> None:
        raise KeyError("no")

    refused, unsure = _at_once(shared[0], refuse, cut_off)
    assert isinstance(refused.exception(SOON), KeyError)  # it has done nothing, whatever became
    error = unsure.exception(SOON)
    assert isinstance(error, StoreUnsure)
    assert error.code == "store/unsure"
    assert runs == [1]  # it may be on the disk: it is not done again
    assert shared[0].write(_keeper(4)).result(SOON) == "kept"


def _at_once(store: Store, *jobs: Callable[[Connection], Any]) -> list[Future[Any]]:
    """Jobs that one writing thread takes together."""
    with held_up(store):
        return [store.write(job) for job in jobs]


def test_a_job_that_meets_a_lock_does_not_hold_up_those_beside_it(shared: list[Store]) -> None:
    held = text("SELECT head FROM game WHERE id = 'b' FOR UPDATE")
    with shared[1].engine.begin() as other:
        other.execute(held)
        stuck = lambda c: c.execute(held).scalar_one()  # noqa: E731
        jobs = _at_once(shared[0], stuck, stuck, stuck, _keeper(4), _keeper(5))
        assert [job.result(SOON) for job in jobs[3:]] == ["kept", "kept"]
        assert not any(job.done() for job in jobs[:3])
    assert [job.result(SOON) for job in jobs[:3]] == [5, 5, 5]


def test_games_that_wait_for_a_lock_hold_up_none_that_must_be_built(
    shared: list[Store],
) -> None:
    with shared[1].engine.begin() as other:
        other.execute(text("SELECT head FROM game WHERE id = 'b' FOR UPDATE"))
        stuck = [_head_of(shared[0], "b") for _ in range(20)]
        time.sleep(0.2)
        began = time.monotonic()
        for long in (True, False):
            wanted = shared[0].write(lambda c: locked_head(c, "c"), game="c", long=long)
            assert wanted.result(SOON) is not None
        with pytest.raises(ZeroDivisionError):  # it fails beside others, and so alone
            shared[0].write(lambda c: _keeper(4)(c) and 1 / 0).result(SOON)
        assert time.monotonic() - began < 4  # shorter than anybody waits for a lock
        assert not any(job.done() for job in stuck)
    assert [job.result(SOON)[0] for job in stuck] == [5] * 20


def test_a_row_that_cannot_be_written_fails_its_own_job(shared: list[Store]) -> None:
    strange = [line(5, said="\ud800"), line(6) | {"at": object()}, {"game": "a", "entry": 7}]

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
    assert Counter(runs) == {"twice": 1 + writers.ATTEMPTS, "look": 2}


def test_a_thread_outlives_a_job_that_wants_to_end_it(stored: Store) -> None:
    def leave(connection: Connection) -> None:
        INSERT_LINES.run(connection, [line(4)])
        raise SystemExit

    for _ in range(3):
        assert isinstance(stored.write(leave).exception(SOON), SystemExit)
    assert stored.write(_keeper(5)).result(SOON) == "kept"
    assert stored.read(entries) == [5]


def test_pages_of_a_large_house_are_found_by_their_keys(shared: list[Store]) -> None:
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
        with on_one_sheet(connection, "a"):
            GO_ON.run(connection, [HEAD])
            DELETE_CLOCKS.run(connection, [CLOCK])
            said: Said = connection.info[SAID]
            assert said.sheet is not None
            sql = said.sheet.run()[0].replace("%s", "$1").replace("$1", "$2", 1)
        driver = driver_of(connection)
        plans.extend(row[0] for row in driver.execute(f"EXPLAIN (GENERIC_PLAN) {sql}".encode()))

    shared[0].write(explain).result(SOON)
    assert any("Update on game" in line for line in plans)
    assert any("Delete on clock" in line for line in plans)
    assert not any("Seq Scan" in line for line in plans), plans


def test_a_refusal_that_was_passed_over_is_told_to_nobody_as_success(shared: list[Store]) -> None:
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
    monkeypatch.setattr(writers, "LONGEST_TOGETHER", 0.1)
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


def test_a_writing_thread_outlives_whatever_happens(
    shared: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: KeptConnection) -> Connection:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(KeptConnection, "connection", full)
        errors = [shared[0].write(_keeper(entry)).exception(SOON) for entry in range(4, 12)]
        assert all(isinstance(error, StoreAway) for error in errors)
    assert shared[0].write(_keeper(4)).result(SOON) == "kept"

    def undone() -> None:
        raise KeyError("unforeseen")

    def fail(_: Connection) -> None:
        raise ValueError

    shared[0].write(fail, undone)
    assert [shared[0].write(_keeper(e)).result(SOON) for e in range(5, 12)] == ["kept"] * 7


def test_jobs_that_wait_apart_count_among_those_that_wait(
    shared: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "MOST_WAITING", 20)
    with shared[1].engine.begin() as other:
        other.execute(text("SELECT head FROM game WHERE id = 'b' FOR UPDATE"))
        jobs = []
        for _ in range(60):
            jobs.append(_head_of(shared[0], "b"))
            time.sleep(0.005)
        refused = [job for job in jobs if job.done()]
        assert 30 <= len(refused) <= 40
    kept = [job.result(SOON)[0] for job in jobs if job not in refused]
    assert kept == [5] * len(kept)


def test_a_question_among_parts_sees_what_was_said_before_them(stored: Store) -> None:
    def job(connection: Connection) -> list[int]:
        INSERT_LINES.run(connection, [line(4)])
        with on_one_sheet(connection, "a"):
            INSERT_LINES.run(connection, [line(5)])
            seen = entries(connection)
            run_later(connection, "SELECT 1")  # a question that is not the last of its parts
            INSERT_LINES.run(connection, [line(6)])
        return seen

    assert stored.write(job).result(SOON) == [4, 5]
    assert stored.read(entries) == [4, 5, 6]
