"""The public page of a player tells what everybody may know, and no more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from tests.waiting import SOON
from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer, in_process

SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[RunningServer]:
    with in_process(tmp_path) as running:
        yield running


def save(home: RunningServer, client: Client, address: str) -> str:
    """Save an account under an address, as if its link had been used; its id."""
    account = str(client.me()["account"])
    with closing(sqlite3.connect(home.folder / "rubicon.db", timeout=SOON)) as database, database:
        database.execute("UPDATE account SET email = ? WHERE id = ?", (address, account))
    return account


def unknown(client: Client, player: str) -> str:
    """The code of the error for a player without a page."""
    with pytest.raises(ApiError) as caught:
        client.player(player)
    return caught.value.code


def test_the_page_of_a_saved_player(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve, home.connect() as nobody:
        public = begun(ann)
        play(ann, public)
        hidden = begun(ann, access="link")
        play(ann, hidden)
        lobby = ann.open_table(**SMALL)["game"]
        assert unknown(eve, "Ann") == "players/unknown"
        account = save(home, ann, "ann@example.org")
        page = nobody.player("Ann")
        assert page == nobody.player(account)
        assert (page["id"], page["name"]) == (account, "Ann")
        assert {table["id"] for table in page["tables"]} == {public, lobby}
        (results,) = page["results"]
        won = ann.game(public)["result"] == "red"
        counted = {"games": 1, "won": int(won), "lost": int(not won), "draws": 0}
        assert results == {"ruleset": "classic", "title": results["title"]} | counted
        own = ann.player(account)
        assert {table["id"] for table in own["tables"]} == {public, hidden, lobby}
        assert own["results"][0]["games"] == 2
        seats = eve.search_tables()["tables"][0]["seats"]
        assert seats[0]["player"] == account


def test_a_page_can_be_hidden(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve:
        account = save(home, ann, "ann@example.org")
        ann.open_table(**SMALL)
        assert ann.change(listed=False)["listed"] is False
        assert ann.me()["listed"] is False
        assert unknown(eve, account) == unknown(eve, "Ann") == "players/unknown"
        assert eve.search_tables()["tables"][0]["seats"][0]["player"] is None
        assert ann.player(account)["id"] == account
        ann.change(listed=True)
        assert eve.player("Ann")["id"] == account


def test_nobody_is_found_at_the_id_of_another(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve:
        account = save(home, ann, "ann@example.org")
        save(home, eve, "eve@example.org")
        eve.change(name=account)
        assert eve.player(account)["id"] == account
        ann.change(listed=False)
        assert unknown(eve, account) == "players/unknown"


def test_an_erased_account_has_no_page(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve:
        account = save(home, ann, "ann@example.org")
        assert eve.player("Ann")["id"] == account
        ann._session.call("DELETE", "/me")
        assert {unknown(eve, name) for name in (account, "Ann", "gone")} == {"players/unknown"}


def test_a_name_that_two_players_have(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Ann") as other, home.client("Ann") as guest:
        accounts = [
            save(home, client, f"{number}@example.org")
            for number, client in enumerate([ann, other])
        ]
        assert unknown(guest, "Ann") == "players/ambiguous"
        assert [guest.player(account)["id"] for account in accounts] == accounts
        assert guest.player(guest.me()["account"])["tables"] == []


def test_the_luck_of_a_player_is_that_of_the_finished_games(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve:
        games = [begun(ann), begun(ann, access="link")]
        for game in games:
            play(ann, game)
        account = save(home, ann, "ann@example.org")

        def luck(client: Client) -> dict[str, Any]:
            return dict(client._session.call("GET", f"/players/{account}/luck").json())

        own = [
            next(seat for seat in ann.luck(game)["seats"] if seat["colour"] == "red")
            for game in games
        ]
        assert luck(eve)["games"] == 1
        assert luck(eve)["balance"] == pytest.approx(own[0]["balance"])
        both = luck(ann)
        assert both["games"] == 2
        assert both["rolls"] == own[0]["rolls"] + own[1]["rolls"]
        assert both["balance"] == pytest.approx(own[0]["balance"] + own[1]["balance"])


def test_a_hidden_page_tells_no_luck(home: RunningServer) -> None:
    with home.client("Ann") as ann, home.client("Eve") as eve:
        account = save(home, ann, "ann@example.org")
        ann.change(listed=False)
        with pytest.raises(ApiError) as caught:
            eve._session.call("GET", f"/players/{account}/luck")
        assert caught.value.code == "players/unknown"
