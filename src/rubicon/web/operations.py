"""For the operator: health, metrics, and the administrator's page as data."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypedDict

from litestar import Controller, Request, delete, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Response
from msgspec import Meta
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from sqlalchemy import Connection, select

from rubicon import __version__
from rubicon.errors import NotAllowed, RubiconError
from rubicon.server.accounts import Account
from rubicon.server.overview import LoggedEvent, StoredCounts, stored_counts
from rubicon.server.server import Server
from rubicon.table.chat import ChatLine, dismiss_report, reported
from rubicon.table.lobby.lifecycle import MAX_REASON_LENGTH
from rubicon.table.lobby.listing import tables_by_state
from rubicon.table.storage import schema
from rubicon.web.api.bodies import MAX_NUMBER, Body
from rubicon.web.api.broadcast import Broadcaster
from rubicon.web.http.auth import CurrentAccount, CurrentServer, GameId, require_account
from rubicon.web.http.middleware import RequestMetrics

# The metrics of one server, in Prometheus' text format.

STATES = ("lobby", "running")


class Metrics:
    """All metrics, in their own registry: several servers may run in one process."""

    def __init__(self, server: Server, broadcaster: Broadcaster) -> None:
        self.requests = RequestMetrics()
        storage = server.store.metrics
        self._registry = CollectorRegistry()
        for collector in (
            self.requests.requests,
            self.requests.seconds,
            storage.commit_seconds,
            storage.commit_jobs,
            storage.errors,
            server.bots.decision_seconds,
            CurrentState(server, broadcaster),
        ):
            self._registry.register(collector)

    def text(self) -> bytes:
        """The exposition; may query the database, so not for the event loop's thread."""
        return generate_latest(self._registry)


class CurrentState(Collector):
    """Metrics that are read when Prometheus asks, instead of being counted all the time."""

    def __init__(self, server: Server, broadcaster: Broadcaster) -> None:
        self._server = server
        self._broadcaster = broadcaster

    def describe(self) -> Iterator[Metric]:
        """Nothing, so that registering does not call `collect`, which queries the database."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        server = self._server
        yield _gauge("event_streams", "Open event streams.", len(self._broadcaster))
        yield _gauge("games_in_memory", "Games in memory.", len(server.table.cache))
        yield from self._stored()
        submissions = CounterMetricFamily(
            "rubicon_submissions", "Decisions and orders submitted, by result.", labels=["result"]
        )
        for result, count in list(server.table.submissions.items()):
            submissions.add_metric([result], count)
        yield submissions
        messages = CounterMetricFamily(
            "rubicon_messages",
            "Messages of the outbox and the inbox, by what became of them.",
            labels=["queue", "result"],
        )
        for channel, results in server.outbox.counts.items():
            for result, count in list(results.items()):
                messages.add_metric([channel, result], count)
        yield messages
        yield CounterMetricFamily(
            "rubicon_peer_disconnected_seconds",
            "Time without a LISTEN connection to the database.",
            server.peers.disconnected_seconds,
        )
        pending, processes = server.bots.pending, server.bots.processes
        running = min(pending, processes)
        yield _gauge("bot_decisions_running", "Bot decisions being computed.", running)
        yield _gauge("bot_decisions_queued", "Bot decisions in the queue.", pending - running)
        age = time.monotonic() - server.last_tick
        yield _gauge("clock_sweep_age_seconds", "Time since the last successful clock sweep.", age)

    def _stored(self) -> Iterator[Metric]:
        """What the database holds."""
        store, outbox = self._server.store, self._server.outbox
        try:
            counts, waiting = store.read(lambda c: (tables_by_state(c), outbox.waiting(c)))
        except RubiconError:
            return  # the database is away; its error counter says so
        tables = GaugeMetricFamily("rubicon_tables", "Tables, by state.", labels=["state"])
        for state in STATES:
            tables.add_metric([state], counts.get(state, 0))
        yield tables
        messages = GaugeMetricFamily(
            "rubicon_messages_waiting",
            "Rows of the outbox and the inbox that wait.",
            labels=["queue"],
        )
        for channel, count in waiting.items():
            messages.add_metric([channel], count)
        yield messages


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"rubicon_{name}", meaning, value)


# Health and metrics endpoints, for the operator and their monitoring.

LOCAL = frozenset({"127.0.0.1", "::1"})


class OperationsController(Controller):
    """`/healthz` and `/metrics`."""

    path = "/"
    include_in_schema = False

    @get("/healthz")
    async def health(self, server: CurrentServer) -> Response[dict[str, Any]]:
        """200 if the database answers and stores orders, 503 otherwise."""
        health = await asyncio.to_thread(server.health)
        return Response(health, status_code=200 if health["ok"] else 503)

    @get("/metrics")
    async def metrics(
        self, request: Request[Any, Any, Any], me: CurrentAccount, server: CurrentServer
    ) -> Response[bytes]:
        """Metrics, for this machine or with the admin token."""
        client = request.client.host if request.client else ""
        # A proxy on this machine makes every client look local, but adds this header.
        forwarded = "x-forwarded-for" in request.headers
        if not (me is not None and me.admin) and (client not in LOCAL or forwarded):
            message = "Metrics need the admin token, or a connection from the server's machine."
            raise NotAllowed("admin/required", message, "Send it: Authorization: Bearer …")
        text = await asyncio.to_thread(request.app.state.metrics.text)
        return Response(text, media_type=CONTENT_TYPE_LATEST)


# The administrator's page as data: the state of the server, reported chat lines, tables.

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
    """The admin; WebError `account/required` or `admin/required` for everyone else."""
    account = require_account(me)
    if not account.admin:
        message = "Only the administrator of this server may see that."
        raise NotAllowed("admin/required", message, "Send the admin token: Authorization: Bearer …")
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


# From the counter that Prometheus reads too: nothing is counted twice.
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
