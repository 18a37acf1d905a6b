"""The seats of a table before its game: who sits down, who leaves, who is sent away."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, or_, select, update

from rubicon.table import schema
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby_wish import Access, bot_name, check_bot, proper_name
from rubicon.table.store import now

LOBBY, RUNNING, OVER, CLOSED = "lobby", "running", "over", "closed"
_LOCKED = select(schema.game).with_for_update()


@dataclass(frozen=True, slots=True)
class Sitting:
    """One seat and who has it."""

    number: int
    colour: str
    account: str | None
    bot: str | None
    name: str
    invite: str | None

    @property
    def free(self) -> bool:
        """Whether nobody has it; it may still be kept for whoever has its invite."""
        return self.account is None and self.bot is None


def secret() -> str:
    """Something that nobody guesses: 26 letters and digits."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def locked(connection: Connection, game: str) -> Row[Any]:
    """The game's row, which nobody else changes before this transaction ends."""
    row = connection.execute(_LOCKED.where(schema.game.c.id == game)).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    return row


def seats_of(connection: Connection, game: str) -> list[Sitting]:
    """The seats in the order of play."""
    return seats_of_all(connection, [game]).get(game, [])


def seats_of_all(connection: Connection, games: Sequence[str]) -> dict[str, list[Sitting]]:
    """The seats of several games."""
    seat = schema.seat.c
    wanted = select(schema.seat).where(seat.game.in_(games)).order_by(seat.game, seat.number)
    found: dict[str, list[Sitting]] = {}
    for row in connection.execute(wanted):
        sitting = Sitting(row.number, row.colour, row.account, row.bot, row.name, row.invite)
        found.setdefault(row.game, []).append(sitting)
    return found


def copy_seats(connection: Connection, game: str, to: str) -> None:
    """The same people and bots on the same seats of another game."""
    for seat in seats_of(connection, game):
        row = {"game": to, "number": seat.number, "colour": seat.colour, "name": seat.name}
        row |= {"account": seat.account, "bot": seat.bot}
        connection.execute(insert(schema.seat), row)


def seat_of(connection: Connection, game: str, account: str) -> str | None:
    """The colour that an account plays in a game; None where it does not."""
    seat = schema.seat.c
    wanted = select(seat.colour).where(seat.game == game, seat.account == account)
    return connection.execute(wanted).scalar_one_or_none()


def join(
    connection: Connection,
    game: str,
    account: str,
    name: str,
    house_bots: Sequence[str],
    colour: str | None = None,
    invite: str | None = None,
) -> str:
    """Sit down; the colour. Whoever sits here already has their seat, whatever they ask for.

    A game that was imported has begun already: its seats are for those who have their invites.
    """
    row = locked(connection, game)
    seats = seats_of(connection, game)
    own = [seat for seat in seats if seat.account == account]
    if own:
        return own[0].colour
    kept = any(seat.free and is_secret(invite, seat.invite) for seat in seats)
    if row.state != RUNNING or not kept:
        check_in_lobby(row)
    _check_not_kicked(connection, game, account)
    seat = _seat_for(row, seats, colour, invite)
    taken = [other.name for other in seats if other.number != seat.number]
    proper = proper_name(name, taken, house_bots)
    _seat(connection, game, seat, account=account, name=proper, invite=None)
    _changed(connection, row)
    return seat.colour


def leave(connection: Connection, game: str, account: str) -> None:
    """Stand up; the next person becomes host, and where nobody is left the table is closed."""
    row = locked(connection, game)
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
    """Send a person away for good; the host's right, before the start."""
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is None:
        message = f"No person sits at {colour}."
        raise TableError("lobby/nobody", message, "A bot's seat is freed.")
    if seat.account == account:
        message = "You cannot send yourself away."
        raise TableError("lobby/yourself", message, "Leave the table: the next becomes host.")
    connection.execute(insert(schema.kicked), {"game": game, "account": seat.account})
    _empty(connection, row, seat)
    _changed(connection, row)


def swap(connection: Connection, game: str, account: str, one: str, other: str) -> None:
    """Let those on two seats change places: colour and order of play with them."""
    row, first = _for_host(connection, game, account, one)
    second = _seat_called(seats_of(connection, game), other)
    if first == second:
        return
    for seat in (first, second):  # invites are unique: they are laid down before they change
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
            _words_follow(connection, game, there.account, here.colour)
    _changed(connection, row)


def seat_bot(
    connection: Connection,
    game: str,
    account: str,
    colour: str,
    bot: str,
    house_bots: Sequence[str],
) -> None:
    """Put a house bot on a seat that no person has."""
    check_bot(bot, house_bots)
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is not None:
        message = f"{seat.name} sits at {colour}."
        raise TableError("lobby/taken", message, "Choose a free seat.")
    if seat.bot != bot:
        put_bot(connection, game, seat, bot)
        _changed(connection, row)


def put_bot(connection: Connection, game: str, seat: Sitting, bot: str) -> None:
    """Seat a bot under a name of its own."""
    taken = [other.name for other in seats_of(connection, game) if other.number != seat.number]
    _seat(connection, game, seat, bot=bot, name=bot_name(bot, taken), invite=None)


def free_seat(connection: Connection, game: str, account: str, colour: str) -> None:
    """Take a bot from its seat, or a seat back that was kept for somebody."""
    row, seat = _for_host(connection, game, account, colour)
    if seat.account is not None:
        message = f"{seat.name} sits at {colour}."
        raise TableError("lobby/taken", message, "A person is sent away, not freed.")
    _empty(connection, row, seat)
    _changed(connection, row)


def renew_invite(connection: Connection, game: str, account: str, colour: str | None = None) -> str:
    """A new secret for the table's link, or for the one person who is to have a free seat.

    The old one is void from here on.
    """
    row = locked(connection, game)
    check_in_lobby(row)
    check_host(row, account)
    invite = secret()
    if colour is not None:
        seat = _seat_called(seats_of(connection, game), colour)
        if not seat.free:
            message = f"{seat.name} sits at {colour}."
            raise TableError("lobby/taken", message, "Invite somebody to a free seat.")
        _seat(connection, game, seat, invite=invite)
    elif row.access == Access.PRIVATE:
        message = "A private table has no link for all."
        raise TableError("lobby/private", message, "Say which seat the invite is for.")
    else:
        _update_game(connection, game, invite=invite)
    return invite


def check_in_lobby(row: Row[Any]) -> None:
    """TableError where the game has begun, or the table is closed."""
    if row.state == CLOSED:
        raise TableError("lobby/closed", "This table is closed.", "Open another one.")
    if row.state != LOBBY:
        message = "The game has begun: nobody comes or goes any more."
        raise TableError("lobby/begun", message, "Whoever wants to stop resigns.")


def check_host(row: Row[Any], account: str) -> None:
    """TableError where an account is not the table's host."""
    if row.host != account:
        message = "Only the host of the table may do that."
        raise TableError("lobby/not-host", message, "Ask the host.")


def is_secret(given: str | None, kept: str | None) -> bool:
    """Whether the right secret was given, in a time that tells nothing about it."""
    if not given or not kept:
        return False
    return secrets.compare_digest(given.strip().lower().encode(), kept.encode())


def _for_host(
    connection: Connection, game: str, account: str, colour: str
) -> tuple[Row[Any], Sitting]:
    """The table, and a seat of it, for its host alone and before the start."""
    row = locked(connection, game)
    check_in_lobby(row)
    check_host(row, account)
    return row, _seat_called(seats_of(connection, game), colour)


def _seat_called(seats: Sequence[Sitting], colour: str) -> Sitting:
    for seat in seats:
        if seat.colour == colour:
            return seat
    colours = ", ".join(seat.colour for seat in seats)
    message = f"Nobody plays {colour[:20]!r} here."
    raise TableError("lobby/seat", message, f"Seats: {colours}.")


def _seat_for(
    row: Row[Any], seats: Sequence[Sitting], colour: str | None, invite: str | None
) -> Sitting:
    """The seat that somebody new gets."""
    for seat in seats:
        if is_secret(invite, seat.invite):
            return seat
    if row.access == Access.PRIVATE or (
        row.access == Access.LINK and not is_secret(invite, row.invite)
    ):
        message = "This table is for those whom its host invites."
        raise TableError("lobby/invite", message, "Ask the host for a new link: old ones are void.")
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
        message = "The host has sent you away from this table."
        raise TableError("lobby/kicked", message, "Join another one, or open your own.")


def _empty(connection: Connection, row: Row[Any], seat: Sitting) -> None:
    """Free a seat; at a private table it has a new invite, and whoever left cannot know it."""
    invite = secret() if row.access == Access.PRIVATE else None
    if seat.account is not None:
        _words_follow(connection, row.id, seat.account, "")
        _unmute(connection, row.id, seat.colour)
    _seat(connection, row.id, seat, account=None, bot=None, name="", invite=invite)


def _seat(connection: Connection, game: str, seat: Sitting, **values: object) -> None:
    columns = schema.seat.c
    change = update(schema.seat).where(columns.game == game, columns.number == seat.number)
    connection.execute(change.values(**values))


def _words_follow(connection: Connection, game: str, account: str, colour: str) -> None:
    """What somebody has said is theirs, wherever they sit now."""
    chat = schema.chat.c
    said = update(schema.chat).where(chat.game == game, chat.account == account)
    connection.execute(said.values(seat=colour))


def _unmute(connection: Connection, game: str, colour: str) -> None:
    """Nobody is muted, or has muted others, for whoever had the seat before."""
    mute = schema.mute.c
    of_seat = or_(mute.seat == colour, mute.muted == colour)
    connection.execute(delete(schema.mute).where(mute.game == game, of_seat))


def _update_game(connection: Connection, game: str, **values: object) -> None:
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**values))


def _changed(connection: Connection, row: Row[Any]) -> None:
    _update_game(connection, row.id, changed=now(connection))
