"""The live stream: one a client, for all the games it names, resumed where it stopped.

`GET /api/v1/events?games=ID,ID`. Each event has an id that says how far the client is in each game;
sent back as Last-Event-ID (browsers do so by themselves) the stream goes on behind it.
"""

from __future__ import annotations

import asyncio
import json
import re
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from litestar import Request, asgi
from litestar.types import Receive, Scope, Send

from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby_watching import visible_entry, watching_seat
from rubicon.table.page import SPECTATORS
from rubicon.web.errors import WebError, shape, status_of
from rubicon.web.hub import Hub, Reader, Told, event_bytes
from rubicon.web.identity import provide_me
from rubicon.web.seeing import is_delayed, seen_facts

HEARTBEAT = 20.0  # seconds
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
    request: Request[Any, Any, Any] = Request(scope, receive)
    host: Host = scope["litestar_app"].state.host
    hub: Hub = scope["litestar_app"].state.hub
    try:
        reader = await _reader(request, host)
        cursor = _cursor_of(request, reader)
    except RubiconError as error:
        await _refuse(send, error)
        return
    hub.join(reader)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await _stream(reader, cursor, host, send, gone)
        finally:
            gone.cancel()
    finally:
        hub.leave(reader)


async def _reader(request: Request[Any, Any, Any], host: Host) -> Reader:
    me = await provide_me(request, host)
    account = None if me is None else me.id
    games = [game for game in request.query_params.get("games", "").split(",") if game]
    if not 1 <= len(games) <= MOST_GAMES:
        message = f"A stream is of 1 to {MOST_GAMES} games, not {len(games)}."
        raise WebError("events/games", message, "GET /api/v1/events?games=ID,ID")
    invite = request.query_params.get("invite")

    def seats(connection: Any) -> dict[str, str]:
        return {game: watching_seat(connection, game, account, invite) for game in games}

    return Reader(await asyncio.to_thread(host.store.read, seats))


def _cursor_of(request: Request[Any, Any, Any], reader: Reader) -> dict[str, int]:
    """How far the client is in each game; a game that it does not name begins now."""
    text = request.headers.get("last-event-id") or str(request.query_params.get("after") or "")
    cursor: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        found = _CURSOR.fullmatch(part.strip())
        if found is None:
            message = f"{text[:60]!r} is no cursor of this stream."
            raise WebError("events/cursor", message, "Send the id of an event, as it came.")
        if found[1] in reader.seats:
            cursor[found[1]] = int(found[2])
    return cursor


async def _stream(
    reader: Reader, cursor: dict[str, int], host: Host, send: Send, gone: asyncio.Future[None]
) -> None:
    late = []
    for game, seat in reader.seats.items():
        await _catch_up(game, seat, cursor, host, send)
        if seat == SPECTATORS and await asyncio.to_thread(is_delayed, host, game):
            late.append(game)
    while not gone.done():
        try:
            told = await asyncio.wait_for(reader.waiting.get(), 1.0 if late else HEARTBEAT)
        except TimeoutError:
            for game in late:
                await _catch_up(game, SPECTATORS, cursor, host, send)
            await _write(send, b":\n\n")
            continue
        if told is None:
            break
        if told.game not in late and (told.entry < 0 or told.entry > cursor[told.game]):
            await _tell(told, cursor, send)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _tell(told: Told, cursor: dict[str, int], send: Send) -> None:
    """Events, and behind them how far the client is now (an id without data counts, too)."""
    if told.entry >= 0:
        cursor[told.game] = told.entry
    await _write(send, told.data + _id_of(cursor))


async def _catch_up(game: str, seat: str, cursor: dict[str, int], host: Host, send: Send) -> None:
    """What was told since the cursor; without one the stream begins now."""
    if game not in cursor:
        cursor[game] = await asyncio.to_thread(_now_at, host, game, seat)
        return
    while True:
        rows = await asyncio.to_thread(seen_facts, host, game, seat, cursor[game], AT_ONCE)
        for entry, notices in groupby(rows, key=itemgetter("entry")):
            data = b"".join(event_bytes(game, notice) for notice in notices)
            await _tell(Told(game, entry, data), cursor, send)
        if not rows:
            return


def _now_at(host: Host, game: str, seat: str) -> int:
    """The last entry that the seat may know of; -1 in the lobby."""
    try:
        return host.store.read(partial(visible_entry, game=game, seat=seat))
    except NoSuchGame:
        return -1


def _id_of(cursor: dict[str, int]) -> bytes:
    known = (f"{game}:{entry}" for game, entry in cursor.items() if entry >= 0)
    return f"id: {','.join(known)}\n\n".encode()


async def _write(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, error: RubiconError) -> None:
    body = json.dumps(shape(error)).encode()
    headers = [(b"content-type", b"application/json")]
    start: Any = {"type": "http.response.start", "status": status_of(error), "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": False})
