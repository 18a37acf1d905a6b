"""The seat cache holds only seats that cannot change any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.server.server import SeatCache
from rubicon.table.lobby.seats import swap
from tests.table.lobby.lobbied import Lobbied, lobbied


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as there:
        yield there


def test_seats_are_not_cached_before_the_game_starts(lobby: Lobbied) -> None:
    seats, game = SeatCache(lobby.table.store), lobby.full()
    assert seats.find(game, "ann") == "red"
    assert seats.cached(game, "ann") is None
    lobby.lobby.change(game, swap, "ann", "red", "green").result()
    lobby.lobby.start(game, "ann").result()
    assert seats.cached(game, "ann") is None
    assert seats.find(game, "ann") == "green"
    assert seats.cached(game, "ann") == "green"


def test_seats_of_a_started_game_are_cached_for_five_seconds(lobby: Lobbied) -> None:
    at = 0.0
    seats, game = SeatCache(lobby.table.store, timer=lambda: at), lobby.full()
    lobby.lobby.start(game, "ann").result()
    assert [seats.find(game, account) for account in ("bob", "dot")] == ["blue", ""]
    at = 4.9
    assert seats.cached(game, "bob") == "blue"
    assert seats.cached(game, "dot") is None  # who looks on is looked up each time
    at = 5.1
    assert seats.cached(game, "bob") is None


def test_what_a_query_found_before_forgetting_is_not_kept(lobby: Lobbied) -> None:
    store, game = lobby.table.store, lobby.full()
    seats = SeatCache(store)
    lobby.lobby.start(game, "ann").result()
    read = store.read

    def read_and_forget(*arguments: Any) -> Any:
        found = read(*arguments)
        seats.forget(game)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "read", read_and_forget)
        assert seats.find(game, "ann") == "red"
    assert seats.cached(game, "ann") is None
    assert seats.find(game, "ann") == seats.cached(game, "ann") == "red"
    seats.forget("another")
    assert seats.cached(game, "ann") == "red"
    seats.forget(game)
    assert seats.cached(game, "ann") is None
