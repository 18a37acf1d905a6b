"""The outermost ASGI layer: rate limits, security headers, request metrics and the access log."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

from litestar.types import ASGIApp, Receive, Send
from prometheus_client import Counter, Histogram

from rubicon.errors import TooMany
from rubicon.server.settings import ServerSettings
from rubicon.web.http.connections import RateLimiter, client_address
from rubicon.web.http.errors import log_context, method_of, route_of, send_error

MINUTE, HOUR = 60, 3600  # seconds
REFUSAL_PAUSE = 0.25  # seconds: a client that does not wait costs less
BURST = 1 / 6  # share of a minute's requests that may come at once
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)  # seconds
SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
# A hand of cards stays in no cache of a device that several people use; what may be kept says so.
PRIVATE = (b"cache-control", b"no-store")
log = logging.getLogger(__name__)


class RequestMetrics:
    """Counts requests by route template: what clients fill in never becomes a label."""

    def __init__(self) -> None:
        self.requests = Counter(
            "rubicon_http_requests",
            "HTTP requests answered.",
            ["method", "route", "status"],
            registry=None,
        )
        self.seconds = Histogram(
            "rubicon_http_request_duration_seconds",
            "Time from a request to the first byte of its response.",
            ["route"],
            buckets=BUCKETS,
            registry=None,
        )
        # `labels` checks and joins its labels at each call: their children are few, and kept.
        self.count_of = cache(self.requests.labels)
        self.seconds_of = cache(self.seconds.labels)


class RequestLimits:
    """The rate limits of one address: for all requests, and for those that store something."""

    def __init__(self, settings: ServerSettings) -> None:
        per_minute = settings.requests_per_minute
        self._requests = RateLimiter(
            "requests_per_minute", per_minute, MINUTE, burst=per_minute * BURST
        )
        self._guests = RateLimiter("guests_per_hour", settings.guests_per_hour, HOUR)
        self._tables = RateLimiter("tables_per_hour", settings.tables_per_hour, HOUR)

    def take(self, scope: Any) -> float:
        """Count a request; returns 0, or the seconds after which it may be repeated."""
        address = client_address(scope)
        wait = self._requests.take(address)
        if wait or scope["method"] != "POST":
            return wait
        # Accounts and tables stay stored for long, so they have limits of their own.
        path = scope["path"].rstrip("/")
        if path == "/api/v1/guest":
            return self._guests.take(address)
        if path == "/api/v1/tables" or path.endswith("/rematch"):
            return self._tables.take(address)
        return 0.0


class RequestMiddleware:
    """Wraps the whole application, so that it also sees requests that match no route."""

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        metrics: RequestMetrics,
        methods: Mapping[str, str],
        *,
        access_log: bool,
    ) -> None:
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._methods = methods  # the Allow header of each path template
        self._access_log = access_log

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer with 429, or pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def send_response(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*self._headers(scope, message), *SECURITY_HEADERS]
                self._count(scope, int(message["status"]), time.perf_counter() - started)
            await send(message)

        wait = self._limits.take(scope)
        if wait:
            # The pause holds the client's connection, of which it has only so many.
            await asyncio.sleep(REFUSAL_PAUSE)
            seconds = math.ceil(wait)
            await send_error(send_response, rate_limited(seconds), {"retry-after": str(seconds)})
        else:
            await self._app(scope, receive, send_response)

    def _headers(self, scope: Any, message: Any) -> list[tuple[bytes, bytes]]:
        """The headers of a response; that of OPTIONS lists all methods of the path."""
        headers = list(message.get("headers", ()))
        if scope["path"].startswith("/api/"):
            for name, _ in headers:
                if name.lower() == PRIVATE[0]:
                    break
            else:
                headers.append(PRIVATE)
        allowed = self._methods.get(route_of(scope)) if scope["method"] == "OPTIONS" else None
        if allowed is None:
            return headers
        return [(b"allow", allowed.encode()), *(h for h in headers if h[0].lower() != b"allow")]

    def _count(self, scope: Any, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._metrics.count_of(method_of(scope), route, str(status)).inc()
        self._metrics.seconds_of(route).observe(seconds)
        if self._access_log:
            fields: dict[str, object] = {"status": status, "duration_ms": round(seconds * 1000, 1)}
            log.info("request", extra={**log_context(scope), **fields})


def rate_limited(seconds: int) -> TooMany:
    """The error for an address that sends too many requests."""
    suggestion = f"Try again in {seconds} second{'s' * (seconds > 1)}."
    return TooMany("request/rate-limited", "Too many requests from your address.", suggestion)
