"""An erased account leaves no stuck table: lobbies pass on, running games go on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import vote
from rubicon.table.game.log_lines import LineKind
from rubicon.table.lobby.seats import CLOSED, LOBBY, depart
from rubicon.table.lobby_service import Lobby
from rubicon.table.settings import DAY, Clock, Settings, TimeoutPolicy
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService
from tests.table.agreeing import do, kinds, refused, sweep, votes
from tests.table.hosted import SOON, Hosted
from tests.table.lobby.lobbied import BOTS, Lobbied, add_people, lobbied


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby
        assert verify_store(lobby.table.store).damaged == {}


def seat_that_decides(game: Hosted) -> tuple[str, str]:
    """The seat that must decide, and the account that owns it."""
    seat, _ = game.mover()
    return seat, dict(zip(("red", "blue", "green"), ("ann", "bob", "cid"), strict=True))[seat]


def gone(lobby: Lobbied, game: Hosted, account: str) -> None:
    """The account is erased, and the next sweep finds it."""
    lobby.write(lambda connection: depart(connection, account))
    sweep(game)


def test_a_lobby_passes_to_the_next_person(lobby: Lobbied) -> None:
    game = lobby.full()
    assert lobby.write(lambda connection: depart(connection, "ann")) == [game]
    assert (lobby.row(game).host, lobby.row(game).state) == ("bob", LOBBY)
    (free,) = [seat for seat in lobby.seats(game) if seat.free]
    assert free.name == ""
    lobby.join(game, "dot")
    lobby.lobby.start(game, "bob").result(30)
    assert lobby.row(game).state == "running"


def test_a_lobby_without_anybody_is_closed(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    lobby.write(lambda connection: depart(connection, "ann"))
    assert (lobby.row(game).host, lobby.row(game).state) == (None, CLOSED)


def test_a_seat_of_a_private_table_gets_a_new_invite(lobby: Lobbied) -> None:
    opened = lobby.open(access="private")
    lobby.join(opened.game, "bob", invite=opened.invites["blue"])
    lobby.write(lambda connection: depart(connection, "bob"))
    (blue,) = [seat for seat in lobby.seats(opened.game) if seat.colour == "blue"]
    assert blue.free
    assert blue.invite not in (None, opened.invites["blue"])


def test_a_host_without_a_seat_leaves_the_table_to_those_who_sit(lobby: Lobbied) -> None:
    game = lobby.full()
    lobby.set(game, host="dot")
    lobby.write(lambda connection: depart(connection, "dot"))
    assert lobby.row(game).host == "ann"


@pytest.mark.parametrize("clock", list(Clock))
def test_under_bot_the_bot_plays_to_the_end(lobby: Lobbied, clock: Clock) -> None:
    game = lobby.running(settings=Settings(clock=clock, timeout_policy=TimeoutPolicy.BOT))
    seat, account = seat_that_decides(game)
    gone(lobby, game, account)
    assert game.snapshot.bots == {seat: "medium"}
    assert lobby.row(game.game).state == "running"


def test_under_neutral_the_seat_resigns(lobby: Lobbied) -> None:
    game = lobby.running(settings=Settings(timeout_policy=TimeoutPolicy.NEUTRAL))
    game.play(until="reinforce")
    seat, account = seat_that_decides(game)
    gone(lobby, game, account)
    assert seat not in game.snapshot.decisions
    assert game.mover()[0] != seat


@pytest.mark.parametrize("clock", list(Clock))
def test_under_wait_the_others_may_replace_the_seat_at_once(lobby: Lobbied, clock: Clock) -> None:
    game = lobby.running(settings=Settings(clock=clock, decision_time=DAY))
    seat, account = seat_that_decides(game)
    gone(lobby, game, account)
    assert game.snapshot.bots == {}
    others = [colour for colour in game.snapshot.game().colours if colour != seat]
    with refused("vote/not-yours"):
        do(game, vote, seat, "draw")
    votes(game, f"replace {seat}", *others)
    assert game.snapshot.bots == {seat: "medium"}
    votes(game, "draw", *others)  # the owner's vote is not waited for
    assert game.snapshot.ending is not None


def test_where_nobody_is_left_the_bot_plays(lobby: Lobbied) -> None:
    game = lobby.running()
    for account in ("ann", "bob", "cid"):
        gone(lobby, game, account)
    seat, _ = game.mover()
    assert game.snapshot.bots == {seat: "medium"}
    game.play(1)
    assert len(game.snapshot.bots) == 2  # the next seat too, when it must decide


def test_a_departure_is_logged_once_and_marks_nothing_twice(lobby: Lobbied) -> None:
    game = lobby.running(settings=Settings(timeout_policy=TimeoutPolicy.BOT))
    _, account = seat_that_decides(game)
    for _ in range(2):
        gone(lobby, game, account)
    assert kinds(game).count(LineKind.ERASED) == 1
    clock = select(schema.clock.c.kind).where(schema.clock.c.game == game.game)
    assert "erased" not in lobby.read(lambda connection: connection.execute(clock).scalars().all())


def test_a_departure_before_the_next_sweep_survives_a_restart(lobby: Lobbied) -> None:
    """The mark is stored with the erasure: no moment is left in which a crash would lose it."""
    game = lobby.running(settings=Settings(timeout_policy=TimeoutPolicy.BOT))
    seat, account = seat_that_decides(game)
    lobby.write(lambda connection: depart(connection, account))
    lobby.table.cache.forget(game.game)
    assert verify_store(lobby.table.store).damaged == {}  # also between erasure and sweep
    sweep(game)
    assert seat in game.snapshot.bots


def test_both_databases_mark_and_seal_a_departure(store: Store) -> None:
    store.write(add_people).result(SOON)
    lobby = Lobbied(Lobby(TableService(store), BOTS))
    waiting = lobby.full()
    game = lobby.running(settings=Settings(timeout_policy=TimeoutPolicy.BOT))
    seat, account = seat_that_decides(game)
    gone(lobby, game, account)
    assert game.snapshot.bots == {seat: "medium"}
    assert lobby.row(waiting).state == LOBBY
    assert len([other for other in lobby.seats(waiting) if other.free]) == 1
    assert verify_store(store).damaged == {}


def test_a_game_that_is_over_keeps_its_seats(lobby: Lobbied) -> None:
    game = lobby.running()
    votes(game, "draw", *game.snapshot.game().colours)
    head = game.snapshot.head
    gone(lobby, game, "ann")
    assert game.snapshot.head == head
    red = next(seat for seat in lobby.seats(game.game) if seat.colour == "red")
    assert (red.account, red.name) == (None, "red")


def test_a_departure_while_the_game_is_over_leaves_no_deadline(lobby: Lobbied) -> None:
    game = lobby.running()
    lobby.write(lambda connection: depart(connection, "ann"))
    votes(game, "draw", *game.snapshot.game().colours)
    sweep(game)
    marks = select(schema.clock.c.seat).where(schema.clock.c.game == game.game)
    assert lobby.read(lambda connection: connection.execute(marks).all()) == []
