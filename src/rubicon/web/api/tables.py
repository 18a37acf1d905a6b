"""Tables before, during and after their games: open, join, change, invite, start, close,
rematch.
"""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypedDict
from urllib.parse import quote

import segno
from litestar import Controller, Response, get, patch, post
from litestar.params import FromQuery, JSONBody
from msgspec import Meta
from sqlalchemy import Connection, select

from rubicon.rules.board.board import COLOURS
from rubicon.server.player_pages import player_id, seat_owners
from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.table.lobby.changes import TableChange, change_colour
from rubicon.table.lobby.lifecycle import OpenedTable, close
from rubicon.table.lobby.listing import (
    TableView,
    open_tables,
    own_games,
    show_table,
    watchable_games,
)
from rubicon.table.lobby.people import LastSeen, name_master, seen_before, watched_from
from rubicon.table.lobby.seats import (
    LOBBY,
    check_host,
    free_seat,
    is_secret,
    kick,
    leave,
    renew_invite,
    seat_bot,
    seats_of,
    swap,
)
from rubicon.table.lobby.table_request import Access, TableRequest
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.web.api import bodies
from rubicon.web.http.auth import CurrentAccount, CurrentServer, GameId, Invite, require_account
from rubicon.web.http.errors import WebError

# The link by which people are invited to a table, as text and as a QR code.

QR_SCALE = 8  # pixels of a module
QR_BORDER = 4  # modules that must stay white around the code


class InviteView(TypedDict):
    """The links of a table; `url` is null for a private one, `seats` has those of its free seats.

    `qr` and the links lead to this server under its public URL. `email` and `seat_emails` are the
    addresses at which a person without a browser asks for the same seats; null and empty where the
    server takes no e-mails.
    """

    access: str
    url: str | None
    seats: dict[str, str]
    qr: str
    email: str | None
    seat_emails: dict[str, str]


@dataclass(frozen=True, slots=True)
class TableInvites:
    """The access of a table, and the secrets that the asker may see."""

    access: str
    table: str | None
    seats: dict[str, str]


def table_url(server: Server, game: str, invite: str | None = None) -> str:
    """The page of a table, with an invite if it needs one."""
    query = "" if invite is None else f"?invite={quote(invite)}"
    return f"{server.url}/games/{game}{query}"


def invites_of(
    connection: Connection, game: str, account: str | None, invite: str | None
) -> TableInvites:
    """The secrets of a table's links, for its host and for those who have the link already.

    NoSuchGame where the table is not visible; TableError `lobby/not-host` for others at a table
    that is not open.
    """
    watched_from(connection, game, account, invite)
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one()
    if row.access == Access.OPEN:
        return TableInvites(row.access, None, {})
    if row.access == Access.LINK and is_secret(invite, row.invite):
        return TableInvites(row.access, row.invite, {})
    check_host(row, account or "")
    seats = {s.colour: s.invite for s in seats_of(connection, game) if s.free and s.invite}
    return TableInvites(row.access, row.invite, seats if row.state == LOBBY else {})


def invite_view(server: Server, game: str, found: TableInvites) -> InviteView:
    """The links as URLs."""
    private = found.access == Access.PRIVATE
    return {
        "access": found.access,
        "url": None if private else table_url(server, game, found.table),
        "seats": {colour: table_url(server, game, s) for colour, s in found.seats.items()},
        "qr": f"{server.url}/api/v1/tables/{game}/qr.svg",
        "email": _address(server, None if private else found.table),
        "seat_emails": {
            colour: address
            for colour, secret in found.seats.items()
            if (address := _address(server, secret)) is not None
        },
    }


def _address(server: Server, invite: str | None) -> str | None:
    """Where an invite is answered by e-mail; None for an open table, which has no secret."""
    return (server.invitation_address(invite) or None) if invite is not None else None


def qr_svg(server: Server, game: str, found: TableInvites, seat: str | None) -> str:
    """The QR code of the table's link, or of the one of a free seat, as SVG."""
    view = invite_view(server, game, found)
    url = view["url"] if seat is None else view["seats"].get(seat)
    if url is None:
        message = "There is no such link at this table."
        free = ", ".join(found.seats) or "none"
        raise TableError("lobby/private", message, f"Name a free seat: ?seat=… ({free}).")
    image = io.BytesIO()
    segno.make_qr(url, error="m").save(
        image,
        kind="svg",
        scale=QR_SCALE,
        border=QR_BORDER,
        light="#fff",
        xmldecl=False,
        nl=False,
        title=url,
    )
    return image.getvalue().decode()


# What a browser does at a table in the lobby: change it, choose a colour, show its link.

SVG = "image/svg+xml"
RebelArmies = Annotated[int, Meta(ge=1, le=1000)]


class ChangeTable(bodies.Body):
    """What is changed; what is left out stays.

    `options` replace all present ones, a new `ruleset` or `board` begins without any; `settings`
    replace those that they name. A `seats` that is lower removes free seats, then bots. `rebels`
    are the armies by territory of a ruleset whose game master sets them; they replace all.
    """

    title: bodies.ShortText | None = None
    access: bodies.ShortText | None = None
    ruleset: bodies.ShortText | None = None
    options: dict[str, Any] | None = None
    board: bodies.ShortText | None = None
    seats: Annotated[int, Meta(ge=0, le=100)] | None = None
    settings: dict[str, Any] | None = None
    rebels: Annotated[dict[str, RebelArmies], Meta(max_length=100)] | None = None


class NameMaster(bodies.Body):
    """The person: the colour of their seat, or the name or the id of their public page."""

    player: bodies.ShortText


class TableChangesController(Controller):
    """Changes of a table before its game: a part of `TablesController`, which has their paths.

    Litestar wants the methods of one path in one controller.
    """

    @patch("/{game:str}", summary="Change a table before its game")
    async def change(
        self, me: CurrentAccount, game: GameId, data: JSONBody[ChangeTable], server: CurrentServer
    ) -> TableView:
        """Only the host. All of it is changed, or nothing; everyone at the table gets an event
        `lobby`."""
        account = require_account(me)
        change = TableChange(
            title=data.title,
            access=data.access,
            preset=data.ruleset,
            options=data.options,
            board=data.board,
            seats=data.seats,
            settings=data.settings,
            rebels=data.rebels,
        )
        await asyncio.wrap_future(server.lobby.change_table(game, account.id, change))
        show = partial(show_table, game=game, account=account.id)
        return await asyncio.to_thread(server.store.read, show)

    @post("/{game:str}/colour", summary="Choose my colour", status_code=200)
    async def colour(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.ChooseSeat],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Any colour that no person has; the order of play stays."""
        account = require_account(me)
        await asyncio.wrap_future(server.lobby.change(game, change_colour, account.id, data.colour))
        return {"colour": data.colour}

    @post("/{game:str}/master", summary="Name the game master", status_code=200)
    async def master(
        self, me: CurrentAccount, game: GameId, data: JSONBody[NameMaster], server: CurrentServer
    ) -> TableView:
        """Only the host, before the game, where the setting `master` is `person`."""
        account, person = require_account(me), data.player
        # Colours come first: a player whose name is a colour is named by the id of their page.
        if person not in COLOURS:
            find = partial(player_id, player=person, asker=account.id)
            person = await asyncio.to_thread(server.store.read, find)
        await asyncio.wrap_future(server.lobby.change(game, name_master, account.id, person))
        show = partial(show_table, game=game, account=account.id)
        return await asyncio.to_thread(server.store.read, show)

    @get("/{game:str}/invite", summary="Get the invite links")
    async def invite_links(
        self, me: CurrentAccount, game: GameId, server: CurrentServer, invite: Invite = None
    ) -> InviteView:
        """For the host, and for those who name the link's secret; an open table has a link for
        everyone."""
        account = None if me is None else me.id
        read = partial(invites_of, game=game, account=account, invite=invite)
        found = await asyncio.to_thread(server.store.read, read)
        return invite_view(server, game, found)

    @get("/{game:str}/qr.svg", summary="Get the invite link as a QR code", media_type=SVG)
    async def qr(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        invite: Invite = None,
        seat: FromQuery[str | None] = None,
    ) -> Response[str]:
        """For the same people. `seat` names a free seat of a private table."""
        account = None if me is None else me.id
        read = partial(invites_of, game=game, account=account, invite=invite)
        found = await asyncio.to_thread(server.store.read, read)
        image = await asyncio.to_thread(qr_svg, server, game, found, seat)
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'"}
        return Response(image, media_type=SVG, headers=headers)


# The people at a table: when they were last seen, and their public pages.


class PersonView(TypedDict):
    """The person on a seat; `player` is the id of their public page, or null."""

    colour: str
    last_seen: LastSeen
    player: str | None


class PeopleController(Controller):
    """The people at a table, before, in and after its game."""

    path = "/api/v1/tables/{game:str}/people"
    tags = ("tables",)

    @get("/", summary="List the people at a table")
    async def people(
        self, me: CurrentAccount, game: GameId, server: CurrentServer, invite: Invite = None
    ) -> list[PersonView]:
        """For those who may see the table. Seats without a person are left out."""
        account = None if me is None else me.id

        def read(connection: Connection) -> list[PersonView]:
            watched_from(connection, game, account, invite)
            seats = [seat for seat in seats_of(connection, game) if seat.account]
            owners = seat_owners(connection, {str(seat.account) for seat in seats})
            at = now(connection)
            return [
                {
                    "colour": seat.colour,
                    "last_seen": seen_before(at - owners[seat.account].seen),
                    "player": owners[seat.account].page,
                }
                for seat in seats
                if seat.account in owners
            ]

        return await asyncio.to_thread(server.store.read, read)


# The routes of one table.

MINE = "mine"
LISTS = {"open": open_tables, "watch": watchable_games}


class TablesController(TableChangesController):
    """Tables before, during and after their games."""

    path = "/api/v1/tables"
    tags = ("tables",)

    @get("/", summary="List tables")
    async def listed(
        self, me: CurrentAccount, server: CurrentServer, which: FromQuery[str] = "open"
    ) -> list[TableView]:
        """`which` is `open` (to join), `watch` (public games) or `mine`."""
        if which not in (MINE, *LISTS):
            suggestion = f"Use {', '.join(LISTS)} or {MINE}."
            raise WebError("tables/which", f"Unknown list {which[:20]!r}.", suggestion)
        if which == MINE:
            read = partial(own_games, account=require_account(me).id)
        else:
            account = None if me is None else me.id
            read = partial(LISTS[which], account=account)
        return await asyncio.to_thread(server.store.read, read)

    @post("/", summary="Open a table")
    async def open_table(
        self, me: CurrentAccount, data: JSONBody[bodies.OpenTable], server: CurrentServer
    ) -> bodies.OpenedTableView:
        """Returns the game's id and its invites: one for the table, or one for each seat."""
        account = require_account(me)
        wish = TableRequest(
            preset=data.ruleset,
            options=data.options,
            board=data.board,
            seats=data.seats,
            bots={int(number): bot for number, bot in data.bots.items()},
            access=data.access,
            title=data.title,
            settings=Settings.opened(data.settings),
        )
        opened = await asyncio.wrap_future(server.lobby.open_table(account.id, account.name, wish))
        return _opened(opened)

    @get("/{game:str}", summary="Get a table")
    async def show(
        self, me: CurrentAccount, game: GameId, server: CurrentServer, invite: Invite = None
    ) -> TableView:
        """A table that is not visible to you is answered with 404."""
        account = None if me is None else me.id

        def read(connection: Connection) -> TableView:
            watched_from(connection, game, account, invite)
            return show_table(connection, game, account)

        return await asyncio.to_thread(server.store.read, read)

    @post("/{game:str}/join", summary="Take a seat")
    async def join(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.JoinTable],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Returns the colour of the seat; repeating the request returns the same seat."""
        account = require_account(me)
        joined = server.lobby.join(game, account.id, account.name, data.colour, data.invite)
        return {"colour": await asyncio.wrap_future(joined)}

    @post("/{game:str}/leave", summary="Leave my seat", status_code=200)
    async def leave(
        self, me: CurrentAccount, game: GameId, server: CurrentServer
    ) -> dict[str, str]:
        """Before the game starts; afterwards, resign instead."""
        await asyncio.wrap_future(server.lobby.change(game, leave, require_account(me).id))
        return {}

    @post("/{game:str}/kick", summary="Remove a person", status_code=200)
    async def kick(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.ChooseSeat],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Only the host, before the game starts."""
        account = require_account(me).id
        await asyncio.wrap_future(server.lobby.change(game, kick, account, data.colour))
        return {}

    @post("/{game:str}/swap", summary="Swap two seats", status_code=200)
    async def swap(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.SwapSeats],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Only the host."""
        account = require_account(me).id
        await asyncio.wrap_future(server.lobby.change(game, swap, account, data.one, data.other))
        return {}

    @post("/{game:str}/bot", summary="Put a bot on a seat", status_code=200)
    async def bot(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.SeatBot],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Only the host."""
        account, bots = require_account(me).id, server.lobby.server_bots
        seated = server.lobby.change(game, seat_bot, account, data.colour, data.bot, bots)
        await asyncio.wrap_future(seated)
        return {}

    @post("/{game:str}/free", summary="Free a seat", status_code=200)
    async def free(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.ChooseSeat],
        server: CurrentServer,
    ) -> dict[str, str]:
        """Only the host."""
        account = require_account(me).id
        await asyncio.wrap_future(server.lobby.change(game, free_seat, account, data.colour))
        return {}

    @post("/{game:str}/invite", summary="Replace an invite", status_code=200)
    async def invite(
        self,
        me: CurrentAccount,
        game: GameId,
        data: JSONBody[bodies.RenewInvite],
        server: CurrentServer,
    ) -> dict[str, str]:
        """The table's, or the one of a seat of a private table; the old one stops working."""
        renewed = server.lobby.change(game, renew_invite, require_account(me).id, data.colour)
        return {"invite": await asyncio.wrap_future(renewed)}

    @post("/{game:str}/start", summary="Start the game", status_code=200)
    async def start(
        self, me: CurrentAccount, game: GameId, server: CurrentServer
    ) -> dict[str, str]:
        """Only the host, when all seats are taken."""
        await asyncio.wrap_future(server.lobby.start(game, require_account(me).id))
        return {"game": game}

    @post("/{game:str}/close", summary="Close the table", status_code=200)
    async def close(
        self, me: CurrentAccount, game: GameId, server: CurrentServer
    ) -> dict[str, str]:
        """Only the host, before the game starts."""
        await asyncio.wrap_future(server.lobby.change(game, close, require_account(me).id))
        return {}

    @post("/{game:str}/rematch", summary="Open a rematch")
    async def rematch(
        self, me: CurrentAccount, game: GameId, server: CurrentServer
    ) -> bodies.OpenedTableView:
        """A new table with the same seats and settings."""
        return _opened(
            await asyncio.wrap_future(server.lobby.rematch(game, require_account(me).id))
        )


def _opened(opened: OpenedTable) -> bodies.OpenedTableView:
    return {"game": opened.game, "invite": opened.invite, "invites": dict(opened.invites)}
