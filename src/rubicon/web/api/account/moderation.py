"""Chat that somebody does not want to see: muted here, blocked everywhere, reported."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta

from rubicon.table.service.chat import unheard_seats
from rubicon.web.api.access import seat_of
from rubicon.web.api.requests import MAX_NUMBER, Body, ShortText
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId


class MuteSeat(Body):
    """A seat whose lines I do not want to see, or (`muted: false`) want to see again."""

    colour: ShortText
    muted: bool = True


class BlockPlayer(Body):
    """A seat whose player I do not want to hear at any table, or (`blocked: false`) again."""

    colour: ShortText
    blocked: bool = True


class ReportLine(Body):
    """A chat line, by its `id`."""

    line: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class ModerationController(Controller):
    """What a player can do about the chat of others."""

    path = "/api/v1/games/{game:str}/chat"
    tags = ("games",)

    @get("/muted", summary="List the seats whose lines I do not see")
    async def muted(self, me: CurrentAccount, game: GameId, server: CurrentServer) -> list[str]:
        """Muted here, or blocked everywhere."""
        seat = await seat_of(me, game, server)
        found = await asyncio.to_thread(
            server.store.read, lambda connection: unheard_seats(connection, game, seat)
        )
        return sorted(found)

    @post("/mute", summary="Mute a seat", status_code=200)
    async def mute(
        self, me: CurrentAccount, game: GameId, data: JSONBody[MuteSeat], server: CurrentServer
    ) -> dict[str, bool]:
        """I see none of its lines at this table, also not in my stream. Nobody else is told."""
        seat = await seat_of(me, game, server)
        await asyncio.wrap_future(server.chat.mute(game, seat, data.colour, muted=data.muted))
        return {"muted": data.muted}

    @post("/block", summary="Block a player", status_code=200)
    async def block(
        self, me: CurrentAccount, game: GameId, data: JSONBody[BlockPlayer], server: CurrentServer
    ) -> dict[str, bool]:
        """I see none of the player's lines at any table. Nobody else is told."""
        await seat_of(me, game, server)
        account = require_account(me).id
        blocked = server.chat.block(account, game, data.colour, blocked=data.blocked)
        await asyncio.wrap_future(blocked)
        return {"blocked": data.blocked}

    @post("/report", summary="Report a chat line", status_code=200)
    async def report(
        self, me: CurrentAccount, game: GameId, data: JSONBody[ReportLine], server: CurrentServer
    ) -> dict[str, bool]:
        """To the administrator of the server, who sees the line with its game and its author."""
        await seat_of(me, game, server)
        await asyncio.wrap_future(server.chat.report(require_account(me).id, game, data.line))
        return {"reported": True}
