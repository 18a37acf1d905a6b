"""Broadcasting: each committed change is encoded once and queued for every stream."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.table.errors import StoreUnavailable
from rubicon.table.game.facts import SPECTATORS
from rubicon.table.game.snapshot import GameUpdate
from rubicon.table.service.chat import ChatLine
from rubicon.table.service.table_service import TableService
from rubicon.table.storage.notifications import Change

MAX_QUEUED = 1000  # events that a slow client may be behind before its stream ends
LOBBY_EVENT = "lobby"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastEvent:
    """The events of one commit for one audience; all streams share the encoded bytes.

    A stream whose cursor is before `since` has missed something, and reads it from the database.
    """

    game: str
    seat: str
    since: int = -1  # the log index before the commit
    index: int = -1  # the log index after it; -1 for events outside the log
    data: bytes = b""
    seats_changed: bool = False
    news: bool = False  # of a table, for streams that follow an account or the open tables


class Subscription:
    """The queue of one stream, and by game the seats whose events it gets."""

    __slots__ = ("_queue", "_waiter", "seats")

    def __init__(self, seats: dict[str, str]) -> None:
        self.seats = seats
        self._queue: deque[BroadcastEvent | None] = deque()
        # One future instead of an asyncio.Queue: thousands of idle streams must cost little.
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, event: BroadcastEvent) -> None:
        """Queue an event; a stream that is too far behind ends, and resumes with its cursor."""
        if len(self._queue) >= MAX_QUEUED:
            self.end()
        else:
            self._append(event)

    def end(self) -> None:
        """End the stream; queued events are dropped."""
        self._queue.clear()
        self._append(None)

    async def get(self) -> BroadcastEvent | None:
        """The next event, None at the end."""
        while not self._queue:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._queue.popleft()

    def _append(self, event: BroadcastEvent | None) -> None:
        self._queue.append(event)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Broadcaster:
    """Passes committed changes, of this and of other servers, to the subscribed streams.

    The methods that receive changes run on other threads; everything else on the event loop.
    """

    def __init__(self, table: TableService) -> None:
        self._table = table
        self._subscriptions: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._streams: set[Subscription] = set()  # also those without games
        self._silent: dict[str, tuple[int, int]] = {}  # by game: commits without events
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Broadcast on this event loop from now on."""
        self._loop = loop

    def close(self) -> None:
        """End every stream, including those that subscribe later."""
        self._closed = True
        for subscription in self._streams:
            subscription.end()

    def __len__(self) -> int:
        return len(self._streams)

    def subscribe(self, subscription: Subscription) -> None:
        """Pass events to a stream from now on."""
        self._streams.add(subscription)
        for game in subscription.seats:
            self._subscriptions[game].add(subscription)
        if self._closed:
            subscription.end()

    def subscribe_game(self, subscription: Subscription, game: str, seat: str) -> None:
        """Pass events of another game to a stream."""
        subscription.seats[game] = seat
        self._subscriptions[game].add(subscription)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Pass no more events to a stream."""
        self._streams.discard(subscription)
        for game in list(subscription.seats):
            self.unsubscribe_game(subscription, game)

    def unsubscribe_game(self, subscription: Subscription, game: str) -> None:
        """Pass no more events of one game to a stream."""
        subscription.seats.pop(game, None)
        subscribed = self._subscriptions.get(game, set())
        subscribed.discard(subscription)
        if not subscribed:
            self._subscriptions.pop(game, None)

    def game_changed(self, published: GameUpdate) -> None:
        """A commit of this server; runs on the writer thread, must not block."""
        game = published.snapshot.id
        if game in self._subscriptions:
            head = published.snapshot.head
            self._call(self._publish, game, published.since, head, published.notifications)

    def table_changed(self, game: str) -> None:
        """Seats have changed, or the game has started."""
        self._call(self._publish_table, game)

    def chat_line(self, line: ChatLine, deaf: frozenset[str] = frozenset()) -> None:
        """A new chat line, and the seats that do not see its author; runs on the writer thread."""
        self._call(self._publish_chat, line, deaf)

    def peer_changed(self, change: Change) -> None:
        """A commit of another server; runs on the listener's thread, which may block.

        If the commit's events are unknown or cannot be read, each stream reads them by itself.
        """
        if change.game not in self._subscriptions:
            return
        if change.adds_lines:
            try:
                notifications = self._table.notifications(change.game, change.number)
            except StoreUnavailable as error:
                log.warning("peer events not read, streams retry", exc_info=error)
            else:
                self._call(self._publish, change.game, change.since, change.number, notifications)
                return
        self._call(self._publish_index, change.game, change.number)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)

    def _publish(
        self, game: str, since: int, head: int, notifications: Sequence[Mapping[str, Any]]
    ) -> None:
        subscribed = self._subscriptions.get(game)
        if not subscribed:
            self._silent.pop(game, None)
            return
        # Commits without events are joined to the next one with events, so that streams see no
        # gap. If they do not adjoin, a commit in between was missed: the gap must stay visible.
        silent_since, silent_until = self._silent.pop(game, (since, since))
        since = silent_since if silent_until == since else since
        if not notifications:  # a dice request, whose result follows: wake no stream for it
            self._silent[game] = since, head
            return
        encoded: defaultdict[str, bytes] = defaultdict(bytes)
        for notification in notifications:
            encoded[notification["seat"]] += event_bytes(
                game, head, notification["kind"], notification["at"], notification["body"]
            )
        events: dict[str, BroadcastEvent] = {}
        for subscription in subscribed:
            seat = subscription.seats[game]
            if seat not in events:
                data = encoded.get(seat, b"")
                events[seat] = BroadcastEvent(
                    game=game, seat=seat, since=since, index=head, data=data
                )
            subscription.put(events[seat])

    def _publish_index(self, game: str, head: int) -> None:
        """Let every stream that is behind this index read from the database."""
        self._silent.pop(game, None)
        for subscription in self._subscriptions.get(game, ()):
            seat = subscription.seats[game]
            subscription.put(BroadcastEvent(game=game, seat=seat, since=head, index=head))

    def _publish_table(self, game: str) -> None:
        at = time.time_ns() // 1_000_000
        data = event_bytes(game, -1, LOBBY_EVENT, at, "{}")
        event = BroadcastEvent(game=game, seat=SPECTATORS, data=data, seats_changed=True)
        for subscription in self._subscriptions.get(game, ()):
            subscription.put(event)

    def _publish_chat(self, line: ChatLine, deaf: frozenset[str]) -> None:
        body = json.dumps(line.as_dict())
        data = event_bytes(line.game, -1, "chat", line.at, body)
        for subscription in self._subscriptions.get(line.game, ()):
            seat = subscription.seats[line.game]
            if (not line.to or seat in (line.to, line.seat)) and seat not in deaf:
                subscription.put(BroadcastEvent(game=line.game, seat=seat, data=data))


def event_bytes(game: str, index: int, kind: str, at: int, body: str) -> bytes:
    """A server-sent event; its body is JSON text already."""
    head = f'"game":"{game}","index":{index},"kind":"{kind}","at":{at}'
    return f'event: {kind}\ndata: {{{head},"body":{body}}}\n\n'.encode()
