"""Recovery: games that stopped in the middle of something are resumed, by any server.

A server finishes what it has begun. If it is killed, or the database fails at the wrong moment, a
dice request stays unanswered or a bot is never asked. The next sweep of any server finds that the
game has not changed for some seconds although no person has to decide.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select

from rubicon.errors import RubiconError
from rubicon.server.bot_runner import BotRunner
from rubicon.table.game.hosted_game import TYPED
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.service.table_service import TableService
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now
from rubicon.table.storage.event_log import LineKind
from rubicon.table.storage.notifications import Change, ChangeKind

IDLE = 3_000  # milliseconds without a change, after which the last writer is taken for dead
OVERLAP = 60_000  # milliseconds that two sweeps have in common: commits may arrive out of order
BATCH = 200
log = logging.getLogger(__name__)


class Recovery:
    """Examines every game that has changed since the last sweep and is idle now."""

    def __init__(
        self, table: TableService, bots: BotRunner, announce: Callable[[Change], None], since: int
    ) -> None:
        self._table = table
        self._bots = bots
        self._announce = announce
        self._since = since - OVERLAP
        self._settled: dict[str, int] = {}  # the head at which a game had nothing to resume
        self._retry: set[str] = set()  # games with a bot at work, or whose last attempt failed

    def resume(self, game: str) -> None:
        """Finish whatever a game stopped in the middle of; idempotent."""
        self._table.wake(game).add_done_callback(partial(self._resumed, game))

    def sweep(self) -> None:
        """Examine idle games once; StoreUnavailable where the database does not answer."""
        at, rows = self._table.store.read(partial(_idle_games, since=self._since))
        for game in list(self._retry):
            self._settle(game)
        self._settled = {row.id: self._settled[row.id] for row in rows if row.id in self._settled}
        for row in rows:
            if self._settled.get(row.id) != row.head:
                self._examine(row)
        full = len(rows) >= BATCH
        self._since = rows[-1].changed if full else max(0, at - IDLE - OVERLAP)

    def _examine(self, row: Row[Any]) -> None:
        cached = self._table.cached_snapshot(row.id)
        if row.requests_dice or cached is None or cached.head != row.head:
            self.resume(row.id)
            self._announce(Change(ChangeKind.GAME, row.id, row.head, row.head))
        else:
            self._settle(row.id)

    def _resumed(self, game: str, done: Future[Any]) -> None:
        error = done.exception()
        if error is not None:
            code = error.code if isinstance(error, RubiconError) else type(error).__name__
            log.warning("game recovery failed", extra={"game": game, "code": code})
            self._retry.add(game)
        else:
            self._settle(game)

    def _settle(self, game: str) -> None:
        cached = self._table.cached_snapshot(game)
        if cached is None:
            self.resume(game)
        elif self._bots.start_decisions(cached):
            self._retry.add(game)
        else:
            self._retry.discard(game)
            self._settled[game] = cached.head


def _idle_games(connection: Connection, since: int) -> tuple[int, list[Row[Any]]]:
    """The time, and running games changed since a moment but not lately; least recent first."""
    at = now(connection)
    games, log_of = schema.game.c, schema.log.c
    requests_dice = (log_of.kind == LineKind.REQUEST) & (log_of.text != TYPED)
    wanted = (
        select(games.id, games.head, games.changed, requests_dice.label("requests_dice"))
        .join(schema.log, (log_of.game == games.id) & (log_of.log_index == games.head))
        .where(games.state == RUNNING, games.changed >= since, games.changed <= at - IDLE)
        .order_by(games.changed)
        .limit(BATCH)
    )
    return at, list(connection.execute(wanted))
