"""The people at a table: when they were last seen, and their public pages."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from litestar import Controller, get
from sqlalchemy import Connection

from rubicon.server.accounts.public_pages import seat_owners
from rubicon.table.lobby.last_seen import LastSeen, seen_before
from rubicon.table.lobby.seats import seats_of
from rubicon.table.lobby.spectators import watched_from
from rubicon.table.storage.clock import now
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId, Invite


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
