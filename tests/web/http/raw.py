"""Bytes over a socket, for clients that do not follow the protocol."""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from tests.web.conftest import ServerProcess

SOON = 30.0  # seconds within which the server must close the connection


def connected(server: ServerProcess, buffer: int = 0) -> socket.socket:
    """A connection; a small receive `buffer` fills soon if the client does not read."""
    parts = urlsplit(server.url)
    raw = socket.socket()
    if buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    raw.settimeout(SOON)
    raw.connect((parts.hostname, parts.port))
    return raw


def request(method: str, path: str, body: bytes = b"", **headers: object) -> bytes:
    """A request as bytes; headers by their names with `_` for `-`."""
    all_headers = {"host": "x", "content-length": len(body)} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = [
        f"{method} {path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in all_headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def heard(raw: socket.socket) -> bytes:
    """Everything until the server closes the connection; TimeoutError if it does not."""
    parts = []
    try:
        while part := raw.recv(65_536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def is_hung_up(raw: socket.socket, trickle: bytes) -> bool:
    """Whether the server closes a connection on which a little is sent now and then."""
    until = time.monotonic() + SOON
    try:
        while time.monotonic() < until:
            raw.sendall(trickle)
            time.sleep(0.1)
    except OSError:
        return True
    return False


def answer(raw: socket.socket) -> tuple[int, Any]:
    """The status and JSON body of one response with a content length."""
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
