"""The state of the server is told to its administrator only, who can close tables."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from rubicon import __version__
from rubicon.client import ApiError
from rubicon.table.admin.audit import verify_store
from rubicon.table.storage.database import Store, newest
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer, in_process


def test_the_overview(tmp_path: Path) -> None:
    with (
        in_process(tmp_path) as server,
        server.client() as ann,
        server.connect(server.admin) as admin,
    ):
        begun(ann)
        ann.open_table(board="skerries")
        logging.getLogger("rubicon.test").warning("something to look at")
        found = admin._session.get("/admin/overview")
    stored = found["stored"]
    assert (found["version"], found["healthy"], found["dice_server"]) == (__version__, True, None)
    assert stored["tables"] == {"lobby": 1, "running": 1}
    assert stored["accounts"] == {"all": 1, "saved": 0, "seen_today": 1, "seen_this_week": 1}
    database = stored["database"]
    assert (database["kind"], database["schema"]) == ("sqlite", newest())
    assert 0 < database["bytes"] < database["disk_total"]
    assert "something to look at" in [event["event"] for event in found["log"]]
    assert (found["failed_requests"], found["event_streams"]) == ({}, 0)
    assert found["games_in_memory"] == 1


@pytest.mark.parametrize("path", ["overview", "reports"])
def test_others_get_nothing(server: RunningServer, path: str) -> None:
    with server.client() as ann, server.connect() as nobody:
        for client, status in ((ann, 403), (nobody, 401)):
            with pytest.raises(ApiError) as caught:
                client._session.get(f"/admin/{path}")
            assert caught.value.status == status


def test_a_game_that_the_administrator_closes(tmp_path: Path) -> None:
    with (
        in_process(tmp_path) as server,
        server.client() as ann,
        server.connect(server.admin) as admin,
    ):
        game = begun(ann)
        assert admin._session.post(f"/admin/tables/{game}/close", reason=" spam ") == {
            "closed": game
        }
        found = ann.game(game)
        assert (found["result"], found["reason"]) == ("void", "closed by the operator: spam")
        (over,) = [event["body"] for event in ann.past_events(game) if event["kind"] == "over"]
        assert over["reason"] == found["reason"]
        assert "seed" in ann.transcript(game)
        assert ann.wait(game) is None
        with pytest.raises(ApiError) as caught:
            admin._session.post(f"/admin/tables/{game}/close", reason="again")
        assert caught.value.code == "table/not-open"
    store = Store.open(str(tmp_path / "rubicon.db"))
    assert verify_store(store).damaged == {}
    store.close()


def test_a_lobby_that_the_administrator_closes(server: RunningServer) -> None:
    with server.client() as ann, server.connect(server.admin) as admin:
        game = ann.open_table(board="skerries")["game"]
        path = f"/admin/tables/{game}/close"
        for client, reason, code in (
            (ann, "mine", "admin/required"),
            (admin, " ", "table/reason"),
            (admin, "a\u202eb", "table/reason"),
        ):
            with pytest.raises(ApiError) as caught:
                client._session.post(path, reason=reason)
            assert caught.value.code == code
        assert ann.table(game)["state"] == "lobby"
        admin._session.post(path, reason="spam")
        assert ann.table(game)["state"] == "closed"
        with pytest.raises(ApiError) as caught:
            admin._session.post("/admin/tables/zzzzzzzzzz/close", reason="spam")
        assert caught.value.status == 404
