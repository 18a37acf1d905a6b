"""Spectators of a table with a delay learn of nothing before it is over, by any route."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx

from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer

DOCUMENT = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
OF_GAME = [p for p, methods in DOCUMENT["paths"].items() if "{game}" in p and "get" in methods]
NOW = re.compile(r'"now":\d+,')  # the server's time, which says nothing about a game
WATCH = "/api/v1/tables?which=watch"


def seen(http: httpx.Client, game: str) -> dict[str, str]:
    """Everything that can be read about a game; of lists only the part about it."""
    found = {path: http.get(path.format(game=game, index=1)).text for path in OF_GAME}
    found = {path: NOW.sub("", text) for path, text in found.items()}
    tables = http.get(WATCH).json()
    found["list"] = json.dumps([table for table in tables if table["id"] == game])
    return found


def test_no_move_shows_anywhere_before_the_delay_is_over(server: RunningServer) -> None:
    with server.client("Ann") as ann, server.client("Eve") as eve, server.http() as nobody:
        delayed = begun(ann, settings={"delay": 3600}, title="later")
        open_game = begun(ann, settings={"delay": 0}, title="now")
        ann.wait(delayed)
        headers = {"authorization": f"Bearer {eve.token}"}
        with server.http(headers=headers) as stranger:
            before = [seen(http, delayed) for http in (stranger, nobody)]
            shown = nobody.get(f"/api/v1/tables/{open_game}").json()["changed"]
            index = ann.game(delayed)["index"]
            play(ann, delayed, 2)
            play(ann, open_game, 2)
            assert ann.game(delayed)["index"] > index
            assert nobody.get(f"/api/v1/tables/{open_game}").json()["changed"] > shown
            assert [seen(http, delayed) for http in (stranger, nobody)] == before
        assert "decision" in ann.game(delayed)
        assert (
            ann.tables("mine")[0]["changed"]
            > json.loads(before[0]["/api/v1/tables/{game}"])["changed"]
        )
