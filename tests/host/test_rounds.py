"""Going round: what another host has left in the middle is taken up, and only that."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from rubicon.host import rounds
from rubicon.host.bots import Bots
from rubicon.host.host import Host
from rubicon.host.rounds import Rounds
from rubicon.host.settings import HostSettings
from rubicon.table.listening import Change, What
from rubicon.table.submission import Receipt
from rubicon.table.table import Table, Turned
from tests.host.test_bots import begun, until
from tests.table.hosted import GAME, SOON, Hosted, hosted


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for."""
    monkeypatch.setattr(rounds, "STILL", 0)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game


def soon(true: Callable[[], object]) -> None:
    """Wait for something."""
    deadline = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def die_behind_the_commit(table: Table) -> None:
    """From here on nothing that is committed has consequences, as where a host is killed."""

    def nothing(turned: Turned, done: Future[Receipt], *_: object) -> None:
        done.set_result(turned.receipt)

    table._behind = nothing  # type: ignore[method-assign, assignment]


@pytest.mark.usefixtures("at_once")
def test_a_request_that_nobody_answers_is_answered(game: Hosted) -> None:
    seat, duty = game.mover()
    legal = [str(family.lowest) for family in game.snapshot.game().legal_for(seat).families]
    attack = next(text for text in legal if text.startswith("attack"))
    die_behind_the_commit(game.table)
    game.hand_in(seat, duty, attack).result(SOON)
    other = Table(game.table.store)
    bots, told = Bots(other), list[Change]()
    going = Rounds(other, bots, told.append, 0)
    going.go()
    soon(lambda: (held := other.known(GAME)) is not None and not held.waits_for)
    (page,) = told
    assert (page.what, page.game) == (What.PAGE, GAME)
    for _ in range(3):
        going.go()
    soon(lambda: going._seen.get(GAME) == other.snapshot(GAME).head)
    assert len(told) <= 2  # where nothing is to be done nothing is asked again
    bots.close()


@pytest.mark.usefixtures("at_once")
def test_a_game_that_waits_for_people_is_left_alone(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, told = Bots(game.table), list[Change]()
    going = Rounds(game.table, bots, told.append, 0)
    woken: list[str] = []
    monkeypatch.setattr(going, "take_up", woken.append)
    for _ in range(3):
        going.go()
    assert (woken, told) == ([], [])
    bots.close()


@pytest.mark.usefixtures("at_once")
def test_a_bot_that_nobody_asked_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(HostSettings(store=f"sqlite:///{tmp_path}/table.db"))
    host.table._watchers.remove(host.bots.hear)
    monkeypatch.setattr("rubicon.host.host.ROUND_TICKS", 1)
    host.start()
    try:
        game = begun(host, {1: "greedy", 2: "random"})
        snapshot = host.table.snapshot(game)
        me = set(snapshot.game().colours) - snapshot.house_bots.keys()
        assert until(host, game, me).duties.keys() & me
    finally:
        host.close()
