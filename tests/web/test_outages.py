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
from tests.web.conftest import Server, start, stop
from tests.web.raw import Listener
from tests.web.test_api import SMALL, begun, play

BOTS = {1: "random", 2: "random"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One that may be broken."""
    running = start(tmp_path)
    yield running
    stop(running)


def hand_in(http: httpx.Client, client: Client, game: str) -> tuple[httpx.Response, dict[str, Any]]:
    """Submit what is possible once, without trying again; the answer and what was sent."""
    turn = client.wait(game)
    assert turn is not None
    told = {"duty": turn.duty, "text": turn.legal[0]}
    return http.post(f"/api/v1/games/{game}/submit", json=told), told


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit, to let a disk be full")
def test_a_full_disk_refuses_and_loses_nothing(server: Server) -> None:
    with server.client() as ann:
        game = begun(ann)
        authorized = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=authorized) as http:
            done, told = hand_in(http, ann, game)
            assert done.status_code == 200
            ann.wait(game)
            limit_files(server, 1)
            duty = ann.game(game)["duty"]
            order = {"duty": duty, "text": ann.legal(game)["families"][0]["lowest"]}
            refused = http.post(f"/api/v1/games/{game}/submit", json=order)
            assert (refused.status_code, refused.json()["code"]) == (503, "store/away")
            assert refused.headers["retry-after"]
            again = http.post(f"/api/v1/games/{game}/submit", json=told)
            assert again.json()["first"] == done.json()["first"]  # what was acknowledged stands
            assert http.get(f"/api/v1/games/{game}/").json()["duty"] == duty
            limit_files(server, resource.RLIM_INFINITY)
            taken = http.post(f"/api/v1/games/{game}/submit", json=order)
            assert taken.status_code == 200
        play(ann, game, 5)


def limit_files(server: Server, size: int) -> None:
    """No file of the server may grow beyond so many bytes."""
    hard = resource.RLIM_INFINITY
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, hard))


def test_a_database_that_is_gone_comes_back(tmp_path: Path, postgres: Postgres) -> None:
    server = start(tmp_path, RUBICON_STORE=postgres.database(), RUBICON_BOT_PROCESSES="1")
    try:
        with server.client() as ann, server.http() as http:
            game = begun(ann)
            play(ann, game, 3)
            turn = ann.wait(game)
            assert turn is not None
            postgres.stop()
            try:
                until(lambda: http.get("/healthz").status_code == 503)
                http.headers["authorization"] = f"Bearer {ann.token}"
                told = {"duty": turn.duty, "text": turn.legal[0]}
                refused = http.post(f"/api/v1/games/{game}/submit", json=told)
                assert (refused.status_code, refused.json()["code"]) == (503, "store/away")
            finally:
                postgres.start()
            until(lambda: http.get("/healthz").status_code == 200)
            assert ann.game(game)["duty"] == turn.duty
            receipt = ann.submit(game, turn.duty, turn.legal[0])
            assert ann.submit(game, turn.duty, turn.legal[0])["first"] == receipt["first"]
            play(ann, game, 3)
    finally:
        assert stop(server) == 0


def test_a_zero_character_is_refused_by_every_store(tmp_path: Path, postgres: Postgres) -> None:
    server = start(tmp_path, RUBICON_STORE=postgres.database())
    try:
        with server.client() as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            with server.http(headers=headers) as http:
                for path in ("games/%00/", "games/%00/legal", "events?games=%00", "tables/%00"):
                    refused = http.get(f"/api/v1/{path}")
                    assert refused.status_code in (400, 404), path
                    assert "code" in refused.json()
                gone = http.delete("/api/v1/me/tokens/%00")
                assert gone.status_code == 400
                assert gone.json()["code"] == "request/unstorable"
    finally:
        assert stop(server) == 0


def test_a_stream_goes_on_behind_a_restart_and_misses_nothing(tmp_path: Path) -> None:
    first = start(tmp_path)
    with first.client() as ann:
        game = begun(ann)
        listener = Listener(first, ann.token, game, after=f"{game}:0")
        play(ann, game, 3)
        heard = listener.until("duty")
        token, cursor = ann.token, listener.cursor
        assert stop(first) == 0
        heard_after_stop = listener.until("end")
        listener.close()
        assert all(event["entry"] > heard[-1]["entry"] for event in heard_after_stop)
    second = start(tmp_path)
    try:
        with Client(second.url, token) as ann:
            play(ann, game, 3)
            facts = [(fact["entry"], fact["kind"]) for fact in ann.facts(game, 0)]
            resumed = Listener(second, token, game, after=cursor)
            heard += resumed.up_to(facts[-1][0])
            resumed.close()
        assert [(e["entry"], e["kind"]) for e in heard][: len(facts)] == facts[: len(heard)]
    finally:
        assert stop(second) == 0


def test_a_restored_backup_goes_on_and_tells_those_who_know_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = start(tmp_path)
    backup, again = tmp_path / "monday.jsonl", tmp_path / "again"
    with first.client() as ann:
        game = ann.open_table(**SMALL, bots=BOTS)["game"]
        ann.start(game)
        play(ann, game, 2)
        store = f"sqlite:///{tmp_path}/rubicon.db"
        assert main(["table", "backup", str(backup), "--store", store]) == 0
        play(ann, game, 5)
        ahead, token = ann.game(game)["head"], ann.token
    assert stop(first) == 0
    again.mkdir()
    restored = f"sqlite:///{again}/rubicon.db"
    assert main(["table", "restore", str(backup), "--store", restored]) == 0
    capsys.readouterr()
    (again / "known").touch()
    second = start(again)
    try:
        with Client(second.url, token) as ann:
            assert ann.game(game)["head"] < ahead
            turn = ann.wait(game)
            assert turn is not None
            listener = Listener(second, token, game, after=f"{game}:{ahead + 1000}")
            receipt = ann.submit(game, turn.duty, turn.legal[0])
            assert listener.until("facts")[-1]["entry"] >= receipt["first"]
            listener.close()
            play(ann, game, 3)
    finally:
        assert stop(second) == 0
