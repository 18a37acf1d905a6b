"""Broken machines: no room, no database, a restart, an older backup. What was said stays so."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rubicon.cli.main import main
from rubicon.client import Client
from tests.table.conftest import Postgres
from tests.waiting import until
from tests.web.api.listener import Listener
from tests.web.api.test_api import SMALL, begun, play
from tests.web.conftest import ServerProcess, in_process, start, stop

BOTS = {1: "random", 2: "random"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A process whose disk can be full."""
    running = start(tmp_path)
    yield running
    stop(running)


def submit_async(
    http: httpx.Client, client: Client, game: str
) -> tuple[httpx.Response, dict[str, Any]]:
    """Submit what is possible once, without trying again; the answer and what was sent."""
    turn = client.wait(game)
    assert turn is not None
    told = {"decision": turn.decision, "text": turn.legal[0]}
    return http.post(f"/api/v1/games/{game}/submit", json=told), told


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit, to let a disk be full")
def test_a_full_disk_refuses_and_loses_nothing(server: ServerProcess) -> None:
    with server.client() as ann:
        game = begun(ann)
        authorized = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=authorized) as http:
            done, told = submit_async(http, ann, game)
            assert done.status_code == 200
            ann.wait(game)
            limit_files(server, 1)
            decision = ann.game(game)["decision"]
            order = {"decision": decision, "text": ann.legal(game)["ranges"][0]["lowest"]}
            refused = http.post(f"/api/v1/games/{game}/submit", json=order)
            assert (refused.status_code, refused.json()["code"]) == (503, "database/unavailable")
            assert refused.headers["retry-after"]
            assert http.get("/healthz").status_code == 503
            again = http.post(f"/api/v1/games/{game}/submit", json=told)
            assert again.json()["first"] == done.json()["first"]  # what was acknowledged stands
            assert http.get(f"/api/v1/games/{game}/").json()["decision"] == decision
            limit_files(server, resource.RLIM_INFINITY)
            until(lambda: http.get("/healthz").status_code == 200)
            taken = http.post(f"/api/v1/games/{game}/submit", json=order)
            assert taken.status_code == 200
        play(ann, game, 5)


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit, to let a disk be full")
def test_a_full_disk_shows_in_the_health_before_an_order_is_refused(server: ServerProcess) -> None:
    with server.http() as http:
        assert http.get("/healthz").status_code == 200
        limit_files(server, 1)
        until(lambda: http.get("/healthz").status_code == 503)
        assert http.get("/healthz").json() == {"ok": False}
        limit_files(server, resource.RLIM_INFINITY)
        until(lambda: http.get("/healthz").status_code == 200)
        assert http.get("/healthz").json() == {"ok": True}


def limit_files(server: ServerProcess, size: int) -> None:
    """No file of the server may grow beyond so many bytes."""
    hard = resource.RLIM_INFINITY
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, hard))


def test_a_database_that_is_gone_comes_back(tmp_path: Path, postgres: Postgres) -> None:
    with (
        in_process(tmp_path, store=postgres.database()) as server,
        server.client() as ann,
        server.http() as http,
    ):
        game = begun(ann)
        play(ann, game, 3)
        turn = ann.wait(game)
        assert turn is not None
        postgres.stop()
        try:
            until(lambda: http.get("/healthz").status_code == 503)
            http.headers["authorization"] = f"Bearer {ann.token}"
            told = {"decision": turn.decision, "text": turn.legal[0]}
            refused = http.post(f"/api/v1/games/{game}/submit", json=told)
            assert (refused.status_code, refused.json()["code"]) == (
                503,
                "database/unavailable",
            )
        finally:
            postgres.start()
        until(lambda: http.get("/healthz").status_code == 200)
        assert ann.game(game)["decision"] == turn.decision
        receipt = ann.submit(game, turn.decision, turn.legal[0])
        assert ann.submit(game, turn.decision, turn.legal[0])["first"] == receipt["first"]
        play(ann, game, 3)


def test_a_zero_character_is_refused_by_every_database(tmp_path: Path, postgres: Postgres) -> None:
    with in_process(tmp_path, store=postgres.database()) as server, server.client() as ann:
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as http:
            for path in ("games/%00/", "games/%00/legal", "events?games=%00", "tables/%00"):
                refused = http.get(f"/api/v1/{path}")
                assert refused.status_code in (400, 404), path
                assert "code" in refused.json()
            gone = http.delete("/api/v1/me/tokens/%00")
            assert gone.status_code == 400
            assert gone.json()["code"] == "request/invalid-characters"


def test_a_stream_resumes_after_a_restart_and_misses_nothing(tmp_path: Path) -> None:
    with in_process(tmp_path) as first, first.client() as ann:
        game = begun(ann)
        listener = Listener(first, ann.token, game, after=f"{game}:0")
        play(ann, game, 3)
        heard = listener.until("decision")
        token, cursor = ann.token, listener.cursor
    heard_after_stop = listener.until("end")
    listener.close()
    assert all(event["index"] > heard[-1]["index"] for event in heard_after_stop)
    with in_process(tmp_path) as second, second.connect(token) as ann:
        play(ann, game, 3)
        events = [(event["index"], event["kind"]) for event in ann.past_events(game, 0)]
        resumed = Listener(second, token, game, after=cursor)
        heard += resumed.up_to(events[-1][0])
        resumed.close()
    assert [(e["index"], e["kind"]) for e in heard][: len(events)] == events[: len(heard)]


def test_a_restored_backup_goes_on_and_accepts_cursors_from_its_future(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, again = tmp_path / "monday.jsonl", tmp_path / "again"
    with in_process(tmp_path) as first, first.client() as ann:
        game = ann.open_table(**SMALL, bots=BOTS)["game"]
        ann.start(game)
        play(ann, game, 2)
        store = f"sqlite:///{tmp_path}/rubicon.db"
        assert main(["table", "backup", str(backup), "--store", store]) == 0
        play(ann, game, 5)
        ahead, token = ann.game(game)["index"], ann.token
    again.mkdir()
    restored = f"sqlite:///{again}/rubicon.db"
    assert main(["table", "restore", str(backup), "--store", restored]) == 0
    capsys.readouterr()
    with in_process(again) as second, second.connect(token) as ann:
        assert ann.game(game)["index"] < ahead
        turn = ann.wait(game)
        assert turn is not None
        listener = Listener(second, token, game, after=f"{game}:{ahead + 1000}")
        receipt = ann.submit(game, turn.decision, turn.legal[0])
        assert listener.until("events")[-1]["index"] >= receipt["first"]
        listener.close()
        play(ann, game, 3)
