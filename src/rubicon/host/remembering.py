"""Answers of the store that are believed for a few seconds: every request asks for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")

KEPT_SECONDS = 5.0


class Remembered(Generic[Key, Answer]):
    """What was answered lately, at most so much of it; for use by several threads."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._kept: dict[Key, tuple[float, Answer]] = {}
        self._forgotten_at = float("-inf")

    def now(self) -> float:
        """The moment of a question: take it before the store is asked."""
        return self._clock()

    def get(self, key: Key) -> Answer | None:
        """The answer; None where it is not known or older than KEPT_SECONDS."""
        kept = self._kept.get(key)
        if kept is None or self._clock() - kept[0] > KEPT_SECONDS:
            return None
        return kept[1]

    def keep(self, key: Key, answer: Answer, asked_at: float) -> None:
        """Believe an answer from now on, if nothing was forgotten since it was asked for."""
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[key] = asked_at, answer
        if asked_at <= self._forgotten_at:
            self._kept.pop(key, None)

    def forget(self) -> None:
        """Believe nothing that was asked for until now."""
        self._forgotten_at = self._clock()
        self._kept.clear()
