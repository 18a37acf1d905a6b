"""Bots say why they decided as they did, where nobody can use it against them."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.client import ApiError, Client
from tests.waiting import until
from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer


def reasons(client: Client, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client._session.get(f"/games/{game}/reasons/")
    return found


def test_the_plans_of_bots_are_hidden_while_people_play(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        with pytest.raises(ApiError) as refused:
            reasons(ann, game)
        assert refused.value.code == "reasons/people-play"


def test_who_has_left_hears_why_the_bots_do_what_they_do(server: RunningServer) -> None:
    with server.client() as ann:
        game = begun(ann)
        me = next(seat["colour"] for seat in ann.game(game)["seats"] if seat["bot"] is None)
        ann.out_of_turn(game, f"resign {me}")
        until(lambda: len(reasons(ann, game)) >= 3)
        found = reasons(ann, game)
        assert all(each["why"] and each["seat"] != me for each in found)
        numbers = [each["decision"] for each in found]
        assert numbers == sorted(set(numbers))
