"""What is counted while a host runs: for whoever looks after it, and nowhere stored."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TOGETHER = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)


class Spread:
    """How often a value was at most each of some bounds, and the sum of all values."""

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self.bounds = bounds
        self.total = 0.0
        self._counts = [0] * (len(bounds) + 1)
        self._lock = threading.Lock()

    def add(self, value: float) -> None:
        """Count a value."""
        with self._lock:
            self._counts[bisect_left(self.bounds, value)] += 1
            self.total += value

    def upward(self) -> list[tuple[str, int]]:
        """For each bound, and `+Inf`, how many values were at most that."""
        with self._lock:
            counts = list(self._counts)
        names = [*map(str, self.bounds), "+Inf"]
        return [(name, sum(counts[: number + 1])) for number, name in enumerate(names)]


@dataclass(slots=True)
class StoreFigures:
    """What a store did: how long commits took, how many jobs each held, what failed."""

    commits: Spread = field(default_factory=Spread)
    together: Spread = field(default_factory=lambda: Spread(TOGETHER))
    failures: Counter[str] = field(default_factory=lambda: Counter(read=0, write=0))
