"""BotRunner at hosted tables: they see what their seat sees, and no broken process stops a game."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.bot_runner import Decided
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings
from rubicon.server.work import SeatGame
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.settings import Settings


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(ServerSettings(store=f"sqlite:///{tmp_path}/table.db"), game_emails)
    running.start()
    yield running
    running.close()


def begun(server: Server, bots: dict[int, str]) -> str:
    """A started game of one person and bots."""
    ann = server.accounts.create_guest("Ann").result().account
    wish = TableRequest(
        board="skerries", seats=3, bots=bots, settings=Settings(substitute="random")
    )
    game = server.lobby.open_table(ann.id, "Ann", wish).result().game
    server.lobby.start(game, ann.id).result()
    return game


def until(server: Server, game: str, people: set[str]) -> Snapshot:
    """Wait until a person must decide, or the game is over."""
    for _ in range(1000):
        snapshot = server.table.snapshot(game)
        if snapshot.ending is not None or snapshot.decisions.keys() & people:
            return snapshot
        time.sleep(0.05)
    raise AssertionError("the bots do not play")


def test_bots_play_on_after_their_processes_are_killed(server: Server) -> None:
    game = begun(server, {1: "greedy", 2: "random"})
    me = next(
        iter(
            set(server.table.snapshot(game).game().colours)
            - server.table.snapshot(game).server_bots.keys()
        )
    )
    assert me in until(server, game, {me}).decisions
    pool = server.bots._pool
    if pool is not None:  # exists after the first decision of a bot
        for process in list(pool._processes):
            os.kill(process, signal.SIGKILL)
    server.table.out_of_turn(game, me, f"resign {me}").result()
    for _ in range(1000):
        if server.table.snapshot(game).ending is not None:
            break
        time.sleep(0.05)
    ending = server.table.snapshot(game).ending
    assert ending is not None
    assert ending.result in server.table.snapshot(game).server_bots


def test_a_flood_of_slow_tables_does_not_starve_another(server: Server) -> None:
    """The person's turn at the quick table comes while the slow ones still play."""
    slow = [begun(server, {1: "expert", 2: "expert"}) for _ in range(6)]
    for game in slow:
        snapshot = server.table.snapshot(game)
        me = next(iter(set(snapshot.game().colours) - snapshot.server_bots.keys()))
        server.table.out_of_turn(game, me, f"resign {me}").result()
    quick = begun(server, {1: "random", 2: "random"})
    snapshot = server.table.snapshot(quick)
    me = next(iter(set(snapshot.game().colours) - snapshot.server_bots.keys()))
    assert me in until(server, quick, {me}).decisions
    assert any(server.table.snapshot(game).ending is None for game in slow)


def test_nobody_can_compute_the_seed_of_a_decision(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = []

    class Recorded:
        """The pool of processes, which notes the seeds."""

        def submit(
            self,
            function: Callable[..., Decided],
            seen: SeatGame,
            bot: str,
            seed: int,
            memory: bytes,
        ) -> Future[Decided]:
            seeds.append(seed)
            return pool.submit(function, seen, bot, seed, memory)

    pool = server.bots._processes()
    monkeypatch.setattr(server.bots, "_processes", Recorded)
    while len(seeds) < 3:  # in some games the person decides first
        game = begun(server, {1: "random", 2: "random"})  # the same numbers of decisions in each
        snapshot = server.table.snapshot(game)
        me = next(iter(set(snapshot.game().colours) - snapshot.server_bots.keys()))
        until(server, game, {me})
    assert len(set(seeds)) == len(seeds)
