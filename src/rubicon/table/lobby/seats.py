"""The seats of a table: taken, left, given away, and freed of a person who leaves for good."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, or_, select, update

from rubicon.table.errors import NoSuchGame, TableError, TableNotAllowed
from rubicon.table.lobby import table_request
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.event_log import seal_seats
from rubicon.table.storage.notifications import Change, ChangeKind, announce

# The seats of a table before its game: join, leave, kick, swap, bots, invites.

LOBBY, RUNNING, OVER, CLOSED = "lobby", "running", "over", "closed"
_LOCKED = select(schema.game).with_for_update()


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat and its player."""

    number: int
    colour: str
    account: str | None
    bot: str | None
    name: str
    invite: str | None

    @property
    def free(self) -> bool:
        """Whether no player has it; with an `invite` it is reserved for one person."""
        return self.account is None and self.bot is None


def secret() -> str:
    """A random secret of 128 bits: 26 lower-case letters and digits."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def locked(connection: Connection, game: str) -> Row[Any]:
    """The game's row, locked until this transaction ends; NoSuchGame where there is none."""
    row = connection.execute(_LOCKED.where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return row


def locked_for(
    connection: Connection, game: str, account: str, invite: str | None = None
) -> Row[Any]:
    """The locked row; NoSuchGame where the account may not know of the table."""
    row = locked(connection, game)
    if seat_of(connection, game, account) is None:
        invites = [seat.invite for seat in seats_of(connection, game)]
        if not any(is_secret(invite, each) for each in invites):
            check_visible(row, account, invite)
    return row


def check_visible(row: Row[Any], account: str | None, invite: str | None) -> None:
    """NoSuchGame where someone without a seat may not know of the table, nor probe its id."""
    invited = row.access == table_request.Access.LINK and is_secret(invite, row.invite)
    runs_it = account is not None and account in (row.host, row.master)
    if row.access != table_request.Access.OPEN and not invited and not runs_it:
        raise NoSuchGame(row.id)


def seats_of(connection: Connection, game: str) -> list[SeatRow]:
    """The seats in the order of play."""
    return seats_of_all(connection, [game]).get(game, [])


def seats_of_all(connection: Connection, games: Sequence[str]) -> dict[str, list[SeatRow]]:
    """The seats of several games."""
    seat = schema.seat.c
    wanted = select(schema.seat).where(seat.game.in_(games)).order_by(seat.game, seat.number)
    found: dict[str, list[SeatRow]] = {}
    for row in connection.execute(wanted):
        sitting = SeatRow(
            number=row.number,
            colour=row.colour,
            account=row.account,
            bot=row.bot,
            name=row.name,
            invite=row.invite,
        )
        found.setdefault(row.game, []).append(sitting)
    return found


def copy_seats(connection: Connection, game: str, to: str) -> None:
    """Seat the same people and bots at another game."""
    for seat in seats_of(connection, game):
        row = {"game": to, "number": seat.number, "colour": seat.colour, "name": seat.name}
        row |= {"account": seat.account, "bot": seat.bot}
        connection.execute(insert(schema.seat), row)


def seat_of(connection: Connection, game: str, account: str) -> str | None:
    """The seat of an account in a game, or None."""
    seat = schema.seat.c
    wanted = select(seat.colour).where(seat.game == game, seat.account == account)
    return connection.execute(wanted).scalar_one_or_none()


def join(
    connection: Connection,
    game: str,
    account: str,
    name: str,
    server_bots: table_request.ServerBots,
    colour: str | None = None,
    invite: str | None = None,
) -> str:
    """Take a seat; its colour. An account that has a seat here keeps it.

    An imported game has begun already, but its seats can still be taken with their invites.
    """
    row = locked_for(connection, game, account, invite)
    seats = seats_of(connection, game)
    own = [seat for seat in seats if seat.account == account]
    if own:  # a repeated request gets the same answer, even after the start
        return own[0].colour
    invited = any(seat.free and is_secret(invite, seat.invite) for seat in seats)
    if row.state != RUNNING or not invited:
        check_in_lobby(row)
    _check_not_kicked(connection, game, account)
    if row.state == RUNNING and account in (row.host, row.master):
        message = "The host and the game master cannot take a seat that became free in the game."
        raise TableError("lobby/runs-it", message, "Its cards may be hidden: invite someone else.")
    seat = _seat_for(row, seats, colour, invite)
    taken = [other.name for other in seats if other.number != seat.number]
    proper = table_request.checked_name(name, taken, table_request.own_names(server_bots))
    _seat(connection, game, seat, account=account, name=proper, invite=None)
    seal_seats(connection, [game])
    _changed(connection, row)
    return seat.colour


def leave(connection: Connection, game: str, account: str) -> None:
    """Leave the table. The next person becomes host; without one the table is closed."""
    row = locked_for(connection, game, account)
    seats = seats_of(connection, game)
    own = [seat for seat in seats if seat.account == account]
    if not own and row.host != account:
        return
    check_in_lobby(row)
    for seat in own:
        _empty(connection, row, seat)
    if row.host == account:
        others = [seat.account for seat in seats if seat.account not in (None, account)]
        if others:
            _update_game(connection, game, host=others[0])
        else:
            _update_game(connection, game, state=CLOSED, ended=now(connection), invite=None)
    _changed(connection, row)


def kick(connection: Connection, game: str, account: str, colour: str) -> None:
    """Remove a person from the table for good; only the host may, before the start."""
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is None:
        message = f"No person has the seat {colour}."
        raise TableError("lobby/nobody", message, "Free the seat to remove a bot.")
    if seat.account == account:
        message = "You cannot remove yourself."
        raise TableError(
            "lobby/yourself", message, "Leave the table: the next person becomes host."
        )
    connection.execute(insert(schema.kicked), {"game": game, "account": seat.account})
    _empty(connection, row, seat)
    _changed(connection, row)


def swap(connection: Connection, game: str, account: str, one: str, other: str) -> None:
    """Swap the players of two seats, and with them colour and order of play."""
    row, first = _for_host(connection, game, account, one)
    second = _seat_called(seats_of(connection, game), other)
    if first == second:
        return
    for seat in (first, second):  # the column is unique: clear both before setting them
        _seat(connection, game, seat, invite=None)
    for here, there in ((first, second), (second, first)):
        _seat(
            connection,
            game,
            here,
            account=there.account,
            bot=there.bot,
            name=there.name,
            invite=there.invite,
        )
        _unmute(connection, game, here.colour)
        if there.account is not None:
            _move_chat(connection, game, there.account, here.colour)
    _changed(connection, row)


def seat_bot(
    connection: Connection,
    game: str,
    account: str,
    colour: str,
    bot: str,
    server_bots: table_request.ServerBots,
) -> None:
    """Put one of the server's bots on a seat that no person has."""
    bot = table_request.checked_bot(bot, server_bots)
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is not None:
        message = f"{seat.name} has the seat {colour}."
        raise TableError("lobby/taken", message, "Choose a free seat.")
    if seat.bot != bot:
        put_bot(connection, game, seat, bot)
        _changed(connection, row)


def put_bot(connection: Connection, game: str, seat: SeatRow, bot: str) -> None:
    """Seat a bot, with a name that is unique at the table."""
    taken = [other.name for other in seats_of(connection, game) if other.number != seat.number]
    _seat(connection, game, seat, bot=bot, name=table_request.bot_name(bot, taken), invite=None)


def free_seat(connection: Connection, game: str, account: str, colour: str) -> None:
    """Remove a bot or a reservation from a seat."""
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is not None:
        message = f"{seat.name} has the seat {colour}."
        raise TableError("lobby/taken", message, "Kick the player first, or choose another seat.")
    _empty(connection, row, seat)
    _changed(connection, row)


def renew_invite(connection: Connection, game: str, account: str, colour: str | None = None) -> str:
    """A new secret for the table's link, or for the invite of one free seat.

    The old secret becomes invalid.
    """
    row = locked_for(connection, game, account)
    check_in_lobby(row)
    check_host(row, account)
    invite = secret()
    if colour is not None:
        seat = _seat_called(seats_of(connection, game), colour)
        if not seat.free:
            message = f"{seat.name} has the seat {colour}."
            raise TableError("lobby/taken", message, "Invite players to a free seat.")
        _seat(connection, game, seat, invite=invite)
    elif row.access == table_request.Access.PRIVATE:
        message = "A private table has no link for everyone."
        raise TableError("lobby/private", message, "Name the seat that the invite is for.")
    else:
        _update_game(connection, game, invite=invite)
    return invite


def check_in_lobby(row: Row[Any]) -> None:
    """TableError where the game has begun, or the table is closed."""
    if row.state == CLOSED:
        raise TableError("lobby/closed", "This table is closed.", "Open another one.")
    if row.state != LOBBY:
        message = "The game has begun: seats can no longer change."
        raise TableError("lobby/begun", message, "To leave the game, resign.")


def check_host(row: Row[Any], account: str) -> None:
    """TableError where an account is not the table's host."""
    if row.host != account:
        message = "Only the host of the table may do that."
        raise TableNotAllowed("lobby/not-host", message, "Ask the host.")


def is_secret(given: str | None, stored: str | None) -> bool:
    """Whether the right secret was given, compared in constant time."""
    if not given or not stored:
        return False
    return secrets.compare_digest(given.strip().lower().encode(), stored.encode())


def _for_host(
    connection: Connection, game: str, account: str, colour: str
) -> tuple[Row[Any], SeatRow]:
    """The table and one of its seats; TableError unless its host asks before the start."""
    row = locked_for(connection, game, account)
    check_in_lobby(row)
    check_host(row, account)
    return row, _seat_called(seats_of(connection, game), colour)


def _seat_called(seats: Sequence[SeatRow], colour: str) -> SeatRow:
    for seat in seats:
        if seat.colour == colour:
            return seat
    colours = ", ".join(seat.colour for seat in seats)
    message = f"This table has no seat {colour[:20]!r}."
    raise TableError("lobby/seat", message, f"Seats: {colours}.")


def _seat_for(
    row: Row[Any], seats: Sequence[SeatRow], colour: str | None, invite: str | None
) -> SeatRow:
    """The seat for a new player: that of the invite, the chosen one, or the first free one."""
    for seat in seats:
        if is_secret(invite, seat.invite):
            return seat
    if row.access == table_request.Access.PRIVATE or (
        row.access == table_request.Access.LINK and not is_secret(invite, row.invite)
    ):
        message = "This table is by invitation only."
        raise TableNotAllowed("lobby/invite", message, "Ask the host for a new link.")
    free = [seat for seat in seats if seat.free and seat.invite is None]
    if not free:
        raise TableError("lobby/full", "All seats are taken.", "Watch, or join another table.")
    if colour is None:
        return free[0]
    wanted = [seat for seat in free if seat.colour == colour]
    if not wanted:
        colours = ", ".join(seat.colour for seat in free)
        message = f"{colour[:20]!r} is not free here."
        raise TableError("lobby/colour", message, f"Free: {colours}.")
    return wanted[0]


def _check_not_kicked(connection: Connection, game: str, account: str) -> None:
    kicked = schema.kicked.c
    wanted = select(kicked.account).where(kicked.game == game, kicked.account == account)
    if connection.execute(wanted).first() is not None:
        message = "The host has removed you from this table."
        raise TableNotAllowed("lobby/kicked", message, "Join another one, or open your own.")


def _empty(connection: Connection, row: Row[Any], seat: SeatRow) -> None:
    """Free a seat. At a private table it gets a new invite, which the former player cannot know."""
    invite = secret() if row.access == table_request.Access.PRIVATE else None
    if seat.account is not None:
        _move_chat(connection, row.id, seat.account, "")
        _unmute(connection, row.id, seat.colour)
    _seat(connection, row.id, seat, account=None, bot=None, name="", invite=invite)


def _seat(connection: Connection, game: str, seat: SeatRow, **values: object) -> None:
    columns = schema.seat.c
    change = update(schema.seat).where(columns.game == game, columns.number == seat.number)
    connection.execute(change.values(**values))


def _move_chat(connection: Connection, game: str, account: str, colour: str) -> None:
    """Show the chat lines of an account under its new seat."""
    chat = schema.chat.c
    own = update(schema.chat).where(chat.game == game, chat.account == account)
    connection.execute(own.values(seat=colour))


def _unmute(connection: Connection, game: str, colour: str) -> None:
    """Delete the mutes of and by the former player of a seat."""
    mute = schema.mute.c
    of_seat = or_(mute.seat == colour, mute.muted == colour)
    connection.execute(delete(schema.mute).where(mute.game == game, of_seat))


def _update_game(connection: Connection, game: str, **values: object) -> None:
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**values))


def _changed(connection: Connection, row: Row[Any]) -> None:
    _update_game(connection, row.id, changed=now(connection))


# The departure of an erased account from every table at which it sits or that it hosts.

# The kind of a row of `schema.clock` that is due at once: the sweep of deadlines adds the line to
# the log. The log itself is written by the table service only, one game at a time.
ERASED = "erased"


def depart(connection: Connection, account: str) -> list[str]:
    """Take an account from all its tables, inside an open transaction; those in the lobby.

    In the lobby it leaves: the next person becomes host, or the table is closed. A running game is
    marked, so that the sweep of deadlines treats the seat as the table's `timeout_policy` says. The
    seats of games keep their colour as name, so that games remain complete.
    """
    games, seat = schema.game.c, schema.seat.c
    seated = select(seat.game).where(seat.account == account)
    wanted = select(games.id).where(or_(games.host == account, games.id.in_(seated)))
    tables: list[str] = []
    # In a fixed order, so that two departures never lock two games the other way round.
    all_games = connection.execute(wanted.order_by(games.id)).scalars().all()
    for game in all_games:
        state = locked(connection, game).state
        if state == LOBBY:
            leave(connection, game, account)
            announce(connection, Change(ChangeKind.TABLE, game))
            tables.append(game)
        elif state == RUNNING:
            _mark(connection, game, account)
    own = update(schema.seat).where(seat.account == account)
    connection.execute(own.values(name=seat.colour, account=None))
    hosted = update(schema.game).where(games.host == account)
    connection.execute(hosted.values(host=None))
    run = update(schema.game).where(games.master == account)
    connection.execute(run.values(master=None))
    seal_seats(connection, all_games)
    return tables


def _mark(connection: Connection, game: str, account: str) -> None:
    seat, clock = schema.seat.c, schema.clock.c
    own = select(seat.colour).where(seat.game == game, seat.account == account)
    for colour in connection.execute(own).scalars().all():
        key = (clock.game == game, clock.seat == colour, clock.kind == ERASED)
        connection.execute(delete(schema.clock).where(*key))
        row = {"game": game, "seat": colour, "kind": ERASED, "log_index": 0, "due": now(connection)}
        connection.execute(insert(schema.clock), row)
