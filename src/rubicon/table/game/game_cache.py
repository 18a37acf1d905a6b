"""The cache of hosted games, and how a game is rebuilt from its log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, select

from rubicon.dice.lines.entry import Entry
from rubicon.dice.server import ServerSecrets
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import facts_of
from rubicon.table.notices import FactFor
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LogLine, lines_of
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
        self._games: OrderedDict[str, HostedGame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def held(self, game: str) -> HostedGame | None:
        """The cached game, or None; on PostgreSQL it may be older than the database."""
        return self._games.get(game)

    def put(self, hosted: HostedGame) -> None:
        """Add a game; the least recently used one is removed where the cache is full."""
        self._games[hosted.id] = hosted
        self._games.move_to_end(hosted.id)
        while len(self._games) > self._most:
            self._games.popitem(last=False)

    def up_to_date(
        self, connection: Connection, game: str, locked: LockedGame | None
    ) -> HostedGame:
        """The game in the state of the database; `locked` is its locked row.

        While the row is locked no other server can add a line, so the comparison of heads holds
        until the commit. NoSuchGame, or TableError `game/not-begun` in the lobby.
        """
        check_begun(game, locked.head if locked is not None else None)
        assert locked is not None
        hosted = self._games.get(game)
        if hosted is None or hosted.head > locked.head:
            hosted = rebuilt(connection, game)
        # The genesis adds no line to the log: the head does not show it.
        elif hosted.head < locked.head or not hosted.has_genesis:
            catch_up(connection, hosted)
        self.put(hosted)
        return hosted

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
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    hosted = HostedGame(game, lines[0], secrets_of(connection, game))
    _replay(connection, hosted, lines[1:], dice_texts(connection, game))
    return hosted


def as_of(connection: Connection, game: str, index: int) -> HostedGame:
    """The game after the line at a log index, for reading only; its dice are at their genesis."""
    lines = lines_of(connection, game)
    if not lines or not 0 <= index < len(lines):
        raise NoSuchGame(game)
    hosted = HostedGame(game, lines[0], secrets_of(connection, game))
    for line in lines[1 : index + 1]:
        hosted.replay(line)
    hosted.transcript.resume(dice_texts(connection, game, most=1))
    return hosted


def catch_up(connection: Connection, hosted: HostedGame) -> None:
    """Replay the lines that other servers have added."""
    lines = lines_of(connection, hosted.id, hosted.head)
    _replay(connection, hosted, lines, dice_texts(connection, hosted.id, len(hosted.transcript)))


def _replay(
    connection: Connection, hosted: HostedGame, lines: list[LogLine], dice: Sequence[str]
) -> None:
    """Replay lines. Events are made only for lines whose facts have not been announced yet: the
    facts of a decision that waits for dice are announced together with the outcome."""
    waiting = _first_unannounced(connection, hosted.id, lines)
    facts: list[FactFor] = []
    for line in lines:
        if line.index < waiting:
            hosted.replay(line)
        else:
            facts += facts_of(hosted, line, hosted.apply(line))
    hosted.transcript.resume(dice)
    if dice:
        hosted.dice_line = dice[-1]
    if lines:
        hosted.unannounced = facts if hosted.requested is not None else []


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
