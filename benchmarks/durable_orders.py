"""How many durable orders a second a table takes: prints JSON.

    python benchmarks/durable_orders.py [--http [--servers 1]] [--url URL] [--games 64]
        [--orders 40]

An order is one attack with one roll: it is accepted, its request to the dice committed, answered,
and committed again. Every game has one client that sends its next order when the last one is
acknowledged. Without a URL the database is SQLite in a temporary directory (WAL,
synchronous=FULL). With `--http` each order is a request to a server process, with this program on
the same machine; with `--servers 2` to two servers in turns, which share a PostgreSQL database.

`raw` is what the same database takes of the same rows, as many to a commit, from its driver alone
(sqlite3 or psycopg); `share_of_raw` compares the two. `orders_a_million_loops` compares the rate
with the speed of Python on this machine at the moment. `rebuild_ms` is the time to rebuild one of
these games from its log, `bytes_a_game` what a hosted game takes in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
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

import psycopg

from benchmarks.hosting import Caller, Mover, prepare, serving, used_seconds
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService

RAW_TOGETHER = 64  # orders a commit
RAW_ROWS = (3, 2, 2)  # log lines, dice entries and notifications of an order


class Client:
    """Sends one game's orders, each when the one before is acknowledged."""

    def __init__(self, table: TableService, mover: Mover, orders: int) -> None:
        self.table, self.mover, self.left = table, mover, orders
        self.decision = table.snapshot(mover.game).decisions[mover.seat]
        self.waited: list[float] = []
        self.done = threading.Event()

    def send(self) -> None:
        """The next order."""
        self.sent = time.perf_counter()
        mover = self.mover
        submission = Submission(mover.game, mover.seat, self.decision, mover.attack)
        self.table.submit(submission).add_done_callback(lambda future: self.hear(future.result()))

    def hear(self, receipt: Receipt) -> None:
        """An acknowledgement."""
        self.waited.append(time.perf_counter() - self.sent)
        assert receipt.decision is not None
        self.decision, self.left = receipt.decision, self.left - 1
        if self.left:
            self.send()
        else:
            self.done.set()


def measure_directly(url: str, games: int, orders: int) -> dict[str, Any]:
    """Orders handed to the table in its own process."""
    store = Store.open(url)
    movers = prepare(store, games)
    table = TableService(store)
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


def measure_by_http(url: str, games: int, orders: int, servers: int) -> dict[str, Any]:
    """Orders sent to servers: each game has its own."""
    store = Store.open(url)
    movers = prepare(store, games)
    name = store.engine.dialect.name
    store.close()
    with ExitStack() as stack:
        running = [stack.enter_context(serving(url)) for _ in range(servers)]
        ports = [port for port, _ in running]
        asyncio.run(send_all(ports, movers, 2))  # connections, tokens and games are known then
        used = sum(used_seconds(process) for _, process in running)
        waited, seconds = asyncio.run(send_all(ports, movers, orders))
        used = sum(used_seconds(process) for _, process in running) - used
    figures = figures_of(waited, seconds) | {"cpu_ms_per_order": ms(used / len(waited))}
    return figures | {"store": name, "servers": servers}


async def send_all(ports: list[str], movers: list[Mover], orders: int) -> tuple[list[float], float]:
    """All clients side by side; how long each order took, and all of them."""
    callers = [await Caller(port, mover.token).open() for port, mover in zip(cycle(ports), movers)]
    decisions = []
    for caller, mover in zip(callers, movers, strict=True):
        decisions.append((await caller.get(f"/api/v1/games/{mover.game}"))["decision"])
    waited: list[float] = []

    async def send(caller: Caller, mover: Mover, decision: int, count: int) -> None:
        for _ in range(count):
            sent = time.perf_counter()
            form = {"decision": decision, "text": mover.attack}
            receipt = await caller.post(f"/api/v1/games/{mover.game}/submit", form)
            waited.append(time.perf_counter() - sent)
            decision = receipt["decision"]

    began = time.perf_counter()
    await asyncio.gather(
        *(send(*each, orders) for each in zip(callers, movers, decisions, strict=True))
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
    hosted = store.read(lambda connection: rebuilt(connection, game))
    seconds = time.perf_counter() - began
    tracemalloc.start()
    again = store.read(lambda connection: rebuilt(connection, game))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return {
        "entries": hosted.head + 1,
        "rebuild_ms": ms(seconds),
        "rebuild_entries_per_second": round((again.head + 1) / seconds),
        "bytes_a_game": held,
    }


RAW_TABLES = (
    "CREATE TABLE raw_game (id INTEGER PRIMARY KEY, head INTEGER)",
    "CREATE TABLE raw_log (game INTEGER, line INTEGER, text TEXT, PRIMARY KEY (game, line))",
    "CREATE TABLE raw_dice (game INTEGER, line INTEGER, text TEXT, PRIMARY KEY (game, line))",
    "CREATE TABLE raw_told (game INTEGER, line INTEGER, seat INTEGER, text TEXT)",
    "CREATE INDEX raw_told_index ON raw_told (game, seat, line)",
)


def raw(url: str, folder: Path, orders: int = 4000) -> float:
    """Orders a second that the database takes from its driver: their rows, and nothing else."""
    if url.startswith("sqlite"):
        connection: Any = sqlite3.connect(folder / "raw.db", isolation_level=None)
        connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        return raw_orders(connection, "?", orders)
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as found:
        schema = f"raw{secrets.token_hex(4)}"
        found.execute(f"CREATE SCHEMA {schema}".encode())
        found.execute(f"SET search_path TO {schema}".encode())
        try:
            return raw_orders(found, "%s", orders)
        finally:
            found.execute(f"DROP SCHEMA {schema} CASCADE".encode())


def raw_orders(connection: Any, mark: str, orders: int) -> float:
    """Write the rows of so many orders, RAW_TOGETHER to a commit; orders a second."""
    for statement in RAW_TABLES:
        connection.execute(statement)
    cursor = connection.cursor()
    games = [(game, 0) for game in range(RAW_TOGETHER)]
    cursor.executemany(f"INSERT INTO raw_game VALUES ({mark}, {mark})", games)
    lines, dice, told = RAW_ROWS
    began = time.perf_counter()
    for batch in range(orders // RAW_TOGETHER):
        first = batch * 10
        connection.execute("BEGIN")
        for table, rows, size in (("raw_log", lines, 60), ("raw_dice", dice, 500)):
            cursor.executemany(
                f"INSERT INTO {table} VALUES ({mark}, {mark}, {mark})",
                [(game, first + n, "x" * size) for game, _ in games for n in range(rows)],
            )
        cursor.executemany(
            f"INSERT INTO raw_told VALUES ({mark}, {mark}, {mark}, {mark})",
            [(game, first, n, "x" * 300) for game, _ in games for n in range(told)],
        )
        cursor.executemany(
            f"UPDATE raw_game SET head = {mark} WHERE id = {mark}",
            [(first, game) for game, _ in games],
        )
        connection.execute("COMMIT")
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
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--url")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--orders", type=int, default=40)
    arguments = parser.parse_args()
    if arguments.servers > 1 and not (arguments.http and arguments.url):
        parser.error("several servers need --http, and a PostgreSQL database by --url")
    with tempfile.TemporaryDirectory() as folder:
        url = arguments.url or f"sqlite:///{Path(folder) / 'table.db'}"
        if arguments.http:
            figures = measure_by_http(url, arguments.games, arguments.orders, arguments.servers)
        else:
            figures = measure_directly(url, arguments.games, arguments.orders)
        alone = raw(url, Path(folder))
    speed, rate = loops(), figures["orders_per_second"]
    figures |= {"raw": round(alone), "share_of_raw": round(rate / alone, 3)}
    figures |= {"million_loops": round(speed, 1), "orders_a_million_loops": round(rate / speed, 1)}
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
