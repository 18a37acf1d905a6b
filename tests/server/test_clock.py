"""The clock sweep: deadlines are applied once, and after a jump of the clock seats get time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings
from rubicon.table.deadlines import GRACE
from rubicon.table.game.log_lines import LineKind
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.settings import HOUR, Clock, Settings, TimeoutPolicy
from rubicon.table.storage.event_log import lines_of
from tests.table.timed import Time, set_time

SETTINGS = Settings(clock=Clock.LIVE, decision_time=HOUR, bank=0, timeout_policy=TimeoutPolicy.BOT)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, "server.server")


@pytest.fixture
def server(tmp_path: Path, time: Time) -> Iterator[Server]:
    running = Server(ServerSettings(store=f"sqlite:///{tmp_path}/table.db"), game_emails)
    yield running
    running.close()


def begun(server: Server) -> str:
    """A game of three people that has begun."""
    ann, *others = (
        server.accounts.create_guest(name).result().account for name in ("Ann", "Bob", "Cid")
    )
    wish = TableRequest(board="skerries", seats=3, settings=SETTINGS)
    game = server.lobby.open_table(ann.id, ann.name, wish).result().game
    for other in others:
        server.lobby.join(game, other.id, other.name).result()
    server.lobby.start(game, ann.id).result()
    return game


def stood_in(server: Server, game: str) -> list[str]:
    """The seats that a bot took over, in order."""
    lines = server.store.read(partial(lines_of, game=game))
    return [line.seat for line in lines if line.kind is LineKind.BOT]


def look(server: Server, time: Time, seconds: int) -> None:
    """Let time go by, look, and let what follows be done."""
    time.pass_by(seconds)
    for future in server.sweep_clocks():
        future.result()


def test_a_deadline_is_applied_once(server: Server, time: Time) -> None:
    game = begun(server)
    asked = list(server.table.snapshot(game).due)
    for _ in range(HOUR // 10 + 2):
        look(server, time, 10)
    assert stood_in(server, game) == asked
    look(server, time, -HOUR)
    look(server, time, 1)
    assert stood_in(server, game) == asked


def test_after_a_jump_of_the_clock_seats_have_extra_minutes(server: Server, time: Time) -> None:
    game = begun(server)
    look(server, time, 30 * HOUR)
    assert stood_in(server, game) == []
    for _ in range(GRACE // 10_000 - 1):
        look(server, time, 10)
    assert stood_in(server, game) == []
    look(server, time, 20)
    assert len(stood_in(server, game)) >= 1
