"""Order texts over HTTP: their places, their previews as data, and completions."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.client import ApiError, Client
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer


def turn_of(client: Client, game: str) -> dict[str, Any]:
    """The state of the game when the client's first turn has begun."""
    while True:
        turn = client.wait(game)
        assert turn is not None
        if turn.game["position"]["phase"] == "reinforce":
            return turn.game
        client.submit(game, turn.decision, turn.legal[0])


def test_orders_are_explained_with_their_places(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        name = next(iter(ann.game(game)["position"]["territories"]))
        told = ann.explain(game, f"# my plan\n  claim {name}; end turn")
        assert [(one["line"], one["column"], one["length"]) for one in told["each"]] == [
            (2, 3, len(f"claim {name}")),
            (2, 3 + len(f"claim {name}; "), len("end turn")),
        ]
        assert told["explained"][: len(told["each"])] == [
            sentence for one in told["each"] for sentence in one["explained"]
        ]


def test_a_mistake_has_its_place_and_length(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        with pytest.raises(ApiError) as refused:
            ann.explain(game, "claim atlantis")
        (problem,) = refused.value.body["problems"]
        assert (problem["line"], problem["column"], problem["length"]) == (1, 7, len("atlantis"))
        assert isinstance(refused.value.body["corrected"], str)


def test_a_preview_is_data(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        state = turn_of(ann, game)
        places = state["position"]["territories"]
        own = [name for name, one in places.items() if one["owner"] == state["you"]]
        told = ann.preview(game, f"DEPLOY 1 {own[0]}")
        assert told["runs"] is None
        (changed,) = told["territories"]
        before = places[own[0]]["armies"]
        assert (changed["territory"], changed["armies"]) == (own[0], before + 1)
        assert changed["held"] == {"chance": 1.0, "low": 1.0, "high": 1.0}
        assert told["attacks"] == []
        assert told["lines"]


def test_the_cursor_gets_candidates(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        text = "dep"
        found = ann.complete(game, text, 3)
        assert found[0] == {
            "text": "DEPLOY",
            "label": "deploy",
            "kind": "verb",
            "start": 0,
            "stop": 3,
        }
