"""One stream for all tables of an account, and one for the open tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import Client
from rubicon.web.api.broadcast import MAX_ACCOUNT_STREAMS
from tests.waiting import until
from tests.web.api.listener import Listener
from tests.web.api.test_api import begun, play
from tests.web.conftest import RunningServer, in_process

Listen = Callable[..., Listener]
SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}
BOTS = {1: "random", 2: "random"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of its own: other tests would open tables beside these."""
    with in_process(tmp_path_factory.mktemp("feed")) as running:
        yield running


@pytest.fixture
def people(home: RunningServer) -> Iterator[list[Client]]:
    with home.client("Ann") as ann, home.client("Bob") as bob:
        yield [ann, bob]


@pytest.fixture
def listen(home: RunningServer) -> Iterator[Listen]:
    """Opens streams, and closes them behind the test."""
    opened: list[Listener] = []

    def one(client: Client, **asked: str) -> Listener:
        opened.append(Listener(home, client.token, **asked))
        return opened[-1]

    yield one
    for listener in opened:
        listener.close()


def following(listener: Listener) -> list[str]:
    """The games that a stream begins with."""
    (event,) = [e for e in listener.until("following") if e["kind"] == "following"]
    return list(event["body"]["games"])


def about(events: list[dict[str, Any]], kind: str) -> list[str]:
    """The games of the events of a kind."""
    return [event["game"] for event in events if event["kind"] == kind]


def test_a_stream_follows_games_that_are_joined_later(listen: Listen, people: list[Client]) -> None:
    ann, bob = people
    old = ann.open_table(**SMALL)["game"]
    mine, bobs = listen(ann, mine="true"), listen(bob, mine="true")
    assert (following(mine), following(bobs)) == ([old], [])
    game = bob.open_table(**SMALL, bots={2: "random"})["game"]
    assert about(bobs.until("lobby"), "lobby") == [game]
    ann.join(game)
    assert about(mine.until("lobby"), "lobby") == [game]
    assert about(bobs.until("lobby"), "lobby") == [game]  # somebody has joined
    bob.start(game)
    assert set(about(mine.until("events"), "events")) == {game}
    assert set(about(bobs.until("events"), "events")) == {game}
    ann._session.post(f"/tables/{old}/close")
    assert old in about(mine.until("lobby"), "lobby")


def test_a_removed_player_hears_nothing_more(listen: Listen, people: list[Client]) -> None:
    ann, bob = people
    game = ann.open_table(**SMALL)["game"]
    bobs = listen(bob, mine="true")
    assert following(bobs) == []
    colour = bob.join(game)
    assert about(bobs.until("lobby"), "lobby") == [game]
    ann._session.post(f"/tables/{game}/kick", colour=colour)
    # A change is looked up some time after it was made, so an earlier one may be heard twice.
    own = bob.open_table(**SMALL)["game"]
    heard = []
    while (changed := about(bobs.until("lobby"), "lobby")) != [own]:
        heard.append(changed)
    assert heard
    assert all(changed == [game] for changed in heard)
    ann._session.post(f"/tables/{game}/bot", colour=colour, bot="random")
    other = bob.open_table(**SMALL)["game"]
    assert about(bobs.until("lobby"), "lobby") == [other]


def test_a_game_that_began_meanwhile_is_resumed_from_its_beginning(
    listen: Listen, people: list[Client]
) -> None:
    ann, _ = people
    game = ann.open_table(**SMALL, bots=BOTS)["game"]
    first = listen(ann, mine="true")
    assert following(first) == [game]
    cursor = first.cursor
    first.close()
    ann.start(game)
    again = listen(ann, mine="true", after=cursor)
    heard = again.until("following")
    past = ann._session.get(f"/games/{game}/events")
    assert heard[0]["index"] == past[0]["index"]
    assert set(about(heard, "events")) == {game}
    indexes = [event["index"] for event in heard if event["kind"] == "events"]
    third = listen(ann, mine="true", after=again.cursor)
    later = [event["index"] for event in third.until("following") if event["kind"] == "events"]
    assert set(later).isdisjoint(indexes)


def test_a_rematch_is_told_to_everybody_who_played(listen: Listen, people: list[Client]) -> None:
    ann, bob = people
    game = ann.open_table(**SMALL, bots={2: "random"})["game"]
    bob.join(game)
    ann.start(game)
    for client in (bob, ann):
        colour = client.game(game)["you"]
        client._session.post(f"/games/{game}/out-of-turn", text=f"resign {colour}")
    until(lambda: ann.game(game)["result"] is not None)
    bobs = listen(bob, mine="true")
    assert game in following(bobs)
    new = ann.rematch(game)["game"]
    heard = bobs.until("rematch")
    (told,) = [event for event in heard if event["kind"] == "rematch"]
    assert (told["game"], told["body"]) == (game, {"game": new, "invite": None})
    while new not in about(heard, "lobby"):
        heard += bobs.until("lobby")


def test_the_game_of_a_fork_is_followed(listen: Listen, people: list[Client]) -> None:
    ann, _ = people
    game = begun(ann)
    turn = ann.wait(game)
    assert turn is not None
    mine = listen(ann, mine="true")
    following(mine)
    ann._session.post(f"/games/{game}/vote", motion="fork 0")
    heard = mine.until("fork")
    (fork,) = [event["body"]["game"] for event in heard if event["kind"] == "fork"]
    while fork not in about(heard, "lobby"):
        heard += mine.until("lobby")
    ann.submit(fork, *first_decision(ann, fork))
    while fork not in about(heard, "events"):
        heard += mine.until("events")


def first_decision(client: Client, game: str) -> tuple[int, str]:
    """A decision that can be submitted."""
    turn = client.wait(game)
    assert turn is not None
    return turn.decision, turn.legal[0]


def test_the_open_tables(listen: Listen, people: list[Client], home: RunningServer) -> None:
    ann, bob = people
    with home.connect() as nobody:
        watching = listen(nobody, tables="open")
    heard = watching.until("tables")[-1]["body"]
    assert heard["count"] == len(heard["tables"])
    known = {table["id"] for table in heard["tables"]}
    game = ann.open_table(**SMALL, title="Quick four")["game"]
    (event,) = watching.until("table")
    assert game not in known
    assert (event["body"]["id"], event["body"]["title"]) == (game, "Quick four")
    assert event["body"]["free"] == 2
    bob.join(game)
    (event,) = watching.until("table")
    assert (event["game"], event["body"]["free"]) == (game, 1)
    assert all(not seat["yours"] for seat in event["body"]["seats"])
    ann._session.post(f"/tables/{game}/bot", colour="green", bot="random")
    watching.until("table")
    ann.start(game)
    (event,) = watching.until("gone")
    assert (event["game"], event["body"]) == (game, {})


@pytest.mark.parametrize("access", ["link", "private"])
def test_hidden_tables_are_not_told(listen: Listen, people: list[Client], access: str) -> None:
    ann, bob = people
    strangers = [listen(bob, tables="open"), listen(bob, tables="open", mine="true")]
    for stranger in strangers:
        stranger.until("tables")
    hidden = ann.open_table(**SMALL, access=access)["game"]
    ann._session.post(f"/tables/{hidden}/bot", colour="blue", bot="random")
    ann._session.post(f"/tables/{hidden}/close")
    shown = ann.open_table(**SMALL)["game"]
    for stranger in strangers:
        assert about(stranger.until("table"), "table") == [shown]
        assert hidden not in stranger.received


def test_streams_of_all_games_need_an_account_and_are_bounded(
    tmp_path: Path,
) -> None:
    with in_process(tmp_path, streams_per_address=1000) as server, server.client() as ann:
        with server.http() as http:
            answer = http.get("/api/v1/events", params={"mine": "true"})
            assert (answer.status_code, answer.json()["code"]) == (401, "account/required")
            for wrong in ({"mine": "yes"}, {"tables": "all"}):
                answer = http.get("/api/v1/events", params=wrong)
                assert (answer.status_code, answer.json()["code"]) == (400, "events/parameters")
        streams = [Listener(server, ann.token, mine="true") for _ in range(MAX_ACCOUNT_STREAMS)]
        headers = {"authorization": f"Bearer {ann.token}"}
        with server.http(headers=headers) as http:
            answer = http.get("/api/v1/events", params={"mine": "true"})
            assert answer.status_code == 429
            assert answer.json()["code"] == "request/too-many-streams"
            streams.pop().close()

            def room() -> bool:
                with http.stream("GET", "/api/v1/events", params={"mine": "true"}) as found:
                    return found.status_code == 200

            until(room)
        for stream in streams:
            stream.close()


def test_a_finished_game_is_not_followed_again(listen: Listen, people: list[Client]) -> None:
    ann, _ = people
    game = begun(ann)
    mine = listen(ann, mine="true")
    following(mine)
    play(ann, game)
    heard = mine.until("over")
    assert game in about(heard, "over")
