"""Who watches which game, and what is sent to all of them at once."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rubicon.table.chat import Said
from rubicon.table.table import Published

MOST_WAITING = 1000  # events that a slow reader may be behind, before it is let go


@dataclass(frozen=True, slots=True)
class Told:
    """What one commit brought one audience; the bytes are shared by everybody in it."""

    game: str
    entry: int
    data: bytes


@dataclass(eq=False)
class Reader:
    """One stream: the seats whose events it gets, by game."""

    seats: dict[str, str]
    waiting: asyncio.Queue[Told | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING))

    def give(self, told: Told) -> None:
        """Queue an event; whoever does not read is told to come again with its cursor."""
        try:
            self.waiting.put_nowait(told)
        except asyncio.QueueFull:
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.waiting.put_nowait(None)


class Hub:
    """Hands on what the table commits to those who watch it, in the loop's thread."""

    def __init__(self) -> None:
        self._readers: defaultdict[str, set[Reader]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """From here on events are handed on in this loop."""
        self._loop = loop

    def close(self) -> None:
        """Tell every stream to end."""
        for reader in {reader for readers in self._readers.values() for reader in readers}:
            while not reader.waiting.empty():
                reader.waiting.get_nowait()
            reader.waiting.put_nowait(None)

    def __len__(self) -> int:
        return len({reader for readers in self._readers.values() for reader in readers})

    def join(self, reader: Reader) -> None:
        """Begin to listen."""
        for game in reader.seats:
            self._readers[game].add(reader)

    def leave(self, reader: Reader) -> None:
        """Listen no more."""
        for game in reader.seats:
            self._readers[game].discard(reader)
            if not self._readers[game]:
                del self._readers[game]

    def hear(self, published: Published) -> None:
        """Something was committed; called in the writing thread."""
        if published.snapshot.id in self._readers:
            self._soon(self._publish, published)

    def hear_said(self, line: Said) -> None:
        """Something was said; called in the writing thread."""
        self._soon(self._say, line)

    def _soon(self, act: Any, what: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act, what)

    def _publish(self, published: Published) -> None:
        readers = self._readers.get(published.snapshot.id)
        if not readers:
            return
        game, head = published.snapshot.id, published.snapshot.head
        written: defaultdict[str, bytes] = defaultdict(bytes)
        for notice in published.notices:
            written[notice["seat"]] += event_bytes(game, notice)
        told = {seat: Told(game, head, data) for seat, data in written.items()}
        for reader in readers:
            if reader.seats[game] in told:
                reader.give(told[reader.seats[game]])

    def _say(self, line: Said) -> None:
        body = json.dumps(line.as_dict())
        data = event_bytes(line.game, {"entry": -1, "kind": "chat", "at": line.at, "body": body})
        for reader in self._readers.get(line.game, ()):
            seat = reader.seats[line.game]
            if not line.to or seat in (line.to, line.seat):
                reader.give(Told(line.game, -1, data))


def event_bytes(game: str, notice: Mapping[str, Any]) -> bytes:
    """A notice as an event of the stream; its body is JSON already."""
    kind, body = notice["kind"], notice["body"]
    head = f'"game":"{game}","entry":{notice["entry"]},"kind":"{kind}","at":{notice["at"]}'
    return f'event: {kind}\ndata: {{{head},"body":{body}}}\n\n'.encode()
