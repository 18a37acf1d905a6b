"""The search for tables: by filters, page by page, with the number of all that match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, false, func, not_, or_, select

from rubicon.table.errors import TableError
from rubicon.table.lobby.seats import CLOSED, LOBBY, OVER, RUNNING
from rubicon.table.lobby.table_request import Access, check_preset, choices
from rubicon.table.settings import Clock
from rubicon.table.storage import schema

MAX_PAGE = 50
_CURSOR = re.compile(r"(\d{1,15})\.([a-z0-9]{1,16})")


class Which(StrEnum):
    """Whose tables: those that everybody may join, those to watch, and one's own."""

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
