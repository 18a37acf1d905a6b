"""Odds over HTTP: of a battle that is described, and of the attacks of a running game."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.client import ApiError, Client
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule, Stop
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer

PATH = "/api/v1/odds"


def test_every_stop_comes_at_once(server: RunningServer) -> None:
    with server.http() as http:
        answer = http.get(PATH, params={"attack": 9, "defend": 6})
        again = http.get(
            PATH,
            params={"attack": 9, "defend": 6},
            headers={"If-None-Match": answer.headers["etag"]},
        )
    found, expected = answer.json(), battle(9, 6, DiceRule.of("classic"))
    assert found["win"] == pytest.approx(expected.win)
    assert [stop["left"] for stop in found["stops"]] == list(range(1, 9))
    third = found["stops"][2]
    assert third["taken"] == pytest.approx(battle(9, 6, DiceRule.of("classic"), Stop(left=3)).win)
    assert sum(third["taken_left"]) == pytest.approx(third["taken"], abs=1e-4)
    assert sum(third["held_left"]) == pytest.approx(third["held"], abs=1e-4)
    assert "max-age" in answer.headers["cache-control"]
    assert again.status_code == 304


def test_a_path_and_other_rules(server: RunningServer) -> None:
    with server.http() as http:
        path = http.get(PATH, params={"attack": 12, "defend": [3, 5]}).json()
        plain = http.get(PATH, params={"attack": 8, "defend": 5, "ruleset": "revised"}).json()
        aided = http.get(
            PATH,
            params={"attack": 8, "defend": 5, "ruleset": "revised", "attack_airfield": True},
        ).json()
        cap = http.get(
            PATH, params={"attack": 8, "defend": 1, "option": "defend.dice_cap=two_always"}
        ).json()
        usual = http.get(PATH, params={"attack": 8, "defend": 1}).json()
    assert (path["path"], path["defend"]) == ([3, 5], 8)
    assert aided["win"] > plain["win"]
    assert cap["win"] < usual["win"]


@pytest.mark.parametrize(
    "query",
    [
        "attack=1&defend=3",
        "attack=301&defend=3",
        "attack=9&defend=0",
        "attack=9&defend=200&defend=101",
        "attack=9&defend=3&defend_dice=worst",
        "attack=9&defend=3&dice=4",
        "attack=9&defend=3&option=nonsense",
        "attack=9&defend=3&attack_die=true",
        "attack=9",
        "attack=9" + "&defend=1" * 13,
    ],
)
def test_what_is_not_computed(server: RunningServer, query: str) -> None:
    with server.http() as http:
        refused = http.get(f"{PATH}?{query}")
    assert (refused.status_code, refused.json()["message"] != "") == (400, True)


def attacking(ann: Client) -> tuple[str, str, str]:
    """A game in which I may attack: its id, and the two territories of a legal attack."""
    for _ in range(5):  # bots may end a game before I can attack
        game = begun(ann)
        while (turn := ann.wait(game)) is not None:
            attacks = [text for text in turn.legal if text.startswith("attack")]
            if attacks:
                source, target = attacks[0].removeprefix("attack ").split(" -> ")
                return game, source, target.split()[0]
            ann.submit(game, turn.decision, turn.legal[0])
    raise AssertionError("five games ended without an attack of mine")


def ask(ann: Client, game: str, **body: Any) -> dict[str, Any]:
    """The odds of my attacks."""
    found: dict[str, Any] = ann._session.post(f"/games/{game}/odds", **body)
    return found


def test_all_targets_of_a_territory(server: RunningServer) -> None:
    with server.client() as ann:
        game, source, target = attacking(ann)
        held = ann.game(game)["position"]["territories"]
        found = ask(ann, game, source=source, stop="UNTIL LEFT 2", armies=12)
        board = ann._session.get("/boards/skerries")
        lines = [border["between"] for border in board["borders"]]
        names = {one if two == source else two for one, two in lines if source in (one, two)}
        assert {row["target"] for row in found["targets"]} == {
            name for name in names if held[name]["owner"] != held[source]["owner"]
        }
        odds = {row["target"]: row for row in found["targets"]}[target]
        assert odds["armies"] == held[target]["armies"]
        rule = DiceRule.of("classic", defend_dice="best")
        expected = battle(12, odds["armies"], rule, Stop(left=2))
        assert odds["odds"]["taken"] == pytest.approx(expected.win)
        assert odds["stops"] == []


def test_one_target_with_every_stop(server: RunningServer) -> None:
    with server.client() as ann:
        game, source, target = attacking(ann)
        (only,) = ask(ann, game, source=source, target=target, armies=7)["targets"]
        assert [stop["left"] for stop in only["stops"]] == list(range(1, 7))
        assert only["stops"][0] == only["odds"]
        alone = ask(ann, game, source=source, target=target, armies=1)["targets"][0]
        assert (alone["odds"], alone["stops"]) == (None, [])
        huge = ask(ann, game, source=source, target=target, armies=2_000)["targets"][0]
        assert (huge["odds"], huge["stops"]) == (None, [])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"source": "atlantis"}, "board/unknown-territory"),
        ({"stop": "UNTIL LEFT 3\nRESIGN CONFIRM"}, "odds/bad-stop"),
        ({"stop": "UNTIL LEFT many"}, "orders/unreadable"),
        ({"target": "SOURCE"}, "odds/no-target"),
    ],
)
def test_bad_questions(server: RunningServer, body: dict[str, str], code: str) -> None:
    with server.client() as ann:
        game, source, _ = attacking(ann)
        asked = {"source": source} | {k: source if v == "SOURCE" else v for k, v in body.items()}
        with pytest.raises(ApiError) as refused:
            ask(ann, game, **asked)
        assert (refused.value.status, refused.value.code) == (400, code)


def test_a_stranger_gets_no_odds(server: RunningServer) -> None:
    with server.client() as ann, server.client("Bob") as bob:
        game = begun(ann)
        with pytest.raises(ApiError) as refused:
            ask(bob, game, source="fennick")
        assert refused.value.code in ("seat/required", "game/unknown", "table/unknown")
