"""Hosted games to measure with: a long battle in each of them, a server, and connections to it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from rubicon.engine.chance import generator
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.accounts import Accounts
from rubicon.server.settings import LIMITS, PREFIX
from rubicon.table.commands.submit import Submission
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService

ARMIES = 900_000  # on both sides of the border, so that every game lasts
SEATS = 4
SERVE = [sys.executable, "-m", "rubicon.cli.main", "serve", "--port", "0", "--store"]


@dataclass
class Mover:
    """A player who may attack for ever: the game, the seat, the access token and the action."""

    game: str
    seat: str
    token: str
    attack: str


def long_battle(seats: int = SEATS) -> tuple[Game, str]:
    """A position in which one attack can be ordered for ever, and that attack."""
    ruleset, rng = Ruleset.load("classic"), generator(1)
    game = Game.new(ruleset, seats)
    bots = {colour: Player("greedy", colour, seed=1) for colour in game.colours}
    while not (attacks := [a for a in map(str, game.legal) if a.startswith("attack")]):
        while game.pending:
            game.settle(game.sample(rng))
        game.play(bots[game.actors[0]].decide(game))
    _, source, _, target, *_ = attacks[0].split()
    for territory in (source, target):
        game.position.armies[game.territories.index(territory)] = ARMIES
    return Game.from_position(ruleset, game.position), f"attack {source} -> {target} dice 3"


def prepare(store: Store, count: int) -> list[Mover]:
    """Store `count` games in that position, each with an account on the seat that attacks.

    The games' ids are new, so that a database can be measured more than once.
    """
    migrate(store)
    game, attack = long_battle()
    headers, turn = headers_of(game), str(game.turn)
    issued = Accounts(store, ()).create_guest("Ann").result()
    run = secrets.token_hex(3)
    movers = [Mover(f"{run}{number}", turn, issued.token, attack) for number in range(count)]

    def begin(connection: Connection) -> None:
        for mover in movers:
            row = {"id": mover.game, "state": "lobby", "title": "", "access": "open", "head": -1}
            row |= {"ruleset": json.dumps(headers), "settings": '{"delay": 0}'}
            connection.execute(insert(schema.game), row | {"created": 0, "changed": 0})
            for number, colour in enumerate(game.colours):
                account = issued.account.id if colour == turn else None
                seat = {"number": number, "colour": colour, "account": account, "name": colour}
                connection.execute(insert(schema.seat), seat | {"game": mover.game})
            begin_game(connection, mover.game, headers, Settings(delay=0))

    store.write(begin).result()
    return movers


def play(store: Store, movers: list[Mover], orders: int) -> None:
    """Let every game have a history of so many orders, each with its roll."""
    table = TableService(store)
    for _ in range(orders):
        decisions = [table.snapshot(mover.game).decisions[mover.seat] for mover in movers]
        submitted = [
            table.submit(Submission(mover.game, mover.seat, decision, mover.attack))
            for mover, decision in zip(movers, decisions, strict=True)
        ]
        for receipt in submitted:
            receipt.result()


@contextmanager
def serving(url: str) -> Iterator[tuple[str, int]]:
    """A server of its own process on a store; its port, and its process id."""
    without = {f"{PREFIX}{limit.upper()}": "0" for limit in LIMITS}
    environment = {**os.environ, **without, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*SERVE, url],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=Path(__file__).parent,
    )
    try:
        assert process.stdout is not None
        port = next(
            found[1] for line in process.stdout if (found := re.search(r"serves .*:(\d+)", line))
        )
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


class Caller:
    """One connection that stays open: as little work a request as a client can have."""

    def __init__(self, port: str, token: str = "") -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n" if token else ""
        self.head = self.head or "Host: 127.0.0.1\r\n"

    async def open(self) -> Caller:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", int(self.port))
        return self

    async def get(self, path: str) -> Any:
        """The JSON response of a GET request."""
        self.writer.write(f"GET {path} HTTP/1.1\r\n{self.head}\r\n".encode())
        return await self._answer()

    async def post(self, path: str, form: object) -> Any:
        """Send a form."""
        body = json.dumps(form)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(f"POST {path} HTTP/1.1\r\n{self.head}{kind}\r\n{body}".encode())
        return await self._answer()

    async def _answer(self) -> Any:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        assert length is not None, head
        body = json.loads(await self.reader.readexactly(int(length[1])))
        assert head.split(b" ", 2)[1] in (b"200", b"201"), body
        return body


def resident_kib(process: int) -> int:
    """The memory that a process holds (Linux)."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def used_seconds(process: int) -> float:
    """The processor time that a process has used so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
