"""Costly work in its own processes, in bounded time, so that it delays nobody's moves."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from rubicon.engine.records import POSITION, Position
from rubicon.errors import RubiconError, Unavailable
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import Preview, preview, preview_lines
from rubicon.orders.syntax import OrderText
from rubicon.processes import exit_with_parent, spawn_context
from rubicon.rules.game import Game
from rubicon.rules.record import ruleset_headers, ruleset_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.game_files import Exported, exported
from rubicon.table.storage.database import Store

# A process for work that takes long: the server stays responsive, and can stop the work.

START_SECONDS = 120.0  # for a new process to import what it needs, on a busy machine
READY = "ready"
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class WorkError(Unavailable):
    """Work that was not done: too many ask for it, or it took too long."""


class Busy(WorkError):
    """Work that was not done, since one account asks for too much at once."""

    status = 429


class WorkProcess:
    """A process that runs one function at a time; it is started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # one call at a time
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False

    def call(
        self,
        seconds: float,
        function: Callable[Parameters, Result],
        *arguments: Parameters.args,
        **keywords: Parameters.kwargs,
    ) -> Result:
        """The result of a function of a module; a RubiconError of it is raised here.

        WorkError `work/too-long` where it takes longer than that: the process is killed then.
        """
        with self._lock:
            try:
                pipe = self._started()
                pipe.send((function, arguments, keywords))
                answered = pipe.poll(seconds)
                error, result = pipe.recv() if answered else (too_long(seconds), None)
            except (EOFError, OSError) as lost:
                self._kill()
                raise interrupted() from lost
            if not answered:
                self._kill()
        if error is not None:
            raise error
        return cast(Result, result)

    def close(self) -> None:
        """Stop the process; a call that waits for it fails with `work/interrupted`."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
            process.join()

    def _started(self) -> Connection:
        if self._closed:
            raise EOFError
        if self._pipe is None or self._process is None or not self._process.is_alive():
            context = spawn_context()
            self._pipe, other = context.Pipe()
            process = context.Process(target=answer_calls, args=(other,), daemon=True)
            process.start()
            self._process = process  # only now: `close` cannot kill what never started
            other.close()
            # The time of a call begins when the process has imported what it needs.
            if not self._pipe.poll(START_SECONDS) or self._pipe.recv() != READY:
                raise EOFError
        return self._pipe

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def too_long(seconds: float) -> WorkError:
    """The error for work that was stopped."""
    message = f"This takes longer than {seconds:g} seconds, so the server has stopped it."
    return WorkError("work/too-long", message, "Ask for less, or try again later.")


def interrupted() -> WorkError:
    """The error for work whose process died."""
    message = "The process that worked on your request has ended."
    return WorkError("work/interrupted", message, "Try again.")


def answer_calls(pipe: Connection) -> None:
    """The work of the process: call functions until the server is gone."""
    exit_with_parent()
    pipe.send(READY)
    while True:
        try:
            function, arguments, keywords = pipe.recv()
        except EOFError:
            return
        pipe.send(outcome(function, arguments, keywords))


def outcome(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Exception | None, Any]:
    """The error or the result of a call."""
    try:
        return None, function(*arguments, **keywords)
    except RubiconError as error:
        return error, None
    except Exception as error:  # of any kind: the next call must be answered
        return RuntimeError(f"{type(error).__name__} in {function.__name__}: {error}"), None


# Costly work has its own bounded pools, so that it delays nobody's moves.
#
# Previews and records are computed in their own process, which is killed after a time; games
# are rebuilt from their logs in one thread. In both, each account has one request at a time.

CALL_SECONDS = 10.0  # for one call in the process
WAIT_SECONDS = 20.0  # for the answer, with the time in the queue
MOST_EACH = 8  # requests of one account, of which one is worked on; a browser asks 6 at once
MOST = 64  # requests of all
REFUSAL_PAUSE = 0.25  # seconds before a refusal: a client that asks again at once costs less


class CostlyWork:
    """The pools, and how much each account asks of them; for use on the event loop's thread.

    `asker` is the account's id, or the address of a client that is not signed in.
    """

    def __init__(self, call_seconds: float = CALL_SECONDS, wait: float = WAIT_SECONDS) -> None:
        self._call_seconds = call_seconds
        self._wait = wait
        self._process = WorkProcess()
        self._callers = ThreadPoolExecutor(1, "work-process")
        self._thread = ThreadPoolExecutor(1, "work-thread")
        self._asked: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}

    async def in_process(
        self,
        asker: str,
        function: Callable[Parameters, Result],
        *arguments: Parameters.args,
        **keywords: Parameters.kwargs,
    ) -> Result:
        """The result of a function of a module that was called in the process.

        WorkError `work/busy`, `work/overloaded` or `work/too-long` where it could not be done.
        """

        def call() -> Result:
            return self._process.call(self._call_seconds, function, *arguments, **keywords)

        return await self._ask(asker, self._callers, call)

    async def in_thread(self, asker: str, function: Callable[[], Result]) -> Result:
        """The result of a function that was called in the thread; errors as `in_process`."""
        return await self._ask(asker, self._thread, function)

    @property
    def pending(self) -> int:
        """How many requests are worked on or wait."""
        return self._asked.total()

    def close(self) -> None:
        """Stop the work."""
        self._process.close()
        for pool in (self._callers, self._thread):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, asker: str, pool: Executor, call: Callable[[], Result]) -> Result:
        full = self._asked[asker] >= MOST_EACH
        if full or self.pending >= MOST:
            await asyncio.sleep(REFUSAL_PAUSE)
            raise busy() if full else overloaded()
        self._asked[asker] += 1
        latest = time.monotonic() + self._wait
        task = asyncio.create_task(self._take_turn(asker, pool, call, latest))
        task.add_done_callback(_forget_error)
        try:
            # Shielded: a client that gave up waiting has no other turn until the work has ended.
            return await asyncio.wait_for(asyncio.shield(task), self._wait)
        except TimeoutError:
            raise too_long(self._wait) from None

    async def _take_turn(
        self, asker: str, pool: Executor, call: Callable[[], Result], latest: float
    ) -> Result:
        def unless_late() -> Result:
            if time.monotonic() > latest:  # no one waits for it now
                raise overloaded()
            return call()

        turns = self._turns.setdefault(asker, asyncio.Lock())
        try:
            async with turns:
                return await asyncio.get_running_loop().run_in_executor(pool, unless_late)
        finally:
            self._asked[asker] -= 1
            if not self._asked[asker]:
                del self._asked[asker], self._turns[asker]


def busy() -> Busy:
    """The error for an account that asks for too much at once."""
    message = f"{MOST_EACH} of your requests for previews, records or old games are in progress."
    return Busy("work/busy", message, "Wait for their answers, then ask again.")


def overloaded() -> WorkError:
    """The error while too many people ask."""
    message = "Too many people ask for previews, records or old games at the moment."
    return WorkError("work/overloaded", message, "Try again in a few seconds.")


def _forget_error(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()


# A game as one seat sees it, as bytes for another process.


@dataclass(frozen=True, slots=True)
class SeatGame:
    """The ruleset's headers as JSON, a seat, and the position with only what the seat may see.

    Without a seat (""), the position is a whole one.
    """

    headers: str
    seat: str
    view: bytes

    @classmethod
    def of(cls, game: Game, seat: str) -> SeatGame:
        """What a seat sees of a game."""
        return cls(_headers(game.ruleset), seat, game.view(seat).tobytes())

    @classmethod
    def openly(cls, game: Game, position: Position) -> SeatGame:
        """A whole position of a game that is over."""
        return cls(_headers(game.ruleset), "", position.tobytes())

    def game(self) -> Game:
        """The game again, without what is hidden."""
        position = np.ndarray((1,), POSITION, bytearray(self.view))[0]
        return Game.from_position(_ruleset(self.headers), position)


@lru_cache(maxsize=256)
def _headers(ruleset: Ruleset) -> str:
    return json.dumps(ruleset_headers(ruleset), sort_keys=True)


@lru_cache(maxsize=64)
def _ruleset(headers: str) -> Ruleset:
    return ruleset_of(json.loads(headers))


# What the work process computes: previews of orders, and the files of games.


@dataclass(frozen=True, slots=True)
class OrdersPreview:
    """Orders as they were read, their possible results, and what was taken for no order.

    `lines` are the results in words.
    """

    orders: str
    lines: list[str]
    ignored: list[str]
    results: Preview


def preview_orders(seen: SeatGame, given: OrderText | str) -> OrdersPreview:
    """The possible results of orders; RubiconError where they cannot be read or previewed."""
    game = seen.game()
    orders = given
    if isinstance(orders, str):
        orders = read_orders(orders, game.ruleset.board, game.colours)
    results = preview(orders, game, seen.seat)
    lines = list(preview_lines(results, game.ruleset.board))
    warnings = [str(warning) for warning in orders.warnings]
    return OrdersPreview(str(orders), lines, warnings, results)


def export_from(url: str, game: str, seat: str) -> Exported:
    """The files of a game of the database at `url`, for a seat or for spectators."""
    return read_only_store(url).read(partial(exported, game=game, seat=seat))


@lru_cache(maxsize=1)
def read_only_store(url: str) -> Store:
    """The database at `url`, opened once for the process."""
    return Store.open_read_only(url)
