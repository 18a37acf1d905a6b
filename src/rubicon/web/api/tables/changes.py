"""What a browser does at a table in the lobby: change it, choose a colour, show its link."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response, get, patch, post
from litestar.params import FromQuery, JSONBody
from msgspec import Meta

from rubicon.rules.board.board import COLOURS
from rubicon.server.accounts.player_pages import player_id
from rubicon.table.lobby.changes import TableChange
from rubicon.table.lobby.listing import TableView, show_table
from rubicon.web.api.requests import Body, ChooseSeat, ShortText
from rubicon.web.api.tables.invite_links import InviteView, invite_view, invites_of, qr_svg
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId, Invite

SVG = "image/svg+xml"
RebelArmies = Annotated[int, Meta(ge=1, le=1000)]


class ChangeTable(Body):
    """What is changed; what is left out stays.

    `options` replace all present ones, a new `ruleset` or `board` begins without any; `settings`
    replace those that they name. A `seats` that is lower removes free seats, then bots. `rebels`
    are the armies by territory of a ruleset whose game master sets them; they replace all.
    """

    title: ShortText | None = None
    access: ShortText | None = None
    ruleset: ShortText | None = None
    options: dict[str, Any] | None = None
    board: ShortText | None = None
    seats: Annotated[int, Meta(ge=0, le=100)] | None = None
    settings: dict[str, Any] | None = None
    rebels: Annotated[dict[str, RebelArmies], Meta(max_length=100)] | None = None


class NameMaster(Body):
    """The person: the colour of their seat, or the name or the id of their public page."""

    player: ShortText


class TableChangesController(Controller):
    """Changes of a table before its game: a part of `TablesController`, which has their paths.

    Litestar wants the methods of one path in one controller.
    """

    @patch("/{game:str}", summary="Change a table before its game")
    async def change(
        self, me: CurrentAccount, game: GameId, data: JSONBody[ChangeTable], server: CurrentServer
    ) -> TableView:
        """Only the host. All of it is changed, or nothing; everybody at the table gets an event
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
        self, me: CurrentAccount, game: GameId, data: JSONBody[ChooseSeat], server: CurrentServer
    ) -> dict[str, str]:
        """Any colour that no person has; the order of play stays."""
        account = require_account(me)
        await asyncio.wrap_future(server.lobby.change_colour(game, account.id, data.colour))
        return {"colour": data.colour}

    @post("/{game:str}/master", summary="Name the game master", status_code=200)
    async def master(
        self, me: CurrentAccount, game: GameId, data: JSONBody[NameMaster], server: CurrentServer
    ) -> TableView:
        """Only the host, before the game, where the setting `master` is `person`."""
        account, person = require_account(me), data.player
        if person not in COLOURS:
            find = partial(player_id, player=person, asker=account.id)
            person = await asyncio.to_thread(server.store.read, find)
        await asyncio.wrap_future(server.lobby.name_master(game, account.id, person))
        show = partial(show_table, game=game, account=account.id)
        return await asyncio.to_thread(server.store.read, show)

    @get("/{game:str}/invite", summary="Get the invite links")
    async def invite_links(
        self, me: CurrentAccount, game: GameId, server: CurrentServer, invite: Invite = None
    ) -> InviteView:
        """For the host, and for those who name the link's secret; an open table has a link for
        everybody."""
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
