"""The game master over HTTP: who may ask for what, and what everybody can read of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from rubicon.table.game.log_lines import MasterWord
from tests.web.conftest import RunningServer

TABLE: dict[str, Any] = {
    "seats": 2,
    "board": "skerries",
    "settings": {"clock": "days", "master": "host"},
}
EMAIL = {"ruleset": "email"}


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect an API error with this code and a hint."""
    with pytest.raises(ApiError) as caught:
        yield
    assert caught.value.code == code


@pytest.fixture
def people(server: RunningServer) -> Iterator[tuple[Client, Client, Client]]:
    """A host, another player, and somebody who watches."""
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Eve") as eve:
        yield ann, bob, eve


def running(ann: Client, bob: Client, **more: Any) -> str:
    """A game of two people whose host is the game master."""
    game = str(ann.open_table(**(EMAIL | TABLE | more))["game"])
    bob.join(game)
    ann.start(game)
    return game


def test_everybody_reads_what_only_the_game_master_does(
    people: tuple[Client, Client, Client],
) -> None:
    ann, bob, eve = people
    game = running(ann, bob)
    receipt = ann.ask_as_master(game, "ANNOUNCE", words="Please answer by Tuesday.")
    assert receipt["request"] == "ANNOUNCE Please answer by Tuesday."
    assert receipt["first"] == receipt["last"] > 0
    for reader in (ann, bob, eve):
        view = reader.master(game)
        assert (view["kind"], view["name"], view["you"]) == ("host", "Ann", reader is ann)
        assert [(e["by"], e["event"], e["text"]) for e in view["log"]] == [
            ("master", "master", "ANNOUNCE Please answer by Tuesday.")
        ]
    for stranger in (bob, eve):
        for word in MasterWord:
            with refused("master/not-you"):
                stranger.ask_as_master(game, word.value, confirmed=True, hours=1, words="Hi")


def test_more_time_a_stand_in_and_the_banner(people: tuple[Client, Client, Client]) -> None:
    ann, bob, eve = people
    game = running(ann, bob)
    due = ann.game(game)["deadlines"]
    ann.ask_as_master(game, "EXTEND", hours=12)
    later = ann.game(game)["deadlines"]
    assert later == {seat: at + 12 * 3_600_000 for seat, at in due.items()}
    with refused("master/in-time"):
        ann.ask_as_master(game, "BOT", seat="blue", bot="greedy")
    bob.vote(game, "replace blue")
    assert {"request": "BOT", "seats": ["blue"]} in ann.master(game)["requests"]
    with refused("lobby/unknown-bot"):
        ann.ask_as_master(game, "BOT", seat="blue", bot="deepblue")
    ann.ask_as_master(game, "BOT", seat="blue", bot="strongest")
    assert [seat["bot"] for seat in eve.master(game)["waits"]] == ["", "expert"]
    ann.ask_as_master(game, "BANNER", words="Song of the Ferrymen,  trad.")
    assert eve.master(game)["banner"] == "Song of the Ferrymen, trad."
    bob.take_back(game)
    assert [entry["by"] for entry in eve.master(game)["log"]] == [
        "blue",
        "master",
        "master",
        "master",
        "master",
    ]


def test_a_freed_seat_goes_to_somebody_else_and_never_to_the_game_master(
    server: RunningServer, people: tuple[Client, Client, Client]
) -> None:
    ann, bob, eve = people
    with server.client("Gus") as gus, server.client("Ida") as ida:
        game = run_by(ann, bob, gus, access="private")
        with refused("game/unknown"):
            eve.master(game)
        view = gus.master(game)
        assert (view["name"], view["you"], view["messages"]) == ("Gus", True, [])
        bob.say(game, "I must leave.", to="gm")
        assert [line["text"] for line in gus.master(game)["messages"]] == ["I must leave."]
        assert ann.master(game)["messages"] == ann.chat(game) == []
        bob.vote(game, "replace blue")
        with refused("master/unconfirmed"):
            gus.ask_as_master(game, "REPLACE", seat="blue")
        invite = gus.ask_as_master(game, "REPLACE", seat="blue", confirmed=True)["invite"]
        assert invite
        assert invite not in json.dumps(ann.master(game))
        with refused("lobby/runs-it"):
            gus.join(game, invite=invite)
        with refused("game/unknown"):
            bob.game(game)
        assert ida.join(game, invite=invite) == "blue"
        ida.take_back(game)
        assert ida.game(game)["you"] == "blue"


def test_a_game_master_without_a_seat_sees_no_hand_and_decides_nothing(
    server: RunningServer, people: tuple[Client, Client, Client]
) -> None:
    ann, bob, eve = people
    with server.client("Gus") as gus:
        game = run_by(ann, bob, gus, settings={"spectators": False})
        decision = ann.game(game)["decision"]
        assert gus.game(game)["you"] is None
        hidden = {"options": {"cards.visibility": "private_count_public"}}
        other = run_by(ann, bob, gus, **hidden)
        assert gus.game(other)["position"] == eve.game(other)["position"]
        with refused("seat/required"):
            gus.submit(game, decision, "end turn")
        with refused("seat/required"):
            gus.vote(game, "draw")
        with refused("seat/required"):
            gus.undo(game, decision)
        with refused("seat/required"):
            gus.out_of_turn(game, "resign red")


def run_by(ann: Client, bob: Client, gus: Client, **more: Any) -> str:
    """A game of Ann and Bob that Gus runs."""
    settings = TABLE["settings"] | more.pop("settings", {}) | {"master": "person"}
    opened = ann.open_table(**(EMAIL | TABLE | more | {"settings": settings, "seats": 3}))
    game = str(opened["game"])
    bob.join(game, invite=opened["invites"].get("blue") or opened["invite"])
    green = gus.join(game, invite=opened["invites"].get("green") or opened["invite"])
    with refused("master/missing"):
        ann.start(game)
    with refused("lobby/not-host"):
        bob.name_master(game, "blue")
    with refused("players/unknown"):
        ann.name_master(game, "nobody")
    with refused("master/unknown-person"):
        ann.name_master(game, "black")
    ann.name_master(game, green)
    gus.leave(game)
    ann.change_table(game, seats=2)
    ann.start(game)
    return game


def test_the_rebels_of_a_table_stand_on_the_board_when_its_game_begins(
    people: tuple[Client, Client, Client],
) -> None:
    ann, bob, _ = people
    table = {"ruleset": "email", "board": "world", "seats": 2, "settings": {"master": "host"}}
    game = str(ann.open_table(**table)["game"])
    assert ann.change_table(game, rebels={"iceland": 3, "japan": 4})["rebels"] == {
        "iceland": 3,
        "japan": 4,
    }
    with refused("board/unknown-territory"):
        ann.change_table(game, rebels={"atlantis": 3})
    bob.join(game)
    assert ann.table(game)["rebels"] == {"iceland": 3, "japan": 4}
    ann.change_colour(game, "black")
    ann.start(game)
    board = ann.game(game)["position"]["territories"]
    assert (board["iceland"]["armies"], board["japan"]["armies"]) == (3, 4)
    with refused("lobby/begun"):
        ann.change_table(game, rebels={})


def test_rebels_need_a_ruleset_that_has_them(people: tuple[Client, Client, Client]) -> None:
    ann, _, _ = people
    game = str(ann.open_table(seats=3)["game"])
    with refused("setup/rebels"):
        ann.change_table(game, rebels={"iceland": 3})
    ann.change_table(game, ruleset="email", rebels={"iceland": 3})
    assert ann.change_table(game, seats=4)["rebels"] == {"iceland": 3}
    assert ann.change_table(game, ruleset="classic")["rebels"] == {}
