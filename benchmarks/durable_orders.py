"""How many durable orders a second a table takes: prints JSON.

    python benchmarks/durable_orders.py [--http [--hosts 1]] [--url URL] [--games 64] [--orders 40]

An order is one attack with one roll, and a notice for each of four seats and the spectators:
accepted, its request committed, answered, committed again. Every game has one client that sends its
next order when the last one is acknowledged. Without a URL it is SQLite in a folder of its own
(WAL, synchronous=FULL). With `--http` each order is a request to a server in a process of its own,
with this program beside it on the same machine; with `--hosts 2` to two of them in turns, which
share a PostgreSQL. `raw` is what SQLite alone takes here: the same
rows, as many to a commit, without anything around them; `share_of_raw` compares the two, and
`orders_a_million_loops` the rate with how quick Python is here at the moment. `rebuild` is the time
to build one of these games from its log, `bytes_a_game` what a live game takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
import tracemalloc
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hosting import Caller, Mover, prepare, serving, used_seconds

from rubicon.table.lives import rebuilt
from rubicon.table.store import Store
from rubicon.table.submission import Receipt, Submission
from rubicon.table.table import Table

RAW_TOGETHER = 64  # orders a commit
RAW_ROWS = (3, 2, 10)  # lines, dice and notices of an order


class Client:
    """Sends one game's orders, each when the one before is acknowledged."""

    def __init__(self, table: Table, mover: Mover, orders: int) -> None:
        self.table, self.mover, self.left = table, mover, orders
        self.duty = table.snapshot(mover.game).duties[mover.seat]
        self.waited: list[float] = []
        self.done = threading.Event()

    def send(self) -> None:
        """The next order."""
        self.sent = time.perf_counter()
        mover = self.mover
        submission = Submission(mover.game, mover.seat, self.duty, mover.attack)
        self.table.submit(submission).add_done_callback(lambda future: self.hear(future.result()))

    def hear(self, receipt: Receipt) -> None:
        """An acknowledgement."""
        self.waited.append(time.perf_counter() - self.sent)
        assert receipt.duty is not None
        self.duty, self.left = receipt.duty, self.left - 1
        if self.left:
            self.send()
        else:
            self.done.set()


def measure_directly(url: str, games: int, orders: int) -> dict[str, Any]:
    """Orders handed to the table in its own process."""
    store = Store.open(url)
    movers = prepare(store, games)
    table = Table(store)
    for mover in movers:
        table.wake(mover.game).result()
    clients = [Client(table, mover, orders) for mover in movers]
    began, used = time.perf_counter(), time.process_time()
    for client in clients:
        client.send()
    for client in clients:
        client.done.wait()
    seconds, used = time.perf_counter() - began, time.process_time() - used
    waited = [wait for client in clients for wait in client.waited]
    figures = figures_of(waited, seconds) | {"cpu_ms_per_order": ms(used / len(waited))}
    figures |= {"store": store.engine.dialect.name} | rebuilding(store, movers[0].game)
    store.close()
    return figures


def measure_by_http(url: str, games: int, orders: int, hosts: int) -> dict[str, Any]:
    """Orders sent to servers: each game has its own."""
    store = Store.open(url)
    movers = prepare(store, games)
    name = store.engine.dialect.name
    store.close()
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(url)) for _ in range(hosts)]
        ports = [port for port, _ in servers]
        asyncio.run(send_all(ports, movers, 2))  # connections, tokens and games are known then
        used = sum(used_seconds(process) for _, process in servers)
        waited, seconds = asyncio.run(send_all(ports, movers, orders))
        used = sum(used_seconds(process) for _, process in servers) - used
    figures = figures_of(waited, seconds) | {"cpu_ms_per_order": ms(used / len(waited))}
    return figures | {"store": name, "hosts": hosts}


async def send_all(ports: list[str], movers: list[Mover], orders: int) -> tuple[list[float], float]:
    """All clients side by side; how long each order took, and all of them."""
    callers = [await Caller(port, mover.token).open() for port, mover in zip(cycle(ports), movers)]
    duties = []
    for caller, mover in zip(callers, movers, strict=True):
        duties.append((await caller.get(f"/api/v1/games/{mover.game}"))["duty"])
    waited: list[float] = []

    async def send(caller: Caller, mover: Mover, duty: int, count: int) -> None:
        for _ in range(count):
            sent = time.perf_counter()
            form = {"duty": duty, "text": mover.attack}
            receipt = await caller.post(f"/api/v1/games/{mover.game}/submit", form)
            waited.append(time.perf_counter() - sent)
            duty = receipt["duty"]

    began = time.perf_counter()
    await asyncio.gather(
        *(send(*each, orders) for each in zip(callers, movers, duties, strict=True))
    )
    return waited, time.perf_counter() - began


def figures_of(waited: list[float], seconds: float) -> dict[str, Any]:
    """What it came to."""
    slowest = sorted(waited)[int(len(waited) * 0.99)]
    return {
        "orders": len(waited),
        "orders_per_second": round(len(waited) / seconds, 1),
        "median_ms": ms(statistics.median(waited)),
        "p99_ms": ms(slowest),
    }


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 3)


def rebuilding(store: Store, game: str) -> dict[str, Any]:
    """What a game costs to be built again, and to be held."""
    began = time.perf_counter()
    live = store.read(lambda connection: rebuilt(connection, game))
    seconds = time.perf_counter() - began
    tracemalloc.start()
    again = store.read(lambda connection: rebuilt(connection, game))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return {
        "entries": live.head + 1,
        "rebuild_ms": ms(seconds),
        "rebuild_entries_per_second": round((again.head + 1) / seconds),
        "bytes_a_game": held,
    }


def raw(folder: Path, orders: int = 4000) -> float:
    """Orders a second that SQLite alone takes here: the rows of an order, and nothing else."""
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE log (game, entry, text, PRIMARY KEY (game, entry));"
        "CREATE TABLE dice (game, entry, text, PRIMARY KEY (game, entry));"
        "CREATE TABLE notice (id INTEGER PRIMARY KEY, game, entry, seat, text);"
        "CREATE INDEX ix ON notice (game, seat, entry)"
    )
    lines, dice, notices = RAW_ROWS
    began = time.perf_counter()
    for batch in range(orders // RAW_TOGETHER):
        connection.execute("BEGIN")
        for game in range(RAW_TOGETHER):
            first = batch * 10
            connection.executemany(
                "INSERT INTO log VALUES (?, ?, ?)",
                [(game, first + n, "x" * 60) for n in range(lines)],
            )
            connection.executemany(
                "INSERT INTO dice VALUES (?, ?, ?)",
                [(game, first + n, "x" * 500) for n in range(dice)],
            )
            connection.executemany(
                "INSERT INTO notice (game, entry, seat, text) VALUES (?, ?, ?, ?)",
                [(game, first, n % 5, "x" * 200) for n in range(notices)],
            )
        connection.execute("COMMIT")
    connection.close()
    return orders / (time.perf_counter() - began)


def loops(count: int = 5_000_000) -> float:
    """Millions of additions a second that Python makes here; a shared machine varies by two."""
    began, total = time.perf_counter(), 0
    for number in range(count):
        total += number
    return count / (time.perf_counter() - began) / 1e6


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--hosts", type=int, default=1)
    parser.add_argument("--url")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--orders", type=int, default=40)
    wishes = parser.parse_args()
    if wishes.hosts > 1 and not (wishes.http and wishes.url):
        parser.error("several hosts need --http, and a PostgreSQL by --url")
    with tempfile.TemporaryDirectory() as folder:
        url = wishes.url or f"sqlite:///{Path(folder) / 'table.db'}"
        if wishes.http:
            figures = measure_by_http(url, wishes.games, wishes.orders, wishes.hosts)
        else:
            figures = measure_directly(url, wishes.games, wishes.orders)
        alone = raw(Path(folder))
    speed, rate = loops(), figures["orders_per_second"]
    figures |= {"raw": round(alone), "share_of_raw": round(rate / alone, 3)}
    figures |= {"million_loops": round(speed, 1), "orders_a_million_loops": round(rate / speed, 1)}
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
