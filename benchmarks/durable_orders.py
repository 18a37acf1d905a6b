"""How many durable orders a second a table takes: prints JSON.

    python benchmarks/durable_orders.py [--url URL] [--games 64] [--orders 40]

An order is one attack with one roll, and a notice for each of four seats and the spectators:
accepted, its request committed, answered, committed again. Every game has one client that sends its
next order when the last one is acknowledged. Without a URL it is SQLite in a folder of its own
(WAL, synchronous=FULL). `rebuild` is the time to build one of these games from its log,
`bytes_a_game` what a live game takes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.procedures.sampling import generator
from rubicon.rules.record_headers import headers_of
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.beginning import begin_game
from rubicon.table.lives import rebuilt
from rubicon.table.settings import Settings
from rubicon.table.store import Store
from rubicon.table.submission import Receipt, Submission
from rubicon.table.table import Table

ARMIES = 900_000  # on both sides of the border, so that every game lasts


def long_battle(seats: int) -> tuple[Game, str]:
    """A position in which one attack can be ordered for ever, and that attack."""
    ruleset, rng = Ruleset.load("classic"), generator(1)
    game = Game.new(ruleset, seats)
    bots = {colour: Player("greedy", colour, seed=1) for colour in game.colours}
    while not (attacks := [a for a in map(str, game.legal) if a.startswith("attack")]):
        while game.owed:
            game.settle(game.sample(rng))
        game.play(bots[game.actors[0]].decide(game))
    _, source, _, target, *_ = attacks[0].split()
    for territory in (source, target):
        game.position.armies[game.territories.index(territory)] = ARMIES
    return Game.from_position(ruleset, game.position), f"attack {source} -> {target} dice 3"


def begin_games(table: Table, game: Game, count: int) -> list[str]:
    """Games that begin in this position."""
    ids = [f"g{number}" for number in range(count)]
    headers = headers_of(game)

    def job(connection: Any) -> None:
        for game_id in ids:
            row = {"id": game_id, "state": "lobby", "title": "", "access": "open", "head": -1}
            row |= {"ruleset": "{}", "settings": "{}", "created": 0, "changed": 0}
            connection.execute(insert(schema.game), row)
            begin_game(connection, game_id, headers, Settings())

    table.store.write(job).result()
    for game_id in ids:
        table.wake(game_id).result()
    return ids


class Client:
    """Sends one game's orders, each when the one before is acknowledged."""

    def __init__(self, table: Table, game: str, attack: str, orders: int) -> None:
        self.table, self.game, self.attack, self.left = table, game, attack, orders
        self.seat, self.duty = next(iter(table.snapshot(game).duties.items()))
        self.waited: list[float] = []
        self.done = threading.Event()

    def send(self) -> None:
        """The next order."""
        self.sent = time.perf_counter()
        submission = Submission(self.game, self.seat, self.duty, self.attack)
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


def measure(url: str, games: int, orders: int) -> dict[str, Any]:
    """All figures."""
    store = Store.open(url)
    schema.metadata.create_all(store.engine)
    table = Table(store)
    game, attack = long_battle(4)
    ids = begin_games(table, game, games)
    clients = [Client(table, game_id, attack, orders) for game_id in ids]
    began, used = time.perf_counter(), time.process_time()
    for client in clients:
        client.send()
    for client in clients:
        client.done.wait()
    seconds, used = time.perf_counter() - began, time.process_time() - used
    waited = sorted(wait for client in clients for wait in client.waited)
    total = games * orders
    figures = {
        "store": store.engine.dialect.name,
        "orders": total,
        "orders_per_second": round(total / seconds, 1),
        "cpu_ms_per_order": round(used / total * 1000, 3),
        "median_ms": round(statistics.median(waited) * 1000, 1),
        "p99_ms": round(waited[int(len(waited) * 0.99)] * 1000, 1),
    } | rebuilding(store, ids[0])
    store.close()
    return figures


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
        "rebuild_ms": round(seconds * 1000, 1),
        "rebuild_entries_per_second": round((again.head + 1) / seconds),
        "bytes_a_game": held,
    }


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--orders", type=int, default=40)
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = wishes.url or f"sqlite:///{Path(folder) / 'table.db'}"
        print(json.dumps(measure(url, wishes.games, wishes.orders), indent=2))


if __name__ == "__main__":
    main()
