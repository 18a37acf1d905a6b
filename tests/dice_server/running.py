"""A dice server in a process of its own, which can be killed and started again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from rubicon.dice.dice_server import PublicLog
from rubicon.server.dice_server import RemoteDiceServer
from tests.ports import free_port

PROGRAM = [sys.executable, "-m", "rubicon.cli.main", "dice", "serve"]
LONGEST_STOP = 30  # seconds


class DiceServerProcess:
    """`rubicon dice serve` in a folder; a restart listens on the same port."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self._settings = {"PORT": str(free_port()), "REQUESTS_PER_MINUTE": "0"} | settings
        self.url = self.key = ""
        self.clients: list[RemoteDiceServer] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        settings = {f"RUBICON_DICE_{name}": value for name, value in self._settings.items()}
        self.process = subprocess.Popen(
            PROGRAM,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **settings},
        )
        assert self.process.stdout is not None
        told = "".join(self.process.stdout.readline() for _ in range(3))
        found = re.search(r"answers at (http\S+:(\d+))\n.*\nPublic key: (\w+)", told)
        assert found, told
        self.url, self._settings["PORT"], self.key = found.groups()

    def kill(self) -> None:
        """Kill it in the middle of whatever it does."""
        self.process.kill()
        self._wait()

    def stop(self) -> int:
        """Stop it with SIGTERM; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._wait()

    def _wait(self) -> int:
        self.process.communicate(timeout=LONGEST_STOP)
        return self.process.returncode

    def http(self, **more: Any) -> httpx.Client:
        """A plain HTTP client."""
        return httpx.Client(base_url=f"{self.url}/v1", timeout=30, **more)

    def log(self, game: str) -> PublicLog:
        """The whole public log of a game."""
        with self.http() as http:
            log = part = self._part(http, game, -1)
            while part.answered and log.answered[-1].n + 1 < part.total:
                part = self._part(http, game, log.answered[-1].n)
                log = log.joined(part)
        return log

    def _part(self, http: httpx.Client, game: str, after: int) -> PublicLog:
        found = http.get(f"/games/{game}/log", params={"after": after})
        assert found.status_code == 200, found.text
        return PublicLog.read_alone(found.json(), "log")

    def client(self, token: str = "") -> RemoteDiceServer:
        """The table's side, which takes any key."""
        client = RemoteDiceServer(self.url, lambda key: key, token)
        self.clients.append(client)
        return client


@contextlib.contextmanager
def dice_server(folder: Path, **settings: str) -> Iterator[DiceServerProcess]:
    """A dice server until the end of the block."""
    running = DiceServerProcess(folder, **settings)
    try:
        yield running
    finally:
        for client in running.clients:
            client.close()
        if running.process.poll() is None:
            running.stop()
