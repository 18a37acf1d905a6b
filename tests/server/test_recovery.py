"""Recovery resumes what another server left unfinished, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.mail.writing.game_emails import game_emails
from rubicon.server import server as recovery
from rubicon.server.bot_runner import BotRunner
from rubicon.server.server import Recovery, Server
from rubicon.server.settings import ServerSettings
from rubicon.table.storage.notifications import Change, ChangeKind
from rubicon.table.table_service import Step, TableService
from tests.server.test_bot_runner import begun, until
from tests.table.hosted import GAME, SOON, Hosted, hosted


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every game as idle at once."""
    monkeypatch.setattr(recovery, "IDLE", 0)


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


def die_behind_the_commit(table: TableService) -> None:
    """From here on nothing follows from a commit, as where a server is killed."""
    transaction = table._transaction

    async def last(*arguments: Any, **more: Any) -> Step:
        step = await transaction(*arguments, **more)
        step.dice_follow, step.question = False, None
        return step

    table._transaction = last  # type: ignore[method-assign]
    table._publish = lambda step: None  # type: ignore[method-assign]


@pytest.mark.usefixtures("at_once")
def test_an_unanswered_dice_request_is_resumed(game: Hosted) -> None:
    seat, decision = game.mover()
    legal = [
        str(action_range.lowest) for action_range in game.snapshot.game().legal_for(seat).ranges
    ]
    attack = next(text for text in legal if text.startswith("attack"))
    die_behind_the_commit(game.table)
    game.submit_async(seat, decision, attack).exception(SOON)  # no receipt comes
    other = TableService(game.table.store)
    bots, told = BotRunner(other), list[Change]()
    going = Recovery(other, bots, told.append, 0)
    going.sweep()
    soon(lambda: (held := other.cached_snapshot(GAME)) is not None and not held.waits_for)
    (page,) = told
    assert (page.what, page.game) == (ChangeKind.GAME, GAME)
    for _ in range(3):
        going.sweep()
    soon(lambda: going._settled.get(GAME) == other.snapshot(GAME).head)
    assert len(told) <= 2  # a game with nothing to resume is examined once
    bots.close()


@pytest.mark.usefixtures("at_once")
def test_a_game_that_waits_for_people_is_not_touched(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, told = BotRunner(game.table), list[Change]()
    going = Recovery(game.table, bots, told.append, 0)
    woken: list[str] = []
    monkeypatch.setattr(going, "resume", woken.append)
    for _ in range(3):
        going.sweep()
    assert (woken, told) == ([], [])
    bots.close()


@pytest.mark.usefixtures("at_once")
def test_a_bot_that_was_not_started_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(ServerSettings(store=f"sqlite:///{tmp_path}/table.db"), game_emails)
    server.table._watchers.remove(server.bots._game_changed)
    monkeypatch.setattr("rubicon.server.server.RECOVERY_TICKS", 1)
    server.start()
    try:
        game = begun(server, {1: "greedy", 2: "random"})
        snapshot = server.table.snapshot(game)
        me = set(snapshot.game().colours) - snapshot.server_bots.keys()
        assert until(server, game, me).decisions.keys() & me
    finally:
        server.close()
