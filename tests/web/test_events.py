"""The live stream in the lobby and over its end: seats change hands, and nobody sees too much."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import httpx

from rubicon.client import Client, Refusal
from tests.web.conftest import Ear, Server, start, stop

SMALL = {"board": "skerries", "seats": 3}


def table(server: Server, **wish: Any) -> tuple[Client, Client, str]:
    """Ann's table, at which Bob sits down."""
    ann, bob = server.client("Ann"), server.client("Bob")
    game = str(ann.open_table(**(SMALL | {"bots": {2: "greedy"}} | wish))["game"])
    return ann, bob, game


def ended(heard: list[dict[str, Any]]) -> bool:
    """Whether the stream is over."""
    return bool(heard) and heard[-1]["kind"] == "end"


def missions(heard: list[dict[str, Any]]) -> tuple[int, set[str]]:
    """How many missions were dealt, and the seats whose missions were named."""
    facts = [fact for event in heard if event["kind"] == "facts" for fact in event["body"]]
    dealt = [fact for fact in facts if fact.get("what") == "mission"]
    return len(dealt), {fact["to"] for fact in dealt if fact.get("thing")}


def test_a_stream_that_waited_in_the_lobby_has_the_eyes_of_the_seat_at_the_start(
    server: Server,
) -> None:
    ann, bob, game = table(server, ruleset="secret-mission")
    with ann, bob:
        ears = {"ann": Ear(ann, game), "bob": Ear(bob, game)}  # Bob has no seat yet
        first = bob.join(game)
        own = next(s["colour"] for s in ann._get(f"/tables/{game}")["seats"] if s["yours"])
        ann._post(f"/tables/{game}/swap", one=own, other=first)
        ann.start(game)
        for name, colour in (("ann", first), ("bob", own)):
            ears[name].wait_for(lambda heard: missions(heard)[0] == 3)
            assert missions(ears[name].heard)[1] == {colour}


def test_whoever_is_sent_away_from_a_private_table_hears_no_more_of_it(server: Server) -> None:
    ann, bob, _ = table(server)
    with ann, bob:
        opened = ann.open_table(**SMALL, bots={2: "greedy"}, access="private")
        game = opened["game"]
        colour = bob.join(game, invite=next(iter(opened["invites"].values())))
        ear = Ear(bob, game)
        ann._post(f"/tables/{game}/kick", colour=colour)
        ear.wait_for(ended)
        assert ear.kinds() == ["lobby", "end"]


def test_spectators_who_waited_in_the_lobby_see_it_as_late_as_others(server: Server) -> None:
    ann, bob, game = table(server, settings={"delay": 3600})
    with ann, bob, server.client("Eve") as eve:
        ear = Ear(eve, game)
        bob.join(game)
        ann.start(game)
        ear.wait_for(lambda heard: [event["kind"] for event in heard] == ["lobby", "lobby"])
        for _ in range(2):
            for player in (ann, bob):
                seen = player.game(game)
                if seen["duty"] is not None:
                    legal = player.legal(game)["families"]
                    player.submit(game, seen["duty"], legal[0]["lowest"])
        time.sleep(1.5)
        assert set(ear.kinds()) == {"lobby"}


def test_tables_that_want_no_spectators_are_left_by_those_who_waited(server: Server) -> None:
    ann, bob, game = table(server, settings={"spectators": False})
    with ann, bob, server.client("Eve") as eve:
        ear = Ear(eve, game)
        bob.join(game)
        ann.start(game)
        ear.wait_for(ended)
        assert set(ear.kinds()) == {"lobby", "end"}


def test_a_server_is_stopped_in_good_order_while_orders_run_and_streams_are_open(
    tmp_path: Path,
) -> None:
    server = start(tmp_path)
    acknowledged: dict[str, int] = {}
    clients = [server.client(f"Ann {number}") for number in range(4)]
    games = [str(c.open_table(**SMALL, bots={1: "greedy", 2: "greedy"})["game"]) for c in clients]
    ears = []
    for client, game in zip(clients, games, strict=True):
        client.start(game)
        ears.append(Ear(client, game))

    def play(client: Client, game: str) -> None:
        try:
            while True:
                seen = client.game(game)
                if seen["duty"] is not None:
                    legal = client.legal(game)["families"]
                    receipt = client.submit(game, seen["duty"], legal[0]["lowest"])
                    acknowledged[game] = receipt["last"]
        except (Refusal, httpx.HTTPError):
            return

    players = [
        threading.Thread(target=play, args=pair) for pair in zip(clients, games, strict=True)
    ]
    for player in players:
        player.start()
    deadline = time.monotonic() + 30
    while not acknowledged and time.monotonic() < deadline:
        time.sleep(0.01)
    assert stop(server) == 0
    assert "graceful" not in server.said  # no stream had to be cut off after a time
    assert "Traceback" not in server.said
    for player in players:
        player.join(30)
    for ear in ears:
        ear.wait_for(ended)
    assert acknowledged
    again = start(tmp_path)
    try:
        for client, game in zip(clients, games, strict=True):
            with Client(again.url, client.token) as same:
                assert same.game(game)["head"] >= acknowledged.get(game, 0)
    finally:
        assert stop(again) == 0
        for client in clients:
            client.close()


def test_whoever_talked_in_the_lobby_sees_with_the_eyes_of_the_seat_at_the_start(
    server: Server,
) -> None:
    ann, bob, game = table(server, ruleset="secret-mission", settings={"chat": "open"})
    with ann, bob:
        first = bob.join(game)
        own = next(s["colour"] for s in ann._get(f"/tables/{game}")["seats"] if s["yours"])
        for person in (ann, bob):
            person._post(f"/games/{game}/chat", text="hello")
        ann._post(f"/tables/{game}/swap", one=own, other=first)
        ann.start(game)
        assert [person.game(game)["you"] for person in (ann, bob)] == [first, own]
