"""For the operator: metrics, logs, and a lost admin token."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from rubicon.cli.main import main
from rubicon.client import ApiError
from tests.waiting import until
from tests.web.conftest import RunningServer, in_process, start, stop

SMALL = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}}
METRICS = {
    "rubicon_http_requests",
    "rubicon_http_request_duration_seconds",
    "rubicon_event_streams",
    "rubicon_games_in_memory",
    "rubicon_tables",
    "rubicon_submissions",
    "rubicon_messages",
    "rubicon_messages_waiting",
    "rubicon_database_commit_duration_seconds",
    "rubicon_database_commit_jobs",
    "rubicon_database_errors",
    "rubicon_peer_disconnected_seconds",
    "rubicon_bot_decisions_running",
    "rubicon_bot_decisions_queued",
    "rubicon_bot_decision_duration_seconds",
    "rubicon_clock_sweep_age_seconds",
}


def metrics_of(server: RunningServer) -> dict[str, dict[tuple[str, ...], float]]:
    """All samples, by name and the values of their labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    with server.http() as http:
        told = http.get("/metrics").text
    for action_range in text_string_to_metric_families(told):
        if action_range.name.endswith("_created"):
            continue  # when it was first counted
        for sample in action_range.samples:
            found.setdefault(action_range.name, {})[
                sample.name.removeprefix(action_range.name), *sample.labels.values()
            ] = sample.value
    return found


def test_metrics_have_the_documented_names_and_values(server: RunningServer) -> None:
    metrics_of(server)  # the first request is counted when it is answered
    before = metrics_of(server)
    with server.client() as ann:
        game = ann.open_table(**SMALL)["game"]
        ann.start(game)
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.decision, turn.legal[0])
        with pytest.raises(ApiError):
            ann.submit(game, turn.decision, "end turn")
        with server.http() as http:
            http.get("/api/v1/games/x%0Ay/no/such/route")
        until(lambda: metrics_of(server)["rubicon_bot_decision_duration_seconds"]["_count",] >= 1)
        after = metrics_of(server)
    assert after.keys() == METRICS
    route = ("_total", "POST", "/api/v1/games/{game}/submit")
    requests, earlier = after["rubicon_http_requests"], before["rubicon_http_requests"]
    assert requests[*route, "200"] == earlier.get((*route, "200"), 0) + 1
    assert requests[*route, "409"] == earlier.get((*route, "409"), 0) + 1
    assert requests["_total", "GET", "unmatched", "404"] >= 1
    assert not any(game in label for labels in requests for label in labels)
    orders = after["rubicon_submissions"]
    assert orders["_total", "done"] > before.get("rubicon_submissions", {}).get(
        ("_total", "done"), 0
    )
    assert orders["_total", "decision/stale"] >= 1
    assert after["rubicon_tables"]["", "running"] >= 1
    assert {queue for _, queue in after["rubicon_messages_waiting"]} == {
        "mail",
        "news",
        "push",
        "webhook",
    }
    assert ("_total", "push", "given-up") in after["rubicon_messages"]
    assert after["rubicon_database_commit_duration_seconds"]["_count",] > 0
    assert (
        after["rubicon_database_commit_jobs"]["_sum",]
        >= after["rubicon_database_commit_jobs"]["_count",]
    )


def test_the_json_log_has_no_personal_data(tmp_path: Path) -> None:
    server = start(tmp_path, RUBICON_LOG_FORMAT="json", RUBICON_ACCESS_LOG="true")
    with server.client("Zebulon") as ann, server.http() as http:
        game = ann.open_table(**SMALL, title="Xanadu")["game"]
        ann.start(game)
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.decision, turn.legal[0])
        with pytest.raises(ApiError):
            ann.submit(game, turn.decision, "end turn")
        http.get("/api/v1/games/x%0Ay%22?invite=quokka")
        token = ann.token
    assert stop(server) == 0
    lines = [json.loads(line) for line in server.output.splitlines() if line.startswith("{")]
    events = [line["event"] for line in lines]
    assert "server started" in events
    assert events[-1] == "clean shutdown"
    requests = [line for line in lines if line["event"] == "request"]
    mine = [line for line in requests if line.get("game") == game]
    assert {"/api/v1/games/{game}/submit", "/api/v1/tables/{game}/start"} <= {
        line["route"] for line in mine
    }
    assert {line["status"] for line in mine} >= {200, 409}
    assert all(line["duration_ms"] >= 0 for line in requests)
    for secret in ("Zebulon", "Xanadu", "quokka", "end turn", "127.0.0.1", token):
        assert secret not in server.output.replace(f"serves {server.url}", "")


def test_a_lost_admin_token_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with in_process(tmp_path) as server:
        lost = server.admin
    store = f"--store=sqlite:///{tmp_path}/rubicon.db"
    assert main(["table", "admin-token", store]) == 2
    assert "--renew" in capsys.readouterr().err
    assert main(["table", "admin-token", "--renew", store]) == 0
    token = capsys.readouterr().out.split()[-1]
    with (
        in_process(tmp_path) as server,
        server.connect(token) as admin,
        server.connect(lost) as nobody,
    ):
        assert admin.me()["admin"] is True
        with pytest.raises(ApiError):
            nobody.me()
