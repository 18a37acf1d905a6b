"""Bots at hosted tables: they see what their seat sees, and no broken process stops a game."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.host.host import Host
from rubicon.host.settings import HostSettings
from rubicon.table.lobby_wish import Wish
from rubicon.table.settings import Settings
from rubicon.table.table import Snapshot


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    running = Host(HostSettings(store=f"sqlite:///{tmp_path}/table.db"))
    running.start()
    yield running
    running.close()


def begun(host: Host, bots: dict[int, str]) -> str:
    """A game of somebody and bots that has begun."""
    ann = host.accounts.guest("Ann").result().account
    wish = Wish(board="skerries", seats=3, bots=bots, settings=Settings(stand_in="random"))
    game = host.lobby.open_table(ann.id, "Ann", wish).result().game
    host.lobby.start(game, ann.id).result()
    return game


def until(host: Host, game: str, people: set[str]) -> Snapshot:
    """Wait until a person is asked, or the game is over."""
    for _ in range(1000):
        snapshot = host.table.snapshot(game)
        if snapshot.ending is not None or snapshot.duties.keys() & people:
            return snapshot
        time.sleep(0.05)
    raise AssertionError("the bots do not play")


def test_bots_play_until_somebody_is_asked_and_broken_processes_are_replaced(host: Host) -> None:
    game = begun(host, {1: "greedy", 2: "random"})
    me = next(
        iter(
            set(host.table.snapshot(game).game().colours)
            - host.table.snapshot(game).house_bots.keys()
        )
    )
    assert me in until(host, game, {me}).duties
    pool = host.bots._pool
    if pool is not None:  # it is there as soon as a bot was asked
        for process in list(pool._processes):
            os.kill(process, signal.SIGKILL)
    host.table.aside(game, me, f"resign {me}").result()
    for _ in range(1000):
        if host.table.snapshot(game).ending is not None:
            break
        time.sleep(0.05)
    ending = host.table.snapshot(game).ending
    assert ending is not None
    assert ending.result in host.table.snapshot(game).house_bots
