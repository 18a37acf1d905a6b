"""Spectators: who may watch a game, and how long after the players."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select

from rubicon.engine.records.choices import CardVisibility
from rubicon.rules.record.headers import ruleset_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.facts import SPECTATORS
from rubicon.table.lobby.seats import LOBBY, RUNNING, check_visible, is_secret, seat_of, seats_of
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now


class SpectatorView(NamedTuple):
    """The view from which an account sees a game: a seat, or "" for a spectator.

    `is_final` allows callers to cache it: before the start, seats can still change hands.
    """

    seat: str
    is_final: bool


def watched_from(
    connection: Connection, game: str, account: str | None, invite: str | None = None
) -> SpectatorView:
    """The view of an account: its seat, or a spectator's.

    NoSuchGame where the table is not visible to the account, so that ids cannot be probed;
    TableError where the table has no spectators.
    """
    row = _row(connection, game)  # read before the seat: after the start, seats no longer change
    seat = seat_of(connection, game, account) if account is not None else None
    if seat is not None:
        return SpectatorView(seat, row.state != LOBBY)
    if not _is_invited(connection, row, invite):
        check_visible(row, account, invite)
    is_master = account is not None and row.master == account
    may_watch = is_master or Settings.read(json.loads(row.settings)).spectators
    if row.state != LOBBY and not may_watch:
        message = "This table allows no spectators."
        raise TableError("watch/not-here", message, "Only its players can see the game.")
    return SpectatorView(SPECTATORS, is_final=False)


def _is_invited(connection: Connection, row: Row[Any], invite: str | None) -> bool:
    """Whether the secret is that of a free seat: its owner may see the table."""
    if not invite or row.state not in (LOBBY, RUNNING):
        return False
    free = [seat.invite for seat in seats_of(connection, row.id) if seat.free]
    return any(is_secret(invite, stored) for stored in free)


def visible_until(connection: Connection, game: str, seat: str) -> int:
    """The time up to which a seat ("" for spectators) may see events, in milliseconds since 1970.

    While hands or missions are hidden, spectators are behind by the table's `delay`: they could
    pass secrets on to players.
    """
    row, at = _row(connection, game), now(connection)
    return at - _delay(row) if seat == SPECTATORS and row.state == RUNNING else at


def spectators_delay(connection: Connection, game: str) -> int:
    """The delay of spectators of a running game, in milliseconds."""
    return _delay(_row(connection, game))


def has_spectators_delay(row: Row[Any]) -> bool:
    """Whether spectators see a game later than its players, by its row."""
    return _delay(row) > 0


def visible_change(connection: Connection, row: Row[Any]) -> int:
    """When spectators saw a game change, by its row: later moves are no news for them yet."""
    if row.state != RUNNING or not (delay := _delay(row)):
        return int(row.changed)
    log = schema.log.c
    seen = select(func.max(log.at)).where(log.game == row.id, log.at <= now(connection) - delay)
    changed = connection.execute(seen).scalar_one()
    return int(row.started or row.created) if changed is None else int(changed)


def visible_index(connection: Connection, game: str, seat: str) -> int:
    """The last log index that a seat may see; index 0 is always visible."""
    until = visible_until(connection, game, seat)
    log = schema.log.c
    hidden = select(func.min(log.log_index)).where(log.game == game, log.at > until)
    first_hidden = connection.execute(hidden).scalar_one()
    if first_hidden is not None:
        return max(0, int(first_hidden) - 1)
    last = select(schema.game.c.head).where(schema.game.c.id == game)
    return int(connection.execute(last).scalar_one())


def hidden_for(connection: Connection, game: str) -> int | None:
    """The milliseconds until spectators may see the next line; None where they see all."""
    until, log = visible_until(connection, game, SPECTATORS), schema.log.c
    hidden = select(func.min(log.at)).where(log.game == game, log.at > until)
    first = connection.execute(hidden).scalar_one()
    return None if first is None else int(first) - until


def has_hidden_information(ruleset: Ruleset) -> bool:
    """Whether hands or missions are hidden from other seats."""
    rules = ruleset.rules
    hands = rules.cards_visibility != CardVisibility.PUBLIC
    return bool(hands or rules.missions_in_play != 0)


def _delay(row: Row[Any]) -> int:
    delay = Settings.read(json.loads(row.settings)).delay
    return (
        delay * 1000 if delay and has_hidden_information(ruleset_of(json.loads(row.ruleset))) else 0
    )


def _row(connection: Connection, game: str) -> Row[Any]:
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return row
