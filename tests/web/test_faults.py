"""Hostile clients: invalid requests are refused, and held connections are closed."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from rubicon.client import ApiError, Client
from tests.conftest import FULL
from tests.waiting import until
from tests.web.api.test_api import SMALL, begun
from tests.web.conftest import RunningServer, ServerProcess, in_process, start, stop
from tests.web.http.raw import answer, connected, heard, is_hung_up, request

MEGABYTE = 1_000_000
DEEP = b"[" * 50_000 + b"]" * 50_000
IDLE, STREAMS = (1000, 1000) if FULL else (60, 60)
FEW = {"REQUEST_TIMEOUT": "1", "CONNECTIONS_PER_ADDRESS": "8", "STREAMS_PER_ADDRESS": "2"}
SELDOM = {"guests_per_hour": 6, "tables_per_hour": 4, "tables_per_account": 2}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a real socket."""
    running = start(tmp_path_factory.mktemp("socket"))
    yield running
    stop(running)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose patience is a second, and which takes little at once from one address."""
    running = start(tmp_path_factory.mktemp("hasty"), **settings(FEW))
    yield running
    stop(running)


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[RunningServer]:
    """A server on which one address can create few accounts and tables."""
    with in_process(tmp_path, **SELDOM) as running:
        yield running


def settings(values: dict[str, str]) -> dict[str, str]:
    """As they stand in the environment."""
    return {f"RUBICON_{name}": value for name, value in values.items()}


def well(server: ServerProcess) -> bool:
    """Whether the server answers as if nothing had happened."""
    with server.http() as http:
        return http.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tables/", b'{"options": {"a": ' + DEEP + b"}}"),
        ("tables/", b'{"settings": ' + b'{"a":' * 20_000 + b"1" + b"}" * 20_000 + b"}"),
        ("tables/", b'{"options": {"a": 1e999}}'),
        ("tables/", b'{"options": {"a": NaN}}'),
        ("tables/", b'{"seats": 99999999999999999999999999}'),
        ("tables/", b'{"seats": -1}'),
        ("tables/", b'{"settings": {"decision_time": 1e300}}'),
        ("tables/", b'{"ruleset": "../../../etc/passwd"}'),
        ("tables/", b'{"board": "/etc/passwd"}'),
        ("guest", b'{"name": "\\ud800"}'),
        ("guest", b'{"name": "\\u0000"}'),
        ("guest", b'{"name": "\xff"}'),
        ("guest", b""),
        ("guest", b"null"),
        ("guest", b'{"name": "Ann"} {"name": "Bob"}'),
        ("games/{game}/submit", b'{"decision": 1e30, "text": "end turn"}'),
        ("games/{game}/submit", b'{"decision": 99999999999999999999, "text": "end turn"}'),
        ("games/{game}/submit", b'{"decision": %d, "text": "place skye 99999999999999999999"}'),
        ("games/{game}/submit", b'{"decision": %d, "text": "' + b"IF " * 20_000 + b'"}'),
        ("games/{game}/vote", b'{"motion": "fork 99999999999999999999999"}'),
        ("games/{game}/absence", b'{"text": "9999-12-31 9999-12-31"}'),
        ("games/{game}/absence", b'{"text": "0001-01-01 9999-12-31"}'),
        ("games/{game}/dice", b'{"index": 2147483648, "outcome": ""}'),
        ("games/{game}/orders/preview", b'{"text": "' + b"(" * 60_000 + b'"}'),
    ],
)
def test_hostile_values_are_refused(
    server: ServerProcess, playing: tuple[Client, str], path: str, body: bytes
) -> None:
    ann, game = playing
    if b"%d" in body:
        body = body.replace(b"%d", str(ann.game(game)["decision"]).encode())
    headers = {"authorization": f"Bearer {ann.token}"}
    with server.http(headers=headers) as http:
        refused = http.post(f"/api/v1/{path.format(game=game)}", content=body)
    assert refused.status_code in (400, 404, 409, 413, 422)
    assert {"code", "message", "suggestion"} <= refused.json().keys()


@pytest.fixture(scope="module")
def playing(server: ServerProcess) -> Iterator[tuple[Client, str]]:
    """Somebody at a game that waits for them."""
    with server.client() as ann:
        game = begun(ann)
        ann.wait(game)
        yield ann, game


@pytest.mark.parametrize("name", ["../../../etc/passwd", "/etc/hostname", "\0", "rubicon.toml"])
def test_names_of_files_are_never_opened(server: ServerProcess, name: str) -> None:
    with server.http() as http:
        odds = http.get("/api/v1/odds", params={"attack": 3, "defend": 2, "ruleset": name})
    assert (odds.status_code, odds.json()["code"]) == (404, "ruleset/unknown-preset")


def test_other_methods_are_refused(server: ServerProcess) -> None:
    with server.http() as http:
        for method in ("PUT", "TRACE", "OPTIONS", "PATCH", "PROPFIND"):
            refused = http.request(method, "/api/v1/guest")
            assert refused.status_code == (204 if method == "OPTIONS" else 405), method


def test_a_head_that_is_too_large_is_refused(server: ServerProcess) -> None:
    for filler in (b"x: " + b"y" * MEGABYTE, b"x: y\r\n" * 100_000, b"x" * MEGABYTE):
        with connected(server) as raw:
            try:
                raw.sendall(b"GET / HTTP/1.1\r\n" + filler + b"\r\n\r\n")
            except ConnectionError:
                continue  # it hung up before it had all
            assert heard(raw).startswith((b"HTTP/1.1 431", b"HTTP/1.1 400")) or not heard(raw)
    with server.http() as http:
        refused = http.get("/healthz", headers={"x": "y" * 40_000})
        assert (refused.status_code, refused.json()["code"]) == (431, "http/431")
    assert well(server)


def test_bodies_without_a_content_length_are_limited(server: ServerProcess) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with connected(server) as raw:
        raw.sendall(b"POST /api/v1/guest HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        try:
            for _ in range(160):
                raw.sendall(chunk)
        except ConnectionError:
            pass
        status, told = answer(raw)
        assert (status, told["code"]) == (413, "http/413")
    assert well(server)


def test_bytes_that_are_no_request_get_an_error_in_the_common_shape(server: ServerProcess) -> None:
    with connected(server) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00" + b"\0" * 200)
        status, told = answer(raw)
    assert (status, told["code"]) == (400, "http/400")
    with connected(server) as raw:
        raw.sendall(b"POST /api/v1/guest HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n")
        raw.sendall(b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n")
        assert b" 200 " not in heard(raw)


@pytest.mark.parametrize(
    ("beginning", "trickle"),
    [
        (b"", b"\r\n"),
        (b"GET / HTTP/1.1\r\n", b"x"),
        (b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", b"\r\n"),
        (request("POST", "/api/v1/guest", content_length=1000), b" "),
        (
            b"POST /api/v1/guest HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n",
            b"1\r\nx\r\n",
        ),
        (b"POST /x HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n", b" "),
        (request("POST", "/nowhere", content_length=10 * MEGABYTE), b" " * 100),
    ],
)
def test_slow_senders_are_disconnected(
    hasty: ServerProcess, beginning: bytes, trickle: bytes
) -> None:
    with connected(hasty) as raw:
        raw.sendall(beginning)
        assert is_hung_up(raw, trickle)


def test_silent_connections_are_closed(hasty: ServerProcess) -> None:
    with connected(hasty) as raw:
        assert heard(raw) == b""


def test_clients_that_do_not_read_are_disconnected(hasty: ServerProcess) -> None:
    ask = request("GET", "/api/v1/schema/openapi.json")
    with connected(hasty, buffer=4096) as raw:
        assert is_hung_up(raw, ask * 20)
    assert well(hasty)


def test_a_stream_that_is_not_read_ends(hasty: ServerProcess) -> None:
    with hasty.client() as ann, hasty.http() as http:
        game = begun(ann)
        until(lambda: not open_streams(http))  # those of earlier tests are still closing
        with connected(hasty) as raw:
            raw.sendall(request("GET", f"/api/v1/events?games={game}", connection="close"))
            raw.recv(100)
            assert open_streams(http) == 1
        ann.wait(game)
        ann._session.post(f"/games/{game}/chat", text="Is anybody there?")
        while open_streams(http):
            continue
    assert well(hasty)


def open_streams(http: httpx.Client) -> int:
    """How many streams the server has."""
    found = re.search(r"^rubicon_event_streams (\d+)", http.get("/metrics").text, re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_idle_connections_and_streams_do_not_disturb_players(server: ServerProcess) -> None:
    idle: list[socket.socket] = []
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        turn = ann.wait(game)
        until(lambda: not open_streams(http))  # those of earlier tests are still closing
        ask = request("GET", f"/api/v1/events?games={game}")
        try:
            for number in range(IDLE + STREAMS):
                raw = connected(server)
                idle.append(raw)
                raw.sendall(ask if number < STREAMS else b"GET / HTTP/1.1\r\n")
            for raw in idle[:STREAMS]:
                assert raw.recv(15) == b"HTTP/1.1 200 OK"
            assert open_streams(http) == STREAMS
            assert turn is not None
            receipt = ann.submit(game, turn.decision, turn.legal[0])
            head = ann.game(game)["index"]
            assert head >= receipt["last"]
            for raw in idle[:STREAMS]:
                got = b""
                while b'"kind":"events"' not in got:
                    piece = raw.recv(65_536)
                    assert piece, got
                    got += piece
        finally:
            for raw in idle:
                raw.close()
    assert well(server)


def test_connections_and_streams_of_one_address_are_limited(hasty: ServerProcess) -> None:
    with hasty.client() as ann:
        game = begun(ann)
    ask = request("GET", f"/api/v1/events?games={game}")
    listening = [connected(hasty) for _ in range(3)]
    for raw in listening:
        raw.sendall(ask)
    lines = sorted(raw.recv(65_536).split(b"\r\n")[0] for raw in listening)
    assert lines == [b"HTTP/1.1 200 OK", b"HTTP/1.1 200 OK", b"HTTP/1.1 429 Too Many Requests"]
    more = [connected(hasty) for _ in range(20)]
    refused = [raw for raw in more if b"too-many-connections" in raw.recv(1000)]
    assert len(refused) >= len(listening) + len(more) - int(FEW["CONNECTIONS_PER_ADDRESS"])
    for raw in listening + more:
        raw.close()
    with hasty.http() as http:
        while http.get("/healthz").status_code == 429:
            continue
        assert http.get("/healthz").status_code == 200


def test_accounts_and_tables_of_one_address_are_limited(strict: RunningServer) -> None:
    with strict.client() as ann:
        for _ in range(2):
            ann.open_table(**SMALL)
        with pytest.raises(ApiError) as refused:
            ann.open_table(**SMALL)
        assert (refused.value.status, refused.value.code) == (400, "lobby/too-many")
        with strict.client("Bob") as bob:
            bob.open_table(**SMALL)
            with pytest.raises(ApiError) as refused:
                bob.open_table(**SMALL)
        assert (refused.value.status, refused.value.code) == (429, "request/rate-limited")
        with strict.http() as http:
            statuses = [
                http.post("/api/v1/guest", json={"name": "Eve"}).status_code for _ in range(20)
            ]
        assert statuses.count(201) == SELDOM["guests_per_hour"] - 2
        assert statuses[-1] == 429
        assert ann.me()["name"] == "Ann"


def test_chat_lines_are_limited(server: ServerProcess) -> None:
    with server.client() as ann:
        game = begun(ann)
        with server.http(headers={"authorization": f"Bearer {ann.token}"}) as http:
            path = f"/api/v1/games/{game}/chat"
            said = [http.post(path, json={"text": "spam"}) for _ in range(30)]
        assert sum(line.status_code == 201 for line in said) == 10
        assert said[-1].json()["code"] == "chat/too-fast"


def test_a_submission_without_a_read_response_is_done_once(
    server: ServerProcess,
) -> None:
    with server.client() as ann:
        game = begun(ann)
        for _ in range(10):
            turn = ann.wait(game)
            assert turn is not None
            head = {"authorization": f"Bearer {ann.token}"}
            body = json.dumps({"decision": turn.decision, "text": turn.legal[0]}).encode()
            with connected(server) as raw:
                raw.sendall(request("POST", f"/api/v1/games/{game}/submit", body, **head))
            receipt = ann.submit(game, turn.decision, turn.legal[0])
            assert receipt["answered"] == turn.decision
            again = ann.submit(game, turn.decision, turn.legal[0])
            assert (again["first"], again["last"]) == (receipt["first"], receipt["last"])


def test_a_page_of_another_site_cannot_create_a_guest(server: ServerProcess) -> None:
    there = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    with server.http() as browser:
        refused = browser.post("/api/v1/guest", json={"name": "Eve"}, headers=there)
        assert (refused.status_code, refused.json()["code"]) == (403, "request/cross-site")
        assert "set-cookie" not in refused.headers
        made = browser.post("/api/v1/guest", json={"name": "Eve"}, headers={"origin": server.url})
        assert made.status_code == 201


def test_garbage_bytes_do_not_harm_the_server(server: ServerProcess) -> None:
    parts = urlsplit(server.url)
    assert parts.hostname is not None
    for garbage in (
        b"\0" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/guest HTTP/1.1\r\n",
        b"x",
    ):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as raw:
            raw.sendall(garbage)
    with server.http() as http:
        assert http.get("/healthz").status_code == 200
