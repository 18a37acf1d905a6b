"""A process for work that takes long: the server stays responsive, and can stop the work."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar, cast

from rubicon.errors import RubiconError
from rubicon.processes import exit_with_parent

START_SECONDS = 120.0  # for a new process to import what it needs, on a busy machine
READY = "ready"
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class WorkError(RubiconError):
    """Work that was not done: too much of it was asked for, or it took too long."""


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
            # Not forked: a fork would copy locks that other threads hold.
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            process = context.Process(target=answer_calls, args=(other,), daemon=True)
            process.start()
            self._process = process  # only now: `close` cannot kill what never started
            other.close()
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
    return WorkError("work/too-long", message, "Ask for less at once, or again later.")


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
