"""How often one address may ask, and how much it may have at once."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

MOST_ADDRESSES = 50_000
HOME = 64  # bits of an IPv6 address that tell one home from another; the rest is a host's choice


class Limiter:
    """A bucket of tokens for each address; `many` come in so many seconds, 0 for no limit."""

    def __init__(
        self,
        many: int,
        seconds: float,
        at_once: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = many / seconds
        self.most = max(1.0, many if at_once is None else at_once)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take a token; where there is none, the seconds until there is one."""
        if not self.rate:
            return 0.0
        at = self._clock()
        left, since = self._buckets.pop(address, (self.most, at))
        left = min(self.most, left + (at - since) * self.rate)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, at)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self.rate


class Crowd:
    """How many of something each address has at once; at most so many, 0 for no limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """One more, if there is room for it."""
        if self.most and self._counts[address] >= self.most:
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]


def address_of(scope: Mapping[str, Any]) -> str:
    """Where a request comes from: one home, which IPv6 gives more addresses than can be counted.

    Behind the trusted proxy the server has put what the proxy says into the scope already.
    """
    client = scope.get("client")
    return neighbourhood(str(client[0])) if client else ""


def neighbourhood(address: str) -> str:
    """The network of an IPv6 address, an IPv4 address as it is."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, HOME), strict=False))
