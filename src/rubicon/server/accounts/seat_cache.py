"""Cache of which account has which seat: every request about a game needs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from cachetools import TTLCache

from rubicon.table.lobby.spectators import watched_from
from rubicon.table.storage.database import Store

CACHE_SECONDS = 5.0
CACHE_SIZE = 20_000


class SeatCache:
    """Seats of accounts in games that have begun; everything else is queried each time.

    Until a game begins its seats change hands, so only the seats of begun games are cached.
    """

    def __init__(self, store: Store, timer: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._cache: TTLCache[tuple[str, str], str] = TTLCache(CACHE_SIZE, CACHE_SECONDS, timer)
        self._lock = threading.Lock()

    def cached(self, game: str, account: str) -> str | None:
        """The seat if the cache has it; no database query."""
        with self._lock:
            return self._cache.get((game, account))

    def forget(self, game: str) -> None:
        """Read the seats of a game anew: one has lost its owner."""
        with self._lock:
            for key in [key for key in self._cache if key[0] == game]:
                del self._cache[key]

    def find(self, game: str, account: str | None, invite: str | None = None) -> str:
        """The seat whose view the account gets, "" for a spectator; raises as `watched_from`."""
        place = self._store.read(lambda connection: watched_from(connection, game, account, invite))
        if account is not None and place.is_final:
            with self._lock:
                self._cache[game, account] = place.seat
        return place.seat
