"""The search for tables, as lists and start pages show them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypedDict

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter
from sqlalchemy import Connection, Row

from rubicon.table.lobby.search import MAX_PAGE, TableFilter, TablePage, Which, search_tables
from rubicon.web.api.tables.rows import ListedTable, add_game, listed_tables
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import Asker, CurrentAccount, CurrentServer

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
        for table, row in pairs:
            await add_game(server, table, row, asker, owners=owners)
        return {"tables": tables, "next": page.next or None, "count": page.count}
