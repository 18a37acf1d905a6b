"""Games on a server at the terminal: accounts, tables, whole games, chat, a server that is away."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from rubicon.cli.hosted.lobby import TablesPrompt, Visit, read_invite
from rubicon.cli.hosted.session import HostedSession
from rubicon.cli.hosted.start import accounts_file, open_hosted, signed_in, token_of
from rubicon.cli.play import play_at_keyboard
from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.terminal.choices import order_for
from rubicon.cli.terminal.console import make_output
from rubicon.client import Client
from rubicon.players.player import Player
from rubicon.rules.actions import Trade
from tests.cli.screen.at_screen import asked, press, shown
from tests.conftest import FULL
from tests.waiting import until
from tests.web.conftest import RunningServer, in_process

RULESETS = ["secret-mission", *(["classic", "revised", "capital"] if FULL else [])]
BOTS = {1: "greedy", 2: "greedy"}


class Typed:
    """A keyboard with lines that are typed one after the other; then the person leaves."""

    interactive = False
    draft = ""
    recalls = True

    def __init__(self, *lines: str, then: str | None = None) -> None:
        self.lines, self.then = list(lines), then

    def read(self, prompt: str) -> str:
        if not self.lines and self.then is None:
            raise EOFError
        return self.lines.pop(0) if self.lines else str(self.then)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whose folders are empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with in_process(tmp_path) as running:
        yield running


def connecting(server: RunningServer) -> Callable[[str, str | None], Client]:
    """Connects to the server in this process, whatever its address."""
    return lambda _, token: server.connect(token)


def visit(server: RunningServer, *lines: str, then: str | None = None) -> Visit:
    """A person at a server, who types these lines."""
    return Visit(server.url, connecting(server), Typed(*lines, then=then), make_output(plain=True))


def opened(server: RunningServer, name: str = "Ann", **table: object) -> HostedSession:
    """A running game of one person against bots, seen from the person's terminal."""
    here = visit(server, name, "")
    client = signed_in(here, None)
    wanted = {"board": "skerries", "seats": 3, "bots": BOTS} | table
    game = str(client.open_table(**wanted)["game"])
    return open_hosted(here, client, game, watched=False)


def test_the_token_is_kept_for_its_owner_alone_and_used_again(server: RunningServer) -> None:
    first = signed_in(visit(server, "Ann"), None)
    assert stat.S_IMODE(accounts_file().stat().st_mode) == 0o600
    assert token_of(server.url + "/") == first.token
    again = signed_in(visit(server), None)
    assert again.me()["name"] == "Ann"


def test_an_invite_link_names_its_game_and_secret() -> None:
    assert read_invite("https://host.test/games/k3v?invite=a%2Bb") == ("k3v", "a+b")
    assert read_invite("http://host.test/games/k3v/") == ("k3v", "")


class BotTypes:
    """A keyboard at which the greedy bot types the orders of the own seat."""

    interactive = False
    draft = ""
    recalls = True

    def __init__(self, session: HostedSession) -> None:
        self.session = session
        self.player = Player("greedy", session.people[0])

    def read(self, prompt: str) -> str:
        action = self.player.decide(self.session.game)
        return "trade best" if isinstance(action, Trade) else order_for(action)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_is_played_line_by_line(
    server: RunningServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    ruleset: str,
) -> None:
    board = {"board": "world"} if ruleset == "revised" else {}
    session = opened(server, ruleset=ruleset, **board)
    keyboard = BotTypes(session)
    monkeypatch.setattr("rubicon.cli.terminal.console.open_keyboard", lambda words: keyboard)
    with closing(session):
        assert play_at_keyboard(session) == (0, False)
        result = session.client.game(session.id)["result"]
    told = capsys.readouterr().out
    assert result in session.game.colours
    assert f"{result} " in told.partition("Territories: ")[0].splitlines()[-1] or "You win" in told
    assert "takes no part in the dice" not in told
    assert "decision/" not in told


def test_the_lobby_opens_lists_and_joins_tables(
    server: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    here = visit(server)
    ann, bob = server.client("Ann"), server.client("Bob")
    lobby = TablesPrompt(ann, Typed("new classic 3 bots board=skerries"), here.output)
    game, watched = lobby.choose()
    assert not watched
    assert ann.table(game)["board"].startswith("skerries ")
    other = str(ann.open_table(seats=3)["game"])
    assert TablesPrompt(bob, Typed("", "9", "1"), here.output).choose() == (other, False)
    assert bob.table(other)["your_seat"] == "blue"
    told = capsys.readouterr().out
    assert "The list has no number 9" in told
    assert f"2 free seats: Ann  ({other})" in told


def test_a_game_on_the_full_screen_is_the_servers_game(server: RunningServer) -> None:
    session = opened(server)

    async def play() -> tuple[str, str, int]:
        app = FullScreen(session, DARK)
        async with shown(app, (80, 24)):
            await asked(app)
            await press(app, *"claim ", "tab", "enter", *"say good luck; all", "enter")
            chat = session.client.chat(session.id)
            assert [line["text"] for line in chat] == ["good luck; all"]
            while not app.prompts.ended and not app.desk.view.round_number:
                await press(app, "enter")
            text = app.drawn(*app.size).text()
            place = app.desk.game.territories[min(app.desk.choices.places)]
            await press(app, *f"deploy 1 {place}", "enter")
            undone = await press(app, "backspace")
            app.prompts.leave()
            return text, undone, int(session.client.game(session.id)["round"])

    try:
        text, undone, round_number = asyncio.run(play())
    finally:
        session.close()
    assert "Ann" in text
    assert "Taken back: " in undone
    assert round_number >= 1


class Network(httpx.BaseTransport):
    """Leads to the server of now; while there is none, connections are refused."""

    def __init__(self) -> None:
        self.server: RunningServer | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.server is None or self.server.transport is None:
            raise httpx.ConnectError("connection refused")
        return self.server.transport.handle_request(request)


def moves(session: HostedSession, count: int) -> None:
    """Play so many decisions of the own seat."""
    player = Player("greedy", session.people[0])
    for _ in range(count):
        if session.advance() is None:
            return
        session.play(player.decide(session.game))


def test_a_server_that_is_away_loses_nothing_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rubicon.client.session.MAX_ATTEMPTS", 1)
    network = Network()

    def connect(_: str, token: str | None) -> Client:
        return Client("http://rubicon.test", token, transport=network)

    here = Visit("http://rubicon.test", connect, Typed("Ann", ""), make_output(plain=True))
    with in_process(tmp_path) as network.server:
        client = signed_in(here, None)
        game = str(client.open_table(board="skerries", seats=3, bots=BOTS)["game"])
        session = open_hosted(here, client, game, watched=False)
        moves(session, 3)
    network.server = None
    assert not session.look()
    with in_process(tmp_path) as network.server, closing(session):
        assert session.look()
        moves(session, 3)
        rows = session.client.past_events(game)
        own = [
            fact
            for row in rows
            for fact in (row["body"] if row["kind"] == "events" else ())
            if fact.get("event") == "decided" and fact["seat"] == session.people[0]
        ]
        until(lambda: session.look() and session.index >= rows[-1]["index"])
    told = capsys.readouterr().out
    assert told.count("The server does not answer") == 1
    assert told.count("answers again") == 1
    assert len(own) == 6


def test_a_spectator_looks_on_and_decides_nothing(server: RunningServer) -> None:
    played = opened(server)
    here = visit(server)
    link = played.client.invite_links(played.id)["url"]
    watcher = server.client("Wen")
    with closing(played):
        moves(played, 2)
        assert TablesPrompt(watcher, Typed(f"watch {link}"), here.output).choose()[1]
        session = open_hosted(here, watcher, played.id, watched=True)
        with closing(session):
            assert session.look()
            assert session.people == []
            assert session.state["decision"] is None
            hidden = session.game.view(None)
            assert session.game.position.tobytes() == hidden.tobytes()
