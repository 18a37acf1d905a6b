"""The game master of a running game: the audit log for everyone, requests for the person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal, TypedDict

from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta
from sqlalchemy import Connection

from rubicon.server.server import Server
from rubicon.table.chat import ChatLine, lines_to_master
from rubicon.table.game.hosted_game import REPLACE
from rubicon.table.game.log_lines import MasterOrder, MasterWord
from rubicon.table.game.requests import MOST_HOURS
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.listing import show_table
from rubicon.table.lobby.people import table_master
from rubicon.table.lobby_service import MasterLogEntry, MasterReceipt, master_log
from rubicon.table.settings import Clock, Master, Settings
from rubicon.table.storage.connection import now
from rubicon.web.api.bodies import MAX_NUMBER, Body, ShortText
from rubicon.web.api.game_state import current_snapshot, visible_snapshot
from rubicon.web.http import auth
from rubicon.web.http.errors import WebError

# The game master of a game, for everyone who may see it: who it is, what waits, what was done.


class WaitingSeat(TypedDict):
    """A seat that must decide: `until` is its deadline in ms since 1970, null without a clock.

    `late`: its time is over. `bot` plays for it, "" for none. `away` is the end of its owner's
    absence, null where they are there. `free`: it waits for another player.
    """

    colour: str
    decides: bool
    until: int | None
    late: bool
    bot: str
    away: int | None
    free: bool


class MasterRequestView(TypedDict):
    """A request that can be carried out now; `seats` are those that BOT and REPLACE may name, and
    for UNDO the one whose decision is taken back."""

    request: str
    seats: list[str]


class MasterView(TypedDict):
    """The game master: `kind` is the table's setting, `name` is empty where the software runs it.

    `requests` has what is possible now; `you`: the asker may send them. `messages`
    are those that players sent to the game master alone, who alone gets them. `log` is the audit
    log, the newest first.
    """

    kind: str
    name: str
    you: bool
    banner: str
    waits: list[WaitingSeat]
    requests: list[MasterRequestView]
    messages: list[ChatLine]
    log: list[MasterLogEntry]


def master_view(server: Server, snapshot: Snapshot, account: str | None) -> MasterView:
    """The view of an account; `snapshot` is the state that it may see."""

    def read(connection: Connection) -> MasterView:
        master, at = table_master(connection, snapshot.id), now(connection)
        you = account is not None and master.account == account
        settings = Settings.read(show_table(connection, snapshot.id).settings)
        return {
            "kind": master.kind.value,
            "name": master.name,
            "you": you,
            "banner": snapshot.banner,
            "waits": [_waiting(snapshot, seat, at) for seat in snapshot.game().colours],
            "requests": _requests(snapshot, settings, at),
            "messages": lines_to_master(connection, snapshot.id) if you else [],
            "log": master_log(connection, snapshot.id, snapshot.head),
        }

    return server.store.read(read)


def _waiting(snapshot: Snapshot, seat: str, at: int) -> WaitingSeat:
    until = snapshot.away.get(seat)
    return {
        "colour": seat,
        "decides": seat in snapshot.decisions or seat in snapshot.openings,
        "until": snapshot.due.get(seat),
        "late": _is_late(snapshot, seat, at),
        "bot": snapshot.bots.get(seat) or snapshot.server_bots.get(seat) or "",
        "away": until if until is not None and until > at else None,
        "free": seat in snapshot.freed,
    }


def _requests(snapshot: Snapshot, settings: Settings, at: int) -> list[MasterRequestView]:
    """What the game master may do now; the table itself checks each request when it is made."""
    if settings.master is Master.NONE or snapshot.ending is not None or snapshot.forked:
        return []
    playing = [seat for seat in snapshot.replaceable if seat not in snapshot.freed]
    late = [seat for seat in playing if _is_late(snapshot, seat, at)]
    agreed = [seat for seat in playing if seat in snapshot.votes.get(REPLACE + seat, ())]
    away = [seat for seat in playing if snapshot.away.get(seat, 0) > at]
    stood_in = [seat for seat in snapshot.bots if seat not in {*snapshot.freed, *away}]
    found: list[tuple[MasterWord, list[str]]] = [(MasterWord.ANNOUNCE, []), (MasterWord.BANNER, [])]
    if settings.clock is not Clock.NONE and snapshot.due and not snapshot.paused:
        found.append((MasterWord.EXTEND, []))
    if any(seat in snapshot.decisions or seat in snapshot.openings for seat in late):
        found.append((MasterWord.PROCESS, []))
    if bots := [seat for seat in playing if seat in {*late, *agreed, *away}]:
        found.append((MasterWord.BOT, bots))
    if free := [*dict.fromkeys([*late, *agreed, *stood_in])]:
        found.append((MasterWord.REPLACE, free))
    if snapshot.undone:
        found.append((MasterWord.UNDO, [snapshot.undone]))
    found.append((MasterWord.FORK, []))
    return [{"request": word.value, "seats": seats} for word, seats in found]


def _is_late(snapshot: Snapshot, seat: str, at: int) -> bool:
    since = snapshot.out_of_time.get(seat)
    return since is not None and since <= at


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
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        asker: auth.Asker,
        invite: auth.Invite = None,
    ) -> MasterView:
        """What waits, what the game master can do now, and everything that was done. For everyone
        who may see the game; the messages to the game master only for that person."""
        seat = await auth.view_of(me, game, server, invite)
        snapshot = await visible_snapshot(server, game, seat, asker)
        account = None if me is None else me.id
        # The first view only says who asks: the game master may sit among the spectators.
        view = await asyncio.to_thread(master_view, server, snapshot, account)
        if not view["you"]:
            return view
        # What waits now, without the delay of spectators: it shows no hand and no mission.
        snapshot = await current_snapshot(server, game, asker)
        return await asyncio.to_thread(master_view, server, snapshot, account)

    @post("/", summary="Do something as game master", status_code=200)
    async def ask(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[AskAsMaster],
        server: auth.CurrentServer,
    ) -> MasterReceipt:
        """Only the game master. Each request is a line of the log, which all players can read; none
        changes dice, cards, armies or orders."""
        account = auth.require_account(me)
        await auth.view_of(account, game, server)
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
