"""Limits for one client address: requests in a time, and connections or streams at once."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from cachetools import LRUCache

from rubicon.networks import limited_address

MAX_ADDRESSES = 50_000  # remembered by one limiter; the least recent is forgotten first
LOG_INTERVAL = 60.0  # seconds between two log lines of one limiter: a flood must not fill the disk
log = logging.getLogger(__name__)


class RejectionLog:
    """Logs `rate limit exceeded` with the number of rejections, at most once a minute."""

    def __init__(self, limit: str) -> None:
        self._limit = limit
        self._rejected = 0
        self._logged_at = float("-inf")

    def add(self) -> None:
        """Count a rejection. No line names the address: it is personal data."""
        self._rejected += 1
        now = time.monotonic()
        if now - self._logged_at >= LOG_INTERVAL:
            fields = {"limit": self._limit, "rejected": self._rejected}
            log.warning("rate limit exceeded", extra=fields)
            self._rejected, self._logged_at = 0, now


class RateLimiter:
    """A token bucket for each address: `count` requests in `seconds`, `burst` of them at once.

    A count of 0 means no limit. For use on one thread, the event loop's.
    """

    def __init__(
        self,
        name: str,
        count: int,
        seconds: float,
        *,
        burst: float | None = None,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = count / seconds
        self.burst = max(1.0, count if burst is None else burst)
        self._timer = timer
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(MAX_ADDRESSES)
        self._rejections = RejectionLog(name)

    def take(self, address: str) -> float:
        """Take a token; returns 0, or the seconds to wait for one."""
        if not self.rate:
            return 0.0
        now = self._timer()
        tokens, since = self._buckets.get(address, (self.burst, now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        if tokens >= 1:
            self._buckets[address] = tokens - 1, now
            return 0.0
        self._buckets[address] = tokens, now
        self._rejections.add()
        return (1 - tokens) / self.rate


class ConcurrencyLimiter:
    """How many of something each address has at once; a maximum of 0 means no limit."""

    def __init__(self, name: str, maximum: int) -> None:
        self.maximum = maximum
        self._counts: Counter[str] = Counter()
        self._rejections = RejectionLog(name)

    def acquire(self, address: str) -> bool:
        """Count one more; False if the address is at its maximum."""
        if self.maximum and self._counts[address] >= self.maximum:
            self._rejections.add()
            return False
        self._counts[address] += 1
        return True

    def release(self, address: str) -> None:
        """Count one less."""
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]


def client_address(scope: Mapping[str, Any]) -> str:
    """The address that a request counts for.

    Behind the trusted proxy the HTTP server has put the proxy's X-Forwarded-For into the scope.
    """
    client = scope.get("client")
    return limited_address(str(client[0])) if client else ""
