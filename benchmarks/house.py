"""What a house costs: memory with many games, and requests while bots think. Prints JSON.

    python benchmarks/house.py [--stored 1000] [--live 100] [--bot-games 4] [--requests 2000]

`request_…` is how long it takes to see a game, one request after the other; `…_bots` the same
while games among house bots are played beside it, and `ratio_p99` compares the two.
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

from benchmarks.hosting import Caller, Mover, prepare, resident_kib, serving
from sqlalchemy import update

from rubicon.table import schema
from rubicon.table.store import Store

ALL_BOTS = {"seats": 3, "bots": {"0": "greedy", "1": "greedy", "2": "greedy"}}


def store_games(url: str, stored: int, live: int) -> list[Mover]:
    """So many games, of which some run; those that do."""
    store = Store.open(url)
    movers = prepare(store, stored)
    over = [mover.game for mover in movers[live:]]
    rest = update(schema.game).where(schema.game.c.id.in_(over)).values(state="over", head=0)
    store.write(lambda connection: connection.execute(rest) and None).result()
    store.close()
    return movers[:live]


async def measure(port: str, process: int, movers: list[Mover], wishes: Any) -> dict[str, Any]:
    """All figures of a house that runs."""
    caller = await Caller(port, movers[0].token).open()
    fresh = resident_kib(process)
    for mover in movers:
        await caller.get(f"/api/v1/games/{mover.game}")
    held = resident_kib(process)
    alone = await look(caller, movers, wishes.requests)
    for _ in range(wishes.bot_games):
        game = (await caller.post("/api/v1/tables", ALL_BOTS))["game"]
        await caller.post(f"/api/v1/tables/{game}/start", {})
    beside = await look(caller, movers, wishes.requests)
    return {
        "stored": wishes.stored,
        "live": len(movers),
        "resident_mib_started": round(fresh / 1024),
        "resident_mib": round(held / 1024),
        "kib_a_live_game": round((held - fresh) / len(movers), 1),
        "request_median_ms": ms(statistics.median(alone)),
        "request_p99_ms": ms(p99(alone)),
        "request_median_ms_bots": ms(statistics.median(beside)),
        "request_p99_ms_bots": ms(p99(beside)),
        "ratio_p99": round(p99(beside) / p99(alone), 2),
    }


async def look(caller: Caller, movers: list[Mover], requests: int) -> list[float]:
    """How long each of so many requests took."""
    waits = []
    for number in range(requests):
        sent = time.perf_counter()
        await caller.get(f"/api/v1/games/{movers[number % len(movers)].game}")
        waits.append(time.perf_counter() - sent)
    return waits


def p99(waits: list[float]) -> float:
    """All but one in a hundred are quicker."""
    return sorted(waits)[int(len(waits) * 0.99)]


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 2)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stored", type=int, default=1000)
    parser.add_argument("--live", type=int, default=100)
    parser.add_argument("--bot-games", type=int, default=4)
    parser.add_argument("--requests", type=int, default=2000)
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'table.db'}"
        movers = store_games(url, wishes.stored, wishes.live)
        with serving(url) as (port, process):
            figures = asyncio.run(measure(port, process, movers, wishes))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
