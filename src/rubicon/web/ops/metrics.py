"""The metrics of one server, in Prometheus' text format."""

from __future__ import annotations

import time
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from rubicon.errors import RubiconError
from rubicon.server.server import Server
from rubicon.table.lobby.listing import tables_by_state
from rubicon.web.api.broadcast import Broadcaster
from rubicon.web.http.middleware import RequestMetrics

STATES = ("lobby", "running")


class Metrics:
    """All metrics, in a registry of their own: several servers may run in one process."""

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
        yield from self._tables()
        submissions = CounterMetricFamily(
            "rubicon_submissions", "Decisions and orders submitted, by result.", labels=["result"]
        )
        for result, count in list(server.table.submissions.items()):
            submissions.add_metric([result], count)
        yield submissions
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

    def _tables(self) -> Iterator[Metric]:
        try:
            counts = self._server.store.read(tables_by_state)
        except RubiconError:
            return  # the database is away; its error counter says so
        tables = GaugeMetricFamily("rubicon_tables", "Tables, by state.", labels=["state"])
        for state in STATES:
            tables.add_metric([state], counts.get(state, 0))
        yield tables


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"rubicon_{name}", meaning, value)
