"""What goes wrong in the middle: nothing is lost by it, and no game stays behind broken."""

from __future__ import annotations

import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection

from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.table import kept_connection, lives
from rubicon.table.agreeing import vote
from rubicon.table.errors import TableError
from rubicon.table.migrating import migrate
from rubicon.table.page import Page
from rubicon.table.store import Store
from rubicon.table.submission import Receipt, Status
from rubicon.table.table import Published, Snapshot, Table
from rubicon.table.verifying import verify_store
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON, Hosted, OtherDice, hosted
from tests.table.test_store import begin, held_up

NOBODYS = "0" * 64


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game


def an_attack(game: Hosted) -> str:
    """The words of an attack that is possible."""
    return next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))


def change(game: Hosted, act: Callable[[Page], None]) -> Future[Receipt]:
    """Add to the page of the game."""
    return game.table.change(GAME, act)


def test_a_refused_link_takes_no_facts_from_those_who_wait_for_the_dice(game: Hosted) -> None:
    """Facts are held back until the dice are answered; what comes between must leave them."""
    refused: list[Future[Receipt]] = []
    seat, duty = game.mover()
    attack = an_attack(game)

    def meddle(published: Published) -> None:
        if published.snapshot.waits_for == "dice":
            refused.append(game.table.open_link(GAME, seat, NOBODYS, NOBODYS))

    game.table.watch(meddle)
    game.hand_in(seat, duty, attack).result(SOON)
    assert isinstance(refused[0].exception(SOON), RubiconError)
    assert f'"action":"{attack}"' in game.table.facts(GAME, "", duty)[-1]["body"]
    assert verify_store(game.table.store).damaged == {}


def test_a_line_that_cannot_be_taken_leaves_no_broken_game_in_memory(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object, **__: object) -> None:
        raise RubiconError("test/unforeseen", "The rules refuse what was checked.", "")

    seat, duty = game.mover()
    attack = an_attack(game)
    held = game.table.lives.held(GAME)
    with monkeypatch.context() as patched:
        patched.setattr(Game, "play", play)
        assert isinstance(game.hand_in(seat, duty, attack).exception(SOON), RubiconError)
    assert game.table.lives.held(GAME) is not held
    assert game.hand_in(seat, duty, attack).result(SOON).status is Status.DONE


def test_a_draw_while_the_dice_are_away_ends_the_game_for_good(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dice = OtherDice()
    with hosted(tmp_path, dice=dice) as game:
        game.play(until="attack")
        dice.away = True
        assert game.submit(an_attack(game)).status is Status.DICE
        for seat in game.snapshot.game().colours:
            receipt = change(game, lambda page, seat=seat: vote(page, seat, "draw")).result(SOON)  # type: ignore[misc]
        assert receipt.status is Status.DONE
        dice.away = False
        again = Hosted(Table(game.table.store, dice=dice))  # as behind a restart
        assert again.snapshot.ending is not None
        assert again.snapshot.waits_for == ""
        assert again.table.wake(GAME).exception(SOON) is None
        game.table.look_again()
        assert game.table.wake(GAME).exception(SOON) is None
        assert len(game.table.rests) == 0
        assert verify_store(game.table.store).damaged == {}


def test_what_many_read_at_once_is_not_taken_from_under_them(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the wake and the look hundreds of other games may have been looked at."""
    keep, kept = game.table._keep, list[Snapshot]()

    def full(snapshot: Snapshot) -> None:
        kept.append(snapshot)
        if len(kept) > 1:
            keep(snapshot)

    monkeypatch.setattr(game.table, "_keep", full)
    game.table._snapshots.clear()
    assert game.snapshot.head > 0
    assert len(kept) == 2


def test_a_newer_snapshot_stays(game: Hosted) -> None:
    older = game.snapshot
    game.play(1)
    newer = game.snapshot
    game.table._keep(older)
    assert game.table.known(GAME) is newer


def test_a_server_with_thousands_of_open_connections_keeps_its_own() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    here, there = socket.socketpair()
    high = 2000
    try:
        os.dup2(here.fileno(), high)
        driver = SimpleNamespace(closed=False, fileno=lambda: high)
        connection: Any = SimpleNamespace(
            dialect=SimpleNamespace(name="postgresql"),
            connection=SimpleNamespace(driver_connection=driver),
        )
        assert not kept_connection.has_news(connection)
        there.send(b"good-bye")
        assert kept_connection.has_news(connection)
    finally:
        os.close(high)
        here.close()
        there.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("beside", [False, True], ids=["", "a refused job beside it"])
def test_a_transaction_that_was_cut_off_leaves_nothing_to_the_next(
    new_url: Callable[[str], str],
    postgres: Postgres,
    monkeypatch: pytest.MonkeyPatch,
    beside: bool,
) -> None:
    """The database ends a session whose thread still works: its row is free before that is seen."""
    monkeypatch.setattr(lives, "LONGEST_AWAY", 0.2)
    url = new_url("postgresql")
    stores = [Store.open(url) for _ in range(2)]
    migrate(stores[0])
    here, there = Table(stores[0]), Table(stores[1])
    begin(here).play(until="attack")
    head = here.snapshot(GAME).head
    added, go_on = threading.Event(), threading.Event()

    def refuse(_: Page) -> None:
        raise TableError("vote/unknown", "There is no such motion.", "")

    def slow(_: Connection) -> None:
        added.set()
        go_on.wait(SOON)

    with held_up(stores[0]):
        stuck = here.change(GAME, lambda page: vote(page, "red", "draw"))
        if beside:
            here.change(GAME, refuse)
        stores[0].write(slow)
    assert added.wait(SOON)
    postgres.drop_connections(url)
    there.change(GAME, lambda page: vote(page, "blue", "pause")).result(SOON)
    monkeypatch.setattr(here.lives, "held", lambda _: None)  # so that another thread takes it
    here.change(GAME, lambda page: vote(page, "red", "replace green")).result(SOON)
    votes = here.snapshot(GAME).votes
    go_on.set()
    assert stuck.exception(SOON) is not None
    assert votes == {"pause": frozenset({"blue"}), "replace green": frozenset({"red"})}
    assert here.snapshot(GAME).head == head + 2
    assert there.snapshot(GAME).votes == votes
    assert verify_store(stores[0]).damaged == {}
    for store in stores:
        store.close()


@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_a_text_that_no_database_keeps_is_refused(game: Hosted, character: str) -> None:
    seat, duty = game.mover()
    refused = game.hand_in(seat, duty, f"# {character}\nEND", orders=True).exception(SOON)
    assert isinstance(refused, TableError)
    assert refused.code == "text/no-character"
