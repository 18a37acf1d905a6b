"""Cheating players at the API: motions, length, clocks, and accounts that are erased."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rubicon.client.answers import ApiError
from rubicon.client.client import Client
from rubicon.table.game.limits import MAX_CHANGES
from tests.waiting import until
from tests.web.conftest import RunningServer

SMALL: dict[str, Any] = {"board": "skerries", "seats": 3}


@contextmanager
def three(server: RunningServer, **wish: Any) -> Iterator[tuple[str, list[Client]]]:
    """A game of three people that has begun: its id, and their clients in the order of play."""
    with server.client("Ann") as ann, server.client("Bob") as bob, server.client("Cid") as cid:
        game = str(ann.open_table(**(SMALL | wish))["game"])
        bob.join(game)
        cid.join(game)
        ann.start(game)
        yield game, [ann, bob, cid]


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect an error with this code."""
    with pytest.raises(ApiError) as caught:
        yield
    assert caught.value.code == code


def mover(game: str, clients: list[Client]) -> Client:
    """The person who must decide."""
    return next(client for client in clients if client.game(game)["decision"] is not None)


def test_a_player_in_time_is_not_replaced_by_the_others(server: RunningServer) -> None:
    with three(server) as (game, clients):
        victim = mover(game, clients)
        colour = victim.game(game)["you"]
        for cheat in clients:
            if cheat is not victim:
                with refused("vote/in-time"):
                    cheat.vote(game, f"replace {colour}")
        assert victim.game(game)["decision"] is not None


def test_a_table_without_clocks_is_offered_no_pause(server: RunningServer) -> None:
    with three(server) as (game, (ann, *_)):
        assert ann.game(game)["motions"] == ["draw"]
    with three(server, settings={"clock": "live"}) as (game, (ann, bob, cid)):
        assert ann.game(game)["motions"] == ["draw", "pause", "extend"]
        for each in (ann, bob, cid):
            each.vote(game, "pause")
        assert ann.game(game)["motions"] == ["draw", "resume", "extend"]
        colour = bob.game(game)["you"]
        bob.out_of_turn(game, f"resign {colour}")
        assert bob.game(game)["motions"] == []


def test_two_of_three_cannot_end_pause_or_rewind_a_game(server: RunningServer) -> None:
    with three(server) as (game, clients):
        for motion in ("draw", "pause", "fork 0"):
            for cheat in clients[:2]:
                cheat.vote(game, motion)
        state = clients[2].game(game)
        assert (state["state"], state["paused"], state["result"]) == ("running", False, None)
        assert set(state["votes"]) == {"draw", "pause", "fork 0"}


def test_votes_and_standing_orders_are_limited(server: RunningServer) -> None:
    with three(server) as (game, clients):
        cheat = clients[0]
        colour, index = cheat.game(game)["you"], cheat.game(game)["index"]
        with refused("game/too-many-changes"):
            for number in range(MAX_CHANGES + 1):
                cheat.out_of_turn(game, f"standing {colour} all {number % 2 + 1}")
        with refused("game/too-many-changes"):
            cheat.vote(game, "draw")
        assert cheat.game(game)["index"] <= index + MAX_CHANGES
        clients[1].vote(game, "draw")  # the limit of one seat is not that of another


def test_a_standing_order_does_not_renew_the_clock(server: RunningServer) -> None:
    settings = {"clock": "live", "decision_time": 86_400, "bank": 0}
    with three(server, settings=settings) as (game, clients):
        late = mover(game, clients)
        before = late.game(game)
        for dice in ("1", "2"):
            late.out_of_turn(game, f"standing {before['you']} all {dice}")
        after = late.game(game)
        assert (after["deadlines"], after["decision"]) == (before["deadlines"], before["decision"])


def test_an_erased_account_leaves_no_stuck_table(server: RunningServer) -> None:
    settings = {"timeout_policy": "bot"}
    with three(server, settings=settings) as (game, clients):
        gone = mover(game, clients)
        rest = [client for client in clients if client is not gone]
        lobby = str(gone.open_table(**SMALL)["game"])
        rest[0].join(lobby)
        gone._session.call("DELETE", "/me")
        assert rest[0].table(lobby)["you_host"]
        assert rest[0].table(lobby)["state"] == "lobby"
        until(lambda: any(client.game(game)["decision"] is not None for client in rest))
        for client in rest:
            client.vote(game, "draw")  # the third vote is not waited for
        assert rest[0].game(game)["result"] == "draw"
