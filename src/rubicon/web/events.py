"""The live stream: one a client, for all the games it names, resumed where it stopped.

`GET /api/v1/events?games=ID,ID`. Each event has an id that says how far the client is in each game;
sent back as Last-Event-ID (browsers do so by themselves) the stream goes on behind it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from litestar import Request, asgi
from litestar.types import Receive, Scope, Send

from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.table.errors import NoSuchGame, StoreAway, TableError
from rubicon.table.lobby_watching import (
    hidden_for,
    spectators_delay,
    visible_entry,
    watched_from,
)
from rubicon.table.page import SPECTATORS
from rubicon.web.errors import WebError, refuse
from rubicon.web.hub import Hub, Reader, Told, event_bytes
from rubicon.web.identity import provide_me
from rubicon.web.limits import Crowd, address_of
from rubicon.web.seeing import seen_facts

HEARTBEAT = 20.0  # seconds
RECHECK = 1.0  # seconds until it is asked again whether a token is still good
MOST_GAMES = 50
AT_ONCE = 500
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
NOTHING = Told("", SPECTATORS, -1, -1, b"")
_CURSOR = re.compile(r"([a-z0-9]{1,16}):(\d{1,9})")
log = logging.getLogger(__name__)


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
        await _answer(Stream(Request(scope, receive), state.host, state.hub, send), receive, send)
    finally:
        crowd.leave(address)


async def _answer(stream: Stream, receive: Receive, send: Send) -> None:
    try:
        await stream.begin()
    except RubiconError as error:
        await refuse(send, error)
        return
    stream.hub.join(stream.reader)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        gone = asyncio.ensure_future(_gone(receive))
        gone.add_done_callback(lambda _: stream.reader.end())
        try:
            await stream.run(gone)
        except StoreAway as error:  # the client comes again, with its cursor
            log.warning("a stream ends early", extra={"error": error})
        finally:
            gone.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        stream.hub.leave(stream.reader)


class Stream:
    """One client's stream: what it asked for, whose eyes it has, and how far it is."""

    __slots__ = (
        "_account",
        "_cursor",
        "_hidden",
        "_invite",
        "_known_at",
        "_late",
        "_request",
        "_send",
        "_wrote_at",
        "host",
        "hub",
        "reader",
    )

    def __init__(self, request: Request[Any, Any, Any], host: Host, hub: Hub, send: Send) -> None:
        self.host = host
        self.hub = hub
        self.reader = Reader({})
        self._request = request
        self._send = send
        self._invite: str | None = request.query_params.get("invite")
        self._account: str | None = None
        self._cursor: dict[str, int] = {}
        self._late: dict[str, float] = {}  # seconds by which a spectator sees games later
        self._hidden: dict[str, float] = {}  # when the next entry of these may be known
        self._known_at = self._wrote_at = time.monotonic()

    async def begin(self) -> None:
        """Look up what is asked for; RubiconError where it is not to be had."""
        me = await provide_me(self._request, self.host)
        self._account = None if me is None else me.id
        asked = self._request.query_params.get("games", "")
        games = [game for game in asked.split(",") if game]
        if not 1 <= len(games) <= MOST_GAMES:
            message = f"A stream is of 1 to {MOST_GAMES} games, not {len(games)}."
            raise WebError("events/games", message, "GET /api/v1/events?games=ID,ID")
        self.reader = Reader({game: await self._seat(game) for game in games})
        self._cursor = self._cursor_sent()

    async def run(self, gone: asyncio.Future[None]) -> None:
        """Tell what was missed, then what happens, until the client or the host goes."""
        for game in list(self.reader.seats):
            await self._sit_down(game)
            await self._check_cursor(game)
            await self._catch_up(game)
        while not gone.done() and self.reader.seats:
            told = await self._next()
            if told is None or not await self._is_known():
                return
            if told is not NOTHING:
                await self._hear(told)
            await self._look_late()

    async def _next(self) -> Told | None:
        """What comes next; NOTHING where it is time to look, None at the end."""
        due = min([self._wrote_at + HEARTBEAT, *self._hidden.values()])
        try:
            async with asyncio.timeout(max(0.0, due - time.monotonic())):
                return await self.reader.next()
        except TimeoutError:
            if time.monotonic() - self._wrote_at >= HEARTBEAT:
                await self._write(b":\n\n")
            return NOTHING

    async def _hear(self, told: Told) -> None:
        game = told.game
        if told.seats_changed:
            await self._write(told.data + self._id())
        if told.seats_changed or self._cursor.get(game, -1) < 0:
            await self._sit_down(game)  # before the game has begun seats change hands
        seat = self.reader.seats.get(game)
        if game in self._late and told.entry >= 0:
            over = b"event: over\n" in told.data  # then nothing is kept back any more
            due = time.monotonic() + (0.0 if over else self._late[game])
            self._hidden[game] = min(due, self._hidden.get(game, due))
        if seat is None or told.seats_changed or game in self._late:
            return
        if told.entry < 0:
            if told.seat == seat:
                await self._write(told.data + self._id())
        elif told.entry > self._cursor[game]:
            if told.since > self._cursor[game] or told.seat != seat:
                await self._catch_up(game)
                self._cursor[game] = max(told.entry, self._cursor[game])
            else:
                await self._tell(game, told.entry, told.data)

    async def _sit_down(self, game: str) -> None:
        """See with the eyes of the seat that the client has by now; leave where it has none."""
        try:
            self.reader.seats[game] = await self._seat(game)
        except StoreAway:
            raise
        except TableError:
            self.hub.drop(self.reader, game)
            self._late.pop(game, None)
            self._hidden.pop(game, None)
            return
        read = partial(spectators_delay, game=game)
        late = self.reader.seats[game] == SPECTATORS
        delay = await asyncio.to_thread(self.host.store.read, read) if late else 0
        self._hidden.pop(game, None)
        if delay:
            self._late[game] = delay / 1000
            self._hidden[game] = time.monotonic()
        else:
            self._late.pop(game, None)

    async def _look_late(self) -> None:
        """Tell a spectator what may be known by now of games with a delay."""
        for game in [game for game, due in self._hidden.items() if due <= time.monotonic()]:
            await self._catch_up(game)
            left = await asyncio.to_thread(self.host.store.read, partial(hidden_for, game=game))
            if left is None:
                del self._hidden[game]
            else:
                self._hidden[game] = time.monotonic() + left / 1000

    async def _seat(self, game: str) -> str:
        look = partial(watched_from, game=game, account=self._account, invite=self._invite)
        return (await asyncio.to_thread(self.host.store.read, look)).seat

    async def _is_known(self) -> bool:
        """Whether the token that opened the stream is still good; asked now and then."""
        if self._account is None or time.monotonic() - self._known_at < RECHECK:
            return True
        self._known_at = time.monotonic()
        me = await provide_me(self._request, self.host)
        return me is not None and me.id == self._account

    async def _check_cursor(self, game: str) -> None:
        """One from before a backup was restored may be ahead of the game: it begins now, then."""
        seat = self.reader.seats.get(game)
        if seat is not None and game in self._cursor:
            now_at = await asyncio.to_thread(_now_at, self.host, game, seat)
            self._cursor[game] = min(self._cursor[game], now_at)

    async def _catch_up(self, game: str) -> None:
        """What was told since the cursor; without one the stream begins now."""
        seat = self.reader.seats.get(game)
        if seat is None:
            return
        if game not in self._cursor:
            self._cursor[game] = await asyncio.to_thread(_now_at, self.host, game, seat)
            return
        while True:
            after = self._cursor[game]
            rows = await asyncio.to_thread(seen_facts, self.host, game, seat, after, AT_ONCE)
            for entry, notices in groupby(rows, key=itemgetter("entry")):
                data = b"".join(event_bytes(game, notice) for notice in notices)
                await self._tell(game, entry, data)
            if not rows:
                return

    async def _tell(self, game: str, entry: int, data: bytes) -> None:
        """Events, and behind them how far the client is now (an id without data counts, too)."""
        self._cursor[game] = entry
        if data:
            await self._write(data + self._id())

    def _cursor_sent(self) -> dict[str, int]:
        """How far the client is in each game; a game that it does not name begins now."""
        query = self._request.query_params
        text = self._request.headers.get("last-event-id") or str(query.get("after") or "")
        cursor: dict[str, int] = {}
        for part in filter(None, text.split(",")):
            found = _CURSOR.fullmatch(part.strip())
            if found is None:
                message = f"{text[:60]!r} is no cursor of this stream."
                raise WebError("events/cursor", message, "Send the id of an event, as it came.")
            if found[1] in self.reader.seats:
                cursor[found[1]] = int(found[2])
        return cursor

    def _id(self) -> bytes:
        known = (f"{game}:{entry}" for game, entry in self._cursor.items() if entry >= 0)
        return f"id: {','.join(known)}\n\n".encode()

    async def _write(self, body: bytes) -> None:
        self._wrote_at = time.monotonic()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


def _now_at(host: Host, game: str, seat: str) -> int:
    """The last entry that the seat may know of; -1 in the lobby."""
    try:
        return host.store.read(partial(visible_entry, game=game, seat=seat))
    except NoSuchGame:
        return -1


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
