"""A stream follows the seat that its account has now, not the one it was opened for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rubicon.client import Client
from rubicon.web.api import event_stream
from tests.web.api.listener import Listener
from tests.web.api.test_api import SMALL
from tests.web.conftest import RunningServer

Listen = Callable[..., Listener]
BOTS = {1: "random", 2: "random"}
MISSIONS = {"ruleset": "secret-mission", "board": "world", "seats": 3}


@pytest.fixture
def listen(server: RunningServer) -> Iterator[Listen]:
    """Opens streams, and closes them behind the test."""
    opened: list[Listener] = []

    def one(client: Client, game: str, after: str = "") -> Listener:
        opened.append(Listener(server, client.token, game, after))
        return opened[-1]

    yield one
    for listener in opened:
        listener.close()


@pytest.fixture
def nobody(server: RunningServer) -> Iterator[Client]:
    with server.connect() as client:
        yield client


@pytest.fixture
def people(server: RunningServer) -> Iterator[list[Client]]:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Cid") as cid:
        yield [ann, bob, cid]


def test_a_removed_player_gets_public_events_only(
    listen: Listen, people: list[Client], nobody: Client
) -> None:
    ann, bob, cid = people
    game = ann.open_table(**MISSIONS, bots={2: "random"})["game"]
    colour = bob.join(game)
    spy = listen(bob, game)
    ann._session.post(f"/tables/{game}/kick", colour=colour)
    assert cid.join(game) == colour
    ann.start(game)
    while cid.game(game)["decision"] is None:
        turn = ann.wait(game)
        assert turn is not None
        ann.submit(game, turn.decision, turn.legal[0])
    heard = spy.up_to(cid.game(game)["index"])
    public = [fact["body"] for fact in nobody.past_events(game)]
    assert {event["kind"] for event in heard} == {"lobby", "events"}
    assert all(event["body"] in public for event in heard if event["kind"] == "events")
    assert "decision" in {fact["kind"] for fact in cid.past_events(game)}


def test_a_delayed_stream_sends_events_when_they_are_old_enough(
    listen: Listen, people: list[Client], nobody: Client
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS, settings={"delay": 1})["game"]
    spectator = listen(nobody, game)
    ann.start(game)
    turn = ann.wait(game)
    assert turn is not None
    receipt = ann.submit(game, turn.decision, turn.legal[0])
    assert spectator.up_to(receipt["last"])


def test_a_cursor_ahead_of_the_game_starts_at_its_end(listen: Listen, people: list[Client]) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ann.start(game)
    turn = ann.wait(game)
    assert turn is not None
    listener = listen(ann, game, f"{game}:999999999")
    receipt = ann.submit(game, turn.decision, turn.legal[0])
    assert listener.until("events")[-1]["index"] >= receipt["first"]
    assert int(listener.cursor.partition(":")[2]) <= ann.game(game)["index"]


def test_a_stream_that_is_open_misses_nothing(
    listen: Listen, people: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    ann.start(game)
    turn = ann.wait(game)
    assert turn is not None
    read = event_stream._last_index

    def busy(*arguments: Any) -> int:
        time.sleep(0.5)  # another table's games take the database
        return read(*arguments)

    monkeypatch.setattr(event_stream, "_last_index", busy)
    listener = listen(ann, game)
    receipt = ann.submit(game, turn.decision, turn.legal[0])
    assert listener.until("events")[-1]["index"] == receipt["first"]


def test_the_stream_of_a_revoked_token_ends(
    listen: Listen, people: list[Client], server: RunningServer
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS, access="link")["game"]
    token = ann._session.post("/me/tokens", label="thief")["token"]
    with server.connect(token) as thief:
        stolen = listen(thief, game)
        ann._session.call("DELETE", "/me/tokens/thief")
        time.sleep(1.1)
        ann.start(game)
        assert {event["kind"] for event in stolen.until("end")} <= {"lobby"}
