"""How soon many watchers hear of an order, and what they cost while nothing happens: prints JSON.

    python benchmarks/watchers.py [--url URL] [--watchers 1000] [--orders 30]

All watch one game by a stream each, held by this program beside the server on the same machine. An
order is an attack with its roll; `to_all_…` is how long it takes from sending it until the last
watcher has its event, `to_one_…` until each has. Without a URL it is SQLite in a folder of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hosting import Caller, Mover, prepare, resident_kib, serving, used_seconds
from rubicon.table.storage.database import Store

BETWEEN = 0.3  # seconds between two orders
IDLE = 3.0  # seconds in which nothing happens
OPENED_TOGETHER = 50


class Watcher(asyncio.Protocol):
    """A stream; it notes when the last piece of it came."""

    def __init__(self, port: str, game: str) -> None:
        self.path = f"/api/v1/events?games={game}"
        self.port = port
        self.heard_at = 0.0
        self.begun = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Ask for the events."""
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Something came: the answer's head, or events."""
        if not self.begun.done():
            assert b" 200 " in data.split(b"\r\n", 1)[0], data
            self.begun.set_result(None)
        if b"data:" in data:
            self.heard_at = time.perf_counter()


async def measure(port: str, process: int, mover: Mover, count: int, orders: int) -> dict[str, Any]:
    """All figures."""
    caller = await Caller(port, mover.token).open()
    decision = (await caller.get(f"/api/v1/games/{mover.game}"))["decision"]
    before = resident_kib(process)
    watchers = await open_watchers(port, mover.game, count)
    await asyncio.sleep(1)
    held = resident_kib(process) - before
    used = used_seconds(process)
    await asyncio.sleep(IDLE)
    idle = (used_seconds(process) - used) / IDLE
    to_all, to_one = [], list[float]()
    for _ in range(orders):
        sent = time.perf_counter()
        form = {"decision": decision, "text": mover.attack}
        decision = (await caller.post(f"/api/v1/games/{mover.game}/submit", form))["decision"]
        while any(watcher.heard_at < sent for watcher in watchers):
            await asyncio.sleep(0.001)
        waits = [watcher.heard_at - sent for watcher in watchers]
        to_all.append(max(waits))
        to_one += waits
        await asyncio.sleep(BETWEEN)
    return {
        "watchers": count,
        "kib_a_watcher": round(held / count, 1),
        "idle_processor_share": round(idle, 3),
        "orders": orders,
        "to_one_median_ms": ms(statistics.median(to_one)),
        "to_one_p99_ms": ms(sorted(to_one)[int(len(to_one) * 0.99)]),
        "to_all_median_ms": ms(statistics.median(to_all)),
        "to_all_worst_ms": ms(max(to_all)),
    }


async def open_watchers(port: str, game: str, count: int) -> list[Watcher]:
    """So many streams, each begun."""
    loop = asyncio.get_running_loop()
    watchers: list[Watcher] = []
    while len(watchers) < count:
        some = [Watcher(port, game) for _ in range(min(OPENED_TOGETHER, count - len(watchers)))]
        for watcher in some:
            await loop.create_connection(lambda each=watcher: each, "127.0.0.1", int(port))
        await asyncio.gather(*(watcher.begun for watcher in some))
        watchers += some
    return watchers


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 1)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--orders", type=int, default=30)
    wishes = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        url = wishes.url or f"sqlite:///{Path(folder) / 'table.db'}"
        store = Store.open(url)
        (mover,) = prepare(store, 1)
        store.close()
        with serving(url) as (port, process):
            measured = measure(port, process, mover, wishes.watchers, wishes.orders)
            print(json.dumps(asyncio.run(measured), indent=2))


if __name__ == "__main__":
    main()
