"""Watching: who may look on, and how far behind the game they are kept."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select

from rubicon.rules.choices import CardVisibility
from rubicon.rules.record_headers import ruleset_of
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby_seats import LOBBY, RUNNING, is_secret, seat_of
from rubicon.table.lobby_wish import Access
from rubicon.table.page import SPECTATORS
from rubicon.table.settings import Settings
from rubicon.table.store import now


class Place(NamedTuple):
    """From where somebody sees a game: a seat ("" for a spectator's place), and whether for good.

    Until a game begins its seats change hands, so what was seen once is not to be relied on.
    """

    seat: str
    for_good: bool


def watched_from(
    connection: Connection, game: str, account: str | None, invite: str | None = None
) -> Place:
    """The place from which somebody sees a game: their seat, or a spectator's.

    NoSuchGame where the table is not for them; TableError where it wants no spectators.
    """
    row = _row(connection, game)  # before the seat: who has begun keeps the seat read after it
    seat = seat_of(connection, game, account) if account is not None else None
    if seat is not None:
        return Place(seat, row.state != LOBBY)
    invited = row.access == Access.LINK and is_secret(invite, row.invite)
    if row.access != Access.OPEN and not invited and (account is None or row.host != account):
        raise NoSuchGame(game)
    if row.state != LOBBY and not Settings.read(json.loads(row.settings)).spectators:
        message = "This table wants no spectators."
        raise TableError("watch/not-here", message, "Those who play may look on.")
    return Place(SPECTATORS, for_good=False)


def visible_until(connection: Connection, game: str, seat: str) -> int:
    """The moment up to which a seat ("" for spectators) may know what has happened.

    Spectators come later by the table's delay while hands or missions are hidden: they could tell.
    """
    row, at = _row(connection, game), now(connection)
    return at - _delay(row) if seat == SPECTATORS and row.state == RUNNING else at


def spectators_delay(connection: Connection, game: str) -> int:
    """How many milliseconds later spectators see a game while it lasts."""
    return _delay(_row(connection, game))


def visible_entry(connection: Connection, game: str, seat: str) -> int:
    """The last entry of the log that a seat may know of; the first is known to all."""
    until = visible_until(connection, game, seat)
    log = schema.log.c
    hidden = select(func.min(log.entry)).where(log.game == game, log.at > until)
    first_hidden = connection.execute(hidden).scalar_one()
    if first_hidden is not None:
        return max(0, int(first_hidden) - 1)
    last = select(schema.game.c.head).where(schema.game.c.id == game)
    return int(connection.execute(last).scalar_one())


def hidden_for(connection: Connection, game: str) -> int | None:
    """The milliseconds until spectators may know the next entry; None where they know all."""
    until, log = visible_until(connection, game, SPECTATORS), schema.log.c
    hidden = select(func.min(log.at)).where(log.game == game, log.at > until)
    first = connection.execute(hidden).scalar_one()
    return None if first is None else int(first) - until


def hides(ruleset: Ruleset) -> bool:
    """Whether seats know what the others do not: hands, or missions."""
    rules = ruleset.rules
    hands = rules.cards_visibility != CardVisibility.PUBLIC
    return bool(hands or rules.missions_in_play != 0)


def _delay(row: Row[Any]) -> int:
    delay = Settings.read(json.loads(row.settings)).delay
    return delay * 1000 if delay and hides(ruleset_of(json.loads(row.ruleset))) else 0


def _row(connection: Connection, game: str) -> Row[Any]:
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return row
