"""One real server on a real port for all tests of the API."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from rubicon.client import Client
from rubicon.host.settings import LIMITS, PREFIX
from tests.table.conftest import postgres  # noqa: F401

PROGRAM = [sys.executable, "-m", "rubicon.cli.main", "serve"]


@dataclass
class Server:
    """A server that runs."""

    url: str
    admin: str
    folder: Path
    process: subprocess.Popen[str]
    said: str = ""  # what it said at last

    def client(self, name: str = "Ann") -> Client:
        """Somebody new."""
        return Client(self.url).guest(name)

    def http(self, **more: object) -> httpx.Client:
        """A plain connection."""
        return httpx.Client(base_url=self.url, timeout=30, **more)  # type: ignore[arg-type]


def start(folder: Path, **environment: str) -> Server:
    """Start one in a folder; what it says first is read."""
    settings = {f"{PREFIX}{name.upper()}": "0" for name in (*LIMITS, "port")}
    settings["PYTHONUNBUFFERED"] = "1"
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


class Ear:
    """Somebody who listens to a stream, in a thread of their own."""

    def __init__(self, client: Client, *games: str, after: str = "") -> None:
        self.heard: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        own = Client(
            str(client._http.base_url).removesuffix("/").removesuffix("/api/v1"), client.token
        )
        self._thread = threading.Thread(target=self._listen, args=(own, games, after), daemon=True)
        self._thread.start()
        time.sleep(0.3)  # until the stream stands

    def _listen(self, client: Client, games: tuple[str, ...], after: str) -> None:
        with contextlib.suppress(httpx.HTTPError), client:
            for event in client.events(*games, after=after):
                with self._changed:
                    self.heard.append(event)
                    self._changed.notify_all()
        with self._changed:
            self.heard.append({"kind": "end", "entry": -1})
            self._changed.notify_all()

    def wait_for(self, test: Callable[[list[dict[str, Any]]], object], seconds: float = 30) -> None:
        """Until what was heard is as wished."""
        with self._changed:
            told = [(event["kind"], event["entry"]) for event in self.heard[-30:]]
            assert self._changed.wait_for(lambda: test(self.heard), seconds), told

    def kinds(self) -> list[str]:
        """The kinds of what was heard, in order."""
        return [event["kind"] for event in self.heard]


def stop(server: Server) -> int:
    """End it in good order; its exit status."""
    server.process.send_signal(signal.SIGTERM)
    server.said = server.process.communicate(timeout=30)[0]
    return server.process.returncode


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start(tmp_path_factory.mktemp("server"))
    yield running
    stop(running)
