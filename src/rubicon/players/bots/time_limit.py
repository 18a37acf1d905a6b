"""A time limit for code that runs in this process: an alarm that interrupts the main thread."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

AGAIN = 1.0  # seconds until the next alarm, where the code has caught one

Result = TypeVar("Result")


class TimeUp(BaseException):
    """The code has had its time; no Exception, because code often catches all of those."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """What `work` returns. Raises TimeUp where it takes longer than so many seconds.

    Only Python code can be interrupted, between two of its steps: machine code ends first. Where
    there is no alarm (on Windows, or in another thread than the main one) there is no limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        return work()
    before = signal.signal(signal.SIGALRM, _time_up)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            return work()
        finally:
            # The alarm may come just before this line runs: then the outer `finally` turns it off.
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _time_up(number: int, frame: FrameType | None) -> None:
    raise TimeUp
