"""Runs bots in their own processes, each game in its turn, and submits their decisions."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache
from prometheus_client import Histogram

from rubicon.errors import RubiconError
from rubicon.players.memory import memory_from_bytes, memory_to_bytes
from rubicon.players.player import BITS, PLAYERS, Player
from rubicon.players.review.form import ReasonForm, reason_form
from rubicon.players.review.reason import Reason, place_names, reason_of, reason_sentence
from rubicon.processes import exit_with_parent, spawn_context
from rubicon.server.work import SeatGame
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.errors import Stale, StoreUnavailable
from rubicon.table.game.snapshot import GameUpdate, Snapshot
from rubicon.table.storage.writer import SECONDS
from rubicon.table.table_service import TableService
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

# A queue that shares the time of the bot processes between tables, not between decisions.
#
# Each table has a clock of the time that it was given. The table whose clock shows least is next,
# so ten slow tables cannot keep a quick one waiting for longer than the decision that is under
# way (start-time fair queueing: Goyal, Vin and Cheng 1996).

Work = TypeVar("Work")


class FairQueue(Generic[Work]):
    """Work by table; not safe for threads."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Work]] = {}
        self._clocks: dict[str, float] = {}  # seconds given to a table
        self._now = 0.0  # the clock of the table that was last served

    def add(self, table: str, work: Work) -> None:
        """Let work wait; a table that was idle has saved up nothing."""
        self._clocks[table] = max(self._clocks.get(table, 0.0), self._now)
        self._waiting.setdefault(table, deque()).append(work)

    def take(self) -> Work | None:
        """The work of the table that was given least; None where none waits."""
        if not self._waiting:
            return None
        table = min(self._waiting, key=lambda one: self._clocks[one])
        self._now = max(self._now, self._clocks[table])
        works = self._waiting[table]
        work = works.popleft()
        if not works:
            del self._waiting[table]
        return work

    def spent(self, table: str, seconds: float) -> None:
        """Note what the work of a table has taken."""
        self._clocks[table] = self._clocks.get(table, self._now) + seconds
        behind = [
            one
            for one, clock in self._clocks.items()
            if clock <= self._now and one not in self._waiting
        ]
        for one in behind:  # an unknown table begins at `_now` too
            del self._clocks[one]


# Runs bots in their own processes; their decisions are submitted like those of people.

__all__ = ["BotReason", "BotRunner", "ReasonForm", "decide"]
log = logging.getLogger(__name__)
Key = tuple[str, str, int]  # game, seat, decision
Decided = tuple[str, bytes, Reason | None]  # an action, what the bot remembers, why it did so
MEMORIES = 10_000  # seats whose bots remember; one that is forgotten plays on without
REASONS = 2_000  # games whose last reasons are kept
REASONS_EACH = 20


@dataclass(frozen=True, slots=True)
class BotReason:
    """Why a bot decided as it did: as data, and in a few words with the board's names in them."""

    seat: str
    decision: int
    reason: ReasonForm
    why: str


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that a bot must take."""

    snapshot: Snapshot
    seat: str
    decision: int
    bot: str

    @property
    def key(self) -> Key:
        """What distinguishes it from all others."""
        return self.snapshot.id, self.seat, self.decision


class BotRunner:
    """Plays the seats of bots, and those where a bot stands in for an absent owner.

    Tables share the processes by time: see `FairQueue`.
    """

    def __init__(self, table: TableService, processes: int = 1) -> None:
        self.table = table
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self.decision_seconds = Histogram(
            "rubicon_bot_decision_duration_seconds",
            "Time from a bot's pending decision to its submission, time in the queue included.",
            buckets=SECONDS,
            registry=None,
        )
        self._started: dict[Key, float] = {}  # when each open decision was queued
        self._queue = FairQueue[OpenDecision]()
        self._running = 0  # decisions that a process computes
        self._memories: LRUCache[tuple[str, str, str], bytes] = LRUCache(MEMORIES)
        self._reasons: LRUCache[str, deque[BotReason]] = LRUCache(REASONS)
        self._lock = threading.Lock()
        self._stopped = False
        table.watch(self._game_changed)

    def _game_changed(self, published: GameUpdate) -> None:
        """Runs on the writer thread after each commit; must not block."""
        self.start_decisions(published.snapshot)

    def start_decisions(self, snapshot: Snapshot) -> bool:
        """Start the bots that must decide in this position; returns whether there are any."""
        if snapshot.paused or snapshot.ending is not None or snapshot.waits_for:
            return False
        found = False
        for seat, decision in snapshot.decisions.items():
            bot = snapshot.bots.get(seat) or snapshot.server_bots.get(seat)
            if bot is not None:
                found = True
                self._start(snapshot, seat, decision, bot)
        return found

    def reasons(self, game: str) -> tuple[BotReason, ...]:
        """Why the bots of a game did what they did last, the oldest first.

        They reveal plans, and perhaps hidden cards and missions: not for those who play.
        """
        with self._lock:
            return tuple(self._reasons.get(game, ()))

    @property
    def pending(self) -> int:
        """How many decisions are computed or queued."""
        return len(self._started)

    def close(self) -> None:
        """Stop the processes; decisions that are lost are started again after a restart."""
        self._stopped = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self, snapshot: Snapshot, seat: str, decision: int, bot: str) -> None:
        key = snapshot.id, seat, decision
        with self._lock:
            if self._stopped or key in self._started:
                return
            self._started[key] = time.monotonic()
            self._queue.add(snapshot.id, OpenDecision(snapshot, seat, decision, bot))
        self._run_next()

    def _run_next(self) -> None:
        """Give the free processes the decisions that are next."""
        while (one := self._next()) is not None:
            self._run(one)

    def _next(self) -> OpenDecision | None:
        with self._lock:
            if self._stopped or self._running >= self.processes:
                return None
            one = self._queue.take()
            self._running += one is not None
            return one

    def _run(self, one: OpenDecision) -> None:
        begun = time.monotonic()
        try:
            seen = SeatGame.of(one.snapshot.game(), one.seat)
            memory = self._memory(one.snapshot.id, one.seat, one.bot)
            # A seed that no one can compute: otherwise a player could work out what a bot will do.
            seed = secrets.randbits(BITS)
            future = self._processes().submit(decide, seen, one.bot, seed, memory)
        # RuntimeError: another thread has found the pool broken first, and has shut it down.
        except (BrokenProcessPool, RuntimeError):
            self._replace_pool()
            self._ran(one, begun)
            self._finish(one.key)
            return
        future.add_done_callback(lambda done: self._done(one, begun, done))

    def _ran(self, one: OpenDecision, begun: float) -> None:
        with self._lock:
            self._running -= 1
            self._queue.spent(one.snapshot.id, time.monotonic() - begun)

    def _done(self, one: OpenDecision, begun: float, future: Future[Decided]) -> None:
        self._ran(one, begun)
        self._run_next()
        self._decided(one.snapshot, one.key, one.bot, future)

    def _memory(self, game: str, seat: str, bot: str) -> bytes:
        with self._lock:  # a look-up changes the order of a cache
            return self._memories.get((game, seat, bot), b"")

    def _decided(self, snapshot: Snapshot, key: Key, bot: str, future: Future[Decided]) -> None:
        game, seat, decision = key
        if future.cancelled():
            return
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            log.warning("bot processes died, restarting them")
            self._replace_pool()
            self._finish(key)
            self.start_decisions(snapshot)
            return
        if error is not None:
            # The game must go on: the first legal action stands in for the failed bot.
            log.error("bot failed", extra={"game": game, "bot": bot}, exc_info=error)
            text = str(snapshot.game().legal_for(seat)[0])
        else:
            text, memory, reason = future.result()
            with self._lock:
                self._memories[game, seat, bot] = memory
                if reason is not None:
                    kept = self._reasons.setdefault(game, deque(maxlen=REASONS_EACH))
                    places = place_names(snapshot.ruleset.board)
                    why = reason_sentence(reason, Storyteller(Names(places=places)))
                    kept.append(BotReason(seat, decision, reason_form(reason), why))
        submitted = self.table.submit(Submission(game, seat, decision, text, by_bot=True))
        submitted.add_done_callback(lambda done: self._submitted(key, bot, done))

    def _submitted(self, key: Key, bot: str, submitted: Future[Receipt]) -> None:
        self._finish(key)
        error = submitted.exception()
        if error is None or isinstance(error, Stale):
            return  # stale: another server has run the same bot
        if self._stopped and isinstance(error, StoreUnavailable):
            return  # repeated at the next start
        code = error.code if isinstance(error, RubiconError) else type(error).__name__
        level = logging.WARNING if isinstance(error, StoreUnavailable) else logging.ERROR
        fields = {"game": key[0], "bot": bot, "code": code}
        log.log(level, "bot decision refused", extra=fields)

    def _finish(self, key: Key) -> None:
        with self._lock:
            started = self._started.pop(key, None)
        if started is not None:
            self.decision_seconds.observe(time.monotonic() - started)

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self.processes, mp_context=spawn_context(), initializer=exit_with_parent
                )
            return self._pool

    def _replace_pool(self) -> None:
        with self._lock:
            broken, self._pool = self._pool, None
        if broken is not None:
            broken.shutdown(wait=False)


def decide(seen: SeatGame, bot: str, seed: int, memory: bytes) -> Decided:
    """A bot's action as text, from the view of its seat and its memory; runs in a bot process.

    `memory` is what the seat's last decision returned, b"" if there was none.
    """
    if bot not in PLAYERS:  # a game may name a bot that this version does not have
        bot = PLAYERS[0]
    player = Player(bot, seen.seat, seed=seed, memory=memory_from_bytes(memory))
    game = seen.game()
    action = player.decide(game)
    reason = reason_of(game, game.position, game.seat(seen.seat), action, player.memory)
    return str(action), memory_to_bytes(player.memory), reason
