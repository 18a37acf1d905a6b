"""Who else is at a table: its game master, its spectators, and when each person was last seen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select, update

from rubicon.engine.codes import CardVisibility
from rubicon.rules.record import ruleset_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby import seats
from rubicon.table.notices import SPECTATORS
from rubicon.table.settings import Master, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.event_log import seal_seats

# The game master of a table: who it is, whom the host names, and seats that become free.

GAME_MASTER = "gm"  # whom a message or an e-mail is for that the game master alone reads


@dataclass(frozen=True, slots=True)
class TableMaster:
    """Who is the game master: `kind` is the setting; no person where the software runs the game."""

    kind: Master
    account: str | None
    name: str

    def check(self, account: str) -> None:
        """TableError where an account is not the game master."""
        if self.account is None or self.account != account:
            message = "Only the game master of this table may do that."
            hint = f"It is {self.name}." if self.name else "The software runs this table."
            raise TableError("master/not-you", message, hint)


def master_account(row: Row[Any]) -> str | None:
    """The account of the game master, by the row of a game; None for the software."""
    kind = Settings.read(json.loads(row.settings)).master
    if kind is Master.HOST:
        return None if row.host is None else str(row.host)
    return None if kind is Master.NONE or row.master is None else str(row.master)


def table_master(connection: Connection, game: str) -> TableMaster:
    """The game master of a table."""
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    kind, account = Settings.read(json.loads(row.settings)).master, master_account(row)
    name = "" if account is None else _name(connection, game, account)
    return TableMaster(kind, account, name)


def master_place(connection: Connection, game: str) -> str:
    """Where the game master is told: the own seat, else GAME_MASTER; "" where there is none."""
    account = table_master(connection, game).account
    if account is None:
        return ""
    own = (seat.colour for seat in seats.seats_of(connection, game) if seat.account == account)
    return next(own, GAME_MASTER)


def name_master(connection: Connection, game: str, account: str, player: str) -> None:
    """Name the game master, as the host, before the game: a colour at the table, or an account.

    TableError where the setting `master` is another one, or there is no such person.
    """
    row = seats.locked_for(connection, game, account)
    seats.check_host(row, account)
    seats.check_in_lobby(row)
    if Settings.read(json.loads(row.settings)).master is not Master.PERSON:
        message = "The setting `master` of this table is not `person`."
        raise TableError("master/setting", message, "Change the setting first.")
    by_colour = {seat.colour: seat.account for seat in seats.seats_of(connection, game)}
    named = by_colour.get(player, player)
    known = select(schema.account.c.id).where(schema.account.c.id == (named or ""))
    if connection.execute(known).one_or_none() is None:
        message = f"There is no person {player[:20]!r}."
        hint = "Name the colour of a person at this table, or a player with a public page."
        raise TableError("master/unknown-person", message, hint)
    change = update(schema.game).where(schema.game.c.id == game)
    connection.execute(change.values(master=named))


def check_named(row: Row[Any]) -> None:
    """TableError where a game would begin without the game master that it wants."""
    if Settings.read(json.loads(row.settings)).master is Master.PERSON and row.master is None:
        message = "This table needs a person as game master, but none is named."
        raise TableError("master/missing", message, "Name one, or change the setting `master`.")


def free_for_another(connection: Connection, game: str, colour: str) -> str:
    """Take a seat of a running game from its owner; the invite with which another can take it.

    The caller has added the lines of the log that say so.
    """
    columns, invite = schema.seat.c, seats.secret()
    own = update(schema.seat).where(columns.game == game, columns.colour == colour)
    connection.execute(own.values(account=None, name=columns.colour, invite=invite))
    seal_seats(connection, [game])
    return invite


def _name(connection: Connection, game: str, account: str) -> str:
    """The name under which an account sits at the table, or else its own."""
    at_table = {seat.account: seat.name for seat in seats.seats_of(connection, game)}
    if account in at_table:
        return at_table[account]
    wanted = select(schema.account.c.name).where(schema.account.c.id == account)
    return str(connection.execute(wanted).scalar_one_or_none() or "")


# Spectators: who may watch a game, and how long after the players.


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
    seat = seats.seat_of(connection, game, account) if account is not None else None
    if seat is not None:
        return SpectatorView(seat, row.state != seats.LOBBY)
    if not _is_invited(connection, row, invite):
        seats.check_visible(row, account, invite)
    is_master = account is not None and row.master == account
    may_watch = is_master or Settings.read(json.loads(row.settings)).spectators
    if row.state != seats.LOBBY and not may_watch:
        message = "This table allows no spectators."
        raise TableError("watch/not-here", message, "Only its players can see the game.")
    return SpectatorView(SPECTATORS, is_final=False)


def _is_invited(connection: Connection, row: Row[Any], invite: str | None) -> bool:
    """Whether the secret is that of a free seat: its owner may see the table."""
    if not invite or row.state not in (seats.LOBBY, seats.RUNNING):
        return False
    free = [seat.invite for seat in seats.seats_of(connection, row.id) if seat.free]
    return any(seats.is_secret(invite, stored) for stored in free)


def visible_until(connection: Connection, game: str, seat: str) -> int:
    """The time up to which a seat ("" for spectators) may see events, in milliseconds since 1970.

    While hands or missions are hidden, spectators are behind by the table's `delay`: they could
    pass secrets on to players.
    """
    row, at = _row(connection, game), now(connection)
    return at - _delay(row) if seat == SPECTATORS and row.state == seats.RUNNING else at


def spectators_delay(connection: Connection, game: str) -> int:
    """The delay of spectators of a running game, in milliseconds."""
    return _delay(_row(connection, game))


def has_spectators_delay(row: Row[Any]) -> bool:
    """Whether spectators see a game later than its players, by its row."""
    return _delay(row) > 0


def visible_change(connection: Connection, row: Row[Any]) -> int:
    """When spectators saw a game change, by its row: later moves are no news for them yet."""
    if row.state != seats.RUNNING or not (delay := _delay(row)):
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


# When the people at a table were last seen, as coarsely as other people may know it.

MINUTE = 60_000  # milliseconds


class LastSeen(StrEnum):
    """When the owner of a seat was last seen: an exact time would be a record of their days."""

    NOW = "now"
    LATELY = "lately"
    TODAY = "today"
    EARLIER = "earlier"


# An account's `seen` is written at most once a minute, so two minutes still mean "now".
LIMITS = {
    LastSeen.NOW: 2 * MINUTE,
    LastSeen.LATELY: 15 * MINUTE,
    LastSeen.TODAY: 24 * 60 * MINUTE,
}


def last_seen_at(connection: Connection, game: str) -> dict[str, LastSeen]:
    """When the owner of each seat was last seen, by colour; bots are left out."""
    seat, account = schema.seat, schema.account
    wanted = (
        select(seat.c.colour, account.c.seen)
        .join(account, seat.c.account == account.c.id)
        .where(seat.c.game == game)
    )
    at = now(connection)
    return {row.colour: seen_before(at - row.seen) for row in connection.execute(wanted)}


def seen_before(milliseconds: int) -> LastSeen:
    """The word for an account that was last seen so long ago."""
    found = (word for word, limit in LIMITS.items() if milliseconds < limit)
    return next(found, LastSeen.EARLIER)
