"""Whose events a stream tells: the seat's of now, not the one's it was opened for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from rubicon.client import Client
from tests.web.conftest import Server
from tests.web.raw import Listener
from tests.web.test_api import SMALL

Listen = Callable[..., Listener]
BOTS = {1: "random", 2: "random"}
MISSIONS = {"ruleset": "secret-mission", "board": "world", "seats": 3}


@pytest.fixture
def listen(server: Server) -> Iterator[Listen]:
    """Opens streams, and closes them behind the test."""
    opened: list[Listener] = []

    def one(client: Client, game: str, after: str = "") -> Listener:
        opened.append(Listener(server, client.token, game, after))
        return opened[-1]

    yield one
    for listener in opened:
        listener.close()


@pytest.fixture
def nobody(server: Server) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


@pytest.fixture
def people(server: Server) -> Iterator[list[Client]]:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Cid") as cid:
        yield [ann, bob, cid]


def test_who_was_sent_away_hears_only_what_everybody_may(
    listen: Listen, people: list[Client], nobody: Client
) -> None:
    ann, bob, cid = people
    game = ann.open_table(**MISSIONS, bots={2: "random"})["game"]
    colour = bob.join(game)
    spy = listen(bob, game)
    ann._post(f"/tables/{game}/kick", colour=colour)
    assert cid.join(game) == colour
    ann.start(game)
    while cid.game(game)["duty"] is None:
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.duty, turn.legal[0])
    heard = spy.up_to(cid.game(game)["head"])
    public = [fact["body"] for fact in nobody.facts(game)]
    assert {event["kind"] for event in heard} == {"lobby", "facts"}
    assert all(event["body"] in public for event in heard if event["kind"] == "facts")
    assert "duty" in {fact["kind"] for fact in cid.facts(game)}


def test_a_delayed_stream_tells_what_may_be_known_by_now(
    listen: Listen, people: list[Client], nobody: Client
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS, settings={"delay": 1})["game"]
    spectator = listen(nobody, game)
    ann.start(game)
    turn = ann.wait(game)
    assert turn is not None
    receipt = ann.submit(game, turn.duty, turn.legal[0])
    assert spectator.up_to(receipt["last"])


def test_a_cursor_that_is_ahead_of_the_game_begins_now(
    listen: Listen, people: list[Client]
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ann.start(game)
    turn = ann.wait(game)
    assert turn is not None
    listener = listen(ann, game, f"{game}:999999999")
    listener.raw.recv(0)
    receipt = ann.submit(game, turn.duty, turn.legal[0])
    assert listener.until("facts")[-1]["entry"] >= receipt["first"]
    assert int(listener.cursor.partition(":")[2]) <= ann.game(game)["head"]


def test_a_token_that_is_revoked_hears_nothing_more(
    listen: Listen, people: list[Client], server: Server
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS, access="link")["game"]
    token = ann._post("/me/tokens", label="thief")["token"]
    with Client(server.url, token) as thief:
        stolen = listen(thief, game)
        ann._call("DELETE", "/me/tokens/thief")
        time.sleep(1.1)
        ann.start(game)
        assert {event["kind"] for event in stolen.until("end")} <= {"lobby"}
