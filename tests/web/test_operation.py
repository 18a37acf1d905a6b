"""Running a house: figures, logs, and an admin who has lost their token."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from rubicon.cli.main import main
from rubicon.client import Client, Refusal
from tests.waiting import until
from tests.web.conftest import Server, start, stop

SMALL = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}}
FIGURES = {
    "rubicon_requests",
    "rubicon_request_seconds",
    "rubicon_streams",
    "rubicon_games_held",
    "rubicon_tables",
    "rubicon_orders",
    "rubicon_commit_seconds",
    "rubicon_commit_jobs",
    "rubicon_store_failures",
    "rubicon_deaf_seconds",
    "rubicon_bots_thinking",
    "rubicon_bots_waiting",
    "rubicon_bot_seconds",
    "rubicon_clock_lag_seconds",
}


def figures(server: Server) -> dict[str, dict[tuple[str, ...], float]]:
    """All samples, by name and the values of their labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    with server.http() as http:
        told = http.get("/metrics").text
    for family in text_string_to_metric_families(told):
        if family.name.endswith("_created"):
            continue  # when it was first counted
        for sample in family.samples:
            found.setdefault(family.name, {})[
                sample.name.removeprefix(family.name), *sample.labels.values()
            ] = sample.value
    return found


def test_the_figures_tell_what_an_operator_needs(server: Server) -> None:
    figures(server)  # a request, so that there are figures of requests
    before = figures(server)
    with server.client() as ann:
        game = ann.open_table(**SMALL)["game"]
        ann.start(game)
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.duty, turn.legal[0])
        with pytest.raises(Refusal):
            ann.submit(game, turn.duty, "end turn")
        with server.http() as http:
            http.get("/api/v1/games/x%0Ay/no/such/route")
        until(lambda: figures(server)["rubicon_bot_seconds"]["_count",] >= 1)
        after = figures(server)
    assert after.keys() == FIGURES
    route = ("_total", "POST", "/api/v1/games/{game}/submit")
    requests, earlier = after["rubicon_requests"], before["rubicon_requests"]
    assert requests[*route, "200"] == earlier.get((*route, "200"), 0) + 1
    assert requests[*route, "409"] == earlier.get((*route, "409"), 0) + 1
    assert requests["_total", "GET", "nowhere", "404"] >= 1
    assert not any(game in label for labels in requests for label in labels)
    orders = after["rubicon_orders"]
    assert orders["_total", "done"] > before.get("rubicon_orders", {}).get(("_total", "done"), 0)
    assert orders["_total", "duty/stale"] >= 1
    assert after["rubicon_tables"]["", "running"] >= 1
    assert after["rubicon_commit_seconds"]["_count",] > 0
    assert after["rubicon_commit_jobs"]["_sum",] >= after["rubicon_commit_jobs"]["_count",]


def test_the_log_is_json_where_wished_and_says_nothing_about_people(tmp_path: Path) -> None:
    server = start(tmp_path, RUBICON_LOG_FORMAT="json", RUBICON_LOG_REQUESTS="true")
    with server.client("Zebulon") as ann, server.http() as http:
        game = ann.open_table(**SMALL, title="Xanadu")["game"]
        ann.start(game)
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.duty, turn.legal[0])
        with pytest.raises(Refusal):
            ann.submit(game, turn.duty, "end turn")
        http.get("/api/v1/games/x%0Ay%22?invite=quokka")
        token = ann.token
    assert stop(server) == 0
    lines = [json.loads(line) for line in server.said.splitlines() if line.startswith("{")]
    events = [line["event"] for line in lines]
    assert events[0] == "started"
    assert events[-1] == "stopped"
    requests = [line for line in lines if line["event"] == "request"]
    mine = [line for line in requests if line.get("game") == game]
    assert {"/api/v1/games/{game}/submit", "/api/v1/tables/{game}/start"} <= {
        line["route"] for line in mine
    }
    assert {line["status"] for line in mine} >= {200, 409}
    assert all(line["milliseconds"] >= 0 for line in requests)
    for secret in ("Zebulon", "Xanadu", "quokka", "end turn", "127.0.0.1", token):
        assert secret not in server.said.replace(f"serves {server.url}", "")


def test_a_lost_admin_token_is_made_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start(tmp_path)
    lost = server.admin
    assert stop(server) == 0
    store = f"--store=sqlite:///{tmp_path}/rubicon.db"
    assert main(["table", "admin-token", store]) == 2
    assert "--renew" in capsys.readouterr().err
    assert main(["table", "admin-token", "--renew", store]) == 0
    token = capsys.readouterr().out.split()[-1]
    server = start(tmp_path)
    try:
        with Client(server.url, token) as admin, Client(server.url, lost) as nobody:
            assert admin.me()["admin"] is True
            with pytest.raises(Refusal):
                nobody.me()
    finally:
        assert stop(server) == 0
