"""A player mutes, blocks and reports; the administrator sees what was reported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rubicon.client import ApiError, Client
from tests.web.api.listener import Listener
from tests.web.conftest import RunningServer

SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}


@pytest.fixture
def people(server: RunningServer) -> Iterator[list[Client]]:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Cid") as cid:
        yield [ann, bob, cid]


def table(people: list[Client]) -> str:
    """A table at which all three sit, in this order: red, blue, green."""
    ann, *others = people
    game = str(ann.open_table(**SMALL, settings={"chat": "open"})["game"])
    for client in others:
        client.join(game)
    return game


def say(client: Client, game: str, text: str) -> int:
    """Send a line; its id."""
    return int(client._session.post(f"/games/{game}/chat", text=text)["id"])


def texts(events: list[dict[str, Any]]) -> list[str]:
    """The chat lines among events."""
    return [event["body"]["text"] for event in events if event["kind"] == "chat"]


@pytest.mark.parametrize("way", ["mute", "block"])
def test_lines_of_a_muted_seat_are_not_seen(
    server: RunningServer, people: list[Client], way: str
) -> None:
    ann, bob, cid = people
    game = table(people)
    path = f"/games/{game}/chat/{way}"
    ann._session.post(path, colour="blue")
    assert ann._session.get(f"/games/{game}/chat/muted") == ["blue"]
    streams = [Listener(server, client.token, game) for client in (ann, cid)]
    say(bob, game, "rude")
    say(cid, game, "polite")
    heard = [texts(stream.until("chat")) for stream in streams]
    assert heard == [["polite"], ["rude"]]
    assert [line["text"] for line in ann.chat(game)] == ["polite"]
    ann._session.post(path, **{"colour": "blue", "muted" if way == "mute" else "blocked": False})
    say(bob, game, "sorry")
    assert texts(streams[0].until("chat")) == ["sorry"]
    for stream in streams:
        stream.close()


def test_a_reported_line_is_listed_for_the_administrator(
    server: RunningServer, people: list[Client]
) -> None:
    ann, bob, _ = people
    game = table(people)
    line = say(bob, game, "rude")
    ann._session.post(f"/games/{game}/chat/report", line=line)
    with server.connect(server.admin) as admin:
        (found,) = [r for r in admin._session.get("/admin/reports") if r["line"]["id"] == line]
        assert (found["line"]["text"], found["line"]["game"]) == ("rude", game)
        assert (found["author"], found["reporter"]) == ("Bob", "Ann")
        assert admin._session.get("/admin/overview")["stored"]["reports"] >= 1
        admin._session.call("DELETE", "/admin/reports", params={"line": line})
        assert line not in [r["line"]["id"] for r in admin._session.get("/admin/reports")]
    with pytest.raises(ApiError) as caught:
        bob._session.post(f"/games/{game}/chat/report", line=line)
    assert caught.value.code == "chat/no-line"


def test_only_people_at_the_table_can_do_that(server: RunningServer, people: list[Client]) -> None:
    game = table(people)
    with server.client("Eve") as eve:
        for way, body in (("mute", {"colour": "red"}), ("block", {"colour": "red"})):
            with pytest.raises(ApiError) as caught:
                eve._session.post(f"/games/{game}/chat/{way}", **body)
            assert caught.value.code == "seat/required"


def test_spectators_by_the_link_read_what_is_said_to_all(server: RunningServer) -> None:
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Cid") as cid:
        opened = ann.open_table(**SMALL, access="link", settings={"chat": "open"})
        game = str(opened["game"])
        for client in (bob, cid):
            client.join(game, invite=opened["invite"])
        ann.start(game)
        ann.say(game, "welcome")
        ann.say(game, "psst", to="blue")
        with server.http() as nobody:
            path = f"/api/v1/games/{game}/chat"
            lines = nobody.get(path, params={"invite": opened["invite"]}).json()
            assert [line["text"] for line in lines] == ["welcome"]
            refused = nobody.get(path, params={"invite": "wrong"})
            assert refused.status_code == nobody.get(path).status_code == 404
            sent = nobody.post(path, json={"text": "me too"})
            assert sent.json()["code"] == "account/required"
