"""The live event stream: one per client, for all games it names or has, resumable.

`GET /api/v1/events?games=ID,ID`, `?mine=true` for all games of the account, `?tables=open` for the
open tables; they can be combined. The id of each event is a cursor, the client's position in every
game. A stream with the cursor as Last-Event-ID (browsers send it by themselves) resumes after it.
With `next=true` what the client's seat sees follows the events of each game that it names.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import time
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from litestar import Request, asgi
from litestar.types import Receive, Scope, Send

from rubicon.errors import RubiconError, TooMany
from rubicon.server.server import Server
from rubicon.server.work import WorkError
from rubicon.table.errors import NoSuchGame, StoreUnavailable, TableError
from rubicon.table.lobby.listing import followed_games, is_own
from rubicon.table.lobby.people import hidden_for, spectators_delay, visible_index, watched_from
from rubicon.table.notices import SPECTATORS
from rubicon.web.api.broadcast import (
    LOBBY_EVENT,
    Broadcaster,
    BroadcastEvent,
    Subscription,
    TableFeed,
    event_bytes,
)
from rubicon.web.api.game_state import visible_events
from rubicon.web.api.next_view import NextViews
from rubicon.web.http.auth import provide_account, require_account
from rubicon.web.http.connections import ConcurrencyLimiter, client_address
from rubicon.web.http.errors import MethodNotAllowed, WebError, send_error

HEARTBEAT = 20.0  # seconds without an event after which a comment is sent: proxies end idle streams
TOKEN_CHECK = 1.0  # seconds between two checks that the token is still valid
MAX_GAMES = 50  # that a stream names
MAX_FOLLOWED = 200  # of an account
BATCH = 500  # events read at once
PACE = 0.06  # seconds between two views in one stream, at least: a screen shows no more
PATIENCE = 0.25  # seconds that a view waits for further events, which would make it old
BUSY_PAUSE = 1.0  # seconds until a view is asked for again where the server has too much work
ALLOW = (b"allow", b"GET, OPTIONS")
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would collect events into larger pieces
]
WAKE_UP = BroadcastEvent(game="", seat=SPECTATORS)
FOLLOWING_EVENT = "following"
FORKED = b"event: fork\n"
_CURSOR = re.compile(r"([a-z0-9]{1,16}):(-1|\d{1,9})")
log = logging.getLogger(__name__)


@asgi("/api/v1/events", is_mount=False, copy_scope=True)
async def events(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a stream, or with an error in the common shape."""
    method = str(scope.get("method", "GET"))
    if method != "GET":
        await _send_methods(method, send)
        return
    state, address = scope["litestar_app"].state, client_address(scope)
    limiter: ConcurrencyLimiter = state.streams
    if not limiter.acquire(address):
        message = f"Your address already has {limiter.maximum} open streams."
        suggestion = "Use one stream for all games: mine=true."
        error = TooMany("request/too-many-streams", message, suggestion)
        await send_error(send, error, {"retry-after": "5"})
        return
    try:
        stream = EventStream(Request(scope, receive), state, send)
        await _serve(stream, receive, send)
    finally:
        limiter.release(address)


async def _send_methods(method: str, send: Send) -> None:
    """The answer to OPTIONS, or the refusal of another method than GET."""
    if method == "OPTIONS":
        await send({"type": "http.response.start", "status": 204, "headers": [ALLOW]})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    error = MethodNotAllowed(
        "http/405", f"{method[:20]} /api/v1/events: Method Not Allowed", "Send GET."
    )
    await send_error(send, error, {"allow": ALLOW[1].decode()})


async def _serve(stream: EventStream, receive: Receive, send: Send) -> None:
    try:
        await stream.open()
    except RubiconError as error:
        stream.end()
        await send_error(send, error)
        return
    except BaseException:
        stream.end()
        raise
    # Before what was missed is read: events in between would be lost. What comes twice is skipped.
    stream.broadcaster.subscribe(stream.subscription)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        disconnected = asyncio.ensure_future(_wait_for_disconnect(receive))
        disconnected.add_done_callback(lambda _: stream.subscription.end())
        try:
            await stream.run(disconnected)
        except StoreUnavailable as error:
            log.warning("stream ended, database unavailable", exc_info=error)
        finally:
            disconnected.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        stream.end()


class OwedViews:
    """When a stream sends what its seats see next: after events, but not too often.

    A view is taken when it is sent, and never queued: a slow client gets the latest one only. A
    flood of events, in however many games, costs no more than one view in PACE; the game that has
    waited longest comes first.
    """

    __slots__ = ("_due", "_free_at")

    def __init__(self) -> None:
        self._due: dict[str, float] = {}
        self._free_at = -math.inf  # when the next view may be sent

    def owe(self, game: str, wait: float = 0.0) -> None:
        """Send a view of this game soon, but not within `wait` seconds."""
        self._due.setdefault(game, time.monotonic() + wait)

    @property
    def next_due(self) -> float:
        """When the next view is to be sent, as a monotonic time."""
        return max(self._free_at, min(self._due.values(), default=math.inf))

    def take(self, *, hurried: bool) -> str | None:
        """The game whose view is to be sent now, if any; `hurried`: more events wait first."""
        now = time.monotonic()
        if self.next_due > now - (PATIENCE if hurried else 0.0):
            return None
        game = min(self._due, key=self._due.__getitem__)
        del self._due[game]
        self._free_at = now + PACE
        return game

    def forget(self, game: str) -> None:
        """Send no more views of a game."""
        self._due.pop(game, None)


class EventStream:
    """One client's stream: its games, the seat whose view it gets in each, and its cursor.

    Slots and few objects: a server holds thousands of idle streams.
    """

    __slots__ = (
        "_account",
        "_cursor",
        "_delays",
        "_feed",
        "_invite",
        "_mine",
        "_named",
        "_owed",
        "_request",
        "_reveal_at",
        "_send",
        "_tables",
        "_token_checked_at",
        "_views",
        "_wrote_at",
        "broadcaster",
        "server",
        "subscription",
    )

    def __init__(
        self,
        request: Request[Any, Any, Any],
        state: Any,
        send: Send,
    ) -> None:
        self.server: Server = state.server
        self.broadcaster: Broadcaster = state.broadcaster
        self.subscription = Subscription({})
        self._feed: TableFeed = state.table_feed
        self._views: NextViews = state.next_views
        self._request = request
        self._send = send
        self._named: tuple[str, ...] = ()  # the games that the client has named
        self._mine = self._tables = False
        self._invite: str | None = request.query_params.get("invite")
        self._account: str | None = None
        self._cursor: dict[str, int] = {}
        self._owed: OwedViews | None = None  # only where the client asks for views
        self._delays: dict[str, float] = {}  # seconds, of games that this spectator sees later
        self._reveal_at: dict[str, float] = {}  # when the next event of such a game may be sent
        self._token_checked_at = self._wrote_at = time.monotonic()

    async def open(self) -> None:
        """Find the client's seats and cursor; RubiconError if a game is not visible to it."""
        me = await provide_account(self._request, self.server)
        self._account = None if me is None else me.id
        query = self._request.query_params
        self._named = tuple(game for game in query.get("games", "").split(",") if game)
        self._mine, self._tables = _switches(query.get("mine", ""), query.get("tables", ""))
        if _is_true(query.get("next", "")):
            self._owed = OwedViews()
        least = 0 if self._mine or self._tables else 1
        if not least <= len(self._named) <= MAX_GAMES:
            message = f"A stream has 1 to {MAX_GAMES} games, not {len(self._named)}."
            suggestion = "GET /api/v1/events?games=ID,ID, or mine=true, or tables=open"
            raise WebError("events/games", message, suggestion)
        cursor = self._read_cursor()
        seats = self.subscription.seats
        for game in self._named:
            seats[game] = await self._find_seat(game)
        if self._tables:
            self._feed.follow_open_tables(self.subscription)
        if self._mine:
            # Before its games are read: a table that the account joins meanwhile comes as news.
            self._feed.follow_account(self.subscription, require_account(me).id)
            for game in [*await self._own_games(), *cursor][:MAX_FOLLOWED]:
                if game not in seats and (seat := await self._own_seat(game)) is not None:
                    seats[game] = seat
        # Before the answer: what a client does once it has it comes after the start of the stream.
        for game, seat in list(seats.items()):
            self._cursor[game] = await self._start(game, seat, cursor.get(game))

    def end(self) -> None:
        """Get nothing more."""
        self.broadcaster.unsubscribe(self.subscription)
        self._feed.unsubscribe(self.subscription, self._account)

    async def run(self, disconnected: asyncio.Future[None]) -> None:
        """Send what was missed, then what happens, until the client or the server ends it."""
        for game in list(self.subscription.seats):
            await self._update_seat(game)
            await self._catch_up(game)
            self._owe(game)  # the client may have the events, but not what it sees after them
        if self._mine:
            body = json.dumps({"games": sorted(self.subscription.seats)})
            data = event_bytes("", -1, FOLLOWING_EVENT, _now(), body)
            await self._write(data + self._event_id())
        if self._tables:
            await self._write(await self._feed.open_tables() + self._event_id())
        while not disconnected.done() and (self.subscription.seats or self._mine or self._tables):
            event = await self._next()
            if event is None or not await self._token_valid():
                return
            if event is not WAKE_UP:
                await self._handle(event)
            if self._reveal_at:
                await self._reveal()
            if self._owed is not None:
                await self._send_view(self._owed)

    async def _next(self) -> BroadcastEvent | None:
        """The next event; WAKE_UP if a timer is due first, None at the end."""
        due = min([self._wrote_at + HEARTBEAT, *self._reveal_at.values()])
        if self._owed is not None:
            due = min(due, self._owed.next_due + (PATIENCE if len(self.subscription) else 0.0))
        try:
            async with asyncio.timeout(max(0.0, due - time.monotonic())):
                return await self.subscription.get()
        except TimeoutError:
            if time.monotonic() - self._wrote_at >= HEARTBEAT:
                await self._write(b":\n\n")
            for game, seat in self.subscription.seats.items():
                self.server.table.seen(game, seat)
            return WAKE_UP

    async def _handle(self, event: BroadcastEvent) -> None:
        game = event.game
        if event.news:
            if event.data:
                await self._write(event.data + self._event_id())
            if game:
                await self._follow(game)
            return
        if event.seats_changed:
            await self._write(event.data + self._event_id())
            self._owe(game)
        # The database decides, not the event: it may be older than the last change of seats.
        if event.seats_changed or self._cursor.get(game, -1) < 0:
            await self._update_seat(game)  # seats change hands until the game starts
        seat = self.subscription.seats.get(game)
        if seat:  # a stream that is never idle long enough for a heartbeat lives as well
            self.server.table.seen(game, seat)
        if game in self._delays and event.index >= 0:
            over = b"event: over\n" in event.data  # nothing is secret any more
            due = time.monotonic() + (0.0 if over else self._delays[game])
            self._reveal_at[game] = min(due, self._reveal_at.get(game, due))
        if seat is None or event.seats_changed or game in self._delays:
            return
        if event.index < 0:
            if event.seat == seat:
                await self._write(event.data + self._event_id())
        elif event.index > self._cursor[game]:
            # A gap before the event, or bytes for the seat that the client had before.
            if event.since > self._cursor[game] or event.seat != seat:
                await self._catch_up(game)
                self._cursor[game] = max(event.index, self._cursor[game])
            else:
                await self._send_events(game, event.index, event.data)

    def _owe(self, game: str) -> None:
        """Let a view of the game follow, where the client has named it and asks for views."""
        if self._owed is not None and game in self._named:
            self._owed.owe(game)

    async def _send_view(self, owed: OwedViews) -> None:
        """Send what one of the client's seats sees now, after the events that led to it."""
        game = owed.take(hurried=bool(len(self.subscription)))
        seat = None if game is None else self.subscription.seats.get(game)
        if game is None or seat is None:
            return
        asker = self._account or client_address(self._request.scope)
        try:
            if not await self._still_has(game, seat):
                return  # the news of it wait behind other events; a view of the new seat follows
            view = await self._views.of(game, seat, asker)
        except WorkError:
            owed.owe(game, BUSY_PAUSE)
        except StoreUnavailable:
            raise
        except TableError:
            pass  # the game has not begun: its table has no view yet
        except Exception as error:  # of any kind: the events go on without a view
            log.error("no view after events", extra={"game": game}, exc_info=error)
        else:
            await self._write(view.event + self._event_id())

    async def _still_has(self, game: str, seat: str) -> bool:
        """Whether the client has this seat now: a view shows its hand."""
        account, seats = self._account, self.server.seat_cache
        if seat == SPECTATORS or account is None:
            return True
        known = seats.cached(game, account)
        if known is None:
            known = await asyncio.to_thread(seats.find, game, account, self._invite)
        return known == seat

    async def _follow(self, game: str) -> None:
        """Send the events of another game of the account, from its beginning."""
        seats = self.subscription.seats
        if not self._mine or game in seats or len(seats) >= MAX_FOLLOWED:
            return
        seat = await self._own_seat(game)
        if seat is None:
            return
        self.broadcaster.subscribe_game(self.subscription, game, seat)
        self._cursor[game] = -1
        await self._write(event_bytes(game, -1, LOBBY_EVENT, _now(), "{}") + self._event_id())
        await self._update_seat(game)
        await self._catch_up(game)

    async def _own_games(self) -> list[str]:
        read = partial(followed_games, account=self._account or "", most=MAX_FOLLOWED)
        return await asyncio.to_thread(self.server.store.read, read)

    async def _own_seat(self, game: str) -> str | None:
        """The seat of the account in a game; None where the table is not one of its own."""
        own = partial(is_own, game=game, account=self._account or "")
        if not await asyncio.to_thread(self.server.store.read, own):
            return None
        try:
            return await self._find_seat(game)
        except StoreUnavailable:
            raise
        except TableError:
            return None

    async def _update_seat(self, game: str) -> None:
        """Look the client's seat up again; drop the game if it is not visible any more."""
        try:
            seat: str | None = await self._find_seat(game)
        except StoreUnavailable:
            raise
        except TableError:
            seat = None
        if seat == SPECTATORS and game not in self._named:  # left, or removed from it
            seat = await self._own_seat(game)
        if seat is None:
            self.broadcaster.unsubscribe_game(self.subscription, game)
            self._cursor.pop(game, None)
            self._delays.pop(game, None)
            self._reveal_at.pop(game, None)
            if self._owed is not None:
                self._owed.forget(game)
            return
        self.subscription.seats[game] = seat
        read = partial(spectators_delay, game=game)
        spectator = self.subscription.seats[game] == SPECTATORS
        delay = await asyncio.to_thread(self.server.store.read, read) if spectator else 0
        self._reveal_at.pop(game, None)
        if delay:
            self._delays[game] = delay / 1000
            self._reveal_at[game] = time.monotonic()
        else:
            self._delays.pop(game, None)

    async def _reveal(self) -> None:
        """Send a spectator the events of delayed games that are old enough by now."""
        for game in [game for game, due in self._reveal_at.items() if due <= time.monotonic()]:
            await self._catch_up(game)
            read = partial(hidden_for, game=game)
            left = await asyncio.to_thread(self.server.store.read, read)
            if left is None:
                del self._reveal_at[game]
            else:
                self._reveal_at[game] = time.monotonic() + left / 1000

    async def _find_seat(self, game: str) -> str:
        find = partial(watched_from, game=game, account=self._account, invite=self._invite)
        return (await asyncio.to_thread(self.server.store.read, find)).seat

    async def _token_valid(self) -> bool:
        """Whether the token is still valid, checked at most once a second."""
        # Not at each event: a revoked token may live a second longer, and a flood stays cheap.
        if self._account is None or time.monotonic() - self._token_checked_at < TOKEN_CHECK:
            return True
        self._token_checked_at = time.monotonic()
        me = await provide_account(self._request, self.server)
        return me is not None and me.id == self._account

    async def _start(self, game: str, seat: str, after: int | None) -> int:
        """Where the stream of a game starts: after the client's cursor, at the end without one.

        A cursor from before a backup was restored may be ahead of the game.
        """
        last = await asyncio.to_thread(_last_index, self.server, game, seat)
        return last if after is None else min(after, last)

    async def _catch_up(self, game: str) -> None:
        """Send the events after the cursor."""
        seat = self.subscription.seats.get(game)
        if seat is None:
            return
        while True:
            after = self._cursor[game]
            rows = await asyncio.to_thread(visible_events, self.server, game, seat, after, BATCH)
            for index, group in groupby(rows, key=itemgetter("index")):
                data = b"".join(
                    event_bytes(game, index, row["kind"], row["at"], row["body"]) for row in group
                )
                await self._send_events(game, index, data)
            if not rows:
                return

    async def _send_events(self, game: str, index: int, data: bytes) -> None:
        """Send events, followed by the new cursor as an id (browsers accept it without data)."""
        self._cursor[game] = index
        if data:
            await self._write(data + self._event_id())
            self._owe(game)
        if self._mine and FORKED in data:
            for own in await self._own_games():
                await self._follow(own)

    def _read_cursor(self) -> dict[str, int]:
        """The client's cursor; games that it does not name start at their end."""
        query = self._request.query_params
        text = self._request.headers.get("last-event-id") or str(query.get("after") or "")
        cursor: dict[str, int] = {}
        for part in filter(None, text.split(",")):
            found = _CURSOR.fullmatch(part.strip())
            if found is None:
                message = f"{text[:60]!r} is not a cursor of this stream."
                raise WebError("events/cursor", message, "Send the id of an event unchanged.")
            cursor[found[1]] = int(found[2])
        return cursor

    def _event_id(self) -> bytes:
        least = -1 if self._mine else 0  # an own table that has not begun must lose no event
        known = [f"{game}:{index}" for game, index in self._cursor.items() if index >= least]
        return f"id: {','.join(known)}\n\n".encode()

    async def _write(self, body: bytes) -> None:
        self._wrote_at = time.monotonic()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


def _last_index(server: Server, game: str, seat: str) -> int:
    """The last log index that the seat may know of; -1 in the lobby.

    A commit is in the database shortly before `snapshot` shows it, and before it is broadcast.
    """
    known = None if server.store.shared else server.table.cached_snapshot(game)
    try:
        last = server.store.read(partial(visible_index, game=game, seat=seat))
    except NoSuchGame:
        return -1
    return last if known is None else min(last, known.head)


def _switches(mine: str, tables: str) -> tuple[bool, bool]:
    """Whether a stream follows all games of its account, and the open tables."""
    if tables not in ("", "open"):
        raise _bad_parameters()
    return _is_true(mine), tables == "open"


def _is_true(text: str) -> bool:
    if text not in ("", "true", "false"):
        raise _bad_parameters()
    return text == "true"


def _bad_parameters() -> WebError:
    message = "The parameters of the stream cannot be read."
    return WebError("events/parameters", message, "Write mine=true, tables=open and next=true.")


def _now() -> int:
    return time.time_ns() // 1_000_000


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
