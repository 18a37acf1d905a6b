"""Memory of a server with many games, and its response time while bots play: prints JSON.

    python benchmarks/server_load.py [--stored 1000] [--running 100] [--orders 30]
        [--bot-games 4] [--requests 2000]

Every running game has a history of `--orders` attacks. `request_…` is the time to read a game, one
request after the other; `…_bots` the same while games among bots are played on the server, and
`ratio_p99` compares the two.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sqlalchemy import update

from benchmarks.hosting import Caller, Mover, play, prepare, resident_kib, serving
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

ALL_BOTS = {"seats": 3, "bots": {"0": "greedy", "1": "greedy", "2": "greedy"}}


def store_games(url: str, stored: int, running: int, orders: int) -> list[Mover]:
    """Store games, of which some are running; the running ones."""
    store = Store.open(url)
    movers = prepare(store, stored)
    over = [mover.game for mover in movers[running:]]
    rest = update(schema.game).where(schema.game.c.id.in_(over)).values(state="over", head=0)
    store.write(lambda connection: connection.execute(rest) and None).result()
    play(store, movers[:running], orders)
    store.close()
    return movers[:running]


async def measure(port: str, process: int, movers: list[Mover], arguments: Any) -> dict[str, Any]:
    """All figures of a running server."""
    caller = await Caller(port, movers[0].token).open()
    fresh = resident_kib(process)
    for mover in movers:
        await caller.get(f"/api/v1/games/{mover.game}")
    held = resident_kib(process)
    alone = await read_games(caller, movers, arguments.requests)
    for _ in range(arguments.bot_games):
        game = (await caller.post("/api/v1/tables", ALL_BOTS))["game"]
        await caller.post(f"/api/v1/tables/{game}/start", {})
    beside = await read_games(caller, movers, arguments.requests)
    return {
        "stored": arguments.stored,
        "running": len(movers),
        "resident_mib_started": round(fresh / 1024),
        "resident_mib": round(held / 1024),
        "kib_a_running_game": round((held - fresh) / len(movers), 1),
        "request_median_ms": ms(statistics.median(alone)),
        "request_p99_ms": ms(p99(alone)),
        "request_median_ms_bots": ms(statistics.median(beside)),
        "request_p99_ms_bots": ms(p99(beside)),
        "ratio_p99": round(p99(beside) / p99(alone), 2),
    }


async def read_games(caller: Caller, movers: list[Mover], requests: int) -> list[float]:
    """Send requests one after the other; the seconds that each took."""
    waits = []
    for number in range(requests):
        sent = time.perf_counter()
        await caller.get(f"/api/v1/games/{movers[number % len(movers)].game}")
        waits.append(time.perf_counter() - sent)
    return waits


def p99(waits: list[float]) -> float:
    """The 99th percentile."""
    return sorted(waits)[int(len(waits) * 0.99)]


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 2)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stored", type=int, default=1000)
    parser.add_argument("--running", type=int, default=100)
    parser.add_argument("--orders", type=int, default=30)
    parser.add_argument("--bot-games", type=int, default=4)
    parser.add_argument("--requests", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'table.db'}"
        movers = store_games(url, arguments.stored, arguments.running, arguments.orders)
        with serving(url) as (port, process):
            figures = asyncio.run(measure(port, process, movers, arguments))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
