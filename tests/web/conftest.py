"""Servers for the tests: one in this process, and processes of their own that listen on a port."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from rubicon.client import Client
from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.server import Server
from rubicon.server.settings import LIMITS, PREFIX, ServerSettings
from tests.ports import free_port
from tests.table.conftest import postgres  # noqa: F401
from tests.waiting import SOON
from tests.web.in_process import AppThread, AsgiTransport

PROGRAM = [sys.executable, "-m", "rubicon.cli.main", "serve"]
NO_LIMITS: dict[str, Any] = dict.fromkeys(LIMITS, 0)


@dataclass(kw_only=True)
class RunningServer:
    """A server to which clients can connect."""

    url: str
    admin: str  # the admin token
    folder: Path
    transport: httpx.BaseTransport | None = None  # None for a socket

    def connect(self, token: str | None = None) -> Client:
        """A client, with an account if it has a token."""
        return Client(self.url, token, transport=self.transport)

    def client(self, name: str = "Ann") -> Client:
        """A client with a new guest account."""
        return self.connect().guest(name)

    def http(self, **more: Any) -> httpx.Client:
        """A plain HTTP client."""
        return httpx.Client(base_url=self.url, timeout=30, transport=self.transport, **more)


@dataclass(kw_only=True)
class ServerProcess(RunningServer):
    """A server that listens on a port, in a process of its own."""

    process: subprocess.Popen[str] = field(repr=False)
    output: str = ""  # what it wrote after the start, once it is stopped


def start(folder: Path, **environment: str) -> ServerProcess:
    """Start a process in a folder, and wait until it listens."""
    settings = {f"{PREFIX}{name.upper()}": "0" for name in LIMITS}
    settings[f"{PREFIX}PORT"] = str(free_port())
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
        if found := re.search(r"shown only this once: (\w+)", line):
            admin = found[1]
        if "Games are stored in" in line and (folder / "known").exists():
            break
        if admin:
            break
    (folder / "known").touch()
    assert url
    return ServerProcess(url=url, admin=admin, folder=folder, process=process)


def stop(server: ServerProcess) -> int:
    """Stop a process with SIGTERM; returns its exit status."""
    server.process.send_signal(signal.SIGTERM)
    server.output = server.process.communicate(timeout=30)[0]
    return server.process.returncode


@contextlib.contextmanager
def in_process(folder: Path, **settings: Any) -> Iterator[RunningServer]:
    """A server in this process, without limits unless the settings name some."""
    store = {"store": f"sqlite:///{folder}/rubicon.db"}
    server = Server(replace(ServerSettings(), **(store | NO_LIMITS | settings)), game_emails)
    admin = server.accounts.create_admin_token()
    url = "http://rubicon.test"
    server.listening_at(url)
    running = AppThread(server)
    try:
        yield RunningServer(url=url, admin=admin or "", folder=folder, transport=running.transport)
    finally:
        running.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server in this process, shared by all tests that need no other."""
    with in_process(tmp_path_factory.mktemp("server")) as running:
        yield running


class StreamListener:
    """Collects the events of a stream, in a thread of its own."""

    def __init__(self, client: Client, *games: str, after: str = "") -> None:
        self.heard: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        used = client._session.http._transport
        own = Client(
            str(client._session.http.base_url).removesuffix("/").removesuffix("/api/v1"),
            client.token,
            transport=used if isinstance(used, AsgiTransport) else None,
        )
        self._open = threading.Event()
        self._thread = threading.Thread(target=self._listen, args=(own, games, after), daemon=True)
        self._thread.start()
        assert self._open.wait(SOON), "the stream was never opened"

    def _listen(self, client: Client, games: tuple[str, ...], after: str) -> None:
        with contextlib.suppress(httpx.HTTPError), client:
            events = client.events(*games, after=after, opened=True)
            next(events)  # it says that the stream is open
            self._open.set()
            for event in events:
                with self._changed:
                    self.heard.append(event)
                    self._changed.notify_all()
        with self._changed:
            self.heard.append({"kind": "end", "index": -1})
            self._changed.notify_all()

    def wait_for(
        self, test: Callable[[list[dict[str, Any]]], object], seconds: float = SOON
    ) -> None:
        """Wait until the events so far pass a test."""
        with self._changed:
            told = [(event["kind"], event["index"]) for event in self.heard[-30:]]
            assert self._changed.wait_for(lambda: test(self.heard), seconds), told

    def kinds(self) -> list[str]:
        """The kinds of the events so far, in order."""
        return [event["kind"] for event in self.heard]
