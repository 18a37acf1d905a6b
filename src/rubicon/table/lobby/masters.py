"""The game master of a table: who it is, whom the host names, and seats that become free."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select, update

from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby.seats import (
    check_host,
    check_in_lobby,
    locked_for,
    seats_of,
    secret,
)
from rubicon.table.settings import Master, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.digest import seal_seats

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
    own = (seat.colour for seat in seats_of(connection, game) if seat.account == account)
    return next(own, GAME_MASTER)


def name_master(connection: Connection, game: str, account: str, player: str) -> None:
    """Name the game master, as the host, before the game: a colour at the table, or an account.

    TableError where the setting `master` is another one, or there is no such person.
    """
    row = locked_for(connection, game, account)
    check_host(row, account)
    check_in_lobby(row)
    if Settings.read(json.loads(row.settings)).master is not Master.PERSON:
        message = "The setting `master` of this table is not `person`."
        raise TableError("master/setting", message, "Change the setting first.")
    by_colour = {seat.colour: seat.account for seat in seats_of(connection, game)}
    named = by_colour.get(player, player)
    known = select(schema.account.c.id).where(schema.account.c.id == (named or ""))
    if connection.execute(known).one_or_none() is None:
        message = f"There is no person {player[:20]!r}."
        hint = "Name the colour of somebody at this table, or a player with a public page."
        raise TableError("master/unknown-person", message, hint)
    change = update(schema.game).where(schema.game.c.id == game)
    connection.execute(change.values(master=named))


def check_named(row: Row[Any]) -> None:
    """TableError where a game would begin without the game master that it wants."""
    if Settings.read(json.loads(row.settings)).master is Master.PERSON and row.master is None:
        message = "This table wants a person as game master, and nobody is named."
        raise TableError("master/missing", message, "Name one, or change the setting `master`.")


def free_for_another(connection: Connection, game: str, colour: str) -> str:
    """Take a seat of a running game from its owner; the invite with which another can take it.

    The caller has added the lines of the log that say so.
    """
    columns, invite = schema.seat.c, secret()
    own = update(schema.seat).where(columns.game == game, columns.colour == colour)
    connection.execute(own.values(account=None, name=columns.colour, invite=invite))
    seal_seats(connection, [game])
    return invite


def _name(connection: Connection, game: str, account: str) -> str:
    """The name under which an account sits at the table, or else its own."""
    at_table = {seat.account: seat.name for seat in seats_of(connection, game)}
    if account in at_table:
        return at_table[account]
    wanted = select(schema.account.c.name).where(schema.account.c.id == account)
    return str(connection.execute(wanted).scalar_one_or_none() or "")
