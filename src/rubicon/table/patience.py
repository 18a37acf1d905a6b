"""Those who wait for an answer while other seats are asked for their links."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from rubicon.table.errors import DiceAway
from rubicon.table.submission import Receipt

LONGEST = 20.0  # seconds until whoever waits is told that the dice have not fallen yet


@dataclass(frozen=True, slots=True)
class Asker:
    """One who waits: what is to be done next, and what is answered if it takes too long."""

    done: Future[Receipt]
    then: Callable[[Any], Any]  # what the next transaction is to do
    receipt: Receipt
    put_off: bool  # whether nothing of what was asked has been done yet
    since: float

    def give_up(self) -> None:
        """Tell how it stands: the same act once more gets the rest."""
        if self.put_off:
            self.done.set_exception(DiceAway("links of other seats are waited for"))
        else:
            self.done.set_result(self.receipt)


class Patience:
    """Who waits, by game."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[str, list[Asker]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def wait(self, game: str, waiting: Asker) -> None:
        """Wait until the game goes on, but not for ever."""
        if self.clock() - waiting.since > LONGEST:
            waiting.give_up()
            return
        with self._lock:
            self._waiting.setdefault(game, []).append(waiting)

    def take(self, game: str) -> list[Asker]:
        """Those who wait for a game; they wait no more."""
        if not self._waiting:
            return []
        with self._lock:
            return self._waiting.pop(game, [])

    def look(self) -> list[str]:
        """Answer those who have waited too long; the games that others still wait for."""
        latest, late = self.clock() - LONGEST, list[Asker]()
        with self._lock:
            for game, all_of in list(self._waiting.items()):
                late += [one for one in all_of if one.since < latest]
                self._waiting[game] = [one for one in all_of if one.since >= latest]
                if not self._waiting[game]:
                    del self._waiting[game]
            games = list(self._waiting)
        for one in late:
            one.give_up()
        return games
