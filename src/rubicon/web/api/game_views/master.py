"""The game master of a game, for everybody who may see it: who it is, what waits, what was done."""

from __future__ import annotations

from typing import TypedDict

from sqlalchemy import Connection

from rubicon.server.server import Server
from rubicon.table.game.hosted_game import REPLACE
from rubicon.table.game.master_requests import MasterWord
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.listing import show_table
from rubicon.table.lobby.masters import table_master
from rubicon.table.service.chat import ChatLine, lines_to_master
from rubicon.table.service.master_log import MasterLogEntry, master_log
from rubicon.table.settings import Clock, Master, Settings
from rubicon.table.storage.clock import now


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
