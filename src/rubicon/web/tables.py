"""Tables before and beside their games: open, join, begin, play again."""

from __future__ import annotations

import asyncio
from functools import partial

from litestar import Controller, get, post
from sqlalchemy import Connection

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.table.lobby_life import Opened
from rubicon.table.lobby_showing import (
    TableShown,
    open_tables,
    own_games,
    show_table,
    watchable_games,
)
from rubicon.table.lobby_watching import watched_from
from rubicon.table.lobby_wish import Wish
from rubicon.table.settings import Settings
from rubicon.web.answers import OpenedTold
from rubicon.web.errors import WebError
from rubicon.web.forms import (
    BotForm,
    ColourForm,
    InviteForm,
    JoinForm,
    SwapForm,
    TableForm,
)
from rubicon.web.identity import known

MINE = "mine"
LISTS = {"open": open_tables, "watch": watchable_games}


class Tables(Controller):
    """Tables that one may find, open and sit down at."""

    path = "/api/v1/tables"
    tags = ("tables",)

    @get("/", summary="Tables to join, to watch, or of my own")
    async def listed(self, me: Account | None, host: Host, which: str = "open") -> list[TableShown]:
        """`which` is open, watch or mine."""
        if which not in (MINE, *LISTS):
            wanted = f"`which` is {', '.join(LISTS)} or {MINE}."
            raise WebError("tables/which", f"There is no list {which[:20]!r}.", wanted)
        if which == MINE:
            read = partial(own_games, account=known(me).id)
        else:
            account = None if me is None else me.id
            read = partial(LISTS[which], account=account)
        return await asyncio.to_thread(host.store.read, read)

    @post("/", summary="Open a table")
    async def open_table(self, me: Account | None, data: TableForm, host: Host) -> OpenedTold:
        """The game's id, and the invites: the table's link, or one a seat."""
        account = known(me)
        wish = Wish(
            data.ruleset,
            data.options,
            data.board,
            data.seats,
            {int(number): bot for number, bot in data.bots.items()},
            data.access,
            data.title,
            Settings.read(data.settings),
        )
        opened = await asyncio.wrap_future(host.lobby.open_table(account.id, account.name, wish))
        return _opened(opened)

    @get("/{game:str}", summary="A table and who sits there")
    async def show(
        self, me: Account | None, game: str, host: Host, invite: str | None = None
    ) -> TableShown:
        """As it stands; whoever has no business there is told that there is none."""
        account = None if me is None else me.id

        def read(connection: Connection) -> TableShown:
            watched_from(connection, game, account, invite)
            return show_table(connection, game, account)

        return await asyncio.to_thread(host.store.read, read)

    @post("/{game:str}/join", summary="Sit down")
    async def join(
        self, me: Account | None, game: str, data: JoinForm, host: Host
    ) -> dict[str, str]:
        """The colour of the seat; who sits there already gets the same again."""
        account = known(me)
        joined = host.lobby.join(game, account.id, account.name, data.colour, data.invite)
        return {"colour": await asyncio.wrap_future(joined)}

    @post("/{game:str}/leave", summary="Stand up", status_code=200)
    async def leave(self, me: Account | None, game: str, host: Host) -> dict[str, str]:
        """Before the game begins; later one resigns."""
        await asyncio.wrap_future(host.lobby.leave(game, known(me).id))
        return {}

    @post("/{game:str}/kick", summary="Send somebody away", status_code=200)
    async def kick(
        self, me: Account | None, game: str, data: ColourForm, host: Host
    ) -> dict[str, str]:
        """As the host, before the game begins."""
        await asyncio.wrap_future(host.lobby.kick(game, known(me).id, data.colour))
        return {}

    @post("/{game:str}/swap", summary="Let two change places", status_code=200)
    async def swap(
        self, me: Account | None, game: str, data: SwapForm, host: Host
    ) -> dict[str, str]:
        """As the host."""
        await asyncio.wrap_future(host.lobby.swap(game, known(me).id, data.one, data.other))
        return {}

    @post("/{game:str}/bot", summary="Put a bot on a seat", status_code=200)
    async def bot(self, me: Account | None, game: str, data: BotForm, host: Host) -> dict[str, str]:
        """As the host."""
        await asyncio.wrap_future(host.lobby.seat_bot(game, known(me).id, data.colour, data.bot))
        return {}

    @post("/{game:str}/free", summary="Free a bot's seat", status_code=200)
    async def free(
        self, me: Account | None, game: str, data: ColourForm, host: Host
    ) -> dict[str, str]:
        """As the host."""
        await asyncio.wrap_future(host.lobby.free_seat(game, known(me).id, data.colour))
        return {}

    @post("/{game:str}/invite", summary="A new invite; the old one is void", status_code=200)
    async def invite(
        self, me: Account | None, game: str, data: InviteForm, host: Host
    ) -> dict[str, str]:
        """Of the table, or of a seat of a private one."""
        renewed = host.lobby.renew_invite(game, known(me).id, data.colour)
        return {"invite": await asyncio.wrap_future(renewed)}

    @post("/{game:str}/start", summary="Begin the game", status_code=200)
    async def start(self, me: Account | None, game: str, host: Host) -> dict[str, str]:
        """As the host, when all seats are taken."""
        await asyncio.wrap_future(host.lobby.start(game, known(me).id))
        return {"game": game}

    @post("/{game:str}/close", summary="Close the table", status_code=200)
    async def close(self, me: Account | None, game: str, host: Host) -> dict[str, str]:
        """As the host, before the game begins."""
        await asyncio.wrap_future(host.lobby.close(game, known(me).id))
        return {}

    @post("/{game:str}/rematch", summary="Play again, the same people")
    async def rematch(self, me: Account | None, game: str, host: Host) -> OpenedTold:
        """A new table with the same seats and settings."""
        return _opened(await asyncio.wrap_future(host.lobby.rematch(game, known(me).id)))


def _opened(opened: Opened) -> OpenedTold:
    return {"game": opened.game, "invite": opened.invite, "invites": dict(opened.invites)}
