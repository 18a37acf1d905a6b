"""Whoever leaves a game that was chosen on the full screen comes back to the lobby there."""

from __future__ import annotations

import pytest

from rubicon.cli.hosted import start
from rubicon.cli.hosted import start as lobby_modes
from rubicon.cli.hosted.session import HostedSession
from rubicon.cli.screen.lobby_prompts import LobbyPrompts
from rubicon.cli.terminal.options import PlayOptions
from rubicon.cli.terminal.session import Session
from tests.cli.hosted.test_hosted_game import BOTS, connecting, folders, server
from tests.web.conftest import RunningServer

__all__ = ["folders", "server"]  # fixtures


class Person:
    """Somebody who opens games one after the other, and then leaves; or looks at none."""

    def __init__(self, *games: str) -> None:
        self.games = list(games)
        self.lobbies: list[str] = []
        self.played: list[str] = []

    def choose(
        self, prompts: LobbyPrompts, theme: str | None, name: str
    ) -> tuple[str, bool] | None:
        self.lobbies.append(name)
        return (self.games.pop(0), False) if self.games else None

    def play(self, session: Session, options: PlayOptions) -> tuple[int, bool]:
        assert isinstance(session, HostedSession)
        self.played.append(session.id)
        return 3, False


def visited(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, *, named: bool
) -> tuple[int, Person, list[str]]:
    """The exit code of a visit to a server with two games, the person, and the games."""
    ann = server.client("Ann")
    wanted = {"board": "skerries", "seats": 3, "bots": BOTS}
    games = [str(ann.open_table(**wanted)["game"]) for _ in range(2)]
    for game in games:
        ann.start(game)
    person = Person(*games)
    monkeypatch.setattr(start, "token_of", lambda _: ann.token)
    monkeypatch.setattr(start, "wants_screen", lambda _: True)
    monkeypatch.setattr(lobby_modes, "choose_on_screen", person.choose)
    options = PlayOptions(server=server.url, plain=True, game=games[0] if named else None)
    code = start.play_on_server(options, person.play, connecting(server))
    return code, person, games


def test_behind_a_game_the_lobby_is_there_again(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, person, games = visited(server, monkeypatch, named=False)
    assert person.played == games
    assert person.lobbies == ["Ann"] * 3
    assert code == 0


def test_a_game_that_the_command_line_names_ends_the_program(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, person, games = visited(server, monkeypatch, named=True)
    assert person.played == games[:1]
    assert person.lobbies == []
    assert code == 3
