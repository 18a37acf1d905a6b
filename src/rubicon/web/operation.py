"""For whoever runs the house: is it well, what does it do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

from litestar import Controller, Request, get
from litestar.response import Response
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.rules.errors import RubiconError
from rubicon.table.figures import Spread
from rubicon.table.lobby_showing import tables_by_state
from rubicon.web.errors import WebError
from rubicon.web.hub import Hub

LOCAL = frozenset({"127.0.0.1", "::1"})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
STATES = ("lobby", "running")


class Metrics:
    """What is counted, in a registry of its own: several apps may live in one process."""

    def __init__(self, host: Host, hub: Hub) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "rubicon_requests",
            "Requests answered, by the route's template.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "rubicon_request_seconds",
            "Time to the beginning of the answer.",
            ["route"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.registry.register(HostFigures(host, hub))

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)


class HostFigures(Collector):
    """What the host counts by itself, read when somebody asks."""

    def __init__(self, host: Host, hub: Hub) -> None:
        self._host = host
        self._hub = hub

    def describe(self) -> Iterator[Metric]:
        """Nothing: the store is not asked before it must be."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every figure."""
        host = self._host
        yield _gauge("streams", "Open streams.", len(self._hub))
        yield _gauge("games_held", "Games in memory.", len(host.table.lives))
        yield from self._tables()
        yield _counter("orders", "What was handed in.", "became", host.table.handed_in)
        figures = host.store.figures
        yield _histogram("commit_seconds", "Time of a commit with its jobs.", figures.commits)
        yield _histogram("commit_jobs", "Jobs in one commit.", figures.together)
        yield _counter("store_failures", "The store was away.", "door", figures.failures)
        deaf = "Seconds in which other hosts on the database were not heard."
        yield CounterMetricFamily("rubicon_deaf_seconds", deaf, host.elsewhere.deaf_seconds)
        thinking, processes = host.bots.thinking, host.bots.processes
        yield _gauge("bots_thinking", "Questions that bots think about.", min(thinking, processes))
        yield _gauge("bots_waiting", "Questions that wait.", max(0, thinking - processes))
        yield _histogram("bot_seconds", "From question to answer.", host.bots.thought)
        lag = time.monotonic() - host.ticked_at
        yield _gauge(
            "clock_lag_seconds", "Since the clock last acted; it does so every second.", lag
        )

    def _tables(self) -> Iterator[Metric]:
        try:
            counts = self._host.store.read(tables_by_state)
        except RubiconError:
            return  # the other figures say that the store is away
        found = GaugeMetricFamily("rubicon_tables", "Tables by their state.", labels=["state"])
        for state in STATES:
            found.add_metric([state], counts.get(state, 0))
        yield found


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"rubicon_{name}", meaning, value)


def _counter(name: str, meaning: str, label: str, counts: dict[str, int]) -> Metric:
    found = CounterMetricFamily(f"rubicon_{name}", meaning, labels=[label])
    for value, count in list(counts.items()):
        found.add_metric([value], count)
    return found


def _histogram(name: str, meaning: str, spread: Spread) -> Metric:
    return HistogramMetricFamily(f"rubicon_{name}", meaning, spread.upward(), spread.total)


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
        told = await asyncio.to_thread(request.app.state.metrics.text)
        return Response(told, media_type=CONTENT_TYPE_LATEST)
