"""The people at a table are shown to those who may see it."""

from __future__ import annotations

import pytest

from rubicon.client import ApiError, Client
from tests.web.conftest import RunningServer


def people(client: Client, game: str, **query: str) -> list[dict[str, object]]:
    """The people at a table."""
    found: list[dict[str, object]] = client._session.call(
        "GET", f"/tables/{game}/people", params=query
    ).json()
    return found


def test_the_people_at_a_table(server: RunningServer) -> None:
    with server.client("Ann") as ann, server.client("Eve") as eve:
        opened = ann.open_table(board="skerries", seats=4, access="link", bots={"3": "greedy"})
        game, invite = opened["game"], opened["invite"]
        assert people(ann, game) == [{"colour": "red", "last_seen": "now", "player": None}]
        assert people(eve, game, invite=invite) == people(ann, game)
        colour = eve.join(game, invite=invite)
        assert {each["colour"] for each in people(ann, game)} == {"red", colour}


def test_a_stranger_does_not_see_the_people_of_a_hidden_table(server: RunningServer) -> None:
    with server.client("Ann") as ann, server.client("Eve") as eve:
        game = ann.open_table(board="skerries", seats=3, access="link")["game"]
        with pytest.raises(ApiError) as caught:
            people(eve, game)
        assert caught.value.code == "game/unknown"
