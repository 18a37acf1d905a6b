"""Who sits where, remembered for a few seconds: every request of a game asks it."""

from __future__ import annotations

import time
from collections.abc import Callable

from rubicon.host.remembering import Remembered
from rubicon.table.lobby_watching import watched_from
from rubicon.table.store import Store

MOST_KEPT = 20_000


class Seats:
    """The seats of accounts in games that have begun; all else is looked up each time."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._kept: Remembered[tuple[str, str], str] = Remembered(MOST_KEPT, clock)

    def remembered(self, game: str, account: str) -> str | None:
        """The seat, without a look into the store; None where it is not remembered."""
        return self._kept.get((game, account))

    def look(self, game: str, account: str | None, invite: str | None = None) -> str:
        """The seat whose view somebody gets; see `watched_from` for what it refuses."""
        asked_at = self._kept.now()
        place = self._store.read(lambda connection: watched_from(connection, game, account, invite))
        if account is not None and place.for_good:
            self._kept.keep((game, account), place.seat, asked_at)
        return place.seat
