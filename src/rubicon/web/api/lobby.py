"""Tables: list, open, join, change seats, start, close, rematch."""

from __future__ import annotations

import asyncio
from functools import partial

from litestar import get, post
from litestar.params import FromQuery, JSONBody
from sqlalchemy import Connection

from rubicon.table.lobby.lifecycle import OpenedTable
from rubicon.table.lobby.listing import (
    TableView,
    open_tables,
    own_games,
    show_table,
    watchable_games,
)
from rubicon.table.lobby.spectators import watched_from
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.settings import Settings
from rubicon.web.api.requests import (
    ChooseSeat,
    JoinTable,
    OpenTable,
    RenewInvite,
    SeatBot,
    SwapSeats,
)
from rubicon.web.api.responses import OpenedTableView
from rubicon.web.api.tables.changes import TableChangesController
from rubicon.web.http.auth import require_account
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId, Invite

MINE = "mine"
LISTS = {"open": open_tables, "watch": watchable_games}


class TablesController(TableChangesController):
    """Tables before, beside and after their games."""

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
        self, me: CurrentAccount, data: JSONBody[OpenTable], server: CurrentServer
    ) -> OpenedTableView:
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
        self, me: CurrentAccount, game: GameId, data: JSONBody[JoinTable], server: CurrentServer
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
        await asyncio.wrap_future(server.lobby.leave(game, require_account(me).id))
        return {}

    @post("/{game:str}/kick", summary="Remove a person", status_code=200)
    async def kick(
        self, me: CurrentAccount, game: GameId, data: JSONBody[ChooseSeat], server: CurrentServer
    ) -> dict[str, str]:
        """Only the host, before the game starts."""
        await asyncio.wrap_future(server.lobby.kick(game, require_account(me).id, data.colour))
        return {}

    @post("/{game:str}/swap", summary="Swap two seats", status_code=200)
    async def swap(
        self, me: CurrentAccount, game: GameId, data: JSONBody[SwapSeats], server: CurrentServer
    ) -> dict[str, str]:
        """Only the host."""
        await asyncio.wrap_future(
            server.lobby.swap(game, require_account(me).id, data.one, data.other)
        )
        return {}

    @post("/{game:str}/bot", summary="Put a bot on a seat", status_code=200)
    async def bot(
        self, me: CurrentAccount, game: GameId, data: JSONBody[SeatBot], server: CurrentServer
    ) -> dict[str, str]:
        """Only the host."""
        await asyncio.wrap_future(
            server.lobby.seat_bot(game, require_account(me).id, data.colour, data.bot)
        )
        return {}

    @post("/{game:str}/free", summary="Free a seat", status_code=200)
    async def free(
        self, me: CurrentAccount, game: GameId, data: JSONBody[ChooseSeat], server: CurrentServer
    ) -> dict[str, str]:
        """Only the host."""
        await asyncio.wrap_future(server.lobby.free_seat(game, require_account(me).id, data.colour))
        return {}

    @post("/{game:str}/invite", summary="Replace an invite", status_code=200)
    async def invite(
        self, me: CurrentAccount, game: GameId, data: JSONBody[RenewInvite], server: CurrentServer
    ) -> dict[str, str]:
        """The table's, or the one of a seat of a private table; the old one stops working."""
        renewed = server.lobby.renew_invite(game, require_account(me).id, data.colour)
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
        await asyncio.wrap_future(server.lobby.close(game, require_account(me).id))
        return {}

    @post("/{game:str}/rematch", summary="Open a rematch")
    async def rematch(
        self, me: CurrentAccount, game: GameId, server: CurrentServer
    ) -> OpenedTableView:
        """A new table with the same seats and settings."""
        return _opened(
            await asyncio.wrap_future(server.lobby.rematch(game, require_account(me).id))
        )


def _opened(opened: OpenedTable) -> OpenedTableView:
    return {"game": opened.game, "invite": opened.invite, "invites": dict(opened.invites)}
