"""How long others wait while hostile clients ask for costly work: prints JSON.

    python benchmarks/hostile_clients.py [--connections 40] [--orders 3000] [--seconds 15]

Somebody else submits attacks and asks for /healthz all the time: alone, while `--connections` of
one account send the worst valid order texts, while as many strangers download the record of a
finished game of `--orders` attacks, and while one connection pipelines 18 MB of requests.
`…_p99_ms` is the 99th percentile of their waits; `answers` counts what the hostile clients got, by
status.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hosting import Mover, play, prepare, resident_kib, serving
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService

PIPELINED = b"GET /api/v1/rulesets HTTP/1.1\r\nHost: x\r\n\r\n"
FLOOD = 18_000_000  # bytes
START = 2.0  # seconds until the process of the hostile clients has started


class Asker:
    """A connection that accepts every status."""

    def __init__(self, port: str, token: str = "") -> None:
        self.port = port
        self.head = "Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
        self.head += f"Authorization: Bearer {token}\r\n" if token else ""
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, form: object = None) -> tuple[int, bytes]:
        """The status and body of a response."""
        if self.writer is None:
            connection = asyncio.open_connection("127.0.0.1", int(self.port), limit=1 << 24)
            self.reader, self.writer = await connection
        body = "" if form is None else json.dumps(form)
        method = "GET" if form is None else "POST"
        length = f"Content-Length: {len(body)}\r\n"
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{length}\r\n{body}".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        size = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
        return int(head.split(b" ", 2)[1]), await self.reader.readexactly(size)


async def move(port: str, mover: Mover, until: float) -> list[float]:
    """Attack again and again; the seconds that each took."""
    asker, waits = Asker(port, mover.token), []
    shown = json.loads((await asker.ask(f"/api/v1/games/{mover.game}"))[1])
    decision = shown["decision"]
    while time.monotonic() < until:
        form = {"decision": decision, "text": mover.attack}
        sent = time.perf_counter()
        status, body = await asker.ask(f"/api/v1/games/{mover.game}/submit", form)
        waits.append(time.perf_counter() - sent)
        assert status == 200, body
        decision = json.loads(body)["decision"]
    return waits


async def check_health(port: str, until: float) -> list[float]:
    """Ask for /healthz again and again; the seconds that each took."""
    asker, waits = Asker(port), []
    while time.monotonic() < until:
        sent = time.perf_counter()
        assert (await asker.ask("/healthz"))[0] == 200
        waits.append(time.perf_counter() - sent)
        await asyncio.sleep(0.01)
    return waits


async def repeat(
    asker: Asker, path: str, form: object, until: float, answers: Counter[int]
) -> None:
    """Ask for the same again and again, without a pause."""
    while time.monotonic() < until:
        answers[(await asker.ask(path, form))[0]] += 1


def pipeline(port: str, until: float, answers: Counter[int]) -> None:
    """Send 18 MB of requests, and read the responses."""
    with socket.create_connection(("127.0.0.1", int(port))) as raw:
        raw.settimeout(1.0)
        requests = PIPELINED * (FLOOD // len(PIPELINED))
        sender = threading.Thread(target=_send, args=(raw, requests), daemon=True)
        sender.start()
        while time.monotonic() < until:
            with suppress(TimeoutError):
                answers[200] += raw.recv(1 << 20).count(b" 200 OK")
        raw.shutdown(socket.SHUT_RDWR)
        sender.join()


def _send(raw: socket.socket, requests: bytes) -> None:
    at = 0
    with suppress(OSError):
        while at < len(requests):
            with suppress(TimeoutError):
                at += raw.send(requests[at : at + 65_536])


@dataclass
class Attack:
    """What hostile clients ask for: each of `asks` is a token, a path and a form; or pipelining."""

    asks: list[tuple[str, str, object]]
    pipelined: bool = False

    def run(self, port: str, seconds: float, answers: Queue[dict[int, int]]) -> None:
        """Ask until the time is over, in a process of its own; puts the number by status."""
        counts, until = Counter[int](), time.monotonic() + seconds
        if self.pipelined:
            pipeline(port, until, counts)
        asyncio.run(self._ask(port, until, counts))
        answers.put(dict(counts))

    async def _ask(self, port: str, until: float, counts: Counter[int]) -> None:
        asking = (
            repeat(Asker(port, token), path, form, until, counts) for token, path, form in self.asks
        )
        await asyncio.gather(*asking, return_exceptions=True)


async def waits_during(
    port: str, process: int, victim: Mover, seconds: float, attack: Attack
) -> dict[str, Any]:
    """The waits of the others during an attack."""
    before, context = resident_kib(process), multiprocessing.get_context("spawn")
    answers: Queue[dict[int, int]] = context.Queue()
    hostile = context.Process(target=attack.run, args=(port, seconds + START, answers))
    hostile.start()
    await asyncio.sleep(START)
    until = time.monotonic() + seconds - 1
    moves, health = await asyncio.gather(move(port, victim, until), check_health(port, until))
    held = resident_kib(process)
    counts = await asyncio.to_thread(answers.get)
    hostile.join()
    return {
        "moves": len(moves),
        "move_p99_ms": p99_ms(moves),
        "move_most_ms": round(max(moves) * 1000),
        "healthz_p99_ms": p99_ms(health),
        "healthz_most_ms": round(max(health) * 1000),
        "more_memory_mib": round((held - before) / 1024),
        "answers": counts,
    }


def p99_ms(waits: list[float]) -> float:
    """The 99th percentile in milliseconds."""
    return round(sorted(waits)[int(len(waits) * 0.99)] * 1000, 1)


def worst_orders(mover: Mover) -> str:
    """A valid text whose preview takes as long as the limits of work allow."""
    _, source, _, target, *_ = mover.attack.split()
    lines = [f"attack {source} -> {target} until left {left}" for left in range(3, 190)]
    return "\n".join(lines)


def prepare_all(url: str, orders: int) -> tuple[Mover, Mover, Mover]:
    """The attacker's game, that of somebody else, and a finished one with a long record."""
    store = Store.open(url)
    (hostile,), (victim,), (finished,) = (prepare(store, 1) for _ in range(3))
    play(store, [finished], orders)
    table = TableService(store)
    seats = table.snapshot(finished.game).game().colours
    for seat in seats:
        if seat != finished.seat:
            table.out_of_turn(finished.game, seat, f"resign {seat}").result()
    assert table.snapshot(finished.game).ending is not None
    store.close()
    return hostile, victim, finished


async def measure(port: str, process: int, games: Any, arguments: Any) -> dict[str, Any]:
    """All figures of a running server."""
    hostile, victim, finished = games
    count, form = arguments.connections, {"text": worst_orders(hostile)}
    routes = [f"/api/v1/games/{hostile.game}/orders/{kind}" for kind in ("preview", "explain")]
    tokens = []
    for number in range(count):
        guest = await Asker(port).ask("/api/v1/guest", {"name": f"Guest {number}"})
        tokens.append(json.loads(guest[1])["token"])

    record = f"/api/v1/games/{finished.game}/"
    attacks = {
        "alone": Attack([]),
        "order_texts": Attack([(hostile.token, routes[n % 2], form) for n in range(count)]),
        "records": Attack(
            [(t, record + ("record", "transcript")[n % 2], None) for n, t in enumerate(tokens)]
        ),
        "pipelined": Attack([], pipelined=True),
    }
    return {
        name: await waits_during(port, process, victim, arguments.seconds, attack)
        for name, attack in attacks.items()
    }


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--connections", type=int, default=40)
    parser.add_argument("--orders", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=15.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'table.db'}"
        games = prepare_all(url, arguments.orders)
        with serving(url) as (port, process):
            figures = asyncio.run(measure(port, process, games, arguments))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
