"""What players' clients in the dice cost: prints JSON.

    python benchmarks/dice_orders.py [--orders 200] [--rolls 30] [--checked 10000]

`orders`: orders of one game, each an attack with one roll, through HTTP to a server process on the
same machine, with 0, 1 and 3 clients in each roll (`rubicon.client`, journals on disk).
`attack_line`: one line of orders with `--rolls` rolls and two clients present; `round_trips` are
the requests that the client of the player who attacks sends until the dice are there. `check`: the
time to check a transcript of so many rolls, in which two clients take part, in Python.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx
from sqlalchemy import Connection, insert

from benchmarks.durable_orders import figures_of
from benchmarks.hosting import long_battle, serving
from rubicon.client import Client
from rubicon.dice import example
from rubicon.dice.crypto import LONGEST
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.state import BattleAsk
from rubicon.dice.verify import verify
from rubicon.rules.record import headers_of
from rubicon.server.accounts import Accounts
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate

ROLLS_A_LINE = 3  # of the transcript that is checked


def prepare(store: Store, game_id: str) -> tuple[list[str], str]:
    """Store a game in which one attack can be ordered for ever, with a person on each seat.

    The tokens of the seats, first that of who attacks; and the attack.
    """
    migrate(store)
    game, attack = long_battle()
    headers, accounts = headers_of(game), Accounts(store, ())
    issued = {colour: accounts.create_guest(colour).result() for colour in game.colours}

    def begin(connection: Connection) -> None:
        row = {"id": game_id, "state": "lobby", "title": "", "access": "open", "head": -1}
        row |= {"ruleset": json.dumps(headers), "settings": '{"delay": 0}'}
        connection.execute(insert(schema.game), row | {"created": 0, "changed": 0})
        for number, (colour, one) in enumerate(issued.items()):
            seat = {"number": number, "colour": colour, "account": one.account.id, "name": colour}
            connection.execute(insert(schema.seat), seat | {"game": game_id})
        begin_game(connection, game_id, headers, Settings(delay=0))

    store.write(begin).result()
    first = str(game.turn)
    others = [one.token for colour, one in issued.items() if colour != first]
    return [issued[first].token, *others], attack


class Counter(httpx.HTTPTransport):
    """Counts the requests of one client, but for the stream that stays open."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        self.sent += not request.url.path.endswith("/events")
        return super().handle_request(request)


def measure_orders(folder: Path, clients: int, orders: int, rolls: int) -> dict[str, Any]:
    """Orders a second with so many clients; and one line of `rolls` rolls, unless it is 0."""
    url, game = f"sqlite:///{folder / f'table{clients}.db'}", f"dice{clients}"
    store = Store.open(url)
    tokens, attack = prepare(store, game)
    store.close()
    with ExitStack() as stack:
        port, _ = stack.enter_context(serving(url))
        counter = Counter()
        people = [
            stack.enter_context(
                Client(f"http://127.0.0.1:{port}", token, transport=None if number else counter)
            )
            for number, token in enumerate(tokens)
        ]
        for number, one in enumerate(people[:clients]):
            one.take_part(game, folder / f"{clients}-{number}.jsonl")
        decision = people[0].game(game)["decision"]
        if rolls:
            decision = people[0].submit(game, decision, attack)["decision"]
            text = attack.removeprefix("attack ").partition(" dice")[0]
            before, began = counter.sent, time.perf_counter()
            text = f"ATTACK {text} DICE 3 UNTIL ROUNDS {rolls}"
            receipt = people[0].submit(game, decision, text, orders=True)
            seconds = time.perf_counter() - began
            answers = people[0].transcript(game).count('"battle":[[')
            return {
                "clients": clients,
                "rolls": answers,
                "status": receipt["status"],
                "round_trips": counter.sent - before - 1,  # not counting the look at the end
                "milliseconds": round(seconds * 1000, 1),
            }
        waited = []
        began = time.perf_counter()
        for _ in range(orders):
            sent = time.perf_counter()
            decision = people[0].submit(game, decision, attack)["decision"]
            waited.append(time.perf_counter() - sent)
        return {"clients": clients} | figures_of(waited, time.perf_counter() - began)


def long_transcript(rolls: int) -> list[Entry]:
    """A transcript of so many rolls, in which two clients take part."""
    example.LENGTH = LONGEST
    table = example.ExampleTable()
    for line in range(rolls // ROLLS_A_LINE):
        asks = [BattleAsk(3, 2)] * ROLLS_A_LINE
        table.roll(("red", line + 1, "attack"), *asks, rolls=ROLLS_A_LINE)
    table.end()
    return table.entries


def measure_check(rolls: int) -> dict[str, Any]:
    """The time to check a transcript of so many rolls."""
    entries = long_transcript(rolls)
    began = time.perf_counter()
    verdict = verify(entries)
    seconds = time.perf_counter() - began
    assert verdict.ok, verdict.fault
    return {"rolls": verdict.draws, "requests": verdict.requests, "seconds": round(seconds, 3)}


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--rolls", type=int, default=30)
    parser.add_argument("--checked", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            "orders": [measure_orders(folder, each, arguments.orders, 0) for each in (0, 1, 3)],
            "attack_line": measure_orders(folder, 2, 0, arguments.rolls),
            "check": measure_check(arguments.checked),
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
