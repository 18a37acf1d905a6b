"""The public pages of players."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TypedDict

from litestar import Controller, get
from sqlalchemy import Connection

from rubicon.odds.luck import Luck, total_luck
from rubicon.server import game_reviews
from rubicon.server.accounts.player_pages import PlayerGames, finished_seats, player_page
from rubicon.server.server import Server
from rubicon.web.api.tables.rows import ListedTable, listed_tables, preset_title
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, PathText


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
    async def show(self, me: CurrentAccount, player: PathText, server: CurrentServer) -> PlayerView:
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
        self, me: CurrentAccount, player: PathText, server: CurrentServer, asker: Asker
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
    return await server.costly.in_process(asker, game_reviews.seat_luck, url, game, colour)
