"""The seats that a house remembers: only those that nobody can lose any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.host.seats import Seats
from tests.table.lobbied import Lobbied, lobbied


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as there:
        yield there


def test_a_seat_is_not_remembered_while_seats_change_hands(lobby: Lobbied) -> None:
    seats, game = Seats(lobby.table.store), lobby.full()
    assert seats.look(game, "ann") == "red"
    assert seats.remembered(game, "ann") is None
    lobby.lobby.swap(game, "ann", "red", "green").result()
    lobby.lobby.start(game, "ann").result()
    assert seats.remembered(game, "ann") is None
    assert seats.look(game, "ann") == "green"
    assert seats.remembered(game, "ann") == "green"


def test_a_seat_of_a_game_that_began_is_remembered_for_a_few_seconds(lobby: Lobbied) -> None:
    at = 0.0
    seats, game = Seats(lobby.table.store, clock=lambda: at), lobby.full()
    lobby.lobby.start(game, "ann").result()
    assert [seats.look(game, account) for account in ("bob", "dot")] == ["blue", ""]
    at = 5.0
    assert seats.remembered(game, "bob") == "blue"
    assert seats.remembered(game, "dot") is None  # who looks on is looked up each time
    at = 5.1
    assert seats.remembered(game, "bob") is None
