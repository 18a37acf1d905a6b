"""Rulesets over HTTP: the list, the rulebook as data, and the check of changed options."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.rulebook.rulebook import rulebook_chapters
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.web.conftest import RunningServer

PATH = "/api/v1/rulesets"


def check(server: RunningServer, **body: Any) -> dict[str, Any]:
    """The answer to a check."""
    with server.http() as http:
        answer = http.post(f"{PATH}/check", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_list_has_a_line_for_each(server: RunningServer) -> None:
    with server.http() as http:
        rows = {row["name"]: row for row in http.get(PATH).json()}
    assert list(rows) == list(preset_names())
    assert rows["revised"]["label"] == "Revised, 2008"
    assert rows["classic"]["players"] == [3, 6]
    for row in rows.values():
        assert 10 < len(row["description"]) <= 80
        assert len(row["label"]) <= 20
        assert "\n" not in row["description"]


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_comes_with_its_rulebook(server: RunningServer, name: str) -> None:
    with server.http() as http:
        shown = http.get(f"{PATH}/{name}", params={"board": "skerries"}).json()
    assert shown["rulebook"] == rulebook_chapters(Ruleset.load(name, board="skerries"))
    assert [row["name"] for row in shown["options"]] == list(OPTIONS)
    changed = {row["name"] for row in shown["options"] if row["value"] != row["default"]}
    assert changed == set(check(server, ruleset=name)["differences"]) | {
        row["name"] for row in shown["options"] if row["preset"] != row["default"]
    }


def test_a_ruleset_is_not_sent_twice(server: RunningServer) -> None:
    with server.http() as http:
        first = http.get(f"{PATH}/classic")
        again = http.get(f"{PATH}/classic", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


def test_a_check_says_what_is_played_then(server: RunningServer) -> None:
    found = check(server, options={"attack.truce": 2, "game.round_limit": "20"})
    assert (found["possible"], found["problems"]) == (True, [])
    assert found["differences"] == {"attack.truce": "2", "game.round_limit": "20"}
    values = {row["name"]: row for row in found["options"]}
    assert values["attack.truce"] == {
        "name": "attack.truce",
        "value": "2",
        "default": "0",
        "preset": "0",
    }
    texts = [t["text"] for c in found["rulebook"] for b in c["blocks"] for t in b["texts"]]
    assert any("There is a truce" in text for text in texts)
    assert check(server, rulebook=False)["rulebook"] == []


def test_what_is_impossible_is_an_answer(server: RunningServer) -> None:
    found = check(server, options={"players.min": 6, "players.max": 3, "nonsense": []})
    assert not found["possible"]
    assert (found["rulebook"], found["differences"], found["players"]) == ([], {}, [])
    named = [set(problem["options"]) for problem in found["problems"]]
    assert {"nonsense"} in named
    assert any("players.min" in names for names in named)
    assert all(problem["message"] for problem in found["problems"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"ruleset": "../classic.toml"}, 404),
        ({"board": "atlantis"}, 404),
        ({"options": {f"o{n}": 1 for n in range(201)}}, 400),
        ({"options": {"setup.armies": "2:20 " * 2500}}, 400),
        ({"option": {}}, 400),
    ],
)
def test_a_check_is_bounded(server: RunningServer, body: dict[str, Any], status: int) -> None:
    with server.http() as http:
        assert http.post(f"{PATH}/check", json=body).status_code == status


def test_the_rulebook_can_be_had_in_german(server: RunningServer) -> None:
    with server.http() as http:
        shown = http.get(f"{PATH}/classic", params={"language": "de"}).json()
        unknown = http.get(f"{PATH}/classic", params={"language": "tlh"})
    assert shown["title"] == "Klassisches RISK"
    assert shown["rulebook"][0]["title"] == "Ziel des Spiels"
    told = check(server, ruleset="classic", options={"attack.truce": 1}, language="de")
    texts = [
        rule["text"]
        for chapter in told["rulebook"]
        for block in chapter["blocks"]
        for rule in block["texts"]
    ]
    assert any(text.startswith("In der ersten Runde gilt ein Waffenstillstand") for text in texts)
    assert unknown.status_code == 400
