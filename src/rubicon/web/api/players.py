"""Other players: their public pages, and muting, blocking and reporting them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, TypedDict

from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta
from sqlalchemy import Connection

from rubicon.odds.luck import Luck, total_luck
from rubicon.server import reviews
from rubicon.server.player_pages import PlayerGames, finished_seats, player_page
from rubicon.server.server import Server
from rubicon.table.chat import unheard_seats
from rubicon.web.api.bodies import MAX_NUMBER, Body, ShortText
from rubicon.web.api.table_lists import ListedTable, listed_tables, preset_title
from rubicon.web.http import auth

# The public pages of players.


class PlayerResults(TypedDict):
    """The finished games of a player under one ruleset; `draws` have no winner."""

    ruleset: str
    title: str
    games: int
    won: int
    lost: int
    draws: int


class PlayerView(TypedDict):
    """A player; `member_since` in milliseconds since 1970.

    `tables` are the last games at open tables; the player sees there all own ones.
    """

    id: str
    name: str
    member_since: int
    results: list[PlayerResults]
    tables: list[ListedTable]


class PlayerLuck(TypedDict):
    """The luck of a player's dice in the last finished games of the page.

    All numbers but `games`, `rolls`, `percentile` and `faces` are armies. `balance` is how many it
    is above the average of the same dice, `deviation` the standard deviation of that, `percentile`
    (0 to 100) how many of 100 players with the same dice would be less lucky.
    """

    games: int
    rolls: int
    lost: int
    expected_lost: float
    destroyed: int
    expected_destroyed: float
    balance: float
    deviation: float
    percentile: float
    faces: list[int]


class PlayersController(Controller):
    """Players who saved their account."""

    path = "/api/v1/players"
    tags = ("players",)

    @get("/{player:str}", summary="Get the page of a player")
    async def show(
        self, me: auth.CurrentAccount, player: auth.PathText, server: auth.CurrentServer
    ) -> PlayerView:
        """By id, or by a name that only one player has. Guests have no page, and an account can
        hide its own: `PATCH /me` with `listed: false`."""
        asker = None if me is None else me.id

        def read(connection: Connection) -> tuple[PlayerGames, list[ListedTable]]:
            found = player_page(connection, player, asker)
            return found, listed_tables(connection, found.games, asker)

        found, tables = await asyncio.to_thread(server.store.read, read)
        return {
            "id": found.id,
            "name": found.name,
            "member_since": found.member_since,
            "results": [
                {
                    "ruleset": each.ruleset,
                    "title": preset_title(each.ruleset),
                    "games": each.games,
                    "won": each.won,
                    "lost": each.lost,
                    "draws": each.draws,
                }
                for each in found.results
            ],
            "tables": tables,
        }

    @get("/{player:str}/luck", summary="Get the luck of a player")
    async def luck(
        self,
        me: auth.CurrentAccount,
        player: auth.PathText,
        server: auth.CurrentServer,
        asker: auth.Asker,
    ) -> PlayerLuck:
        """Over the last finished games that the page shows to you, at most ten. Costly work."""
        account = None if me is None else me.id
        page = partial(player_page, player=player, asker=account)
        seats = finished_seats(await asyncio.to_thread(server.store.read, page))
        found = total_luck([await _seat_luck(server, asker, *seat) for seat in seats])
        return {
            "games": len(seats),
            "rolls": found.rolls,
            "lost": found.lost,
            "expected_lost": found.expected_lost,
            "destroyed": found.destroyed,
            "expected_destroyed": found.expected_destroyed,
            "balance": found.balance,
            "deviation": found.deviation,
            "percentile": found.percentile,
            "faces": list(found.faces),
        }


async def _seat_luck(server: Server, asker: str, game: str, colour: str) -> Luck:
    # A game at a time: one call must not take longer than the work process allows.
    url = server.store.url
    return await server.costly.in_process(asker, reviews.seat_luck, url, game, colour)


# Chat that a player does not want to see: muted here, blocked everywhere, reported.


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
    async def muted(
        self, me: auth.CurrentAccount, game: auth.GameId, server: auth.CurrentServer
    ) -> list[str]:
        """Muted here, or blocked everywhere."""
        seat = await auth.seat_of(me, game, server)
        found = await asyncio.to_thread(
            server.store.read, lambda connection: unheard_seats(connection, game, seat)
        )
        return sorted(found)

    @post("/mute", summary="Mute a seat", status_code=200)
    async def mute(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[MuteSeat],
        server: auth.CurrentServer,
    ) -> dict[str, bool]:
        """I see none of its lines at this table or in my stream. The others are not notified."""
        seat = await auth.seat_of(me, game, server)
        await asyncio.wrap_future(server.chat.mute(game, seat, data.colour, muted=data.muted))
        return {"muted": data.muted}

    @post("/block", summary="Block a player", status_code=200)
    async def block(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[BlockPlayer],
        server: auth.CurrentServer,
    ) -> dict[str, bool]:
        """I see none of the player's lines at any table. The others are not notified."""
        await auth.seat_of(me, game, server)
        account = auth.require_account(me).id
        blocked = server.chat.block(account, game, data.colour, blocked=data.blocked)
        await asyncio.wrap_future(blocked)
        return {"blocked": data.blocked}

    @post("/report", summary="Report a chat line", status_code=200)
    async def report(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[ReportLine],
        server: auth.CurrentServer,
    ) -> dict[str, bool]:
        """To the administrator of the server, who sees the line with its game and its author."""
        await auth.seat_of(me, game, server)
        await asyncio.wrap_future(server.chat.report(auth.require_account(me).id, game, data.line))
        return {"reported": True}
