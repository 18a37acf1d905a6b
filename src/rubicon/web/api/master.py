"""The game master of a running game: the audit log for everybody, requests for the person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta

from rubicon.table.game.master_requests import MOST_HOURS, MasterOrder, MasterWord
from rubicon.table.service.master_service import MasterReceipt
from rubicon.web.api.access import view_of
from rubicon.web.api.game_views.master import MasterView, master_view
from rubicon.web.api.requests import MAX_NUMBER, Body, ShortText
from rubicon.web.api.views import current_snapshot, visible_snapshot
from rubicon.web.http.auth import require_account
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer, GameId, Invite

_UNCONFIRMED = (MasterWord.REPLACE, MasterWord.FORK)


class AskAsMaster(Body):
    """A request of the game master, with what it needs.

    EXTEND `hours`; BOT `seat` and `bot`; REPLACE `seat` and `confirmed`; ANNOUNCE and BANNER
    `words`; FORK `index` (of the log) and `confirmed`; PROCESS and UNDO nothing.
    """

    request: Literal["EXTEND", "PROCESS", "BOT", "REPLACE", "UNDO", "ANNOUNCE", "BANNER", "FORK"]
    hours: Annotated[int, Meta(ge=1, le=MOST_HOURS)] = 1
    seat: ShortText = ""
    bot: ShortText = ""
    words: Annotated[str, Meta(max_length=500)] = ""
    index: Annotated[int, Meta(ge=0, le=MAX_NUMBER)] = 0
    confirmed: bool = False


class MasterController(Controller):
    """The game master."""

    path = "/api/v1/games/{game:str}/master"
    tags = ("games",)

    @get("/", summary="Get the game master and the audit log")
    async def show(
        self,
        me: CurrentAccount,
        game: GameId,
        server: CurrentServer,
        asker: Asker,
        invite: Invite = None,
    ) -> MasterView:
        """What waits, what the game master can do now, and everything that was done. For everybody
        who may see the game; the messages to the game master only for that person."""
        seat = await view_of(me, game, server, invite)
        snapshot = await visible_snapshot(server, game, seat, asker)
        account = None if me is None else me.id
        view = await asyncio.to_thread(master_view, server, snapshot, account)
        if not view["you"]:
            return view
        # What waits now, without the delay of spectators: it shows no hand and no mission.
        snapshot = await current_snapshot(server, game, asker)
        return await asyncio.to_thread(master_view, server, snapshot, account)

    @post("/", summary="Do something as game master", status_code=200)
    async def ask(
        self, me: CurrentAccount, game: GameId, data: JSONBody[AskAsMaster], server: CurrentServer
    ) -> MasterReceipt:
        """Only the game master. Each request is a line of the log, which all players can read; none
        changes dice, cards, armies or orders."""
        account = require_account(me)
        await view_of(account, game, server)
        done = server.masters.carry_out(game, account.id, _order(data))
        receipt = await asyncio.wrap_future(done)
        if receipt.invite:
            server.seat_cache.forget(game)
        return receipt


def _order(data: AskAsMaster) -> MasterOrder:
    word = MasterWord(data.request)
    if word in _UNCONFIRMED and not data.confirmed:
        message = f"{word} counts only when it is confirmed: nothing was done."
        raise WebError("master/unconfirmed", message, "Send `confirmed` too.")
    match word:
        case MasterWord.EXTEND:
            return MasterOrder(word, number=data.hours)
        case MasterWord.FORK:
            return MasterOrder(word, number=data.index)
        case MasterWord.BOT:
            return MasterOrder(word, data.seat, words=data.bot)
        case MasterWord.REPLACE:
            return MasterOrder(word, data.seat)
        case MasterWord.ANNOUNCE | MasterWord.BANNER:
            return MasterOrder(word, words=" ".join(data.words.split()))
        case _:
            return MasterOrder(word)
