"""A queue that shares the time of the bot processes between tables, not between decisions.

Each table has a clock of the time that it was given. The table whose clock shows least is next, so
ten slow tables cannot keep a quick one waiting for longer than the decision that is under way
(start-time fair queueing: Goyal, Vin and Cheng 1996).
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

Work = TypeVar("Work")


class FairQueue(Generic[Work]):
    """Work by table; not safe for threads."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Work]] = {}
        self._clocks: dict[str, float] = {}  # seconds given to a table
        self._now = 0.0  # the clock of the table that was last served

    def add(self, table: str, work: Work) -> None:
        """Let work wait; a table that was idle has saved up nothing."""
        self._clocks[table] = max(self._clocks.get(table, 0.0), self._now)
        self._waiting.setdefault(table, deque()).append(work)

    def take(self) -> Work | None:
        """The work of the table that was given least; None where none waits."""
        if not self._waiting:
            return None
        table = min(self._waiting, key=lambda one: self._clocks[one])
        self._now = max(self._now, self._clocks[table])
        works = self._waiting[table]
        work = works.popleft()
        if not works:
            del self._waiting[table]
        return work

    def spent(self, table: str, seconds: float) -> None:
        """Note what the work of a table has taken."""
        self._clocks[table] = self._clocks.get(table, self._now) + seconds
        behind = [
            one
            for one, clock in self._clocks.items()
            if clock <= self._now and one not in self._waiting
        ]
        for one in behind:  # an unknown table begins at `_now` too
            del self._clocks[one]
