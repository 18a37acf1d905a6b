"""The live stream: one a client, for all the games it names, resumed where it stopped.

`GET /api/v1/events?games=ID,ID`. Each event has an id that says how far the client is in each game;
sent back as Last-Event-ID (browsers do so by themselves) the stream goes on behind it.
"""

from __future__ import annotations

import asyncio
import re
import time
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from litestar import Request, asgi
from litestar.types import Receive, Scope, Send
from sqlalchemy import Connection

from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby_watching import (
    hidden_for,
    spectators_delay,
    visible_entry,
    watching_seat,
)
from rubicon.table.page import SPECTATORS
from rubicon.web.errors import WebError, refuse
from rubicon.web.hub import Hub, Reader, Told, event_bytes
from rubicon.web.identity import provide_me
from rubicon.web.limits import Crowd, address_of
from rubicon.web.seeing import seen_facts

HEARTBEAT = 20.0  # seconds
RECHECK = 60.0  # seconds until it is asked again who may hear this
MOST_GAMES = 50
AT_ONCE = 500
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_CURSOR = re.compile(r"([a-z0-9]{1,16}):(\d{1,9})")


@asgi("/api/v1/events", is_mount=False, copy_scope=True)
async def events(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a stream, or with an error in the common shape."""
    state, address = scope["litestar_app"].state, address_of(scope)
    crowd: Crowd = state.streams
    if not crowd.enter(address):
        message = f"Your address has {crowd.most} streams open already."
        suggestion = "One stream is enough for all games: games=ID,ID."
        error = WebError("request/too-many-streams", message, suggestion)
        await refuse(send, error, {"retry-after": "5"})
        return
    try:
        await _answer(Request(scope, receive), state.host, state.hub, send)
    finally:
        crowd.leave(address)


async def _answer(request: Request[Any, Any, Any], host: Host, hub: Hub, send: Send) -> None:
    try:
        seats = await _seats(request, host)
        stream = Stream(request, host, Reader(seats), send)
        stream.resume()
    except RubiconError as error:
        await refuse(send, error)
        return
    gone = asyncio.ensure_future(_gone(request.receive))
    gone.add_done_callback(lambda _: stream.reader.end())
    hub.join(stream.reader)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await stream.run(gone)
    finally:
        hub.leave(stream.reader)
        gone.cancel()


async def _seats(request: Request[Any, Any, Any], host: Host) -> dict[str, str]:
    """The seat that whoever asks has in each game; RubiconError where one is not for them."""
    me = await provide_me(request, host)
    account = None if me is None else me.id
    games = [game for game in request.query_params.get("games", "").split(",") if game]
    if not 1 <= len(games) <= MOST_GAMES:
        message = f"A stream is of 1 to {MOST_GAMES} games, not {len(games)}."
        raise WebError("events/games", message, "GET /api/v1/events?games=ID,ID")
    invite = request.query_params.get("invite")

    def seats(connection: Connection) -> dict[str, str]:
        return {game: watching_seat(connection, game, account, invite) for game in games}

    return await asyncio.to_thread(host.store.read, seats)


class Stream:
    """One client's stream; `cursor` says how far it is in each game."""

    def __init__(
        self, request: Request[Any, Any, Any], host: Host, reader: Reader, send: Send
    ) -> None:
        self.request = request
        self.host = host
        self.reader = reader
        self.cursor: dict[str, int] = {}
        self.late: dict[str, float] = {}  # seconds by which spectators see games later
        self.behind: dict[str, float] = {}  # when they may know the next entry of these
        self.checked = self.wrote = time.monotonic()
        self._send = send

    def resume(self) -> None:
        """Read how far the client is; WebError where that is no cursor."""
        request = self.request
        text = request.headers.get("last-event-id") or str(request.query_params.get("after") or "")
        for part in filter(None, text.split(",")):
            found = _CURSOR.fullmatch(part.strip())
            if found is None:
                message = f"{text[:60]!r} is no cursor of this stream."
                raise WebError("events/cursor", message, "Send the id of an event, as it came.")
            if found[1] in self.reader.seats:
                self.cursor[found[1]] = int(found[2])

    async def run(self, gone: asyncio.Future[None]) -> None:
        """Tell what was missed, then what happens, until the client or the house has enough."""
        for game in self.reader.seats:
            await self._begin(game)
        while not gone.done():
            told = await self._next()
            if told is None or not await self._is_still_for_them(told):
                break
            if told.game in self.late:
                over = b"event: over\n" in told.data  # then nothing is kept back any more
                due = time.monotonic() + (0.0 if over else self.late[told.game])
                self.behind[told.game] = min(due, self.behind.get(told.game, due))
            elif told.data and (told.entry < 0 or told.entry > self.cursor[told.game]):
                await self._tell(told)
            await self._look_late()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> Told | None:
        """What comes next; nothing, after a while in which nothing came; None at the end."""
        due = min([self.wrote + HEARTBEAT, *self.behind.values()])
        try:
            return await asyncio.wait_for(
                self.reader.waiting.get(), max(0.0, due - time.monotonic())
            )
        except TimeoutError:
            if time.monotonic() - self.wrote >= HEARTBEAT:
                await self._write(b":\n\n")
            return Told("", -1, b"")

    async def _begin(self, game: str) -> None:
        """What was told since the cursor; a game without one begins now."""
        seat = self.reader.seats[game]
        delay = await asyncio.to_thread(self.host.store.read, partial(spectators_delay, game=game))
        self.late.pop(game, None)
        self.behind.pop(game, None)
        if seat == SPECTATORS and delay:
            self.late[game] = delay / 1000
            self.behind[game] = time.monotonic()
        at = await asyncio.to_thread(_entry, self.host, game, seat)
        # A cursor from before a backup was restored may be ahead of the game: it begins now, too.
        self.cursor[game] = min(self.cursor.get(game, at), at)
        await self._catch_up(game)

    async def _catch_up(self, game: str) -> None:
        seat = self.reader.seats[game]
        while True:
            rows = await asyncio.to_thread(
                seen_facts, self.host, game, seat, self.cursor[game], AT_ONCE
            )
            for entry, notices in groupby(rows, key=itemgetter("entry")):
                data = b"".join(event_bytes(game, notice) for notice in notices)
                await self._tell(Told(game, entry, data))
            if not rows:
                return

    async def _look_late(self) -> None:
        """Tell spectators what they may know by now."""
        for game in [game for game, due in self.behind.items() if due <= time.monotonic()]:
            await self._catch_up(game)
            left = await asyncio.to_thread(self.host.store.read, partial(hidden_for, game=game))
            if left is None:
                del self.behind[game]
            else:
                self.behind[game] = time.monotonic() + left / 1000

    async def _is_still_for_them(self, told: Told) -> bool:
        """Ask again who hears this, where seats change hands and from time to time.

        False where the stream is to end: the client comes again, and is told why not.
        """
        begins = told.game in self.cursor and told.entry >= 0 > self.cursor[told.game]
        due = time.monotonic() - self.checked > RECHECK
        if not (told.changed or begins or due):
            return True
        self.checked = time.monotonic()
        try:
            seats = await _seats(self.request, self.host)
        except RubiconError:
            return False
        changed = [game for game, seat in seats.items() if self.reader.seats[game] != seat]
        # From here on nothing is queued for the old seat; what was is behind the cursor below.
        self.reader.seats.update(seats)
        for game in changed:
            await self._begin(game)
        return True

    async def _tell(self, told: Told) -> None:
        """Events, and behind them how far the client is now (an id without data counts, too)."""
        if told.entry >= 0:
            self.cursor[told.game] = told.entry
        known = (f"{game}:{entry}" for game, entry in self.cursor.items() if entry >= 0)
        await self._write(told.data + f"id: {','.join(known)}\n\n".encode())

    async def _write(self, body: bytes) -> None:
        self.wrote = time.monotonic()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


def _entry(host: Host, game: str, seat: str) -> int:
    """The last entry that the seat may know of; -1 in the lobby."""
    try:
        return host.store.read(partial(visible_entry, game=game, seat=seat))
    except NoSuchGame:
        return -1


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
