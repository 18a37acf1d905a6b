"""Going round: games that were left in the middle, by whichever host, are taken up again.

What a host has begun it goes on with by itself. Where it was killed, or the database was away at
the wrong moment, a request stands unanswered or a bot is not asked: whoever goes round next sees
that a game has stood still for some seconds though nobody is waited for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select

from rubicon.host.bots import Bots
from rubicon.rules.errors import RubiconError
from rubicon.table import schema
from rubicon.table.lines import Kind
from rubicon.table.listening import Change, What
from rubicon.table.live import TYPED
from rubicon.table.lobby_seats import RUNNING
from rubicon.table.store import now
from rubicon.table.table import Table

STILL = 3_000  # milliseconds after which whoever wrote last is not waited for any more
MARGIN = 60_000  # milliseconds that are looked at twice
MOST_AT_ONCE = 200
log = logging.getLogger(__name__)


class Rounds:
    """Looks at every game that has stood still since the last round."""

    def __init__(
        self, table: Table, bots: Bots, tell: Callable[[Change], None], since: int
    ) -> None:
        self._table = table
        self._bots = bots
        self._tell = tell
        self._since = since - MARGIN
        self._seen: dict[str, int] = {}  # how far each game was when nothing was to be done
        self._open: set[str] = set()  # games in which a bot thinks here, or something failed

    def take_up(self, game: str) -> None:
        """Go on with a game, whatever it was left in the middle of."""
        self._table.wake(game).add_done_callback(partial(self._woken, game))

    def go(self) -> None:
        """Go round once; StoreAway where the database is, and the next round makes up for it."""
        at, rows = self._table.store.read(partial(_standing, since=self._since))
        for game in list(self._open):
            self._settle(game)
        self._seen = {row.id: self._seen[row.id] for row in rows if row.id in self._seen}
        for row in rows:
            if self._seen.get(row.id) != row.head:
                self._look_at(row)
        full = len(rows) >= MOST_AT_ONCE
        self._since = rows[-1].changed if full else max(0, at - STILL - MARGIN)

    def _look_at(self, row: Row[Any]) -> None:
        held = self._table.known(row.id)
        if row.asks or held is None or held.head != row.head:
            self.take_up(row.id)
            self._tell(Change(What.PAGE, row.id, row.head, row.head))
        else:
            self._settle(row.id)

    def _woken(self, game: str, done: Future[Any]) -> None:
        error = done.exception()
        if error is not None:
            code = error.code if isinstance(error, RubiconError) else type(error).__name__
            log.warning("a game could not be taken up", extra={"game": game, "code": code})
            self._open.add(game)
        else:
            self._settle(game)

    def _settle(self, game: str) -> None:
        held = self._table.known(game)
        if held is None:
            self.take_up(game)
        elif self._bots.look_at(held):
            self._open.add(game)
        else:
            self._open.discard(game)
            self._seen[game] = held.head


def _standing(connection: Connection, since: int) -> tuple[int, list[Row[Any]]]:
    """The games that were changed since, and not in the last seconds; the longest ago first."""
    at = now(connection)
    games, log_of = schema.game.c, schema.log.c
    asks = (log_of.kind == Kind.REQUEST) & (log_of.text != TYPED)
    wanted = (
        select(games.id, games.head, games.changed, asks.label("asks"))
        .join(schema.log, (log_of.game == games.id) & (log_of.entry == games.head))
        .where(games.state == RUNNING, games.changed >= since, games.changed <= at - STILL)
        .order_by(games.changed)
        .limit(MOST_AT_ONCE)
    )
    return at, list(connection.execute(wanted))
