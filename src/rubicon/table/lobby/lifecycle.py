"""A table from its opening until its game begins, or until it is closed."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from rubicon.rules.game import Game
from rubicon.rules.record import headers_of, rebels_of, ruleset_of
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby import table_request
from rubicon.table.lobby.people import GAME_MASTER, check_named, master_place
from rubicon.table.lobby.seats import (
    CLOSED,
    LOBBY,
    OVER,
    RUNNING,
    SeatRow,
    check_host,
    check_in_lobby,
    locked,
    locked_for,
    put_bot,
    seats_of,
    secret,
)
from rubicon.table.lobby.start import begin_game
from rubicon.table.notices import (
    EMAIL_PENDING,
    SPECTATORS,
    GameOver,
    Invitation,
    MasterBegins,
    Notice,
    notice_json,
)
from rubicon.table.settings import Clock, Settings, check_dice_server
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.event_log import add_notification

# The lifecycle of a table: opening, start, closing, rematch.

AWAY = 15 * 60 * 1000  # milliseconds; players not seen for so long must confirm a rematch
MAX_GAMES_PER_SWEEP = 200


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """An open table: its game's id, and the secrets of its links."""

    game: str
    invite: (
        str | None
    )  # of the table's link; None for private tables, and for everyone but the host
    invites: dict[str, str]  # of single seats, by colour


def new_id() -> str:
    """A random id for a game: ten lower-case letters and digits."""
    return base64.b32encode(secrets.token_bytes(7)).decode()[:10].lower()


def open_table(
    connection: Connection,
    account: str,
    name: str,
    request: table_request.TableRequest,
    server_bots: table_request.ServerBots,
) -> OpenedTable:
    """Open a table. The account becomes its host, and takes the first seat without a bot."""
    grant = table_request.checked_request(request, server_bots)
    opened = new_table(
        connection,
        host=account,
        title=grant.title,
        access=grant.access,
        headers=grant.headers,
        settings=grant.settings,
        invite=None if grant.access is table_request.Access.PRIVATE else secret(),
    )
    seats: list[dict[str, Any]] = []
    host_seated = False
    for number, colour in enumerate(grant.colours):
        row: dict[str, Any] = {"game": opened, "number": number, "colour": colour, "name": ""}
        row |= {"account": None, "bot": grant.bots.get(number), "invite": None}
        if row["bot"] is not None:
            row["name"] = table_request.bot_name(row["bot"], [seat["name"] for seat in seats])
        elif not host_seated:
            host_seated = True
            row |= {
                "account": account,
                "name": table_request.checked_name(name, [], table_request.own_names(server_bots)),
            }
        elif grant.access is table_request.Access.PRIVATE:
            row["invite"] = secret()
        seats.append(row)
    connection.execute(insert(schema.seat), seats)
    return opened_of(connection, opened, account)


def check_tables(connection: Connection, account: str, most: int, opened: int = 0) -> None:
    """TableError where an account hosts too many tables; `opened` are those of this transaction."""
    games = schema.game.c
    running = select(func.count()).where(games.state.in_((LOBBY, RUNNING)), games.host == account)
    if most and connection.execute(running).scalar_one() >= most + opened:
        message = f"You have {most} open tables already."
        raise TableError(
            "lobby/too-many", message, "Close a table without players, or finish a game."
        )


def opened_of(connection: Connection, game: str, account: str) -> OpenedTable:
    """A table with its links, which only the host gets."""
    columns = schema.game.c
    wanted = select(columns.invite, columns.host).where(columns.id == game)
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    if row.host != account:
        return OpenedTable(game, None, {})
    invites = {s.colour: s.invite for s in seats_of(connection, game) if s.invite is not None}
    return OpenedTable(game, row.invite, invites)


def start(connection: Connection, game: str, account: str, *, dice_server: bool = False) -> None:
    """Begin the game, for its host, when all seats are taken or the `fill` bot may take them.

    The caller wakes the game after the commit. Idempotent: a game that has begun is not changed.
    `dice_server`: whether there is one, for tables that want it.
    """
    row = locked_for(connection, game, account)
    check_host(row, account)
    if row.state not in (LOBBY, CLOSED):
        return
    check_in_lobby(row)
    settings = Settings.read(json.loads(row.settings))
    check_dice_server(settings, there=dice_server)
    check_named(row)
    free = [seat for seat in seats_of(connection, game) if seat.free]
    if free and not settings.fill:
        colours = ", ".join(seat.colour for seat in free)
        message = f"These seats are free: {colours}."
        raise TableError("lobby/not-full", message, "Invite players, or add a bot.")
    for seat in free:
        put_bot(connection, game, seat, settings.fill)
    seats = seats_of(connection, game)
    ruleset = ruleset_of(json.loads(row.ruleset))
    fresh = Game.new(
        ruleset,
        colours=[seat.colour for seat in seats],
        rebels=rebels_of(json.loads(row.ruleset)),
    )
    bots = {seat.colour: seat.bot for seat in seats if seat.bot is not None}
    begin_game(connection, game, headers_of(fresh), settings, bots)
    if settings.clock is not Clock.LIVE and master_place(connection, game) == GAME_MASTER:
        notify(connection, game, GAME_MASTER, MasterBegins(), EMAIL_PENDING)


def close(connection: Connection, game: str, account: str) -> None:
    """Close a table whose game has not begun; only its host may."""
    row = locked_for(connection, game, account)
    check_host(row, account)
    if row.state != CLOSED:
        check_in_lobby(row)
        close_table(connection, game, "the host closed the table")


def expire(connection: Connection) -> list[str]:
    """Close the tables whose games did not begin in time; their ids."""
    games = schema.game.c
    due = select(games.id).where(games.state == LOBBY, games.void <= now(connection))
    late = [row.id for row in connection.execute(due.limit(MAX_GAMES_PER_SWEEP).with_for_update())]
    for game in late:
        close_table(connection, game, "the game did not begin in time")
    return late


def rematch(connection: Connection, game: str, account: str) -> OpenedTable:
    """A new table with the same seats, settings and link.

    The first player who asks becomes its host; the others get the same table. Players who were not
    seen lately are not seated: their seats are reserved, and they get an invite as a notification.
    """
    row = locked_for(connection, game, account)
    seats = seats_of(connection, game)
    if account not in {seat.account for seat in seats}:
        message = "Only the players of this game can have a rematch."
        raise TableError("lobby/not-seated", message, "Open a table of your own.")
    if row.state != OVER:
        message = "A rematch needs a finished game."
        raise TableError("lobby/not-over", message, "Resign, or agree on a draw, to end it.")
    again = open_rematch(connection, row)
    if again is not None:
        _take_reserved_seat(connection, row.id, again, account)
        return opened_of(connection, again, account)
    new = _rematch_of(connection, row, account)
    present = _present(connection, [s.account for s in seats if s.account]) | {account}
    connection.execute(insert(schema.seat), [_seat_again(new, s, present) for s in seats])
    for seat in seats_of(connection, new):
        if seat.invite is not None:
            notify(connection, game, seat.colour, Invitation(new, seat.invite))
    return opened_of(connection, new, account)


def notify(
    connection: Connection, game: str, seat: str, notice: Notice, sent: int | None = None
) -> None:
    """Notify a seat of something that is not in the log; `sent` as `EMAIL_PENDING` explains."""
    head = connection.execute(select(schema.game.c.head).where(schema.game.c.id == game))
    row = {"game": game, "log_index": max(0, head.scalar_one()), "seat": seat}
    row |= {"kind": notice.kind, "body": notice_json(notice), "at": now(connection), "sent": sent}
    connection.execute(insert(schema.notification), row)
    add_notification(connection, row)


def new_table(
    connection: Connection,
    *,
    host: str | None,
    title: str,
    access: str,
    headers: dict[str, str],
    settings: Settings,
    invite: str | None,
    before: str | None = None,
    master: str | None = None,
) -> str:
    """Insert the row of a new game; its id."""
    at, game = now(connection), new_id()
    row = {"id": game, "state": LOBBY, "title": title, "access": str(access), "head": -1}
    row |= {"ruleset": json.dumps(headers), "settings": settings.text(), "host": host}
    row |= {"created": at, "changed": at, "void": at + settings.lobby_time * 1000}
    row |= {"invite": invite, "before": before, "master": master}
    connection.execute(insert(schema.game), row)
    return game


def close_table(connection: Connection, game: str, reason: str) -> None:
    """Close a locked table whose game has not begun, and notify its people of the reason."""
    at = now(connection)
    closed = {"state": CLOSED, "ended": at, "changed": at, "invite": None}
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**closed))
    people = [seat.colour for seat in seats_of(connection, game) if seat.account is not None]
    for seat in (SPECTATORS, *people):
        notify(connection, game, seat, GameOver(CLOSED, reason))


def open_rematch(connection: Connection, row: Row[Any]) -> str | None:
    """The open rematch of a game. A fork has the same `before`, but is older than the end."""
    games = schema.game.c
    wanted = select(games.id).where(
        games.before == row.id, games.created >= row.ended, games.state != CLOSED
    )
    return connection.execute(wanted.order_by(games.created).limit(1)).scalar_one_or_none()


def _rematch_of(connection: Connection, row: Row[Any], account: str) -> str:
    """The new game's row. The link moves to it: people who have it find the new table."""
    connection.execute(update(schema.game).where(schema.game.c.id == row.id).values(invite=None))
    invite = None if row.access == table_request.Access.PRIVATE else row.invite or secret()
    return new_table(
        connection,
        host=account,
        title=row.title,
        access=row.access,
        headers=json.loads(row.ruleset),
        settings=Settings.read(json.loads(row.settings)),
        invite=invite,
        before=row.id,
        master=row.master,
    )


def _seat_again(game: str, seat: SeatRow, present: set[str]) -> dict[str, Any]:
    """The same seat at another table, reserved by an invite where its owner is away."""
    row = {"game": game, "number": seat.number, "colour": seat.colour, "bot": seat.bot}
    if seat.account is None or seat.account in present:
        return row | {"account": seat.account, "name": seat.name, "invite": None}
    return row | {"account": None, "name": "", "invite": secret()}


def _take_reserved_seat(connection: Connection, old: str, new: str, account: str) -> None:
    """Seat a player at an existing rematch, on the seat that is reserved for them."""
    if locked(connection, new).state != LOBBY:
        return
    seats = seats_of(connection, new)
    if account in {seat.account for seat in seats}:
        return
    own = next(seat for seat in seats_of(connection, old) if seat.account == account)
    reserved = next(seat for seat in seats if seat.number == own.number)
    if reserved.free and reserved.invite is not None and own.name not in {s.name for s in seats}:
        columns = schema.seat.c
        change = update(schema.seat).where(columns.game == new, columns.number == reserved.number)
        connection.execute(change.values(account=account, name=own.name, invite=None))


def _present(connection: Connection, accounts: Sequence[str]) -> set[str]:
    """The accounts that were seen lately."""
    account, since = schema.account.c, now(connection) - AWAY
    wanted = select(account.id).where(account.id.in_(accounts), account.seen >= since)
    return {row.id for row in connection.execute(wanted)}


# The operator closes a table whose game has not begun.

BY_OPERATOR = "closed by the operator"  # begins the reason of such an end
MAX_REASON_LENGTH = 200


def checked_reason(reason: str) -> str:
    """What the players read; TableError if it is empty, too long or cannot be read."""
    proper = reason.strip()
    if table_request.is_legible(proper) and 1 <= len(proper) <= MAX_REASON_LENGTH:
        return proper
    wanted = f"The players read it: write 1 to {MAX_REASON_LENGTH} visible characters."
    raise TableError("table/reason", "This is not a valid reason.", wanted)


def close_in_lobby(connection: Connection, game: str, reason: str) -> bool:
    """Close a table whose game has not begun; False where the game runs.

    NoSuchGame; TableError where the table is closed already, or its game is over.
    """
    row = locked(connection, game)
    if row.state == RUNNING:
        return False
    if row.state != LOBBY:
        raise TableError("table/not-open", "This table is closed, or its game is over.", "")
    close_table(connection, game, f"{BY_OPERATOR}: {reason}")
    return True
