"""A browser changes a table in the lobby, and shows its link."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from rubicon.client import ApiError, Client
from tests.web.api.listener import Listener
from tests.web.conftest import RunningServer

SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}


@pytest.fixture
def ann(server: RunningServer) -> Iterator[Client]:
    with server.client("Ann") as client:
        yield client


@pytest.fixture
def bob(server: RunningServer) -> Iterator[Client]:
    with server.client("Bob") as client:
        yield client


def call(server: RunningServer, client: Client | None, path: str, **query: str) -> httpx.Response:
    """A GET request of a client, or of nobody."""
    headers = {} if client is None else {"authorization": f"Bearer {client.token}"}
    with server.http(headers=headers) as http:
        return http.get(f"/api/v1{path}", params=query)


def test_a_change_is_told_to_everybody_at_the_table(
    server: RunningServer, ann: Client, bob: Client
) -> None:
    game = ann.open_table(**SMALL)["game"]
    bob.join(game)
    stream = Listener(server, bob.token, game)
    changes = {"ruleset": "secret-mission", "board": "world", "seats": 4, "title": "Agents"}
    table = ann.change_table(game, **changes, access="link", settings={"clock": "live"})
    assert (table["title"], table["access"], len(table["seats"])) == ("Agents", "link", 4)
    assert table["ruleset"].startswith("secret-mission ")
    assert table["settings"] == {"clock": "live"}
    stream.until("lobby")
    bob.change_colour(game, "black")
    assert bob.table(game)["your_seat"] == "black"
    stream.until("lobby")
    stream.close()
    with pytest.raises(ApiError) as caught:
        bob.change_table(game, title="Mine")
    assert (caught.value.status, caught.value.code) == (403, "lobby/not-host")


def test_the_link_of_a_table_leads_to_it(server: RunningServer, ann: Client, bob: Client) -> None:
    opened = ann.open_table(**SMALL, access="link")
    game, path = opened["game"], f"/tables/{opened['game']}/invite"
    view = call(server, ann, path).json()
    assert view["url"] == f"{server.url}/games/{game}?invite={opened['invite']}"
    assert view["seats"] == {}
    assert call(server, None, path, invite=opened["invite"]).json()["url"] == view["url"]
    assert call(server, bob, path).status_code == 404
    bob.join(game, invite=opened["invite"])
    assert call(server, bob, path).json()["code"] == "lobby/not-host"


def test_an_open_table_has_a_link_for_everybody(server: RunningServer, ann: Client) -> None:
    game = ann.open_table(**SMALL)["game"]
    view = call(server, None, f"/tables/{game}/invite").json()
    assert (view["access"], view["url"]) == ("open", f"{server.url}/games/{game}")


def test_each_free_seat_of_a_private_table_has_a_link(server: RunningServer, ann: Client) -> None:
    opened = ann.open_table(**SMALL, access="private")
    game = opened["game"]
    view = call(server, ann, f"/tables/{game}/invite").json()
    assert view["url"] is None
    assert view["seats"] == {
        colour: f"{server.url}/games/{game}?invite={secret}"
        for colour, secret in opened["invites"].items()
    }
    image = call(server, ann, f"/tables/{game}/qr.svg", seat="blue")
    assert title(image) == view["seats"]["blue"]
    for query in ({}, {"seat": "red"}):
        answer = call(server, ann, f"/tables/{game}/qr.svg", **query)
        assert answer.json()["code"] == "lobby/private"


def title(image: httpx.Response) -> str:
    """The link that a QR code shows, which is its title too."""
    assert image.headers["content-type"].startswith("image/svg+xml")
    root = ET.fromstring(image.text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.find(".//{http://www.w3.org/2000/svg}path") is not None
    return root.findtext("{http://www.w3.org/2000/svg}title", "")


def test_the_qr_code_is_for_those_who_may_see_the_link(
    server: RunningServer, ann: Client, bob: Client
) -> None:
    opened = ann.open_table(**SMALL, access="link")
    game = opened["game"]
    path = f"/tables/{game}/qr.svg"
    image = call(server, ann, path)
    assert title(image) == f"{server.url}/games/{game}?invite={opened['invite']}"
    assert image.headers["cache-control"] == "no-store"
    assert call(server, bob, path, invite=opened["invite"]).text == image.text
    assert call(server, bob, path).status_code == 404
    renewed = ann._session.post(f"/tables/{game}/invite")["invite"]
    assert call(server, bob, path, invite=opened["invite"]).status_code == 404
    assert call(server, bob, path, invite=renewed).text != image.text
