"""The search for tables: filters, pages, and what each row tells to whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer, in_process

SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}
BOTS = {1: "greedy", 2: "greedy"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[RunningServer]:
    """A server without tables."""
    with in_process(tmp_path) as running:
        yield running


def ids(page: dict[str, Any]) -> list[str]:
    """The games of a page."""
    return [table["id"] for table in page["tables"]]


def test_pages_follow_each_other_and_all_are_counted(home: RunningServer) -> None:
    with home.client() as ann:
        games = [ann.open_table(**SMALL)["game"] for _ in range(5)]
        found, after = [], ""
        while after is not None:
            page = ann.search_tables(limit=2, after=after)
            assert page["count"] == 5
            found += ids(page)
            after = page["next"]
    assert sorted(found) == sorted(games)


def test_filters(home: RunningServer) -> None:
    with home.client() as ann, home.client("Bob") as bob:
        live = ann.open_table(**SMALL, settings={"clock": "live"})["game"]
        mission = ann.open_table(ruleset="secret-mission", seats=4)["game"]
        full = ann.open_table(**SMALL, bots=BOTS)["game"]
        assert ids(bob.search_tables(clock="live")) == [live]
        assert set(ids(bob.search_tables(clock="none"))) == {mission, full}
        assert ids(bob.search_tables(ruleset="secret-mission")) == [mission]
        assert ids(bob.search_tables(players=4)) == [mission]
        assert set(ids(bob.search_tables(free=2))) == {live, mission}
        assert ids(bob.search_tables(free=3)) == [mission]
        for wrong in ({"ruleset": "clasic"}, {"clock": "slow"}, {"after": "x"}, {"which": "all"}):
            with pytest.raises(ApiError):
                bob.search_tables(**wrong)
        with pytest.raises(ApiError) as caught:
            bob.search_tables("mine", state="closed")
        assert caught.value.code == "tables/state"


def test_own_tables_are_left_out_of_a_page_and_of_its_count(home: RunningServer) -> None:
    with home.client() as ann, home.client("Bob") as bob, home.client("Cid") as cid:
        hosted = [ann.open_table(**SMALL)["game"] for _ in range(3)]
        other = bob.open_table(**SMALL)["game"]
        joined = bob.open_table(**SMALL)["game"]
        ann.join(joined)
        page = ann.search_tables(others=True, limit=1)
        assert (ids(page), page["count"], page["next"]) == ([other], 1, None)
        assert ann.search_tables()["count"] == 5
        assert set(ids(bob.search_tables(others=True))) == {*hosted}
        assert cid.search_tables(others=True)["count"] == 5
        with home.connect(None) as nobody:
            assert nobody.search_tables(others=True)["count"] == 5


def test_a_row_in_the_lobby(home: RunningServer) -> None:
    with home.client() as ann, home.client("Bob") as bob:
        settings = {"clock": "days", "decision_time": 172_800}
        wish = SMALL | {"title": "Letters", "bots": {1: "greedy"}, "settings": settings}
        ann.open_table(**wish)
        (row,) = bob.search_tables()["tables"]
        assert (row["title"], row["free"], row["your_seat"]) == ("Letters", 1, None)
        assert row["ruleset"]["name"] == "classic"
        assert row["ruleset"]["board"] == "skerries"
        assert row["ruleset"]["title"] != ""
        assert row["clock"] == {"kind": "days", "decision_time": 172_800, "bank": 86_400}
        first, second, third = row["seats"]
        assert (first["name"], first["host"], first["last_seen"]) == ("Ann", True, "now")
        assert (second["bot"], third["free"], second["last_seen"]) == ("greedy", True, None)
        assert first["player"] is None  # a guest has no page
        (own,) = ann.search_tables("mine", state="lobby")["tables"]
        assert (own["you_host"], own["your_seat"]) == (True, "red")
        assert bob.search_tables("mine")["tables"] == []


def test_a_running_game_says_whom_it_waits_for_and_who_owns_what(home: RunningServer) -> None:
    with home.client() as ann, home.client("Bob") as bob:
        game = begun(ann, settings={"clock": "days"})
        first = ann.wait(game)
        assert first is not None
        ann.submit(game, first.decision, first.legal[0])
        turn = ann.wait(game)
        assert turn is not None
        (own,) = ann.search_tables("mine", state="running", owners=True)["tables"]
        assert own["needs_you"]
        assert own["game"]["decision"] == turn.decision
        assert own["game"]["moving"][0]["until"] == turn.game["deadlines"][own["your_seat"]]
        territories = turn.game["position"]["territories"]
        shown = {name: one["owner"] for name, one in territories.items() if one["owner"]}
        assert own["owners"] == shown
        assert len(shown) > 0
        (watched,) = bob.search_tables("watch")["tables"]
        assert (watched["game"]["decision"], watched["needs_you"]) == (None, False)
        assert watched["owners"] is None
        play(ann, game)
        (over,) = ann.search_tables("mine", state="over", owners=True)["tables"]
        won = ann.game(game)["result"] == over["your_seat"]
        assert over["outcome"] == ("won" if won else "lost")
        assert (over["result"], over["game"]) == (ann.game(game)["result"], None)
        assert set(over["owners"].values()) <= {"red", "blue", "green", "neutral"}


@pytest.mark.parametrize("access", ["link", "private"])
def test_hidden_tables_are_in_nobody_elses_list(home: RunningServer, access: str) -> None:
    with home.client() as ann, home.client("Bob") as bob:
        lobby = ann.open_table(**SMALL, access=access)["game"]
        running = begun(ann, access=access)
        assert set(ids(ann.search_tables("mine"))) == {lobby, running}
        for which in ("open", "watch", "mine"):
            assert bob.search_tables(which) == {"tables": [], "next": None, "count": 0}


def test_spectators_with_a_delay_learn_nothing_of_the_game(home: RunningServer) -> None:
    with home.client() as ann, home.client("Bob") as bob:
        wish = {"ruleset": "secret-mission", "board": "world", "settings": {"delay": 600}}
        begun(ann, **wish)
        (row,) = bob.search_tables("watch", owners=True)["tables"]
        assert (row["game"], row["owners"]) == (None, None)
        (own,) = ann.search_tables("mine", owners=True)["tables"]
        assert own["game"]["round"] >= 0
        assert own["owners"]


def test_own_tables_need_an_account(home: RunningServer) -> None:
    with home.connect() as nobody, pytest.raises(ApiError) as caught:
        Client.search_tables(nobody, "mine")
    assert caught.value.status == 401
