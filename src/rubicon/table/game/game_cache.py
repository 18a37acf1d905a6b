"""The cache of hosted games, and how a game is rebuilt from its log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, select

from rubicon.dice.lines.entry import Entry
from rubicon.dice.server import ServerSecrets
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.log_lines import LogLine
from rubicon.table.game.unit_of_work import LiveGame, facts_of
from rubicon.table.notices import FactFor
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import lines_of
from rubicon.table.storage.statements import LockedGame

MAX_GAMES = 256
_LAST_NOTIFIED = select(func.max(schema.notification.c.log_index)).where(
    schema.notification.c.game == bindparam("game")
)


class GameCache:
    """The hosted games that were used last.

    Only the writer thread uses it, so it needs no lock. A cached game is never newer than the
    database: a game that was changed by a transaction that failed is removed.
    """

    def __init__(self, most: int = MAX_GAMES) -> None:
        self._most = most
        self._games: OrderedDict[str, LiveGame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def held(self, game: str) -> HostedGame | None:
        """The cached game, or None; on PostgreSQL it may be older than the database."""
        live = self._games.get(game)
        return None if live is None else live.hosted

    def put(self, live: LiveGame) -> None:
        """Add a game; the least recently used one is removed where the cache is full."""
        game = live.hosted.id
        self._games[game] = live
        self._games.move_to_end(game)
        while len(self._games) > self._most:
            self._games.popitem(last=False)

    def up_to_date(self, connection: Connection, game: str, locked: LockedGame | None) -> LiveGame:
        """The game in the state of the database; `locked` is its locked row.

        While the row is locked no other server can add a line, so the comparison of heads holds
        until the commit. NoSuchGame, or TableError `game/not-begun` in the lobby.
        """
        check_begun(game, locked.head if locked is not None else None)
        assert locked is not None
        live = self._games.get(game)
        if live is None or live.hosted.head > locked.head:
            live = loaded(connection, game)
        # The genesis adds no line to the log: the head does not show it.
        elif live.hosted.head < locked.head or not live.hosted.has_genesis:
            catch_up(connection, live)
        self.put(live)
        return live

    def forget(self, game: str) -> None:
        """Remove a game that holds changes that are not stored; its next use rebuilds it."""
        self._games.pop(game, None)


def check_begun(game: str, head: int | None) -> None:
    """NoSuchGame where `head` is None, TableError where it is below 0: still in the lobby."""
    if head is None:
        raise NoSuchGame(game)
    if head < 0:
        message = "The game has not begun yet."
        hint = "The person who opened the table starts it when all seats are taken."
        raise TableError("game/not-begun", message, hint)


def rebuilt(connection: Connection, game: str) -> HostedGame:
    """The game, rebuilt from its whole log."""
    return loaded(connection, game).hosted


def loaded(connection: Connection, game: str) -> LiveGame:
    """The game, rebuilt from its whole log, with what its next transaction needs."""
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    live = LiveGame(HostedGame(game, lines[0], secrets_of(connection, game)))
    _replay(connection, live, lines[1:], dice_texts(connection, game))
    return live


def as_of(connection: Connection, game: str, index: int) -> HostedGame:
    """The game after the line at a log index, for reading only; its dice are at their genesis."""
    lines = lines_of(connection, game)
    if not lines or not 0 <= index < len(lines):
        raise NoSuchGame(game)
    hosted = HostedGame(game, lines[0], secrets_of(connection, game))
    for line in lines[1 : index + 1]:
        hosted.fold(line, with_events=False)
    hosted.transcript.resume(dice_texts(connection, game, most=1))
    return hosted


def catch_up(connection: Connection, live: LiveGame) -> None:
    """Replay the lines that other servers have added."""
    hosted = live.hosted
    lines = lines_of(connection, hosted.id, hosted.head)
    _replay(connection, live, lines, dice_texts(connection, hosted.id, len(hosted.transcript)))


def _replay(
    connection: Connection, live: LiveGame, lines: list[LogLine], dice: Sequence[str]
) -> None:
    """Replay lines. Events are made only for lines whose facts have not been announced yet: the
    facts of a decision that waits for dice are announced together with the outcome."""
    hosted = live.hosted
    waiting = _first_unannounced(connection, hosted.id, lines)
    facts: list[FactFor] = []
    for line in lines:
        if line.index < waiting:
            hosted.fold(line, with_events=False)
        else:
            facts += facts_of(hosted, line, hosted.fold(line))
    hosted.transcript.resume(dice)
    live.due = None
    if dice:
        live.dice_line = dice[-1]
    if lines:
        live.facts = facts if hosted.requested is not None else []


def _first_unannounced(connection: Connection, game: str, lines: list[LogLine]) -> int:
    """The first log index whose facts have not been announced."""
    if not lines:
        return 0
    last = connection.execute(_LAST_NOTIFIED, {"game": game}).scalar_one()
    return (last or 0) + 1


def secrets_of(connection: Connection, game: str) -> ServerSecrets:
    """What the server keeps secret of a game's dice."""
    held = schema.dice_secrets
    wanted = select(held.c.seed, held.c.links, held.c.nonce, held.c.private_key)
    row = connection.execute(wanted.where(held.c.game == game)).one()
    return ServerSecrets(game, *map(bytes, row))


def dice_of(connection: Connection, game: str) -> list[Entry]:
    """The lines of the dice transcript, each read strictly."""
    return [Entry.parse(text) for text in dice_texts(connection, game)]


def dice_texts(
    connection: Connection,
    game: str,
    since: int = 0,
    most: int | None = None,
    log_index: int | None = None,
) -> Sequence[str]:
    """The lines of the dice transcript from a number on, all or at most so many.

    With a `log_index` only those that were written up to that line of the log.
    """
    columns = schema.dice.c
    wanted = select(columns.text).where(columns.game == game, columns.seq >= since).limit(most)
    if log_index is not None:
        wanted = wanted.where(columns.log_index <= log_index)
    return connection.execute(wanted.order_by(columns.seq)).scalars().all()
