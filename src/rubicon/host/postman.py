"""The postman: a thread beside the clock that sends what waits for a letter.

A notice is claimed in a transaction before its letter goes out, so that several hosts of one store
send it once. Who dies in between leaves a claim, which another host takes up some minutes later
with the same Message-ID. What fails is tried again, after rests that grow, for a day.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from email.message import EmailMessage
from enum import Enum, auto
from functools import partial

from sqlalchemy import Connection

from rubicon.host.letters import (
    DAY,
    HOUR,
    MINUTE,
    Letterhead,
    Told,
    deadline_letter,
    duty_letter,
    over_letter,
)
from rubicon.host.sender import NotSent, Sender
from rubicon.host.waiting import WaitingNotice, idle, let_be, mark, settle, waiting
from rubicon.rules.errors import RubiconError
from rubicon.table.lives import rebuilt
from rubicon.table.settings import Settings
from rubicon.table.store import now
from rubicon.table.table import Snapshot, Table, snapshot_of

SWEEP_SECONDS = 5.0
CLAIM = 10 * MINUTE  # how long nobody else touches what is being sent
LONGEST_REST = 4 * HOUR
MOST_LOOKED_AT = 500  # notices in one transaction
MOST_CLAIMED = 20  # letters: all are sent, or have failed, long before the claim ends
LANES = 4  # letters that are handed in at the same time
log = logging.getLogger(__name__)


class Fate(Enum):
    """What becomes of a notice that gets no letter now."""

    NO_LETTER = auto()
    LATER = auto()


class Postman:
    """Sends letters; `stop_path` is told an account and its address, and ends letters there."""

    def __init__(
        self,
        table: Table,
        sender: Sender,
        head: Letterhead,
        stop_path: Callable[[str, str], str],
        *,
        after: int = 60,
        clock: Callable[[Connection], int] = now,
    ) -> None:
        self.table = table
        self.sender = sender
        self.head = head
        self._stop_path = stop_path
        self._after = after * 1000
        self._clock = clock
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="postman", daemon=True)

    def start(self) -> None:
        """Look every few seconds from here on."""
        self._thread.start()

    def close(self) -> None:
        """Stop at once: who comes later takes up what was claimed."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
        self._loop.close()

    def post(self, letter: EmailMessage) -> Future[None]:
        """Try once to send a letter, at once; what comes of it is logged."""
        return asyncio.run_coroutine_threadsafe(self._hand_in(letter), self._loop)

    async def sweep(self) -> bool:
        """Send what is due; whether there may be more."""
        store = self.table.store
        ids, at, found = await asyncio.to_thread(store.read, self._due)
        if ids:
            await asyncio.wrap_future(store.write(partial(let_be, ids=ids)))
            if len(ids) == MOST_LOOKED_AT:
                return True
        marks, letters = await asyncio.to_thread(self._fates, found, at)
        if not marks:
            return False
        ours = await asyncio.wrap_future(store.write(partial(mark, marks=marks)))
        lanes = asyncio.Semaphore(LANES)
        claimed = [(waits, claim) for waits, claim in marks if waits.id in letters.keys() & ours]
        await asyncio.gather(
            *(self._deliver(lanes, waits, letters[waits.id], claim) for waits, claim in claimed)
        )
        return len(found) >= MOST_LOOKED_AT or len(marks) < len(found)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._work())

    async def _work(self) -> None:
        rounds = asyncio.create_task(self._rounds())
        await self._stopped.wait()
        rounds.cancel()

    async def _rounds(self) -> None:
        while True:
            more = False
            try:
                more = await self.sweep()
            except RubiconError as error:
                log.warning("the postman waits: %s", error)
            except Exception:  # whatever it is: letters go on
                log.exception("the postman stumbled")
            if not more:
                await asyncio.sleep(SWEEP_SECONDS)

    def _due(self, connection: Connection) -> tuple[list[int], int, list[WaitingNotice]]:
        """What needs no letter; where that is not too much, also what may."""
        at = self._clock(connection)
        ids = idle(connection, at, self._after, MOST_LOOKED_AT)
        if len(ids) == MOST_LOOKED_AT:
            return ids, at, []
        return ids, at, waiting(connection, at, self._after, MOST_LOOKED_AT)

    def _fates(
        self, found: list[WaitingNotice], at: int
    ) -> tuple[list[tuple[WaitingNotice, int | None]], dict[int, EmailMessage]]:
        """What is to be noted about notices, and the letters of those that are claimed."""
        marks: list[tuple[WaitingNotice, int | None]] = []
        letters: dict[int, EmailMessage] = {}
        for waits in found:
            fate = self._fate(waits, at)
            if isinstance(fate, EmailMessage):
                letters[waits.id] = fate
                marks.append((waits, -(at + CLAIM)))
            else:
                marks.append((waits, None if fate is Fate.NO_LETTER else _later(waits, at)))
            if len(letters) == MOST_CLAIMED:
                break
        return marks, letters

    def _fate(self, waits: WaitingNotice, at: int) -> EmailMessage | Fate:
        """The letter that a notice leads to, if it does; one bad game does not stop the others."""
        if not waits.wanted:
            return Fate.NO_LETTER
        if at - waits.at >= DAY:
            log.warning("notice %s had no letter within a day", waits.id)
            return Fate.NO_LETTER
        try:
            return self._letter(waits, at)
        except Exception as error:
            log.error("notice %s of game %s has no letter yet: %s", waits.id, waits.game, error)
            return Fate.LATER

    def _letter(self, waits: WaitingNotice, at: int) -> EmailMessage | Fate:
        snapshot = self._snapshot(waits)
        told = self._told(waits, snapshot, at)
        if waits.kind == "over":
            return over_letter(self.head, told)
        duty = waits.body["duty"]
        if snapshot.duties.get(waits.seat) != duty or waits.seat in snapshot.bots:
            return Fate.NO_LETTER
        if snapshot.paused:
            return Fate.LATER
        if waits.kind == "deadline":
            late = told.due is not None and told.due <= at
            return Fate.NO_LETTER if late else deadline_letter(self.head, told)
        return duty_letter(self.head, told)

    def _snapshot(self, waits: WaitingNotice) -> Snapshot:
        """How the game stands; where it is not at hand it is built here, not by who writes."""
        held = self.table.known(waits.game)
        if held is not None and held.head == waits.head:
            return held
        return self.table.store.read(lambda c: snapshot_of(rebuilt(c, waits.game)))

    def _told(self, waits: WaitingNotice, snapshot: Snapshot, at: int) -> Told:
        return Told(
            waits.id,
            waits.game,
            waits.title,
            waits.seat,
            waits.name,
            waits.email,
            at,
            self._stop_path(waits.account, waits.email),
            snapshot.witness,
            snapshot.game().phase,
            snapshot.due.get(waits.seat),
            Settings.read(json.loads(waits.settings)).silence,
            waits.body.get("result", ""),
            waits.body.get("reason", ""),
        )

    async def _deliver(
        self,
        lanes: asyncio.Semaphore,
        waits: WaitingNotice,
        letter: EmailMessage,
        claim: int | None,
    ) -> None:
        error = None
        async with lanes:
            try:
                await self.sender.send(letter)
            except NotSent as failure:
                log.warning("notice %s: %s", waits.id, failure)
                error = failure

        def told(connection: Connection) -> None:
            at = self._clock(connection)
            over = error is not None and (error.final or at - waits.at >= DAY)
            sent = at if error is None else None if over else _later(waits, at)
            settle(connection, waits.id, claim, sent)

        try:
            await asyncio.wrap_future(self.table.store.write(told))
        except RubiconError as failure:
            log.warning("what became of notice %s is not stored: %s", waits.id, failure)

    async def _hand_in(self, letter: EmailMessage) -> None:
        try:
            await self.sender.send(letter)
        except NotSent as failure:
            log.warning("letter %s: %s", letter["Message-ID"], failure)


def _later(waits: WaitingNotice, at: int) -> int:
    """A rest as long as the notice is old."""
    return -(at + max(MINUTE, min(at - waits.at, LONGEST_REST)))
