"""One running service: the store, its tables and lobby, accounts, bots and clocks."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future
from typing import Any

from rubicon.host.accounts import Accounts
from rubicon.host.addresses import sender_address
from rubicon.host.bots import Bots
from rubicon.host.clearing import clear_unused
from rubicon.host.elsewhere import Elsewhere
from rubicon.host.letters import Letterhead
from rubicon.host.links import Links
from rubicon.host.postman import Postman
from rubicon.host.rounds import Rounds
from rubicon.host.seats import Seats
from rubicon.host.sender import sender_of
from rubicon.host.settings import HostSettings
from rubicon.host.stopping import Stopping
from rubicon.players.player import PLAYERS
from rubicon.rules.errors import RubiconError
from rubicon.table.chat import Talk
from rubicon.table.elsewhere import unfinished
from rubicon.table.lobby import Lobby
from rubicon.table.migrating import migrate
from rubicon.table.silence import tick
from rubicon.table.store import Store, now
from rubicon.table.submission import Receipt
from rubicon.table.table import Table

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
ROUND_TICKS = 3
EXPIRE_TICKS = 60
CLEAR_TICKS = 3600
ASLEEP = 30_000  # milliseconds between two looks at the clocks after which nobody was served
NOWHERE = "localhost"


class Host:
    """Composes everything that people and programs meet; `close` ends it in good order."""

    def __init__(self, settings: HostSettings) -> None:
        self.settings = settings
        sender, head = sender_of(settings.mail_server), letterhead_of(settings)
        self.store = Store.open(settings.store)
        try:
            version = migrate(self.store)
        except RubiconError:
            self.store.close()
            raise
        log.info("the store is open", extra={"kind": self.kind, "version": version})
        self.table = Table(self.store)
        self.lobby = Lobby(self.table, PLAYERS, settings.tables_per_account)
        self.talk = Talk(self.table)
        self.accounts = Accounts(self.store, PLAYERS)
        self.seats = Seats(self.store)
        self.stopping = Stopping(self.accounts)
        path, after = self.stopping.path, settings.letters_after
        self.postman = Postman(self.table, sender, head, path, after=after)
        self.links = Links(self.accounts, head, self.postman.post)
        self.bots = Bots(self.table, settings.bot_processes)
        self.elsewhere = Elsewhere(self.store, self.lobby, self.talk, self.accounts)
        self.up_since = self._looked = self.store.read(now)
        self.ticked_at = time.monotonic()  # when the clock last acted
        self._rounds = Rounds(self.table, self.bots, self.elsewhere.hear, self.up_since)
        self._stop = threading.Event()
        self._clock = threading.Thread(target=self._run_clock, name="clock", daemon=True)

    @property
    def kind(self) -> str:
        """What kind of database it is; its address is nobody's business."""
        return self.store.engine.dialect.name

    def start(self) -> None:
        """Take up every game that was left in the middle of something, and let time run."""
        self.elsewhere.start()
        games = self.store.read(unfinished)
        for game in games:
            self._rounds.take_up(game)
        self._clock.start()
        self.postman.start()
        log.info("started", extra={"games": len(games)})

    @property
    def url(self) -> str:
        """How people reach it, as far as that is known."""
        return self.postman.head.url

    def reached_at(self, url: str) -> None:
        """Where this host listens: links lead there, unless it is set how people reach it."""
        if not self.settings.public_url:
            self.postman.head.url = url

    def close(self) -> None:
        """Finish what was accepted; what bots think is thought again at the next start."""
        self._stop.set()
        self.bots.close()
        self.elsewhere.close()
        if self._clock.is_alive():
            self._clock.join()
        self.postman.close()
        self.store.close()
        log.info("stopped")

    def look_at_clocks(self) -> list[Future[Receipt]]:
        """Act on every clock that is due; RubiconError where the store is away.

        Whoever was due while this machine slept, its time was set forward or the store was away has
        the same minutes as after a start.
        """
        at = self.store.read(now)
        if at - self._looked > ASLEEP:
            self.up_since = at
        self._looked = at
        return tick(self.table, self.up_since)

    def healthy(self) -> bool:
        """Whether the store answers."""
        try:
            self.store.read(now)
        except RubiconError:
            return False
        return True

    def _run_clock(self) -> None:
        ticks, waits = 0, False
        while not self._stop.wait(TICK_SECONDS):
            ticks += 1
            try:
                self._tick(ticks)
            except Exception as error:  # whatever it is: time goes on
                if not waits:
                    log.warning("the clock waits", exc_info=error)
                waits = True
                continue
            if waits:
                log.info("the clock goes on")
            waits, self.ticked_at = False, time.monotonic()

    def _tick(self, ticks: int) -> None:
        for late in self.look_at_clocks():
            late.add_done_callback(_said)
        if ticks % ROUND_TICKS == 0:
            self._rounds.go()
        if ticks % EXPIRE_TICKS == 0:
            self.lobby.expire().add_done_callback(_said)
        if ticks % CLEAR_TICKS == 0:
            self.store.write(clear_unused).add_done_callback(_said)


def letterhead_of(settings: HostSettings) -> Letterhead:
    """Who writes, as the settings say; RubiconError where letters would come from nobody."""
    url = (settings.public_url or f"http://{settings.address}:{settings.port}").rstrip("/")
    if not (url.isascii() and url.isprintable() and url.startswith(("http://", "https://"))):
        message = f"The setting public_url cannot be {url[:80]!a}."
        raise RubiconError("serve/settings", message, "Write: https://risk.example.org")
    if settings.mail_server and not settings.mail_from:
        message = "Letters need somebody whom they come from."
        raise RubiconError("serve/settings", message, "Set mail_from: risk@example.org")
    return Letterhead(url, sender_address(settings.mail_from or f"Rubicon <rubicon@{NOWHERE}>"))


def _said(done: Future[Any]) -> None:
    error = done.exception()
    if error is not None:
        log.error("the clock could not act", exc_info=error)
