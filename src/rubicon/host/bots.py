"""Bots at hosted tables: they think in processes of their own, and sit down like anybody."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any

import numpy as np

from rubicon.players.player import PLAYERS, Player
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import POSITION
from rubicon.rules.record_headers import ruleset_headers, ruleset_of
from rubicon.rules.ruleset import Ruleset
from rubicon.table.errors import StoreAway
from rubicon.table.figures import Spread
from rubicon.table.submission import Receipt, Submission
from rubicon.table.table import Published, Snapshot, Table

log = logging.getLogger(__name__)


class Bots:
    """Plays the seats of bots, and those that a bot plays in an owner's place."""

    def __init__(self, table: Table, processes: int = 1) -> None:
        self.table = table
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self.thought = Spread()  # seconds from the question to the answer, those in the queue too
        self._thinking: dict[tuple[str, str, int], float] = {}  # since when
        self._lock = threading.Lock()
        self._stopped = False
        table.watch(self.hear)

    def hear(self, published: Published) -> None:
        """A game has gone on: whoever is asked and is a bot begins to think."""
        self.look_at(published.snapshot)

    def look_at(self, snapshot: Snapshot) -> bool:
        """Let the bots think that are asked here; whether any is."""
        asked = False
        if snapshot.paused or snapshot.ending is not None or snapshot.waits_for:
            return asked
        for seat, duty in snapshot.duties.items():
            bot = snapshot.bots.get(seat) or snapshot.house_bots.get(seat)
            if bot is not None:
                asked = True
                self._think(snapshot, seat, duty, bot)
        return asked

    @property
    def thinking(self) -> int:
        """How many questions are being thought about, or wait for it."""
        return len(self._thinking)

    def close(self) -> None:
        """Let the processes go; a thought that is under way is lost, and thought again later."""
        self._stopped = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _think(self, snapshot: Snapshot, seat: str, duty: int, bot: str) -> None:
        key = snapshot.id, seat, duty
        with self._lock:
            if self._stopped or key in self._thinking:
                return
            self._thinking[key] = time.monotonic()
        headers, view = _headers(snapshot.ruleset), snapshot.game().view(seat)
        try:
            thought = self._processes().submit(decide, headers, view.tobytes(), seat, bot, duty)
        except (BrokenProcessPool, RuntimeError):
            self._renew()
            self._forget(key)
            return
        thought.add_done_callback(lambda future: self._decided(snapshot, key, bot, future))

    def _decided(
        self, snapshot: Snapshot, key: tuple[str, str, int], bot: str, thought: Future[str]
    ) -> None:
        game, seat, duty = key
        if thought.cancelled():
            return
        error = thought.exception()
        if isinstance(error, BrokenProcessPool):
            log.warning("the bots' processes broke; they are started anew")
            self._renew()
            self._forget(key)
            self.look_at(snapshot)
            return
        if error is not None:
            log.error("a bot failed", extra={"game": game, "bot": bot}, exc_info=error)
            text = str(snapshot.game().legal_for(seat)[0])
        else:
            text = thought.result()
        played = self.table.submit(Submission(game, seat, duty, text))
        played.add_done_callback(lambda future: self._played(key, bot, future))

    def _played(self, key: tuple[str, str, int], bot: str, played: Future[Receipt]) -> None:
        self._forget(key)
        error = played.exception()
        if error is None or (isinstance(error, RubiconError) and error.code == "duty/stale"):
            return  # another host may have thought of the same
        if self._stopped and isinstance(error, StoreAway):
            return  # it is thought again at the next start
        code = error.code if isinstance(error, RubiconError) else type(error).__name__
        level = logging.WARNING if isinstance(error, StoreAway) else logging.ERROR
        log.log(level, "a bot was refused", extra={"game": key[0], "bot": bot, "code": code})

    def _forget(self, key: tuple[str, str, int]) -> None:
        with self._lock:
            since = self._thinking.pop(key, None)
        if since is not None:
            self.thought.add(time.monotonic() - since)

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(
                    self.processes, mp_context=spawn, initializer=live_with_parent
                )
            return self._pool

    def _renew(self) -> None:
        with self._lock:
            broken, self._pool = self._pool, None
        if broken is not None:
            broken.shutdown(wait=False)


def live_with_parent() -> None:
    """Control-C is for the host, which ends its processes; when it is killed they end, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(0)


def decide(headers: str, view: bytes, seat: str, bot: str, seed: int) -> str:
    """What a bot does, from what its seat may see; in a process of its own."""
    position = np.ndarray((1,), POSITION, bytearray(view))[0]
    game = Game.from_position(_ruleset(headers), position)
    if bot not in PLAYERS:
        bot = PLAYERS[0]
    return str(Player(bot, seat, seed=seed).decide(game))


@lru_cache(maxsize=256)
def _headers(ruleset: Ruleset) -> str:
    return json.dumps(ruleset_headers(ruleset), sort_keys=True)


@lru_cache(maxsize=64)
def _ruleset(headers: str) -> Ruleset:
    return ruleset_of(json.loads(headers))
