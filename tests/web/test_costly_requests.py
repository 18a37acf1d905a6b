"""Costly requests of some clients leave the server to all others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from rubicon.server.work import MOST_EACH
from tests.waiting import until
from tests.web.api.test_api import begun, play
from tests.web.conftest import ServerProcess, start, stop
from tests.web.http.raw import connected, request
from tests.web.test_faults import open_streams

CONNECTIONS = 40
MANY_ORDERS = "\n".join(f"attack alaska -> kamchatka until left {left}" for left in range(2, 190))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a real socket."""
    running = start(tmp_path_factory.mktemp("costly"))
    yield running
    stop(running)


class Flood:
    """Many connections that send the same request until they are stopped."""

    def __init__(
        self, server: ServerProcess, token: str | None, *request: Any, **form: Any
    ) -> None:
        self.answers: list[httpx.Response] = []
        self._stopped = threading.Event()
        self._asked = server, token, request, form
        self._threads = [threading.Thread(target=self._ask) for _ in range(CONNECTIONS)]

    def _ask(self) -> None:
        server, token, request, form = self._asked
        with server.http(headers={"authorization": f"Bearer {token}"} if token else {}) as http:
            while not self._stopped.is_set():
                self.answers.append(http.request(*request, **form))

    def __enter__(self) -> Flood:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def seen(self, status: int) -> bool:
        """Whether a request was answered with this status."""
        return any(answer.status_code == status for answer in self.answers)


def test_previews_of_one_account_leave_the_server_to_others(server: ServerProcess) -> None:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.http() as http:
        game, others = begun(ann, board="world"), begun(bob)
        ann.wait(game)
        path = f"/api/v1/games/{game}/orders/preview"
        with Flood(server, ann.token, "POST", path, json={"text": MANY_ORDERS}) as flood:
            until(lambda: flood.seen(429))
            assert http.get("/healthz").status_code == 200
            assert play(bob, others, 5) == 5
            preview = bob._session.post(f"/games/{others}/orders/preview", text="end turn")
            assert preview["orders"] == "END TURN"
        refused = next(answer for answer in flood.answers if answer.status_code == 429)
        assert refused.json()["code"] == "work/busy"
        assert str(MOST_EACH) in refused.json()["message"]
        assert refused.headers["retry-after"] == "1"
        # What is too large for a preview is refused with 400, however many ask.
        assert {answer.status_code for answer in flood.answers} <= {200, 400, 429, 503}


def test_downloads_of_records_leave_the_server_to_others(server: ServerProcess) -> None:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.http() as http:
        game, others = begun(ann), begun(bob)
        play(ann, game)
        with Flood(server, None, "GET", f"/api/v1/games/{game}/record") as flood:
            until(lambda: flood.seen(200))
            assert http.get("/healthz").status_code == 200
            assert play(bob, others, 5) == 5
        assert {answer.status_code for answer in flood.answers} <= {200, 429, 503}
        records = {answer.text for answer in flood.answers if answer.status_code == 200}
        assert records == {ann.record(game)}


def test_odds_of_large_battles_leave_the_server_to_others(server: ServerProcess) -> None:
    with server.client("Bob") as bob, server.http() as http:
        game = begun(bob)
        query: dict[str, Any] = {"attack": 300, "defend": [25] * 12}
        with Flood(server, None, "GET", "/api/v1/odds", params=query) as flood:
            until(lambda: flood.seen(429))
            assert http.get("/healthz").status_code == 200
            assert play(bob, game, 5) == 5
        assert {answer.status_code for answer in flood.answers} <= {200, 429, 503}
        assert flood.seen(200)


def test_a_stream_ends_when_its_client_leaves_a_request_behind(server: ServerProcess) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        until(lambda: open_streams(http) == 0)  # those of earlier tests are still closing
        with connected(server) as raw:
            raw.sendall(request("GET", f"/api/v1/events?games={game}"))
            assert raw.recv(15) == b"HTTP/1.1 200 OK"
            assert open_streams(http) == 1
            raw.sendall(request("GET", "/healthz"))

        def ended() -> bool:  # what is sent to a connection that is gone shows that it is
            play(ann, game, 1)
            return open_streams(http) == 0

        until(ended)
        assert open_streams(http) == 0
