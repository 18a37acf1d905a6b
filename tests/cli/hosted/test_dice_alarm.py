"""A server that lies about the dice raises an alarm at the terminal, line by line."""

from __future__ import annotations

import re
from contextlib import closing

import httpx
import pytest

from rubicon.cli.hosted.lobby import Visit
from rubicon.cli.hosted.session import HostedSession
from rubicon.cli.hosted.start import open_hosted
from rubicon.cli.play import play_at_keyboard
from rubicon.cli.terminal.console import make_output
from rubicon.client import Client
from tests.cli.hosted.test_hosted_game import BOTS, BotTypes, Typed, folders, server
from tests.web.conftest import RunningServer

__all__ = ["folders", "server"]  # fixtures
A_DIE = re.compile(r'("battle":\[\[)([1-6])')
ALARM = "[dice/bad-line]"


class Lying(httpx.BaseTransport):
    """The way to a server that shows another first die of each battle than was rolled."""

    def __init__(self, way: httpx.BaseTransport) -> None:
        self._way = way

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._way.handle_request(request)
        if not request.url.path.endswith("/transcript"):
            return answer
        text = A_DIE.sub(lambda die: f"{die[1]}{int(die[2]) % 6 + 1}", answer.read().decode())
        return httpx.Response(answer.status_code, text=text, request=request)


def lied_to(server: RunningServer) -> HostedSession:
    """A game on a server that lies."""
    assert server.transport is not None
    way = Lying(server.transport)

    def connect(_: str, token: str | None) -> Client:
        return Client(server.url, token, transport=way)

    with server.client("Ann") as ann:
        token = ann.token
    here = Visit(server.url, connect, Typed(), make_output(plain=True))
    client = connect("", token)
    options = {"setup.claim": "random", "setup.armies": "3:12,4:9,5:8,6:7"}
    wanted = {"board": "skerries", "seats": 3, "bots": BOTS, "options": options}
    game = str(client.open_table(**wanted)["game"])
    client.start(game)
    return open_hosted(here, client, game, watched=False)


def test_line_by_line(
    server: RunningServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = lied_to(server)
    keyboard = BotTypes(session)
    monkeypatch.setattr("rubicon.cli.terminal.console.open_keyboard", lambda words: keyboard)
    with closing(session):
        play_at_keyboard(session)
    told = capsys.readouterr()
    assert ALARM in told.out + told.err
