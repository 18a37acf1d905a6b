"""One real server on a real port for all tests of the API."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from rubicon.client import Client
from tests.table.conftest import postgres

__all__ = ["postgres"]

LIMITS = (
    "REQUESTS_PER_MINUTE",
    "GUESTS_PER_HOUR",
    "TABLES_PER_HOUR",
    "TABLES_PER_ACCOUNT",
    "CONNECTIONS_PER_ADDRESS",
    "STREAMS_PER_ADDRESS",
)
PROGRAM = [sys.executable, "-m", "rubicon.cli.main", "serve", "--port", "0"]


@dataclass
class Server:
    """A server that runs."""

    url: str
    admin: str
    folder: Path
    process: subprocess.Popen[str]

    def client(self, name: str = "Ann") -> Client:
        """Somebody new."""
        return Client(self.url).guest(name)

    def http(self, **more: object) -> httpx.Client:
        """A plain connection."""
        return httpx.Client(base_url=self.url, timeout=30, **more)  # type: ignore[arg-type]


def start(folder: Path, **environment: str) -> Server:
    """Start one in a folder; what it says first is read."""
    settings = {f"RUBICON_{name}": "0" for name in LIMITS} | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        PROGRAM,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **settings, **environment},
    )
    assert process.stdout is not None
    url, admin = "", ""
    for line in process.stdout:
        if found := re.search(r"serves (http\S+)", line):
            url = found[1]
        if found := re.search(r"shown this once: (\w+)", line):
            admin = found[1]
        if "Games are kept in" in line and (folder / "known").exists():
            break
        if admin:
            break
    (folder / "known").touch()
    assert url
    return Server(url, admin, folder, process)


def stop(server: Server) -> int:
    """End it in good order; its exit status."""
    server.process.send_signal(signal.SIGTERM)
    server.process.communicate(timeout=30)
    return server.process.returncode


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start(tmp_path_factory.mktemp("server"))
    yield running
    stop(running)
