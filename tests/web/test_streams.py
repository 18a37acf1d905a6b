"""Whose events a stream tells: the seat's of now, not the one's it was opened for."""

from __future__ import annotations

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


def test_who_changes_places_in_the_lobby_hears_the_new_seat(
    listen: Listen, people: list[Client]
) -> None:
    ann, bob, cid = people
    game = ann.open_table(**MISSIONS)["game"]
    colours = [seat_of(ann, game), bob.join(game), cid.join(game)]
    listeners = [listen(person, game) for person in people]
    ann._post(f"/tables/{game}/swap", one=colours[0], other=colours[1])
    ann.start(game)
    assert [seat_of(person, game) for person in people] == [colours[1], colours[0], colours[2]]
    for person, listener in zip(people, listeners, strict=True):
        heard = [(event["entry"], event["body"]) for event in listener.until("facts")]
        assert heard[-1] in [(fact["entry"], fact["body"]) for fact in person.facts(game)]
        assert "assigned" in str(heard) or "mission" in str(person.facts(game))


def seat_of(client: Client, game: str) -> str:
    """The colour of a seat at a table."""
    return str(client._get(f"/tables/{game}")["your_seat"])


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
    assert all(event["kind"] == "facts" and event["body"] in public for event in heard)
    assert "duty" in {fact["kind"] for fact in cid.facts(game)}


def test_a_table_without_spectators_ends_the_streams_of_those_who_were_there_before(
    listen: Listen, people: list[Client]
) -> None:
    ann, bob, _ = people
    game = ann.open_table(**SMALL, bots=BOTS, settings={"spectators": False})["game"]
    spy = listen(bob, game)
    ann.start(game)
    assert spy.until("end") == []


def test_a_delay_holds_for_those_who_came_before_the_game(
    listen: Listen, people: list[Client], nobody: Client
) -> None:
    ann = people[0]
    game = ann.open_table(**SMALL, bots=BOTS, settings={"delay": 600})["game"]
    spectator, player = listen(nobody, game), listen(ann, game)
    ann.start(game)
    player.until("duty")
    assert nobody.facts(game) == []
    assert nobody.game(game)["head"] == 0
    assert spectator.is_silent(2)


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
        ann.start(game)
        assert stolen.until("end") == []
