"""The host's clock: a jump of time makes nobody late who could not be served, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rubicon.host.host import Host
from rubicon.host.settings import HostSettings
from rubicon.table.lines import Kind, lines_of
from rubicon.table.lobby_wish import Wish
from rubicon.table.settings import HOUR, Clock, Settings, Silence
from rubicon.table.silence import GRACE
from tests.table.timed import Time, set_time

SETTINGS = Settings(clock=Clock.LIVE, duty_time=HOUR, bank=0, silence=Silence.BOT)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, "host.host")


@pytest.fixture
def host(tmp_path: Path, time: Time) -> Iterator[Host]:
    running = Host(HostSettings(store=f"sqlite:///{tmp_path}/table.db"))
    yield running
    running.close()


def begun(host: Host) -> str:
    """A game of three people that has begun."""
    ann, *others = (host.accounts.guest(name).result().account for name in ("Ann", "Bob", "Cid"))
    wish = Wish(board="skerries", seats=3, settings=SETTINGS)
    game = host.lobby.open_table(ann.id, ann.name, wish).result().game
    for other in others:
        host.lobby.join(game, other.id, other.name).result()
    host.lobby.start(game, ann.id).result()
    return game


def stood_in(host: Host, game: str) -> list[str]:
    """The seats that a bot took over, in order."""
    lines = host.store.read(partial(lines_of, game=game))
    return [line.seat for line in lines if line.kind is Kind.BOT]


def look(host: Host, time: Time, seconds: int) -> None:
    """Let time go by, look, and let what follows be done."""
    time.pass_by(seconds)
    for future in host.look_at_clocks():
        future.result()


def test_time_that_goes_by_makes_late_once(host: Host, time: Time) -> None:
    game = begun(host)
    asked = list(host.table.snapshot(game).due)
    for _ in range(HOUR // 10 + 2):
        look(host, time, 10)
    assert stood_in(host, game) == asked
    look(host, time, -HOUR)
    look(host, time, 1)
    assert stood_in(host, game) == asked


def test_time_that_jumps_forward_leaves_some_minutes(host: Host, time: Time) -> None:
    game = begun(host)
    look(host, time, 30 * HOUR)
    assert stood_in(host, game) == []
    for _ in range(GRACE // 10_000 - 1):
        look(host, time, 10)
    assert stood_in(host, game) == []
    look(host, time, 20)
    assert len(stood_in(host, game)) >= 1
