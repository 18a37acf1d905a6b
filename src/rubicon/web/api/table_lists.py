"""Tables as lists and start pages show them, and the search for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypedDict

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter
from sqlalchemy import Connection, Row

from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.server.player_pages import SeatOwner, seat_owners
from rubicon.server.server import Server
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.listing import (
    MAX_PAGE,
    TableFilter,
    TablePage,
    Which,
    results_of,
    search_tables,
)
from rubicon.table.lobby.people import has_spectators_delay, seen_before, visible_change
from rubicon.table.lobby.seats import RUNNING, SeatRow, seats_of_all
from rubicon.table.notices import SPECTATORS, GameOver
from rubicon.table.settings import Settings
from rubicon.table.storage.connection import now
from rubicon.web.api.game_state import current_snapshot
from rubicon.web.http.auth import Asker, CurrentAccount, CurrentServer, require_account

# A table as lists show it: seats, rules, clock; of a game, whose move it is and who owns what.

WON, LOST = "won", "lost"
DRAWN = frozenset({"draw", "void", "closed"})


class ListedSeat(TypedDict):
    """A seat; `player` is the id of its owner's public page.

    `last_seen`: `now`, `lately`, `today` or `earlier`, null for a bot and a free seat.

    `reserved`: free, but for the holder of its invite.
    """

    number: int
    colour: str
    name: str
    bot: str | None
    free: bool
    reserved: bool
    yours: bool
    host: bool
    last_seen: str | None
    player: str | None


class ListedRuleset(TypedDict):
    """A ruleset; `options` are those that differ from the preset, as text."""

    name: str
    title: str
    board: str
    options: str


class ListedClock(TypedDict):
    """The clock: `none`, `live` or `days`; seconds for a decision, and in reserve."""

    kind: str
    decision_time: int
    bank: int


class ListedMove(TypedDict):
    """A seat that must decide, and until when (ms since 1970); null where no clock runs."""

    colour: str
    until: int | None


class ListedGame(TypedDict):
    """The state of a running game, as far as the asker may see it.

    `decision` is the asker's pending decision, or null.
    """

    round: int
    phase: str
    turn: str | None
    moving: list[ListedMove]
    decision: int | None
    waiting_for: str
    paused: bool


class ListedTable(TypedDict):
    """A table in a list. Times are milliseconds since 1970.

    `game` is null before and after the game, and where spectators see it later; `needs_you`: the
    game waits for you; `outcome`: `won`, `lost` or the `result` for you; `owners`, by territory,
    comes only on request.
    """

    id: str
    state: str
    title: str
    access: str
    ruleset: ListedRuleset
    clock: ListedClock
    seats: list[ListedSeat]
    free: int
    your_seat: str | None
    you_host: bool
    needs_you: bool
    created: int
    changed: int
    started: int | None
    ended: int | None
    previous: str | None
    game: ListedGame | None
    result: str | None
    reason: str | None
    outcome: str | None
    owners: dict[str, str] | None


def listed_tables(
    connection: Connection, rows: Sequence[Row[Any]], account: str | None
) -> list[ListedTable]:
    """Tables as an account, or (None) everyone, sees them; without the state of their games."""
    # All rows of a page at once: a query for each table would make the page slow.
    games = [row.id for row in rows]
    seats, results, at = (
        seats_of_all(connection, games),
        results_of(connection, games),
        now(connection),
    )
    accounts = {seat.account for found in seats.values() for seat in found if seat.account}
    owners = seat_owners(connection, accounts)
    return [
        _listed(connection, row, seats.get(row.id, []), results.get(row.id), owners, account, at)
        for row in rows
    ]


def _listed(
    connection: Connection,
    row: Row[Any],
    seats: Sequence[SeatRow],
    result: GameOver | None,
    owners: Mapping[str, SeatOwner],
    account: str | None,
    at: int,
) -> ListedTable:
    headers, settings = json.loads(row.ruleset), Settings.read(json.loads(row.settings))
    shown = [_seat(seat, row.host, owners, account, at) for seat in seats]
    yours = next((seat["colour"] for seat in shown if seat["yours"]), None)
    preset = headers.get("Ruleset", "").rpartition(" ")[0]
    return {
        "id": row.id,
        "state": row.state,
        "title": row.title,
        "access": row.access,
        "ruleset": {
            "name": preset,
            "title": preset_title(preset),
            "board": headers.get("Board", "").rpartition(" ")[0],
            "options": headers.get("Options", ""),
        },
        "clock": {
            "kind": settings.clock,
            "decision_time": settings.decision_time,
            "bank": settings.bank,
        },
        "seats": shown,
        "free": sum(seat["free"] and not seat["reserved"] for seat in shown),
        "your_seat": yours,
        "you_host": account is not None and row.host == account,
        "needs_you": False,
        "created": row.created,
        "changed": row.changed if yours is not None else visible_change(connection, row),
        "started": row.started,
        "ended": row.ended,
        "previous": row.before,
        "game": None,
        "result": None if result is None else result.result,
        "reason": None if result is None else result.reason,
        "outcome": _outcome(result, yours),
        "owners": None,
    }


def _seat(
    seat: SeatRow,
    host: str | None,
    owners: Mapping[str, SeatOwner],
    account: str | None,
    at: int,
) -> ListedSeat:
    owner = owners.get(seat.account or "")
    return {
        "number": seat.number,
        "colour": seat.colour,
        "name": seat.name,
        "bot": seat.bot,
        "free": seat.free,
        "reserved": seat.free and seat.invite is not None,
        "yours": account is not None and seat.account == account,
        "host": host is not None and seat.account == host,
        "last_seen": None if owner is None else seen_before(at - owner.seen),
        "player": None if owner is None else owner.page,
    }


def _outcome(result: GameOver | None, yours: str | None) -> str | None:
    if result is None or yours is None:
        return None
    if result.result in DRAWN:
        return result.result
    return WON if result.result == yours else LOST


@cache
def preset_title(preset: str) -> str:
    """The title of a preset; its name where this version has no such preset."""
    return Ruleset.load(preset).title if preset in preset_names() else preset


async def add_game(
    server: Server, table: ListedTable, row: Row[Any], asker: str, *, owners: bool
) -> None:
    """Add the state of a game to its table, as far as the asker may see it now.

    Spectators of a table with a delay get nothing: an earlier state would be costly to compute.
    """
    seat = table["your_seat"] or SPECTATORS
    begun = row.head >= 0
    running = row.state == RUNNING
    if not begun or not (running or owners):
        return
    if running and seat == SPECTATORS and has_spectators_delay(row):
        return
    snapshot = await current_snapshot(server, row.id, asker)
    if running and snapshot.ending is None:
        table["game"] = game = _game(server, snapshot, seat)
        table["needs_you"] = game["decision"] is not None
    if owners:
        table["owners"] = owners_of(snapshot.game(), seat)


def _game(server: Server, snapshot: Snapshot, seat: str) -> ListedGame:
    state = snapshot.game()
    return {
        "round": int(state.view(seat or None).round_number),
        "phase": state.phase.name.lower(),
        "turn": state.turn,
        "moving": [
            {"colour": colour, "until": snapshot.due.get(colour)} for colour in snapshot.decisions
        ],
        "decision": snapshot.decisions.get(seat),
        "waiting_for": server.table.waiting_for(snapshot),
        "paused": snapshot.paused,
    }


def owners_of(game: Game, seat: str) -> dict[str, str]:
    """The owner of each territory that has one, as a seat ("" for spectators) sees it."""
    view = game.view(seat or None)
    owners = view.owner[: len(game.territories)]
    named = zip(game.territories, (game.owner_name(int(owner)) for owner in owners), strict=True)
    return {territory: owner for territory, owner in named if owner != "nobody"}


# The search.

DEFAULT_PAGE = 20
Most = Annotated[int, QueryParameter(ge=1, le=MAX_PAGE)]
Seats = Annotated[int | None, QueryParameter(ge=0, le=100)]


class TablesPage(TypedDict):
    """A page of tables; `next` is the cursor of the next one or null, `count` how many match."""

    tables: list[ListedTable]
    next: str | None
    count: int


class TableSearchController(Controller):
    """The search for tables."""

    path = "/api/v1/tables/search"
    tags = ("tables",)

    @get("/", summary="Search for tables")
    async def search(
        self,
        me: CurrentAccount,
        server: CurrentServer,
        asker: Asker,
        which: FromQuery[Which] = Which.OPEN,
        table_state: Annotated[str | None, QueryParameter(name="state")] = None,
        ruleset: FromQuery[str | None] = None,
        clock: FromQuery[str | None] = None,
        players: Seats = None,
        free: Seats = None,
        after: FromQuery[str] = "",
        limit: Most = DEFAULT_PAGE,
        owners: FromQuery[bool] = False,
        others: FromQuery[bool] = False,
    ) -> TablesPage:
        """`which`: `open` (to join), `watch` (public games) or `mine`, of these only those in a
        `state` (`lobby`, `running`, `over`). `ruleset` is a preset, `clock` one of `none`, `live`
        and `days`, `players` the number of seats, `free` the fewest free seats. `owners=true` adds
        the owners of all territories; `others=true` leaves out one's own tables."""
        account = None if me is None else me.id
        if which is Which.MINE:
            require_account(me)
        wanted = TableFilter(
            which=which,
            state=table_state,
            ruleset=ruleset,
            clock=clock,
            players=players,
            free=free,
            others=others,
        )

        def read(connection: Connection) -> tuple[TablePage, list[ListedTable]]:
            page = search_tables(connection, wanted, account, after, limit)
            return page, listed_tables(connection, page.rows, account)

        page, tables = await asyncio.to_thread(server.store.read, read)
        pairs: list[tuple[ListedTable, Row[Any]]] = list(zip(tables, page.rows, strict=True))
        # After the transaction is over: a game that is not in memory takes long to rebuild.
        for table, row in pairs:
            await add_game(server, table, row, asker, owners=owners)
        return {"tables": tables, "next": page.next or None, "count": page.count}
