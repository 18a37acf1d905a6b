"""For whoever runs the house: is it well, what does it do."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Request, get
from litestar.response import Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.web.errors import WebError
from rubicon.web.hub import Hub

LOCAL = frozenset({"127.0.0.1", "::1"})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """What is counted, in a registry of its own: several apps may live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "rubicon_requests", "Requests answered.", ["method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "rubicon_request_seconds", "Time to answer.", buckets=BUCKETS, registry=self.registry
        )
        self.streams = Gauge("rubicon_streams", "Open streams.", registry=self.registry)
        self.games = Gauge("rubicon_games_held", "Games in memory.", registry=self.registry)

    def text(self, host: Host, hub: Hub) -> bytes:
        """As Prometheus reads it."""
        self.streams.set(len(hub))
        self.games.set(len(host.table.lives))
        return generate_latest(self.registry)


class Operation(Controller):
    """Health and figures."""

    path = "/"
    include_in_schema = False

    @get("/healthz")
    async def healthz(self, host: Host) -> Response[dict[str, Any]]:
        """200 where the store answers."""
        well = await asyncio.to_thread(host.healthy)
        return Response({"ok": well}, status_code=200 if well else 503)

    @get("/metrics")
    async def metrics(
        self, request: Request[Any, Any, Any], me: Account | None, host: Host
    ) -> Response[bytes]:
        """For this machine, or with the admin's token."""
        client = request.client.host if request.client else ""
        forwarded = "x-forwarded-for" in request.headers
        if not (me is not None and me.admin) and (client not in LOCAL or forwarded):
            raise WebError("admin/needed", "The figures are for whoever runs the house.", "")
        state = request.app.state
        return Response(state.metrics.text(host, state.hub), media_type=CONTENT_TYPE_LATEST)
