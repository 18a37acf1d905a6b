"""Event streams in the lobby and at shutdown: seats change, and no stream reveals too much."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import httpx

from rubicon.client import ApiError, Client
from tests.web.conftest import RunningServer, StreamListener, in_process, start, stop

SMALL = {"board": "skerries", "seats": 3}


def table(server: RunningServer, **wish: Any) -> tuple[Client, Client, str]:
    """Ann's table, at which Bob sits down."""
    ann, bob = server.client("Ann"), server.client("Bob")
    game = str(ann.open_table(**(SMALL | {"bots": {2: "greedy"}} | wish))["game"])
    return ann, bob, game


def ended(heard: list[dict[str, Any]]) -> bool:
    """Whether the stream is over."""
    return bool(heard) and heard[-1]["kind"] == "end"


def missions(heard: list[dict[str, Any]]) -> tuple[int, set[str]]:
    """How many missions were dealt, and the seats whose missions were named."""
    facts = [fact for event in heard if event["kind"] == "events" for fact in event["body"]]
    dealt = [fact for fact in facts if fact.get("what") == "mission"]
    return len(dealt), {fact["to"] for fact in dealt if fact.get("thing")}


def test_a_stream_opened_in_the_lobby_has_the_view_of_the_final_seat(
    server: RunningServer,
) -> None:
    ann, bob, game = table(server, ruleset="secret-mission")
    with ann, bob:
        ears = {
            "ann": StreamListener(ann, game),
            "bob": StreamListener(bob, game),
        }  # Bob has no seat yet
        first = bob.join(game)
        own = next(s["colour"] for s in ann._session.get(f"/tables/{game}")["seats"] if s["yours"])
        ann._session.post(f"/tables/{game}/swap", one=own, other=first)
        ann.start(game)
        for name, colour in (("ann", first), ("bob", own)):
            ears[name].wait_for(lambda heard: missions(heard)[0] == 3)
            assert missions(ears[name].heard)[1] == {colour}


def test_the_stream_of_a_removed_player_of_a_private_table_ends(
    server: RunningServer,
) -> None:
    ann, bob, _ = table(server)
    with ann, bob:
        opened = ann.open_table(**SMALL, bots={2: "greedy"}, access="private")
        game = opened["game"]
        colour = bob.join(game, invite=next(iter(opened["invites"].values())))
        ear = StreamListener(bob, game)
        ann._session.post(f"/tables/{game}/kick", colour=colour)
        ear.wait_for(ended)
        assert ear.kinds() == ["lobby", "end"]


def test_spectators_from_the_lobby_get_delayed_events_too(server: RunningServer) -> None:
    ann, bob, game = table(server, settings={"delay": 3600})
    with ann, bob, server.client("Eve") as eve:
        ear = StreamListener(eve, game)
        bob.join(game)
        ann.start(game)
        ear.wait_for(lambda heard: [event["kind"] for event in heard] == ["lobby", "lobby"])
        for _ in range(2):
            for player in (ann, bob):
                seen = player.game(game)
                if seen["decision"] is not None:
                    legal = player.legal(game)["ranges"]
                    player.submit(game, seen["decision"], legal[0]["lowest"])
        time.sleep(1.5)
        assert set(ear.kinds()) == {"lobby"}


def test_streams_of_spectators_end_when_a_table_without_spectators_starts(
    server: RunningServer,
) -> None:
    ann, bob, game = table(server, settings={"spectators": False})
    with ann, bob, server.client("Eve") as eve:
        ear = StreamListener(eve, game)
        bob.join(game)
        ann.start(game)
        ear.wait_for(ended)
        assert set(ear.kinds()) == {"lobby", "end"}


def test_sigterm_shuts_down_cleanly_while_orders_run_and_streams_are_open(
    tmp_path: Path,
) -> None:
    server = start(tmp_path)
    acknowledged: dict[str, int] = {}
    clients = [server.client(f"Ann {number}") for number in range(4)]
    games = [str(c.open_table(**SMALL, bots={1: "greedy", 2: "greedy"})["game"]) for c in clients]
    ears = []
    for client, game in zip(clients, games, strict=True):
        client.start(game)
        ears.append(StreamListener(client, game))

    def play(client: Client, game: str) -> None:
        try:
            while True:
                seen = client.game(game)
                if seen["decision"] is not None:
                    legal = client.legal(game)["ranges"]
                    receipt = client.submit(game, seen["decision"], legal[0]["lowest"])
                    acknowledged[game] = receipt["last"]
        except (ApiError, httpx.HTTPError):
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
    assert "graceful" not in server.output  # no stream had to be cut off after a time
    assert "Traceback" not in server.output
    for player in players:
        player.join(30)
    for ear in ears:
        ear.wait_for(ended)
    assert acknowledged
    with in_process(tmp_path) as again:
        for client, game in zip(clients, games, strict=True):
            with again.connect(client.token) as same:
                assert same.game(game)["index"] >= acknowledged.get(game, 0)
    for client in clients:
        client.close()


def test_chatting_in_the_lobby_does_not_cache_the_seat(
    server: RunningServer,
) -> None:
    ann, bob, game = table(server, ruleset="secret-mission", settings={"chat": "open"})
    with ann, bob:
        first = bob.join(game)
        own = next(s["colour"] for s in ann._session.get(f"/tables/{game}")["seats"] if s["yours"])
        for person in (ann, bob):
            person._session.post(f"/games/{game}/chat", text="hello")
        ann._session.post(f"/tables/{game}/swap", one=own, other=first)
        ann.start(game)
        assert [person.game(game)["you"] for person in (ann, bob)] == [first, own]
