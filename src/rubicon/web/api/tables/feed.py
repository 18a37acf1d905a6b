"""Live news of tables: for accounts about their own tables, for everybody about the open ones.

The game of a changed table says nothing of the accounts at it, so each change is looked up in the
database, once for all streams, and only while a stream wants to know.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict, defaultdict

from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.table.lobby.news import TableNews, table_news
from rubicon.table.lobby.search import TableFilter, search_tables
from rubicon.table.storage.database import Store
from rubicon.web.api.broadcast import BroadcastEvent, Subscription, event_bytes
from rubicon.web.api.tables.rows import ListedTable, listed_tables
from rubicon.web.http.errors import WebError

MAX_ACCOUNT_STREAMS = 20  # of one account, that follow all its tables
MAX_LISTED = 200  # open tables that a stream begins with
TABLES_EVENT, TABLE_EVENT, GONE_EVENT = "tables", "table", "gone"
REMATCH_EVENT = "rematch"
log = logging.getLogger(__name__)


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
            raise WebError("request/too-many-streams", message, suggestion)
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
            return  # nobody has the list yet; who asks for it later reads the change in it
        if row is not None:
            text = json.dumps(row)
            self._open[game] = text
            data = event_bytes(game, -1, TABLE_EVENT, _now(), text)
        elif self._open.pop(game, None) is not None:
            # Only of a table that was open: the id of a hidden one must not be told.
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
