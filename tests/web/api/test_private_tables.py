"""To strangers, a table that they may not see looks exactly like one that does not exist."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer, in_process

DOCUMENT = Path(__file__).with_name("openapi.json")
UNKNOWN = "zzzzzzzzzzzz"
HASH = "0" * 64
SIGNATURE = "0" * 128
# A valid body for each route that takes one.
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/tables/{game}/join": {},
    "/api/v1/tables/{game}/kick": {"colour": "red"},
    "/api/v1/tables/{game}/swap": {"one": "red", "other": "blue"},
    "/api/v1/tables/{game}/bot": {"colour": "red", "bot": "greedy"},
    "/api/v1/tables/{game}/free": {"colour": "red"},
    "/api/v1/tables/{game}/invite": {},
    "/api/v1/games/{game}/submit": {"decision": 0, "text": "end turn"},
    "/api/v1/games/{game}/orders/complete": {"text": "", "cursor": 0},
    "/api/v1/games/{game}/out-of-turn": {"text": "resign red"},
    "/api/v1/games/{game}/undo": {"decision": 0},
    "/api/v1/games/{game}/dice": {"index": 0, "outcome": "6 5 v 1"},
    "/api/v1/games/{game}/dice/deposit": {
        "key": HASH,
        "nonce": "0" * 32,
        "end": HASH,
        "length": 64,
        "signature": SIGNATURE,
    },
    "/api/v1/games/{game}/dice/presence": {
        "presence": "joined",
        "id": "red",
        "seen": 0,
        "head": HASH,
        "signature": SIGNATURE,
    },
    "/api/v1/games/{game}/dice/ahead": {"lines": ["{}"]},
    "/api/v1/games/{game}/dice/link": {"n": 0, "link": HASH, "signature": SIGNATURE},
    "/api/v1/games/{game}/dice/sealed": {
        "decision": 0,
        "hash": HASH,
        "id": "red",
        "head": HASH,
        "signature": SIGNATURE,
    },
    "/api/v1/games/{game}/dice/opened": {"text": "place alaska 1", "salt": HASH},
    "/api/v1/games/{game}/vote": {"motion": "draw"},
    "/api/v1/games/{game}/absence": {"text": "2030-01-01 2030-01-02"},
    "/api/v1/games/{game}/orders/explain": {"text": "end turn"},
    "/api/v1/games/{game}/orders/preview": {"text": "end turn"},
    "/api/v1/games/{game}/odds": {"source": "fennick"},
    "/api/v1/games/{game}/chat": {"text": "hello"},
    "/api/v1/games/{game}/chat/mute": {"colour": "red"},
    "/api/v1/games/{game}/chat/block": {"colour": "red"},
    "/api/v1/games/{game}/chat/report": {"line": 1},
    "/api/v1/tables/{game}": {"title": "Mine"},
    "/api/v1/admin/tables/{game}/close": {"reason": "spam"},
    "/api/v1/tables/{game}/colour": {"colour": "black"},
    "/api/v1/tables/{game}/master": {"player": "red"},
    "/api/v1/games/{game}/master": {"request": "UNDO"},
}


def routes() -> Iterator[tuple[str, str]]:
    """The method and path of every route that takes a game's id."""
    for path, methods in json.loads(DOCUMENT.read_text("utf-8"))["paths"].items():
        for method, described in methods.items():
            names = {each["name"] for each in described.get("parameters", ())}
            if "{game}" in path or names & {"game", "games"}:
                yield method.upper(), path
    yield "GET", "/api/v1/events?games={game}"
    yield "GET", "/api/v1/events?games={game}&invite=wrong"
    yield "GET", "/api/v1/games/{game}/?invite=wrong"
    yield "GET", "/api/v1/tables/{game}?invite=wrong"
    yield "GET", "/api/v1/tables/{game}/invite?invite=wrong"
    yield "GET", "/api/v1/tables/{game}/qr.svg?invite=wrong"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of its own, with private tables."""
    with in_process(tmp_path_factory.mktemp("private")) as running:
        yield running


@pytest.fixture(scope="module")
def hidden(server: RunningServer) -> dict[str, str]:
    """Tables that strangers may not see, by what they are."""
    with server.client() as ann:
        found = {
            f"{access} {state}": begun(ann, access=access) if state != "lobby" else ""
            for access in ("private", "link")
            for state in ("lobby", "running", "over")
        }
        for name, game in found.items():
            access = name.partition(" ")[0]
            if name.endswith("lobby"):
                wish = {"board": "skerries", "seats": 3, "access": access}
                found[name] = ann.open_table(**wish)["game"]
            elif name.endswith("over"):
                play(ann, game)
    return found


def answers(http: httpx.Client, game: str) -> dict[str, tuple[int, str]]:
    """The status and body of every route for a game, with the game's id left out."""
    found = {}
    for method, path in routes():
        body = {"invite": "wrong"} if path.endswith("/join") else BODIES.get(path)
        response = http.request(method, path.format(game=game, index=1), json=body)
        found[f"{method} {path}"] = response.status_code, response.text.replace(game, "GAME")
    return found


@pytest.mark.parametrize("who", ["stranger", "nobody"])
def test_a_hidden_table_is_answered_like_an_unknown_one(
    server: RunningServer, hidden: dict[str, str], who: str
) -> None:
    with server.client("Eve") as eve:
        headers = {"authorization": f"Bearer {eve.token}"} if who == "stranger" else {}
        with server.http(headers=headers) as http:
            unknown = answers(http, UNKNOWN)
            for name, game in hidden.items():
                assert answers(http, game) == unknown, name
    assert len(unknown) > 30
    for route, (status, body) in unknown.items():
        if "/admin/" in route:
            assert status in (401, 403), (route, body)
            continue
        assert status == 404 or (who == "nobody" and status == 401), (route, body)
