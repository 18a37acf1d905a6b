"""The games that are held in memory, each as new as the store's last entry of it."""

from __future__ import annotations

import threading
from collections import OrderedDict

from sqlalchemy import Connection, bindparam, func, select

from rubicon.dice.entry import Entry
from rubicon.table import chance, schema
from rubicon.table.chance import HeldSeeds
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.heads import locked_head
from rubicon.table.lines import Kind, Line, lines_of
from rubicon.table.live import TYPED, Live
from rubicon.table.page import facts_told
from rubicon.table.store import now

MOST_LIVES = 256
HOW_IT_BEGINS = "Whoever opened the table starts it when all seats are taken."
LONGEST_AWAY = 1.0  # seconds that one writer waits until another is done with a game
_HEAD = select(schema.game.c.head).where(schema.game.c.id == bindparam("game"))
_LAST_TOLD = select(func.max(schema.notice.c.entry)).where(
    schema.notice.c.game == bindparam("game")
)


class Lives:
    """At most so many games; the ones that were not asked for longest are let go."""

    def __init__(self, most: int = MOST_LIVES) -> None:
        self._most = most
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._owners: dict[str, object] = {}  # whose transaction has a game now, on PostgreSQL
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)

    def __len__(self) -> int:
        return len(self._lives)

    def held(self, game: str) -> Live | None:
        """The game, if it is in memory; it may be older than the store."""
        return self._lives.get(game)

    def take(self, connection: Connection, game: str) -> tuple[Live, int]:
        """The game behind its last entry, and the time; nobody else changes it meanwhile.

        It is this transaction's until `done` or `drop`. Raises NoSuchGame, and TableError
        `game/not-begun` in the lobby.
        """
        if connection.dialect.name == "sqlite":  # one thread of one process writes
            with self._lock:
                live = self._lives.pop(game, None)
            at = now(connection)
            head = live.head if live is not None else _head(connection, game)
        else:
            head, at = _locked_head(connection, game)  # before anybody's life is taken
            live = self._taken(game, connection.get_transaction())
        if live is None or live.head > head:
            live = rebuilt(connection, game)
        elif live.head < head or not live.promised:  # a promise is no entry of the log
            go_on(connection, live)
        with self._lock:
            self._lives[game] = live
            while len(self._lives) > self._most:
                self._lives.popitem(last=False)
        return live, max(at, live.changed)

    def done(self, game: str, owner: object) -> None:
        """A transaction is over: what is in memory is what is stored."""
        with self._lock:
            self._let_go(game, owner)

    def forget(self, game: str) -> None:
        """Forget a game in the middle of its transaction: it holds what is not stored."""
        with self._lock:
            self._lives.pop(game, None)

    def drop(self, game: str, owner: object) -> None:
        """Forget a game whose transaction failed: the store has the truth."""
        with self._lock:
            if self._owners.get(game, owner) is owner:
                self._lives.pop(game, None)
            self._let_go(game, owner)

    def _taken(self, game: str, owner: object) -> Live | None:
        """The game in memory; None where nobody knows whether that is what is stored.

        The database frees a row with the commit, or when it ends a session, and the thread that had
        it hears of it later: until then its game may hold what was never stored.
        """
        with self._freed:
            known = self._freed.wait_for(
                lambda: self._owners.get(game, owner) is owner, timeout=LONGEST_AWAY
            )
            self._owners[game] = owner
            live = self._lives.pop(game, None)
            return live if known else None

    def _let_go(self, game: str, owner: object) -> None:
        if self._owners.get(game) is owner:
            del self._owners[game]
            self._freed.notify_all()


def rebuilt(connection: Connection, game: str) -> Live:
    """The game as its log tells it."""
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    live = Live(game, lines[0], seeds_of(connection, game))
    _replay(connection, live, lines[1:], dice_of(connection, game))
    return live


def as_of(connection: Connection, game: str, entry: int) -> Live:
    """The game as it stood behind an entry, with nothing of its dice chain but the promise: to be
    looked at only."""
    lines = lines_of(connection, game)
    if not lines or not 0 <= entry < len(lines):
        raise NoSuchGame(game)
    live = Live(game, lines[0], seeds_of(connection, game))
    for line in lines[1 : entry + 1]:
        live.take(line)
    for promised in dice_of(connection, game, most=1):
        live.chain.append(promised)
    return live


def go_on(connection: Connection, live: Live) -> None:
    """Take what others have written since."""
    lines = lines_of(connection, live.id, live.head)
    _replay(connection, live, lines, dice_of(connection, live.id, len(live.chain)))


def _replay(connection: Connection, live: Live, lines: list[Line], dice: list[Entry]) -> None:
    happened = []
    for line in lines:
        if line.kind is Kind.REQUEST and line.text != TYPED:
            live.opened.append(chance.opened_of(live.game, line.text, live.request_order()[2]))
        happened.append((line, live.take(line)))
    for entry in dice:
        live.chain.append(entry)
    if lines:
        live.untold = {}
    if lines and live.requested is not None:
        last_told = connection.execute(_LAST_TOLD, {"game": live.id}).scalar_one() or 0
        for line, events in happened:
            for seat, fact in facts_told(live, line, events) if line.entry > last_told else ():
                live.untold.setdefault(seat, []).append(fact)


def seeds_of(connection: Connection, game: str) -> HeldSeeds:
    """The seeds of a game; never shown before its end."""
    columns = schema.seeds.c
    row = connection.execute(select(columns.dice, columns.table).where(columns.game == game)).one()
    return HeldSeeds(bytes(row.dice) or None, bytes(row.table))


def dice_of(
    connection: Connection, game: str, since: int = 0, most: int | None = None
) -> list[Entry]:
    """The entries of the dice chain from a number on, all or some."""
    columns = schema.dice.c
    wanted = select(columns.text).where(columns.game == game, columns.seq >= since).limit(most)
    return [Entry.parse(row.text) for row in connection.execute(wanted.order_by(columns.seq))]


def _head(connection: Connection, game: str) -> int:
    return _begun(game, connection.execute(_HEAD, {"game": game}).scalar_one_or_none())


def _locked_head(connection: Connection, game: str) -> tuple[int, int]:
    """The head on PostgreSQL, locked until this transaction ends, and the time."""
    head, at = locked_head(connection, game) or (None, 0)
    return _begun(game, head), at


def _begun(game: str, head: int | None) -> int:
    """The head of a game that has begun; NoSuchGame, TableError where it has not."""
    if head is None:
        raise NoSuchGame(game)
    if head < 0:
        raise TableError("game/not-begun", "The game has not begun yet.", HOW_IT_BEGINS)
    return head
