"""The administrator's page as data: the state of the server, reported chat lines, tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from litestar import Controller, Request, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta
from sqlalchemy import Connection, select

from rubicon import __version__
from rubicon.server.accounts.accounts import Account
from rubicon.server.log_counts import LoggedEvent
from rubicon.server.overview import StoredCounts, stored_counts
from rubicon.server.server import Server
from rubicon.table.lobby.operator_close import MAX_REASON_LENGTH
from rubicon.table.service.chat import ChatLine, dismiss_report, reported
from rubicon.table.storage import schema
from rubicon.web.api.requests import MAX_NUMBER, Body
from rubicon.web.http.auth import require_account
from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import CurrentAccount, CurrentServer, GameId

SERVER_ERROR = 500
LineNumber = Annotated[int, QueryParameter(ge=0, le=MAX_NUMBER)]


class CloseTable(Body):
    """Why a table is closed, in words for its players."""

    reason: Annotated[str, Meta(min_length=1, max_length=MAX_REASON_LENGTH)]


class DiceServerState(TypedDict):
    """The independent dice server: whether it answers, and how many games it has stopped."""

    answers: bool
    games_stopped: int


class AdminOverview(TypedDict):
    """The state of this server since its start; times in milliseconds since 1970.

    `failed_requests` counts responses from 500 on by route; `log` has warnings and errors, the last
    one first; `clock_sweep_age` is in seconds, and is small on a healthy server.
    """

    version: str
    up_since: int
    healthy: bool
    clock_sweep_age: float
    stored: StoredCounts
    games_in_memory: int
    event_streams: int
    bot_decisions_pending: int
    submissions: Mapping[str, int]
    failed_requests: Mapping[str, int]
    log: list[LoggedEvent]
    dice_server: DiceServerState | None


class ReportedLine(TypedDict):
    """A reported chat line: who wrote it, who reported it (names at this time), and where."""

    line: ChatLine
    table: str
    author: str
    reporter: str


class AdministrationController(Controller):
    """For the admin token only."""

    path = "/api/v1/admin"
    tags = ("administration",)

    @get("/overview", summary="Get the state of the server")
    async def overview(
        self, me: CurrentAccount, server: CurrentServer, request: Request[Any, Any, Any]
    ) -> AdminOverview:
        """Games, accounts, errors as counts, the dice server, the database and its disk."""
        require_admin(me)
        state = request.app.state
        failed = _failed_requests(state.metrics.requests.requests)
        streams = len(state.broadcaster)
        return await asyncio.to_thread(overview_of, server, streams, failed)

    @get("/reports", summary="List reported chat lines")
    async def reports(self, me: CurrentAccount, server: CurrentServer) -> list[ReportedLine]:
        """The newest first, at most 200."""
        require_admin(me)
        return await asyncio.to_thread(server.store.read, _reports)

    @delete("/reports", summary="Dismiss a report", status_code=200)
    async def dismiss(
        self, me: CurrentAccount, line: LineNumber, server: CurrentServer
    ) -> dict[str, int]:
        """The line stays in the chat; it can be reported again."""
        require_admin(me)
        done = server.store.write(lambda connection: dismiss_report(connection, line))
        await asyncio.wrap_future(done)
        return {"dismissed": line}

    @post("/tables/{game:str}/close", summary="Close a table", status_code=200)
    async def close(
        self, me: CurrentAccount, game: GameId, data: JSONBody[CloseTable], server: CurrentServer
    ) -> dict[str, str]:
        """A game that runs ends as `void`, and opens its secrets as after each end.

        Its players, its log and its record show `closed by the operator: ` and the reason.
        """
        require_admin(me)
        await server.lobby.close_by_operator(game, data.reason)
        return {"closed": game}


def require_admin(me: Account | None) -> Account:
    """The admin; WebError `account/required` or `admin/required` for everybody else."""
    account = require_account(me)
    if not account.admin:
        message = "Only the administrator of this server may see that."
        raise WebError("admin/required", message, "Send the admin token: Authorization: Bearer …")
    return account


def overview_of(server: Server, streams: int, failed: Mapping[str, int]) -> AdminOverview:
    """The state of a server; `streams` and `failed` requests are known to the application."""
    dice = server.dice_server
    return {
        "version": __version__,
        "up_since": server.up_since,
        "healthy": server.healthy(),
        "clock_sweep_age": round(time.monotonic() - server.last_tick, 1),
        "stored": stored_counts(server.store),
        "games_in_memory": len(server.table.cache),
        "event_streams": streams,
        "bot_decisions_pending": server.bots.pending,
        "submissions": dict(server.table.submissions),
        "failed_requests": failed,
        "log": server.log_counts.events(),
        "dice_server": None
        if dice is None
        else {"answers": not dice.away, "games_stopped": len(server.table.refused)},
    }


def _failed_requests(counter: Any) -> dict[str, int]:
    failed: dict[str, int] = {}
    for metric in counter.collect():
        for sample in metric.samples:
            status = sample.labels.get("status", "")
            if sample.name.endswith("_total") and status.isdigit() and int(status) >= SERVER_ERROR:
                route = f"{sample.labels['method']} {sample.labels['route']}"
                failed[route] = failed.get(route, 0) + int(sample.value)
    return failed


def _reports(connection: Connection) -> list[ReportedLine]:
    found = reported(connection)
    chat, account, game = schema.chat.c, schema.account.c, schema.game.c
    lines = [line.id for line, _ in found]
    authors = select(chat.id, account.name).join(schema.account, account.id == chat.account)
    written = {row.id: row.name for row in connection.execute(authors.where(chat.id.in_(lines)))}
    people = select(account.id, account.name).where(account.id.in_([who for _, who in found]))
    names = {row.id: row.name for row in connection.execute(people)}
    titled = select(game.id, game.title).where(game.id.in_([line.game for line, _ in found]))
    titles = {row.id: row.title for row in connection.execute(titled)}
    return [
        {
            "line": line,
            "table": titles.get(line.game, ""),
            "author": written.get(line.id, ""),
            "reporter": names.get(who, ""),
        }
        for line, who in found
    ]
