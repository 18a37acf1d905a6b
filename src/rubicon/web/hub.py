"""Who watches which game, and what is sent to all of them at once."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.table.chat import Said
from rubicon.table.errors import StoreAway
from rubicon.table.listening import Change
from rubicon.table.page import SPECTATORS
from rubicon.table.table import Published, Table

MOST_WAITING = 1000  # events that a slow reader may be behind, before it is let go
TABLE_CHANGED = "lobby"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Told:
    """What one page brought one audience; the bytes are shared by everybody in it.

    A reader who is not as far as `since` has missed something, and reads it from the store.
    """

    game: str
    seat: str
    since: int
    entry: int  # -1 for what is not in the log
    data: bytes
    seats_changed: bool = False


class Reader:
    """One stream: the seats whose events it gets, by game. There may be thousands that wait."""

    __slots__ = ("_awaited", "_told", "seats")

    def __init__(self, seats: dict[str, str]) -> None:
        self.seats = seats
        self._told: deque[Told | None] = deque()
        self._awaited: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._told)

    def give(self, told: Told) -> None:
        """Queue an event; whoever does not read is told to come again with its cursor."""
        if len(self._told) >= MOST_WAITING:
            self.end()
        else:
            self._put(told)

    def end(self) -> None:
        """Let the stream end, whatever still waits."""
        self._told.clear()
        self._put(None)

    async def next(self) -> Told | None:
        """What comes next, when it comes; None at the end."""
        while not self._told:
            self._awaited = asyncio.get_running_loop().create_future()
            await self._awaited
        return self._told.popleft()

    def _put(self, told: Told | None) -> None:
        self._told.append(told)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)


class Hub:
    """Hands on what is committed, here or by another host, to those who watch it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._readers: defaultdict[str, set[Reader]] = defaultdict(set)
        self._untold: dict[str, tuple[int, int]] = {}  # from where to where nothing was told
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """From here on events are handed on in this loop."""
        self._loop = loop

    def close(self) -> None:
        """Tell every stream to end, those that begin from now on too."""
        self._closed = True
        for reader in {reader for readers in self._readers.values() for reader in readers}:
            reader.end()

    def __len__(self) -> int:
        return len({reader for readers in self._readers.values() for reader in readers})

    def join(self, reader: Reader) -> None:
        """Begin to listen."""
        for game in reader.seats:
            self._readers[game].add(reader)
        if self._closed:
            reader.end()

    def leave(self, reader: Reader) -> None:
        """Listen no more."""
        for game in list(reader.seats):
            self.drop(reader, game)

    def drop(self, reader: Reader, game: str) -> None:
        """Listen no more to one game."""
        reader.seats.pop(game, None)
        readers = self._readers.get(game, set())
        readers.discard(reader)
        if not readers:
            self._readers.pop(game, None)

    def hear(self, published: Published) -> None:
        """Something was committed here; called in the writing thread."""
        game = published.snapshot.id
        if game in self._readers:
            head = published.snapshot.head
            self._soon(self._publish, game, published.since, head, published.notices)

    def hear_table(self, game: str) -> None:
        """Somebody came or went, or the game was begun."""
        self._soon(self._change_table, game)

    def hear_said(self, line: Said) -> None:
        """Something was said; called in the writing thread."""
        self._soon(self._say, line)

    def hear_elsewhere(self, page: Change) -> None:
        """Another host has committed a page; called in the listener's thread, which may wait.

        Where it is not known what the page brought, or not to be had, each stream reads it.
        """
        if page.game not in self._readers:
            return
        if page.is_page:
            try:
                notices = self._table.notices(page.game, page.number)
            except StoreAway as error:
                log.warning("a page is read by each stream", extra={"error": error})
            else:
                self._soon(self._publish, page.game, page.since, page.number, notices)
                return
        self._soon(self._look, page.game, page.number)

    def _soon(self, act: Any, *what: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act, *what)

    def _publish(
        self, game: str, since: int, head: int, notices: Sequence[Mapping[str, Any]]
    ) -> None:
        readers = self._readers.get(game)
        if not readers:
            self._untold.pop(game, None)
            return
        began, until = self._untold.pop(game, (since, since))
        since = began if until == since else since  # else a page between them was missed
        if not notices:  # a request whose dice follow: nobody is woken for it
            self._untold[game] = since, head
            return
        written: defaultdict[str, bytes] = defaultdict(bytes)
        for notice in notices:
            written[notice["seat"]] += event_bytes(game, notice)
        told: dict[str, Told] = {}
        for reader in readers:
            seat = reader.seats[game]
            if seat not in told:
                told[seat] = Told(game, seat, since, head, written.get(seat, b""))
            reader.give(told[seat])

    def _look(self, game: str, head: int) -> None:
        """Whoever is not as far as that reads it from the store."""
        self._untold.pop(game, None)
        for reader in self._readers.get(game, ()):
            reader.give(Told(game, reader.seats[game], head, head, b""))

    def _change_table(self, game: str) -> None:
        at = time.time_ns() // 1_000_000
        data = event_bytes(game, {"entry": -1, "kind": TABLE_CHANGED, "at": at, "body": "{}"})
        for reader in self._readers.get(game, ()):
            reader.give(Told(game, SPECTATORS, -1, -1, data, seats_changed=True))

    def _say(self, line: Said) -> None:
        body = json.dumps(line.as_dict())
        data = event_bytes(line.game, {"entry": -1, "kind": "chat", "at": line.at, "body": body})
        for reader in self._readers.get(line.game, ()):
            seat = reader.seats[line.game]
            if not line.to or seat in (line.to, line.seat):
                reader.give(Told(line.game, seat, -1, -1, data))


def event_bytes(game: str, notice: Mapping[str, Any]) -> bytes:
    """A notice as an event of the stream; its body is JSON already."""
    kind, body = notice["kind"], notice["body"]
    head = f'"game":"{game}","entry":{notice["entry"]},"kind":"{kind}","at":{notice["at"]}'
    return f'event: {kind}\ndata: {{{head},"body":{body}}}\n\n'.encode()
