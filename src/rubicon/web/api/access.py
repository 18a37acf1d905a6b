"""Which seat of a game a client has, and so what it may see and do."""

from __future__ import annotations

import asyncio
from functools import partial

from rubicon.server.accounts.accounts import Account
from rubicon.server.server import Server
from rubicon.table.game.facts import SPECTATORS
from rubicon.web.http.auth import require_account
from rubicon.web.http.errors import WebError


async def seat_of(me: Account | None, game: str, server: Server) -> str:
    """The client's seat; WebError `seat/required` for a spectator."""
    seat = await view_of(require_account(me), game, server)
    if seat == SPECTATORS:
        message = "You have no seat in this game."
        raise WebError("seat/required", message, "Spectators can only watch.")
    server.table.seen(game, seat)
    return seat


async def player_of(me: Account | None, game: str, server: Server) -> str:
    """The client's seat in a game that is in memory, for what needs the game itself."""
    account = require_account(me)
    seat = await seat_of(account, game, server)
    if server.table.cached_snapshot(game) is None:  # rebuilding it from its log is costly work
        await server.costly.in_thread(account.id, partial(server.table.snapshot, game))
    return seat


async def view_of(me: Account | None, game: str, server: Server, invite: str | None = None) -> str:
    """The seat whose view the client gets; "" for a spectator's."""
    account = None if me is None else me.id
    seat = None if account is None else server.seat_cache.cached(game, account)
    if seat is None:
        seat = await asyncio.to_thread(server.seat_cache.find, game, account, invite)
    return seat
