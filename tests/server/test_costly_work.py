"""Costly work: bounded for each account and in all, and stopped where it takes too long."""

from __future__ import annotations

import asyncio
import os
import pickle
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.board.board import COLOURS, Board
from rubicon.server import work as costly_work
from rubicon.server.work import MOST, MOST_EACH, CostlyWork, WorkError, WorkProcess
from rubicon.table.errors import NoSuchGame, Stale, StoreUnavailable


@pytest.fixture
def process() -> Iterator[WorkProcess]:
    """A process that is stopped in the end."""
    process = WorkProcess()
    yield process
    process.close()


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costly_work, "REFUSAL_PAUSE", 0.0)


def fail(game: str) -> None:
    """Refuse, as a function of the process may."""
    raise NoSuchGame(game)


def test_a_function_is_called_in_another_process(process: WorkProcess) -> None:
    first, second = process.call(60, os.getpid), process.call(60, os.getpid)
    assert first == second != os.getpid()
    assert process.call(60, int, "ff", base=16) == 255


def test_an_error_of_the_function_is_raised_here(process: WorkProcess) -> None:
    with pytest.raises(NoSuchGame) as refused:
        process.call(60, fail, "abc")
    assert refused.value.code == "game/unknown"
    with pytest.raises(RuntimeError, match="ValueError in int"):
        process.call(60, int, "no number")
    assert process.call(60, abs, -1) == 1


def test_what_takes_too_long_is_stopped_and_the_next_call_is_answered(process: WorkProcess) -> None:
    before = process.call(60, os.getpid)
    with pytest.raises(WorkError) as stopped:
        process.call(0.05, time.sleep, 3600)
    assert stopped.value.code == "work/too-long"
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    assert process.call(60, os.getpid) != before


def test_a_process_that_dies_is_replaced(process: WorkProcess) -> None:
    with pytest.raises(WorkError) as lost:
        process.call(60, os._exit, 1)
    assert lost.value.code == "work/interrupted"
    assert process.call(60, abs, -1) == 1


@pytest.mark.parametrize(
    "error",
    [NoSuchGame("abc"), Stale(3, 7), StoreUnavailable("no room"), WorkError("a/b", "c", "d")],
    ids=lambda error: error.code,
)
def test_errors_survive_the_way_between_processes(error: Any) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.as_dict(), vars(again)) == (str(error), error.as_dict(), vars(error))


def test_the_problems_of_orders_survive_it_too() -> None:
    with pytest.raises(OrdersError) as unreadable:
        read_orders("atack alaska", Board.load("world"), COLOURS)
    again = pickle.loads(pickle.dumps(unreadable.value))
    assert again.problems == unreadable.value.problems
    assert again.corrected == unreadable.value.corrected


def codes(results: list[Any]) -> list[str]:
    """The codes of the errors among results."""
    return [result.code for result in results if isinstance(result, WorkError)]


def test_an_account_has_one_turn_at_a_time_and_few_that_wait() -> None:
    working, most, lock = 0, 0, threading.Lock()

    def work() -> None:
        nonlocal working, most
        with lock:
            working += 1
            most = max(most, working)
        time.sleep(0.01)
        with lock:
            working -= 1

    async def ask() -> list[Any]:
        costly = CostlyWork()
        try:
            asked = (costly.in_thread("ann", work) for _ in range(40))
            results = await asyncio.gather(*asked, return_exceptions=True)
            await costly.in_thread("ann", work)  # afterwards there is room again
        finally:
            costly.close()
        return results

    assert codes(asyncio.run(ask())) == ["work/busy"] * (40 - MOST_EACH)
    assert most == 1


def test_one_account_does_not_hold_up_another() -> None:
    done: list[str] = []
    go = threading.Event()

    def wait() -> None:
        go.wait()
        done.append("ann")

    async def ask() -> None:
        costly = CostlyWork()
        try:
            anns = [asyncio.ensure_future(costly.in_thread("ann", wait)) for _ in range(MOST_EACH)]
            await asyncio.sleep(0)
            bob = asyncio.ensure_future(costly.in_thread("bob", lambda: done.append("bob")))
            await asyncio.sleep(0)
            go.set()
            await asyncio.gather(bob, *anns)
        finally:
            costly.close()

    asyncio.run(ask())
    assert done == ["ann", "bob"] + ["ann"] * (MOST_EACH - 1)


def test_all_together_are_limited() -> None:
    go = threading.Event()

    async def ask() -> list[Any]:
        costly = CostlyWork()
        try:
            asked = [
                asyncio.ensure_future(costly.in_thread(f"guest {n}", go.wait))
                for n in range(MOST + 5)
            ]
            while sum(each.done() for each in asked) < 5:
                await asyncio.sleep(0)
            go.set()
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            costly.close()

    assert codes(asyncio.run(ask())) == ["work/overloaded"] * 5


def test_nobody_waits_for_ever_and_a_turn_that_came_too_late_is_not_taken() -> None:
    go, done = threading.Event(), []

    async def ask() -> list[Any]:
        costly = CostlyWork(wait=0.05)
        try:
            asked = [
                costly.in_thread("ann", go.wait),
                costly.in_thread("ann", lambda: done.append(1)),
            ]
            results = await asyncio.gather(*asked, return_exceptions=True)
            go.set()
            while costly.pending:
                await asyncio.sleep(0.001)
        finally:
            costly.close()
        return results

    assert codes(asyncio.run(ask())) == ["work/too-long"] * 2
    assert done == []
