"""One running service: the store, its tables and lobby, accounts, bots and clocks."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from functools import partial
from typing import Any

from rubicon.host.accounts import Accounts
from rubicon.host.bots import Bots
from rubicon.host.settings import HostSettings
from rubicon.players.player import PLAYERS
from rubicon.rules.errors import RubiconError
from rubicon.table.chat import Talk
from rubicon.table.elsewhere import unfinished
from rubicon.table.lobby import Lobby
from rubicon.table.migrating import migrate
from rubicon.table.silence import tick
from rubicon.table.store import Store, now
from rubicon.table.table import Table

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
EXPIRE_TICKS = 60


class Host:
    """Composes everything that people and programs meet; `close` ends it in good order."""

    def __init__(self, settings: HostSettings) -> None:
        self.settings = settings
        self.store = Store.open(settings.store)
        try:
            migrate(self.store)
        except RubiconError:
            self.store.close()
            raise
        self.table = Table(self.store)
        self.lobby = Lobby(self.table, PLAYERS)
        self.talk = Talk(self.table)
        self.accounts = Accounts(self.store, PLAYERS)
        self.bots = Bots(self.table, settings.bot_processes)
        self.up_since = self.store.read(now)
        self._stop = threading.Event()
        self._clock = threading.Thread(target=self._tick, name="clock", daemon=True)

    def start(self) -> None:
        """Take up every game that was left in the middle of something, and let time run."""
        for game in self.store.read(unfinished):
            self.table.wake(game).add_done_callback(partial(self._woken, game))
        self._clock.start()

    def close(self) -> None:
        """Finish what was accepted; what bots think is thought again at the next start."""
        self._stop.set()
        self.bots.close()
        if self._clock.is_alive():
            self._clock.join()
        self.store.close()

    def healthy(self) -> bool:
        """Whether the store answers."""
        try:
            self.store.read(now)
        except RubiconError:
            return False
        return True

    def _woken(self, game: str, done: Future[Any]) -> None:
        error = done.exception()
        if error is not None:
            log.error("game %s could not be taken up: %s", game, error)
        else:
            self.bots.look_at(self.table.snapshot(game))

    def _tick(self) -> None:
        ticks = 0
        while not self._stop.wait(TICK_SECONDS):
            ticks += 1
            try:
                for late in tick(self.table, self.up_since):
                    late.add_done_callback(_said)
                if ticks % EXPIRE_TICKS == 0:
                    self.lobby.expire().add_done_callback(_said)
            except RubiconError as error:
                log.warning("the clock waits: %s", error)


def _said(done: Future[Any]) -> None:
    error = done.exception()
    if error is not None:
        log.error("the clock could not act: %s", error)
