"""How fast a game is shown to somebody who only looks on: faster, slower, paused."""

from __future__ import annotations

import threading
import time

SPEEDS = (2.0, 1.0, 0.5, 0.2, 0.1, 1 / 60, 0.0)  # seconds a step
USUAL = 3
PAUSED = "paused"
CATCH_UP = 0.2  # seconds by which steps may be late and still be made up for
LOOK = 0.2  # seconds after which a paused game looks whether it goes on


class Beat:
    """The pause behind each step; keys change it from another thread."""

    def __init__(self, seconds: float | None = None) -> None:
        self.speeds = SPEEDS if seconds is None else tuple(sorted({*SPEEDS, seconds}, reverse=True))
        self.number = USUAL if seconds is None else self.speeds.index(seconds)
        self.paused = False
        self.left = False
        self._changed = threading.Event()
        self._due = 0.0  # when the next step is to be shown

    @property
    def seconds(self) -> float:
        """The pause behind each step."""
        return self.speeds[self.number]

    @property
    def words(self) -> str:
        """The speed for people."""
        if self.paused:
            return PAUSED
        return f"{self.seconds:.2g} s a step" if self.seconds else "as fast as possible"

    def wait(self) -> None:
        """Wait for the next step; the time that the last one took is not waited again."""
        now = time.monotonic()
        self._due = max(self._due + self.seconds, now - CATCH_UP)
        self._changed.wait(max(0.0, self._due - now))
        if self._changed.is_set():
            self._changed.clear()
            self._due = time.monotonic()
        while self.paused and not self.left:
            self._changed.wait(LOOK)

    def press(self, key: str) -> bool:
        """Carry out a key of the speed; False for any other."""
        match key:
            case "space" | " ":
                self.paused = not self.paused
            case "plus" | "+" | "equals_sign" | "=":
                self.number = min(len(self.speeds) - 1, self.number + 1)
            case "minus" | "-":
                self.number = max(0, self.number - 1)
            case _:
                return False
        self._changed.set()
        return True

    def leave(self) -> None:
        """Nobody looks on any more."""
        self.left = True
        self._changed.set()
