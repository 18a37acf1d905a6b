"""The table's side of a dice server: an outage, bad answers, and the pinned key."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest

from rubicon.dice.dice_server import DiceServerGame
from rubicon.errors import RubiconError
from rubicon.server.dice_server import CHECK, REST, RemoteDiceServer, checked_url, pinned_key
from rubicon.server.settings import ServerSettings
from rubicon.table.errors import DiceRefused, DiceUnavailable
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

SOON = 30
GAME = "abcdefghij"
Handler = Callable[[httpx.Request], httpx.Response]


def remote(handler: Handler) -> RemoteDiceServer:
    """A dice server whose answers a function makes."""
    transport = httpx.MockTransport(handler)
    return RemoteDiceServer("http://dice.test", lambda key: key, transport=transport)


def answering(status: int, content: bytes | str) -> RemoteDiceServer:
    """A dice server that always gives this answer."""
    return remote(lambda _: httpx.Response(status, content=content))


def reason_of(asked: Future[Any]) -> str:
    """Why the game is stopped."""
    error = asked.exception(SOON)
    assert isinstance(error, DiceRefused)
    return error.reason


def deposit_of(private_key: bytes) -> dict[str, Any]:
    """A right deposit."""
    return dict(DiceServerGame.begin(GAME, private_key).deposit().form())


@pytest.mark.parametrize(
    ("status", "content", "reason"),
    [
        (200, b"", "dice-server/unreadable"),
        (200, b"[" * 50_000, "dice-server/unreadable"),
        (200, b"\xff", "dice-server/unreadable"),
        (200, b"[]", "dice/wrong-form"),
        (200, b"{}", "dice/wrong-form"),
        (404, b'{"code": "dice/unknown-game", "message": "None."}', "dice/unknown-game"),
        (401, b"[]", "http/401"),
    ],
)
def test_an_answer_that_does_not_hold_stops_the_game(
    status: int, content: bytes, reason: str
) -> None:
    assert reason_of(answering(status, content).open(GAME)) == reason


def test_a_deposit_for_another_game_stops_the_game() -> None:
    other = DiceServerGame.begin("other", bytes(32)).deposit().form()
    server = remote(lambda _: httpx.Response(200, json=other))
    assert reason_of(server.open(GAME)) == "dice/wrong-signature"


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_busy_dice_server_is_asked_again_later(status: int) -> None:
    error = answering(status, b"").open(GAME).exception(SOON)
    assert isinstance(error, DiceUnavailable)
    assert not isinstance(error, DiceRefused)


def test_an_endless_answer_ends() -> None:
    server = answering(200, b"x" * 200_000)
    assert isinstance(server.open(GAME).exception(SOON), DiceUnavailable)
    assert server.away


def test_while_it_is_away_nobody_is_sent_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[httpx.Request] = []
    there = False
    deposit = deposit_of(bytes(32))

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if not there:
            raise httpx.ConnectError("nobody")
        return httpx.Response(200, json=deposit)

    now = 1000.0
    monkeypatch.setattr("rubicon.server.dice_server.time.monotonic", lambda: now)
    server = remote(handle)
    for _ in range(50):
        assert isinstance(server.open(GAME).exception(SOON), DiceUnavailable)
    assert len(asked) == 1
    assert server.away
    there, now = True, now + REST
    assert server.open(GAME).result(SOON).form() == deposit
    assert not server.away
    server.close()


def test_it_is_asked_whether_it_is_there_where_no_game_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    there, now = True, 1000.0

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path}")
        if not there:
            raise httpx.ConnectError("nobody")
        return httpx.Response(200, json={"key": "ab" * 32})

    def checks() -> bool:
        done = server.check()
        if done is not None:
            done.result(SOON)
        return done is not None

    monkeypatch.setattr("rubicon.server.dice_server.time.monotonic", lambda: now)
    server = remote(handle)
    ago = "dice_server_answered_seconds_ago"
    assert server.health() == {"dice_server": "not asked yet", ago: None}
    assert checks()
    assert not checks()
    now += CHECK - 1
    assert server.health() == {"dice_server": "answers", ago: int(CHECK) - 1}
    there, now = False, now + 1
    assert checks()
    assert server.health() == {"dice_server": "away", ago: int(CHECK)}
    now += REST
    assert isinstance(server.open(GAME).exception(SOON), DiceUnavailable)
    now += CHECK - 1
    assert not checks()  # a game has asked it
    there, now = True, now + 1
    assert checks()
    assert server.health() == {"dice_server": "answers", ago: 0}
    assert asked == ["GET /v1/key"] * 2 + [f"POST /v1/games/{GAME}", "GET /v1/key"]
    server.close()
    now += CHECK
    assert not checks()


def test_the_key_of_the_first_answer_is_kept(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/table.db")
    schema.metadata.create_all(store.engine)
    first, second = bytes(32), bytes([1]) * 32
    keys = [first]
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=deposit_of(keys[-1])))
    server = RemoteDiceServer("http://dice.test", pinned_key(store), transport=transport)
    key = server.open(GAME).result(SOON).key
    keys.append(second)
    assert reason_of(server.open(GAME)) == "dice-server/other-key"
    assert "RUBICON_DICE_SERVER_KEY" in str(server.open(GAME).exception(SOON))
    keys.append(first)
    assert server.open(GAME).result(SOON).key == key
    expected = DiceServerGame.begin(GAME, second).deposit().key
    chosen = pinned_key(store, expected.hex())
    server = RemoteDiceServer("http://dice.test", chosen, transport=transport)
    assert reason_of(server.open(GAME)) == "dice-server/other-key"
    keys.append(second)
    assert server.open(GAME).result(SOON).key == expected
    store.close()


@pytest.mark.parametrize(
    "settings",
    [
        ServerSettings(dice_server="dice.example.org"),
        ServerSettings(dice_server="ftp://dice.example.org"),
        ServerSettings(dice_server="https://user:secret@dice.example.org"),
        ServerSettings(dice_server="https://dice.example.org", dice_server_key="ab"),
    ],
)
def test_bad_settings_are_refused(settings: ServerSettings) -> None:
    with pytest.raises(RubiconError) as caught:
        checked_url(settings)
    assert caught.value.code == "serve/settings"
