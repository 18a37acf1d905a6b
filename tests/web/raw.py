"""A client that keeps to no manners: bytes over a socket, and what comes back."""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from tests.web.conftest import Server

SOON = 30.0  # seconds within which the server must have let go


def connected(server: Server, buffer: int = 0) -> socket.socket:
    """A connection; with a small `buffer` it takes little that it does not read."""
    parts = urlsplit(server.url)
    raw = socket.socket()
    if buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    raw.settimeout(SOON)
    raw.connect((parts.hostname, parts.port))
    return raw


def request(method: str, path: str, body: bytes = b"", **headers: object) -> bytes:
    """A request as bytes; headers by their names with `_` for `-`."""
    told = {"host": "x", "content-length": len(body)} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def heard(raw: socket.socket) -> bytes:
    """Everything until the server hangs up; TimeoutError where it does not."""
    parts = []
    try:
        while part := raw.recv(65_536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def is_hung_up(raw: socket.socket, trickle: bytes) -> bool:
    """Whether the server lets go of somebody who sends a little now and then."""
    until = time.monotonic() + SOON
    try:
        while time.monotonic() < until:
            raw.sendall(trickle)
            time.sleep(0.1)
    except OSError:
        return True
    return False


def answer(raw: socket.socket) -> tuple[int, Any]:
    """The status and the body of one answer that says how long it is."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = raw.recv(65_536)
        assert part, got
        got += part
    head, _, body = got.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += raw.recv(65_536)
    return int(head.split()[1]), json.loads(body)


class Listener:
    """A live stream, read in the test's own thread; `close` leaves it."""

    def __init__(self, server: Server, token: str, games: str, after: str = "") -> None:
        self.raw = connected(server)
        path = f"/api/v1/events?games={games}&after={after}"
        who = {"authorization": f"Bearer {token}"} if token else {}
        self.raw.sendall(request("GET", path, b"", connection="close", **who))
        self._lines = self.raw.makefile("rb")
        status = self._lines.readline()
        assert status.startswith(b"HTTP/1.1 200"), status
        self.cursor = after
        self.received = b""

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Everything up to an event of a kind, `end` for the end of the stream, with its cursor."""
        events: list[dict[str, Any]] = []
        latest = time.monotonic() + SOON
        while True:
            assert time.monotonic() < latest, events
            line = self._lines.readline()
            self.received += line
            if line.startswith(b"id: "):
                self.cursor = line[4:].decode().strip()
                if any(event["kind"] == kind for event in events):
                    return events
            elif line.startswith(b"data: "):
                events.append(json.loads(line[6:]))
            elif not line:
                assert kind == "end", events
                return events

    def up_to(self, entry: int) -> list[dict[str, Any]]:
        """Everything up to the facts of an entry."""
        events = self.until("facts")
        while events[-1]["entry"] < entry:
            events += self.until("facts")
        return events

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing but the keeping alive comes for a while; it cannot be read on."""
        self.raw.settimeout(seconds)
        try:
            while line := self._lines.readline():
                if line.startswith(b"data: "):
                    return False
        except TimeoutError:
            return True
        return True

    def close(self) -> None:
        """Leave."""
        self._lines.close()
        self.raw.close()
