"""Players' own programs (`rubicon.client`) at a table service of the same process.

They go on from their journals, as those of real players do, when this process was killed.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx
import msgspec

from rubicon.client.dice import DicePart
from rubicon.client.session import ApiSession
from rubicon.dice.lines.request import SignedOrder
from rubicon.errors import RubiconError
from rubicon.table.admin.game_files import transcript_of
from rubicon.table.game.snapshot import GameUpdate
from rubicon.table.table_service import TableService
from rubicon.web.api.bodies import (
    ChangePresence,
    DepositChain,
    GiveLink,
    OpenPlacement,
    SealPlacement,
)
from rubicon.web.api.games import deposit_of, given_of, opened_of, presence_of, sealed_of

Result = TypeVar("Result")
GLANCE = 0.5  # seconds between two looks, should no commit be told of


class SeatTransport(httpx.BaseTransport):
    """What the API does with the requests of a seat's program, without a network."""

    def __init__(self, table: TableService, game: str, seat: str) -> None:
        self.table, self.game, self.seat = table, game, seat

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Any request of `DicePart`."""
        self.table.seen(self.game, self.seat)
        try:
            return httpx.Response(200, text=self._answer(request))
        except RubiconError as error:
            return httpx.Response(error.status, json=error.as_dict())

    def _answer(self, request: httpx.Request) -> str:
        what, body = request.url.path.rpartition("/")[2], request.read()
        table, game, seat = self.table, self.game, self.seat
        if what == "transcript":
            after = int(request.url.params["after"])
            return table.store.read(partial(transcript_of, game=game, seat=seat, after=after))
        if what == "link":
            link = msgspec.json.decode(body, type=GiveLink)
            receipt = table.link(game, seat, link.n, given_of(link)).result()
            return json.dumps(asdict(receipt))
        if what == "sealed":
            sealed = msgspec.json.decode(body, type=SealPlacement)
            table.seal(game, sealed_of(seat, sealed)).result()
            return "{}"
        if what == "opened":
            opened = msgspec.json.decode(body, type=OpenPlacement)
            table.open_placement(game, opened_of(seat, opened)).result()
            return "{}"
        if what == "deposit":
            chain = msgspec.json.decode(body, type=DepositChain)
            table.deposit(game, seat, deposit_of(seat, chain)).result()
            return '{"begun":true}'
        assert what == "presence"
        presence = presence_of(msgspec.json.decode(body, type=ChangePresence))
        table.presence(game, seat, presence).result()
        return "{}"


class DicePrograms:
    """The programs of some seats of one game; one thread uses them.

    `heard` is told each new head that a program has checked. DiceAlarm where one raises an alarm.
    """

    def __init__(
        self,
        table: TableService,
        game: str,
        seats: Sequence[str],
        folder: Path,
        heard: Callable[[str], None],
    ) -> None:
        self.table, self.game, self.heard = table, game, heard
        self.parts = {seat: self._part(seat, folder) for seat in seats}
        self._told: dict[str, str] = {}
        self._changed = threading.Event()
        table.watch(self._hear)

    def _part(self, seat: str, folder: Path) -> DicePart:
        session = ApiSession("http://table", SeatTransport(self.table, self.game, seat))
        return DicePart(session, self.game, seat, journal_of(folder, self.game, seat))

    def _hear(self, update: GameUpdate) -> None:
        if update.snapshot.id == self.game:
            self._changed.set()

    def begin(self) -> None:
        """Deposit their chains, or go on from their journals."""
        for part in self.parts.values():
            part.begin()
        self.look()

    def look(self) -> None:
        """Check what is new, give the links that wait, join again where the server lost one."""
        for seat, part in self.parts.items():
            snapshot = self.table.cached_snapshot(self.game)
            part.give(snapshot.witness if snapshot is not None else "")
            part.open_placement()
            part.stay()
            part.live(part.client.takes_part)
            part.raise_alarm()
            witness = part.client.transcript.witness
            if self._told.get(seat) != witness:
                self._told[seat] = witness
                self.heard(witness)

    def wait(self, future: Future[Result]) -> Result:
        """Take part until something is done."""
        future.add_done_callback(lambda _: self._changed.set())
        while True:
            done = future.done()
            self.look()  # behind it too: a request may have been left that waits for links
            if done:
                return future.result()
            self._changed.wait(GLANCE)
            self._changed.clear()

    def signed(self, seat: str, decision: int, words: str) -> SignedOrder | None:
        """The signature of a decision by the seat's program; None where it has none."""
        form = self.parts[seat].signed(decision, words) if seat in self.parts else None
        if form is None:
            return None
        head, signature = bytes.fromhex(form["head"]), bytes.fromhex(form["signature"])
        return SignedOrder(form["id"], head, signature)

    def close(self) -> None:
        """Let another process go on with the journals."""
        for part in self.parts.values():
            part.close()
            part.session.close()


def journal_of(folder: Path, game: str, seat: str) -> Path:
    """The file with the journal of a seat's program."""
    return folder / f"{game}-{seat}.jsonl"


def seats_with_programs(game: str, colours: Sequence[str]) -> Sequence[str]:
    """Of each four games one has no programs, one has one, and two have two."""
    return colours[: min(int(game.removeprefix("game")) % 4, 2)]
