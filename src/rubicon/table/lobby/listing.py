"""Lists of tables: the lobby, search, the news feed and results."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, false, func, not_, or_, select

from rubicon.rules.record import rebels_of
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby.lifecycle import open_rematch
from rubicon.table.lobby.people import master_account, visible_change
from rubicon.table.lobby.seats import CLOSED, LOBBY, OVER, RUNNING, SeatRow, seats_of, seats_of_all
from rubicon.table.lobby.table_request import Access, check_preset, choices
from rubicon.table.notices import SPECTATORS, GameOver, read_notice
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

log = logging.getLogger(__name__)

# Open tables, games to watch, and the tables of an account.

MAX_SHOWN = 100


@dataclass(frozen=True, slots=True)
class TableSeatView:
    """One seat. It has no account id: ids are never shown to other people."""

    number: int
    colour: str
    name: str  # "" while the seat is free
    bot: str | None
    free: bool
    reserved: bool  # for the holder of its invite
    yours: bool
    host: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table and its seats; times in milliseconds since 1970."""

    id: str
    state: str
    title: str
    access: str
    ruleset: str  # the preset and its version
    board: str
    options: str  # those that differ from the preset
    settings: dict[str, Any]
    seats: tuple[TableSeatView, ...]
    your_seat: str | None
    you_host: bool
    created: int
    changed: int
    started: int | None
    ended: int | None
    previous: str | None  # for a rematch or a fork: the earlier game
    you_master: bool
    rebels: dict[str, int]  # armies by territory, as the game begins


def show_table(connection: Connection, game: str, account: str | None = None) -> TableView:
    """A table, as an account sees it."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return _shown(connection, [row], account)[0]


def open_tables(
    connection: Connection, account: str | None = None, most: int = MAX_SHOWN
) -> list[TableView]:
    """The tables that everyone may join, the last changed first."""
    games = schema.game.c
    wanted = select(schema.game).where(games.state == LOBBY, games.access == Access.OPEN.value)
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def own_games(connection: Connection, account: str, most: int = MAX_SHOWN) -> list[TableView]:
    """The tables at which an account sits, or that it hosts or runs, the last changed first."""
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    wanted = select(schema.game).where(
        or_(games.host == account, games.master == account, games.id.in_(seated))
    )
    return _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)


def watchable_games(
    connection: Connection, account: str | None = None, most: int = MAX_SHOWN
) -> list[TableView]:
    """The games that everyone may watch, the last changed first."""
    games = schema.game.c
    wanted = select(schema.game).where(
        games.state == RUNNING,
        games.access == Access.OPEN.value,
        games.settings.not_like('%"spectators": false%'),
    )
    found = _listed(connection, wanted.order_by(games.changed.desc()).limit(most), account)
    return sorted(found, key=lambda table: -table.changed)  # as far as the client may know


def tables_by_state(connection: Connection) -> dict[str, int]:
    """How many tables wait in the lobby, and how many games run."""
    state = schema.game.c.state
    counted = select(state, func.count()).where(state.in_((LOBBY, RUNNING))).group_by(state)
    return {row[0]: int(row[1]) for row in connection.execute(counted)}


def _listed(connection: Connection, wanted: Any, account: str | None) -> list[TableView]:
    return _shown(connection, connection.execute(wanted).all(), account)


def _shown(
    connection: Connection, rows: Sequence[Row[Any]], account: str | None
) -> list[TableView]:
    seats = seats_of_all(connection, [row.id for row in rows])
    return [_table(connection, row, seats.get(row.id, []), account) for row in rows]


def _table(
    connection: Connection, row: Row[Any], seats: Sequence[SeatRow], account: str | None
) -> TableView:
    headers = json.loads(row.ruleset)
    shown = tuple(_seat(seat, row.host, account) for seat in seats)
    is_seated = any(seat.yours for seat in shown)
    return TableView(
        id=row.id,
        state=row.state,
        title=row.title,
        access=row.access,
        ruleset=headers.get("Ruleset", ""),
        board=headers.get("Board", ""),
        options=headers.get("Options", ""),
        settings=Settings.read(json.loads(row.settings)).as_dict(),
        seats=shown,
        your_seat=next((seat.colour for seat in shown if seat.yours), None),
        you_host=account is not None and row.host == account,
        created=row.created,
        changed=row.changed if is_seated else visible_change(connection, row),
        started=row.started,
        ended=row.ended,
        previous=row.before,
        you_master=account is not None and master_account(row) == account,
        rebels=rebels_of(headers),
    )


def _seat(seat: SeatRow, host: str | None, account: str | None) -> TableSeatView:
    return TableSeatView(
        number=seat.number,
        colour=seat.colour,
        name=seat.name,
        bot=seat.bot,
        free=seat.free,
        reserved=seat.free and seat.invite is not None,
        yours=account is not None and seat.account == account,
        host=host is not None and seat.account == host,
    )


# The search for tables: by filters, page by page, with the number of all that match.

MAX_PAGE = 50
_CURSOR = re.compile(r"(\d{1,15})\.([a-z0-9]{1,16})")


class Which(StrEnum):
    """Whose tables: those that everyone may join, those to watch, and one's own."""

    OPEN = "open"
    WATCH = "watch"
    MINE = "mine"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFilter:
    """What is searched for; None: no matter."""

    which: Which = Which.OPEN
    state: str | None = None  # of one's own tables: lobby, running or over
    ruleset: str | None = None  # a preset
    clock: str | None = None
    players: int | None = None  # seats
    free: int | None = None  # seats that can be taken, at least
    others: bool = False  # without one's own tables


@dataclass(frozen=True, slots=True)
class TablePage:
    """The rows of a page, the cursor of the next one ("" for none), and how many match in all."""

    rows: Sequence[Row[Any]]
    next: str
    count: int


def search_tables(
    connection: Connection,
    wanted: TableFilter,
    account: str | None,
    after: str = "",
    most: int = MAX_PAGE,
) -> TablePage:
    """One page of the tables that match, the newest first; TableError for a bad filter."""
    conditions = [_whose(wanted, account), *_filters(wanted)]
    if wanted.others and account is not None:
        conditions.append(not_(_own(account)))
    games = schema.game.c
    # Not by the last change where others watch: the order would show moves before the delay.
    key: ColumnElement[int] = games.started if wanted.which is Which.WATCH else games.changed
    counted = select(func.count()).select_from(schema.game).where(*conditions)
    count = int(connection.execute(counted).scalar_one())
    if after:
        at, game = _cursor(after)
        conditions.append(or_(key < at, and_(key == at, games.id < game)))
    found = select(schema.game, key.label("key")).where(*conditions)
    ordered = found.order_by(key.desc(), games.id.desc()).limit(most + 1)
    rows = connection.execute(ordered).all()
    more = len(rows) > most
    rows = rows[:most]
    return TablePage(rows, f"{rows[-1].key}.{rows[-1].id}" if more else "", count)


def _whose(wanted: TableFilter, account: str | None) -> ColumnElement[bool]:
    games = schema.game.c
    match wanted.which:
        case Which.OPEN:
            return and_(games.state == LOBBY, games.access == Access.OPEN.value)
        case Which.WATCH:
            return and_(
                games.state == RUNNING,
                games.access == Access.OPEN.value,
                games.settings.not_like('%"spectators": false%'),
            )
        case Which.MINE:
            states = _states(wanted.state)
            if account is None:
                return false()
            return and_(_own(account), games.state.in_(states))


def _own(account: str) -> ColumnElement[bool]:
    """The tables at which an account sits, or that it hosts or runs; never NULL, to be negated."""
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    hosts, runs = (func.coalesce(one, "") == account for one in (games.host, games.master))
    return or_(hosts, runs, games.id.in_(seated))


def _states(state: str | None) -> Sequence[str]:
    known = {LOBBY: (LOBBY,), RUNNING: (RUNNING,), OVER: (OVER,)}
    if state is None:
        return (LOBBY, RUNNING, OVER)
    if state not in known:
        message = f"{state[:20]!r} is no state of a table."
        raise TableError("tables/state", message, choices([*known]))
    return known[state]


def _filters(wanted: TableFilter) -> list[ColumnElement[bool]]:
    games, seat = schema.game.c, schema.seat.c
    found: list[ColumnElement[bool]] = [games.state != CLOSED]
    if wanted.ruleset is not None:
        check_preset(wanted.ruleset)
        found.append(games.ruleset.contains(f'"Ruleset": "{wanted.ruleset} ', autoescape=True))
    if wanted.clock is not None:
        found.append(_clock(wanted.clock))
    seats = select(func.count()).where(seat.game == games.id)
    if wanted.players is not None:
        found.append(seats.scalar_subquery() == wanted.players)
    if wanted.free is not None:
        free = seats.where(seat.account.is_(None), seat.bot.is_(None), seat.invite.is_(None))
        found.append(free.scalar_subquery() >= wanted.free)
    return found


def _clock(kind: str) -> ColumnElement[bool]:
    known = [clock.value for clock in Clock]
    if kind not in known:
        message = f"{kind[:20]!r} is no kind of clock."
        raise TableError("tables/clock", message, choices(known))
    settings = schema.game.c.settings
    if kind == Clock.NONE:  # the default is not stored
        return not_(settings.contains('"clock": '))
    return settings.contains(f'"clock": "{kind}"')


def _cursor(text: str) -> tuple[int, str]:
    found = _CURSOR.fullmatch(text)
    if found is None:
        message = f"{text[:40]!r} is not a cursor of this list."
        raise TableError("tables/cursor", message, "Send the `next` of a page unchanged.")
    return int(found[1]), found[2]


# What a change of a table means for accounts: whose table it is, and who has a rematch.

FOLLOWED_AFTER_END = 24 * 3600 * 1000  # milliseconds in which a finished game can have a rematch


@dataclass(frozen=True, slots=True)
class TableNews:
    """A changed table and the accounts at it.

    `rematch` is the table that continues a finished game, None for none; `invites` has the secret
    of each account whose seat there is reserved.
    """

    row: Row[Any]
    accounts: frozenset[str]
    rematch: str | None
    invites: Mapping[str, str]

    @property
    def listed(self) -> bool:
        """Whether everyone may find and join it now."""
        return bool(self.row.state == LOBBY and self.row.access == Access.OPEN)


def table_news(connection: Connection, game: str) -> TableNews | None:
    """The news of a changed table; None where there is none."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        return None
    owners = {seat.number: seat.account for seat in seats_of(connection, game) if seat.account}
    rematch = open_rematch(connection, row) if row.state == OVER else None
    invites = {}
    if rematch is not None:
        reserved = {
            s.number: s.invite for s in seats_of(connection, rematch) if s.free and s.invite
        }
        invites = {
            owners[number]: secret for number, secret in reserved.items() if number in owners
        }
    accounts = frozenset(owners.values()) | ({row.host, row.master} - {None})
    return TableNews(row, accounts, rematch, invites)


def followed_games(connection: Connection, account: str, most: int) -> list[str]:
    """The games of an account that can still bring news, the last changed first."""
    games = schema.game.c
    recent = games.ended >= now(connection) - FOLLOWED_AFTER_END
    alive = or_(games.state.in_((LOBBY, RUNNING)), and_(games.state == OVER, recent))
    wanted = select(games.id).where(_owned_by(account), alive)
    return list(connection.execute(wanted.order_by(games.changed.desc()).limit(most)).scalars())


def is_own(connection: Connection, game: str, account: str) -> bool:
    """Whether an account sits at a table, or hosts it."""
    wanted = select(schema.game.c.id).where(schema.game.c.id == game, _owned_by(account))
    return connection.execute(wanted).first() is not None


def _owned_by(account: str) -> ColumnElement[bool]:
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    return or_(games.host == account, games.master == account, games.id.in_(seated))


# The results of games that are over, without replaying them.


def results_of(connection: Connection, games: Sequence[str]) -> dict[str, GameOver]:
    """The results of those of these games that are over or closed, by game.

    Without a result that cannot be read: the other games of a list are shown all the same.
    """
    notification = schema.notification.c
    wanted = select(notification.game, notification.body).where(
        notification.game.in_(games),
        notification.seat == SPECTATORS,
        notification.kind == GameOver.kind,
    )
    found: dict[str, GameOver] = {}
    for row in connection.execute(wanted.order_by(notification.id)):
        try:
            over = read_notice(GameOver.kind, row.body)
        except ValueError as error:
            log.error("result could not be read", extra={"game": row.game}, exc_info=error)
            continue
        assert isinstance(over, GameOver)
        found[row.game] = over
    return found
