"""The public pages of players."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from litestar import Controller, get
from sqlalchemy import Connection

from rubicon.server.accounts.player_pages import PlayerGames, player_page
from rubicon.web.api.tables.rows import ListedTable, listed_tables, preset_title
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, PathText


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
