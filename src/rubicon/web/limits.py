"""How often and how much one address may ask."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

MOST_ADDRESSES = 50_000
BURST_SECONDS = 10  # how many seconds' worth may come at once


class Limiter:
    """A bucket of tokens for each address: what comes in `burst` seconds may come at once."""

    def __init__(
        self,
        per_minute: float,
        clock: Callable[[], float] = time.monotonic,
        burst: float = BURST_SECONDS,
    ) -> None:
        self.rate = per_minute / 60
        self.most = max(1.0, self.rate * burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Take a token, if there is one."""
        if not self.rate:
            return True
        at = self._clock()
        left, since = self._buckets.pop(address, (self.most, at))
        left = min(self.most, left + (at - since) * self.rate)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, at)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed


def neighbourhood(address: str) -> str:
    """What one person has of addresses: one of the old kind, or a whole network of the new."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(ip_network((known, 64), strict=False))
    return address
