"""Who sits where, remembered for a few seconds: every request of a game asks it."""

from __future__ import annotations

import time
from collections.abc import Callable

from rubicon.table.lobby_watching import watching_seat
from rubicon.table.page import SPECTATORS
from rubicon.table.store import Store

KEPT_SECONDS = 5.0
MOST_KEPT = 20_000


class Seats:
    """The seats of accounts in games; whoever only watches is looked up each time."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._kept: dict[tuple[str, str], tuple[float, str]] = {}

    def remembered(self, game: str, account: str) -> str | None:
        """The seat, without a look into the store; None where it is not remembered."""
        kept = self._kept.get((game, account))
        if kept is None or self._clock() - kept[0] > KEPT_SECONDS:
            return None
        return kept[1]

    def look(self, game: str, account: str | None, invite: str | None = None) -> str:
        """The seat whose view somebody gets; see `watching_seat` for what it refuses."""
        seat = self._store.read(lambda connection: watching_seat(connection, game, account, invite))
        if account is not None and seat != SPECTATORS:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[game, account] = self._clock(), seat
        return seat

    def forget(self) -> None:
        """Somebody has moved: look again."""
        self._kept.clear()
