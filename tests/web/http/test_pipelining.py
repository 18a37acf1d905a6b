"""Pipelined requests are read only as fast as they are answered, and each names one host."""

from __future__ import annotations

import re
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.api.test_api import begun
from tests.web.conftest import ServerProcess, start, stop
from tests.web.http.raw import answer, connected, heard, request

SMALL = b"GET /api/v1/rulesets HTTP/1.1\r\nHost: x\r\n\r\n"
FLOOD = SMALL * (18_000_000 // len(SMALL))
MEMORY = 40 * 1024  # KiB that a flood may cost: less than its bytes and a few responses


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a real socket."""
    running = start(tmp_path_factory.mktemp("pipelining"), RUBICON_REQUEST_TIMEOUT="60")
    yield running
    stop(running)


def resident_kib(server: ServerProcess) -> int:
    """The memory that the server's process holds."""
    status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def test_every_pipelined_request_is_answered_in_order(server: ServerProcess) -> None:
    body = b'{"name": "' + b"x" * 70 + b'"}'  # too long a name: answered with 400
    asks = [
        request("GET", "/healthz"),
        request("POST", "/api/v1/guest", body, content_type="application/json"),
        request("GET", "/nowhere"),
    ] * 40
    with connected(server) as raw:
        raw.sendall(b"".join(asks) + request("GET", "/healthz", connection="close"))
        statuses = re.findall(rb"HTTP/1.1 (\d+) ", heard(raw))
    assert statuses == [b"200", b"400", b"404"] * 40 + [b"200"]


def test_a_long_body_behind_another_request_arrives_whole(server: ServerProcess) -> None:
    body = b'{"name": "' + b"x" * 150_000 + b'"}'
    asks = [request("GET", "/healthz"), request("POST", "/api/v1/guest", body)] * 3
    with connected(server) as raw:
        raw.sendall(b"".join(asks) + request("GET", "/healthz", connection="close"))
        statuses = re.findall(rb"HTTP/1.1 (\d+) ", heard(raw))
    assert statuses == [b"200", b"400"] * 3 + [b"200"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_requests_behind_an_endless_response_are_not_read(server: ServerProcess) -> None:
    with server.client() as ann:
        game = begun(ann)
    with connected(server) as raw:
        raw.sendall(request("GET", f"/api/v1/events?games={game}"))
        assert raw.recv(15) == b"HTTP/1.1 200 OK"
        before = resident_kib(server)
        raw.settimeout(3)
        with pytest.raises(TimeoutError):
            raw.sendall(FLOOD)
        with server.http() as http:
            assert http.get("/healthz").status_code == 200
        assert resident_kib(server) - before < MEMORY


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_flood_of_pipelined_requests_costs_little_memory(server: ServerProcess) -> None:
    before = resident_kib(server)
    with connected(server) as raw:
        raw.settimeout(None)
        sender = threading.Thread(target=_send_until_closed, args=(raw,), daemon=True)
        sender.start()
        answered = 0
        while answered < 3000:
            part = raw.recv(1 << 20)
            assert part
            answered += part.count(b" 200 OK")
        assert sender.is_alive()  # much of the flood is not sent yet
        assert resident_kib(server) - before < MEMORY
        raw.shutdown(socket.SHUT_RDWR)
    sender.join()


def _send_until_closed(raw: socket.socket) -> None:
    try:
        raw.sendall(FLOOD)
    except OSError:
        return


@pytest.mark.parametrize(
    "headers",
    [
        b"",
        b"Host: a\r\nHost: a\r\n",
        b"Host: a\r\nhOsT: b\r\n",
        b"Host: a/b\r\n",
        b"Host: a b\r\n",
        b"Host: a@b\r\n",
    ],
)
def test_a_request_must_name_exactly_one_host(server: ServerProcess, headers: bytes) -> None:
    with connected(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\n" + headers + b"\r\n")
        status, told = answer(raw)
        assert (status, told["code"]) == (400, "request/host")
        assert heard(raw) == b""  # and the connection is closed


@pytest.mark.parametrize("host", [b"x", b"[::1]:8042", b"risk.example.org:443"])
def test_valid_hosts_are_accepted(server: ServerProcess, host: bytes) -> None:
    with connected(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        assert answer(raw)[0] == 200


def test_an_old_client_need_not_name_a_host(server: ServerProcess) -> None:
    with connected(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert answer(raw)[0] == 200


def test_an_upgrade_is_answered_as_a_plain_request(server: ServerProcess) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    with connected(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + upgrade + key + b"\r\n\x81\x05hello")
        response = heard(raw)
    assert response.startswith(b"HTTP/1.1 200 OK")
    assert response.count(b"HTTP/1.1") == 1
