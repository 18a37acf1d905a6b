"""Counts every request, and writes a line of it where the house wishes so."""

from __future__ import annotations

import logging
import time
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from rubicon.web.context import context_of, method_of, route_of
from rubicon.web.operation import Metrics

log = logging.getLogger(__name__)


class Counting:
    """Stands before everything else, so that it also sees what fits no route."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, written: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._written = written

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Let it pass, and count how it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def answered(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._count(scope, int(message["status"]), time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, answered)

    def _count(self, scope: Any, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._metrics.requests.labels(method_of(scope), route, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if self._written:
            told: dict[str, object] = {"status": status, "milliseconds": round(seconds * 1000, 1)}
            log.info("request", extra={**context_of(scope), **told})
