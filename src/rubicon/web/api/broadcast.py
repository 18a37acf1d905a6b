"""Broadcasting: each change is encoded once and queued for every stream."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from rubicon.errors import RubiconError, TooMany
from rubicon.table.chat import ChatLine
from rubicon.table.errors import StoreUnavailable
from rubicon.table.game.snapshot import GameUpdate
from rubicon.table.lobby.listing import TableFilter, TableNews, search_tables, table_news
from rubicon.table.notices import SPECTATORS
from rubicon.table.storage.database import Store
from rubicon.table.storage.notifications import Change
from rubicon.table.table_service import TableService
from rubicon.web.api.table_lists import ListedTable, listed_tables

# Changes of games.

MAX_QUEUED = 1000  # events that may wait for a slow client before its stream ends
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
        """Queue an event; a stream that is too slow ends, and resumes with its cursor."""
        if len(self._queue) >= MAX_QUEUED:
            self.end()
        else:
            self._append(event)

    def end(self) -> None:
        """End the stream; queued events are dropped."""
        # None at the end wakes the stream, which ends its response and unsubscribes.
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
            # In the order of the calls: the events of a game stay in the order of its log.
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
        # Only for readers that have a stream: most seats of a game are bots'.
        encoded = {subscription.seats[game]: b"" for subscription in subscribed}
        for notification in notifications:
            if notification["seat"] in encoded:
                encoded[notification["seat"]] += event_bytes(
                    game, head, notification["kind"], notification["at"], notification["body"]
                )
        events: dict[str, BroadcastEvent] = {}
        for subscription in subscribed:
            seat = subscription.seats[game]
            if seat not in events:
                events[seat] = BroadcastEvent(
                    game=game, seat=seat, since=since, index=head, data=encoded[seat]
                )
            subscription.put(events[seat])

    def _publish_index(self, game: str, head: int) -> None:
        """Let every stream that is before this index read from the database."""
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


# Live news of tables: for accounts about their own tables, for everyone about the open ones.
#
# The game of a changed table says nothing of the accounts at it, so each change is looked up in
# the database, once for all streams, and only while a stream wants to know.

MAX_ACCOUNT_STREAMS = 20  # of one account, that follow all its tables
MAX_LISTED = 200  # open tables that a stream begins with
TABLES_EVENT, TABLE_EVENT, GONE_EVENT = "tables", "table", "gone"
REMATCH_EVENT = "rematch"


class TableFeed:
    """The streams that want news of tables. For use on the event loop, but for `table_changed`."""

    def __init__(self, store: Store, maximum: int = MAX_ACCOUNT_STREAMS) -> None:
        self._store = store
        self._maximum = maximum  # streams of one account; 0 for no limit
        self._accounts: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._lists: set[Subscription] = set()
        self._open: dict[str, str] | None = None  # the open tables as JSON; None: not read yet
        self._count = 0
        self._changed: OrderedDict[str, None] = OrderedDict()
        self._worker: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # of `_open`
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tell news on this event loop from now on."""
        self._loop = loop

    def table_changed(self, game: str) -> None:
        """A table has changed; runs on the writer thread, must not block."""
        wanted = self._accounts or self._lists
        if wanted and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue, game)

    def follow_account(self, subscription: Subscription, account: str) -> None:
        """Tell a stream of each table that becomes one of the account's.

        WebError `request/too-many-streams` where the account has too many of them.
        """
        if self._maximum and len(self._accounts[account]) >= self._maximum:
            message = f"Your account already has {self._maximum} streams of all its games."
            suggestion = "Close one, or name single games: games=ID,ID."
            raise TooMany("request/too-many-streams", message, suggestion)
        self._accounts[account].add(subscription)

    def follow_open_tables(self, subscription: Subscription) -> None:
        """Tell a stream of each open table that appears, changes or is gone."""
        self._lists.add(subscription)

    def unsubscribe(self, subscription: Subscription, account: str | None) -> None:
        """Tell a stream nothing more."""
        self._lists.discard(subscription)
        if not self._lists:
            self._open = None
        if account is not None and account in self._accounts:
            self._accounts[account].discard(subscription)
            if not self._accounts[account]:
                del self._accounts[account]

    async def open_tables(self) -> bytes:
        """The event with which a stream of the open tables begins: all of them."""
        async with self._lock:
            if self._open is None:
                read = await asyncio.to_thread(self._store.read, _read_open)
                self._open, self._count = read
            rows = ",".join(self._open.values())
        body = f'{{"tables":[{rows}],"count":{max(self._count, len(self._open or ()))}}}'
        return event_bytes("", -1, TABLES_EVENT, _now(), body)

    def _queue(self, game: str) -> None:
        self._changed[game] = None
        if self._worker is None or self._worker.done():
            self._worker = asyncio.ensure_future(self._work())

    async def _work(self) -> None:
        while self._changed:
            game, _ = self._changed.popitem(last=False)
            try:
                await self._tell(game)
            except RubiconError as error:
                log.warning("table news not read, streams end and resume", exc_info=error)
                self._end_all()

    def _end_all(self) -> None:
        self._open = None
        for subscription in {*self._lists, *(s for all_ in self._accounts.values() for s in all_)}:
            subscription.end()

    async def _tell(self, game: str) -> None:
        def read(connection: Connection) -> tuple[TableNews | None, ListedTable | None]:
            news = table_news(connection, game)
            wanted = news is not None and news.listed and bool(self._lists)
            return news, listed_tables(connection, [news.row], None)[0] if wanted and news else None

        async with self._lock:
            news, row = await asyncio.to_thread(self._store.read, read)
            self._tell_lists(game, row)
        if news is not None:
            self._tell_accounts(game, news)

    def _tell_accounts(self, game: str, news: TableNews) -> None:
        for account in news.accounts & self._accounts.keys():
            data = b""
            if news.rematch is not None:
                body = {"game": news.rematch, "invite": news.invites.get(account)}
                data = event_bytes(game, -1, REMATCH_EVENT, _now(), json.dumps(body))
            event = BroadcastEvent(game=game, seat="", data=data, news=True)
            for subscription in self._accounts[account]:
                subscription.put(event)

    def _tell_lists(self, game: str, row: ListedTable | None) -> None:
        if self._open is None:
            return  # no stream has the list yet; who asks for it later reads the change in it
        if row is not None:
            text = json.dumps(row)
            self._open[game] = text
            data = event_bytes(game, -1, TABLE_EVENT, _now(), text)
        elif self._open.pop(game, None) is not None:
            # Only of a table that was open: the id of a hidden one must not be shown.
            data = event_bytes(game, -1, GONE_EVENT, _now(), "{}")
        else:
            return
        event = BroadcastEvent(game="", seat="", data=data, news=True)
        for subscription in self._lists:
            subscription.put(event)


def _read_open(connection: Connection) -> tuple[dict[str, str], int]:
    page = search_tables(connection, TableFilter(), None, most=MAX_LISTED)
    rows = listed_tables(connection, page.rows, None)
    return {row["id"]: json.dumps(row) for row in rows}, page.count


def _now() -> int:
    return time.time_ns() // 1_000_000
