"""Changes of a table in the lobby: title, access, rules, number of seats, settings, colours.

People open a table first and choose its rules together, so everything but the people at it can be
changed until the game starts. Each change is checked as a whole, as a new table would be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, update

from rubicon.rules.board.board import COLOURS, board_name
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of, rebels_of, ruleset_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.errors import TableError
from rubicon.table.lobby import table_request
from rubicon.table.lobby.seats import (
    SeatRow,
    check_host,
    check_in_lobby,
    locked_for,
    seats_of,
    secret,
)
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

_BETWEEN = "-"  # the colour of a seat while two are exchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange:
    """What is changed; None: it stays.

    `options` without a `preset` and a `board` replace all options of the present ones; a new preset
    or board begins without options. `settings` replace those that they name. `seats` is a number.
    """

    title: str | None = None
    access: str | None = None
    preset: str | None = None
    options: Mapping[str, object] | None = None
    board: str | None = None
    seats: int | None = None
    settings: Mapping[str, object] | None = None
    rebels: Mapping[str, int] | None = None  # armies by territory, where the ruleset has a list


def change_table(
    connection: Connection,
    game: str,
    account: str,
    change: TableChange,
    server_bots: table_request.ServerBots,
) -> Settings:
    """Change a table before its game, as its host; the settings that it has now.

    TableError, RubiconError or RulesetError for what cannot be.
    """
    row = locked_for(connection, game, account)
    check_in_lobby(row)
    check_host(row, account)
    values: dict[str, Any] = {"changed": now(connection)}
    before = ruleset_of(json.loads(row.ruleset))
    ruleset = _ruleset(before, change)
    seats = _seats(seats_of(connection, game), change.seats)
    rebels = _rebels(before, ruleset, json.loads(row.ruleset), change)
    fresh = Game.new(ruleset, colours=[seat.colour for seat in seats], rebels=rebels)
    values["ruleset"] = json.dumps(headers_of(fresh))
    values["title"] = _title(row.title, before, ruleset, change.title)
    settings = _settings(row, change.settings, server_bots)
    values["settings"] = settings.text()
    if change.settings is not None and "lobby_time" in change.settings:
        values["void"] = values["changed"] + settings.lobby_time * 1000
    access = (
        table_request.Access(row.access)
        if change.access is None
        else table_request.checked_access(change.access)
    )
    values["access"] = access.value
    private = access is table_request.Access.PRIVATE
    values["invite"] = None if private else row.invite or secret()
    was_private = row.access == table_request.Access.PRIVATE
    if private != was_private or change.seats is not None:
        seats = [_with_invite(seat, private=private, was_private=was_private) for seat in seats]
        _store_seats(connection, game, seats)
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**values))
    return settings


def change_colour(connection: Connection, game: str, account: str, colour: str) -> None:
    """Give the seat of an account another colour; a free seat or a bot of that colour gets its own.

    The order of play stays. A deposit for the dice is bound to the old colour, and is forgotten.
    """
    row = locked_for(connection, game, account)
    check_in_lobby(row)
    seats = seats_of(connection, game)
    own = next((seat for seat in seats if seat.account == account), None)
    if own is None:
        message = "You have no seat at this table."
        raise TableError("lobby/not-seated", message, "Take a seat first.")
    if own.colour == colour:
        return
    other = next((seat for seat in seats if seat.colour == colour), None)
    if colour not in COLOURS or (other is not None and other.account is not None):
        message = f"The colour {colour[:20]!r} cannot be chosen here."
        raise TableError("lobby/colour", message, table_request.choices(free_colours(seats)))
    _set_colour(connection, game, own, _BETWEEN)
    if other is not None:
        _set_colour(connection, game, other, own.colour)
    _set_colour(connection, game, own, colour)
    _move_to_colour(connection, game, account, own.colour, colour)
    ruleset = ruleset_of(json.loads(row.ruleset))
    colours = [seat.colour for seat in seats_of(connection, game)]
    rebels = rebels_of(json.loads(row.ruleset))
    headers = headers_of(Game.new(ruleset, colours=colours, rebels=rebels))
    values = {"ruleset": json.dumps(headers), "changed": now(connection)}
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**values))


def free_colours(seats: Sequence[SeatRow]) -> tuple[str, ...]:
    """The colours that no person has: each of them can be chosen."""
    taken = {seat.colour for seat in seats if seat.account is not None}
    return tuple(colour for colour in COLOURS if colour not in taken)


def _ruleset(before: Ruleset, change: TableChange) -> Ruleset:
    if change.preset is None and change.board is None and change.options is None:
        return before
    board = board_name(before.board) if change.board is None else change.board
    preset = before.preset if change.preset is None else change.preset
    options = change.options or {}
    return table_request.requested_ruleset(
        table_request.TableRequest(preset=preset, options=options, board=board)
    )


def _rebels(
    before: Ruleset, ruleset: Ruleset, headers: Mapping[str, str], change: TableChange
) -> Mapping[str, int]:
    """The rebels of the table: the wanted ones, else the present ones where they still fit."""
    if change.rebels is not None:
        return change.rebels
    fits = ruleset.options["rebels.setup"] == "gm_list" and ruleset.board == before.board
    return rebels_of(headers) if fits else {}


def _title(now_called: str, before: Ruleset, ruleset: Ruleset, wanted: str | None) -> str:
    """The wanted title; a table that was called by its ruleset is called by the new one."""
    if wanted is not None and wanted.strip():
        return table_request.checked_title(wanted)
    by_ruleset = now_called == before.title[: table_request.MAX_TITLE_LENGTH]
    return (
        ruleset.title[: table_request.MAX_TITLE_LENGTH]
        if by_ruleset or wanted is not None
        else now_called
    )


def _settings(
    row: Row[Any], wanted: Mapping[str, object] | None, server_bots: table_request.ServerBots
) -> Settings:
    settings = Settings.read(json.loads(row.settings) | dict(wanted or {}))
    return table_request.with_checked_bots(settings, server_bots) if wanted else settings


def _seats(seats: Sequence[SeatRow], count: int | None) -> list[SeatRow]:
    """So many seats: new ones come last; free ones, bots and reserved ones go first, from the end.

    TableError where people would have to go.
    """
    kept = list(seats)
    wanted = len(kept) if count is None else count
    if not 1 <= wanted <= len(COLOURS):
        message = f"A table cannot have {wanted} seats."
        raise TableError("lobby/seats", message, f"A table has 1 to {len(COLOURS)} seats.")
    people = sum(seat.account is not None for seat in kept)
    if people > wanted:
        message = f"{people} people sit at this table, which is too many for {wanted} seats."
        raise TableError("lobby/taken", message, "Remove a player first, or keep more seats.")
    while len(kept) > wanted:
        kept.remove(min(reversed(kept), key=_worth))
    unused = [colour for colour in COLOURS if colour not in {seat.colour for seat in kept}]
    for colour in unused[: wanted - len(kept)]:
        kept.append(_free_seat(colour))
    return [replace(seat, number=number) for number, seat in enumerate(kept)]


def _worth(seat: SeatRow) -> int:
    """Which seats go first: the lowest."""
    if seat.account is not None:
        return 3
    return 2 if seat.invite is not None else 1 if seat.bot is not None else 0


def _free_seat(colour: str) -> SeatRow:
    return SeatRow(number=-1, colour=colour, account=None, bot=None, name="", invite=None)


def _with_invite(seat: SeatRow, *, private: bool, was_private: bool) -> SeatRow:
    """At a private table each free seat is reserved by an invite; elsewhere no longer."""
    if private:
        return replace(seat, invite=(seat.invite or secret()) if seat.free else None)
    return replace(seat, invite=None) if was_private else seat


def _store_seats(connection: Connection, game: str, seats: Sequence[SeatRow]) -> None:
    columns = schema.seat.c
    connection.execute(delete(schema.seat).where(columns.game == game))
    rows = [
        {
            "game": game,
            "number": seat.number,
            "colour": seat.colour,
            "account": seat.account,
            "bot": seat.bot,
            "name": seat.name,
            "invite": seat.invite,
        }
        for seat in seats
    ]
    connection.execute(insert(schema.seat), rows)


def _set_colour(connection: Connection, game: str, seat: SeatRow, colour: str) -> None:
    columns = schema.seat.c
    own = update(schema.seat).where(columns.game == game, columns.number == seat.number)
    connection.execute(own.values(colour=colour))


def _move_to_colour(connection: Connection, game: str, account: str, old: str, new: str) -> None:
    """Take the chat lines and mutes of a player along to another colour."""
    chat, mute, client = schema.chat.c, schema.mute.c, schema.dice_client.c
    lines = update(schema.chat).where(chat.game == game, chat.account == account)
    connection.execute(lines.values(seat=new))
    for column in (mute.seat, mute.muted):
        renamed = update(schema.mute).where(mute.game == game, column == old)
        connection.execute(renamed.values({column: new}))
    gone = delete(schema.dice_client).where(client.game == game, client.seat.in_((old, new)))
    connection.execute(gone)
