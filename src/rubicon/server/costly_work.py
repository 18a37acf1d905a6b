"""Costly work has its own bounded pools, so that it delays nobody's moves.

Previews and records are computed in a process of their own, which is killed after a time; games
are rebuilt from their logs in one thread. In both, each account has one request at a time.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from rubicon.server.work_process import WorkError, WorkProcess, too_long

CALL_SECONDS = 10.0  # for one call in the process
WAIT_SECONDS = 20.0  # for the answer, with the time in the queue
MOST_EACH = 8  # requests of one account, of which one is worked on; a browser asks 6 at once
MOST = 64  # requests of all
REFUSAL_PAUSE = 0.25  # seconds before a refusal: a client that asks again at once costs less
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


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
            if time.monotonic() > latest:  # nobody waits for it any more
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


def busy() -> WorkError:
    """The error for an account that asks for too much at once."""
    message = f"{MOST_EACH} of your requests for previews, records or old games are not done yet."
    return WorkError("work/busy", message, "Wait for their answers, then ask again.")


def overloaded() -> WorkError:
    """The error while too many people ask."""
    message = "Too many people ask for previews, records or old games at the moment."
    return WorkError("work/overloaded", message, "Try again in a few seconds.")


def _forget_error(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
