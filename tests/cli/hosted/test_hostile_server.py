"""A server that is broken or hostile harms neither the terminal nor the person at it."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from rubicon.cli.hosted import session as news
from rubicon.cli.hosted.lobby import TablesPrompt, Visit, read_invite
from rubicon.cli.hosted.start import checked_address, is_private, open_hosted
from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.cells import Press
from rubicon.cli.terminal.console import make_output
from rubicon.client import Client
from rubicon.errors import RubiconError
from tests.cli.hosted.test_dice_alarm import ALARM, lied_to
from tests.cli.hosted.test_hosted_game import BOTS, Typed, folders, moves, opened, server
from tests.cli.screen.at_screen import LONGEST, shown
from tests.conftest import FULL
from tests.waiting import until
from tests.web.conftest import RunningServer

__all__ = ["folders", "server"]  # fixtures
ESCAPES = "\x1b]0;title\x07\x1b[31mred\n\u202e"
WRONG: tuple[object, ...] = (
    None,
    True,
    -1,
    2**80,
    "",
    ESCAPES,
    "red",
    [],
    {},
    [[]],
    {"a": 1},
    "x" * 5000,
)
KEYS = ("enter", "enter", "enter", "tab", "f2", "f4", "f5", "escape", "backspace")
GAMES, PRESSES = (20, 150) if FULL else (2, 60)


def changed(value: object, chance: random.Random) -> object:
    """A JSON value with something in it that is missing, twice, in another order, or wrong."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(list(value))
        rest = {key: found for key, found in value.items() if key != name}
        return rest if chance.random() < 0.2 else rest | {name: changed(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at, what = chance.randrange(len(value)), chance.random()
        if what < 0.3:
            return [*value[at:], *value] if what < 0.15 else value[::-1]
        return [*value[:at], changed(value[at], chance), *value[at + 1 :]]
    return chance.choice(WRONG)


class Broken(httpx.BaseTransport):
    """The way to a server whose answers are broken now and then, while it is `on`."""

    def __init__(self, way: httpx.BaseTransport, seed: int) -> None:
        self.way, self.chance, self.on = way, random.Random(seed), False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.way.handle_request(request)
        if not self.on or "games" in request.url.params or self.chance.random() > 0.25:
            return answer
        body = answer.read()
        if self.chance.random() < 0.3:
            return httpx.Response(200, content=body[: len(body) // 2], request=request)
        try:
            found = changed(json.loads(body), self.chance)
        except ValueError:
            found = None
        return httpx.Response(answer.status_code, json=found, request=request)


async def pressed_at_random(app: FullScreen, chance: random.Random) -> Iterator[str]:
    """Press keys; the screens that were to be seen."""
    texts = []
    async with shown(app, (100, 30)):
        for _ in range(PRESSES):
            await asyncio.sleep(0.01)
            app.press(Press(chance.choice(KEYS)))
            texts.append(app.drawn(*app.size).text())
            if app.prompts.ended:
                break
        app.prompts.leave()
    return iter(texts)


def test_broken_answers_are_no_faults_of_the_program(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "RETRY", 0.01)
    assert server.transport is not None
    for seed in range(GAMES):
        way = Broken(server.transport, seed)

        def connect(_: str, token: str | None, way: Broken = way) -> Client:
            return Client(server.url, token, transport=way)

        client = connect("", None).guest(f"Ann {seed}")
        options = {"setup.claim": "random", "setup.armies": "3:12,4:9,5:8,6:7"}
        wanted = {"board": "skerries", "seats": 3, "bots": BOTS, "options": options}
        game = str(client.open_table(**wanted)["game"])
        client.start(game)
        here = Visit(server.url, connect, Typed(), make_output(plain=True))
        with closing(open_hosted(here, client, game, watched=False)) as session:
            app, way.on = FullScreen(session, DARK), True
            texts = asyncio.run(pressed_at_random(app, random.Random(seed)))
            way.on = False
        assert app.prompts.failure is None or isinstance(app.prompts.failure, RubiconError)
        assert not any("\x1b" in text or "\u202e" in text for text in texts)


def test_an_alarm_is_told_before_anything_is_sent_and_stays(server: RunningServer) -> None:
    session = lied_to(server)

    async def play() -> tuple[str, str]:
        app = FullScreen(session, DARK)
        async with shown(app, (80, 24)):
            while not app.alarmed:
                await asyncio.sleep(0.01)
                if app.asked:
                    app.press(Press("enter"))
            app.press(Press("enter"))
            seen = " ".join(app.drawn(*app.size).text().split())
            app.press(Press("escape"))
            assert not app.alarmed
            later = app.drawn(*app.size).text()
            app.prompts.leave()
            return seen, later

    with closing(session):
        seen, later = asyncio.run(asyncio.wait_for(play(), LONGEST))
    assert ALARM in seen
    assert "rubicon verify --journal" in seen
    assert "ALARM: Do not trust the dice of game" in later


def test_what_ends_the_part_in_the_dice_is_told(
    server: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    session = opened(server)
    with closing(session):
        thread = session.client._dice[session.id]
        thread.failure = OSError("no space left")
        thread.on_failure()
        assert session.look()
        assert session.look()
    told = capsys.readouterr().out
    assert told.count("no space left") == 1


def test_one_seat_at_two_terminals_does_nothing_twice(
    server: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    first = opened(server)
    here = Visit(server.url, lambda _, token: server.connect(token), Typed(), first.output)
    second = open_hosted(here, server.connect(first.client.token), first.id, watched=False)
    with closing(first), closing(second):
        assert second.advance() == first.advance()
        action = second.game.legal_for(second.people[0])[0]
        moves(first, 1)
        with pytest.raises(RubiconError) as caught:
            second.play(action)
        assert caught.value.code == "decision/stale"
        moves(second, 1)
        moves(first, 1)
    assert "made elsewhere" in str(caught.value)
    assert "Another program takes part" in capsys.readouterr().out


def test_an_answer_that_was_given_elsewhere_ends_no_game(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(server)

    def stale(_: object) -> None:
        raise RubiconError("decision/stale", "too late")

    with closing(session):
        colour = session.advance()
        assert colour is not None
        monkeypatch.setattr(session, "play", stale)
        session.answer(session.game.legal_for(colour)[0])


def test_events_that_are_repeated_or_unknown_are_told_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(server, options={"setup.claim": "random"})
    with closing(session):
        moves(session, 2)
        rows = [r for r in session.client.past_events(session.id) if r["index"] <= session.index]
        strange = {"index": 10**6, "kind": "events", "body": [{"kind": "event", "event": "new"}]}
        monkeypatch.setattr(
            session.client, "past_events", lambda *_, **__: [*rows, *rows, strange, strange]
        )
        heard: list[object] = []
        monkeypatch.setattr(session, "hear", heard.extend)
        assert session.look()
        assert heard == []
        assert session.index == 10**6


def test_an_endless_log_is_not_followed_for_ever(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(server)
    with closing(session):
        until(session.look)
        row = {"index": session.index, "kind": "events", "body": []}
        monkeypatch.setattr(session.client, "past_events", lambda *_, **__: [row] * 500)
        assert session.look()


def test_a_position_of_another_game_or_seat_is_not_shown(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = opened(server), opened(server, "Bob", ruleset="secret-mission")
    with closing(session), closing(other):
        assert session.look()
        text = session.client.game(session.id, text=True)
        foreign = other.client.game(other.id, text=True)
        for wrong in ({"text": foreign["text"]}, {"text": "?"}, {"you": "green"}):
            monkeypatch.setattr(session.client, "game", lambda *_, w=wrong, **__: text | w)
            assert not session.look()
        assert session.mirror.ruleset.name == "classic"


def test_chat_and_names_reach_the_terminal_harmless(
    server: RunningServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = opened(server)
    line = {"id": 99, "seat": "blue", "to": "", "text": ESCAPES}
    table = session.client.table(session.id)
    with closing(session):
        monkeypatch.setattr(session.client, "chat", lambda *_, **__: [line])
        assert session.look()
        assert session.look()
        evil = table | {"title": ESCAPES, "id": ESCAPES}
        named = table | {"title": ESCAPES, "seats": [{"name": ESCAPES, "free": False}]}
        monkeypatch.setattr(session.client, "tables", lambda *_: [named, evil])
        with pytest.raises(EOFError):
            TablesPrompt(session.client, Typed(), session.output).choose()
    told = capsys.readouterr().out
    assert told.count("blue says: �]0;title�[31mred �\n") == 1
    assert told.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "link", ["https://h.test/games/../me?invite=a", "http://[/games/x", "x/a%2Fb", "", "a b"]
)
def test_an_invite_link_leads_to_a_game_or_nowhere(link: str) -> None:
    if link.endswith("me?invite=a"):
        assert read_invite(link) == ("me", "a")
        return
    with pytest.raises(RubiconError) as caught:
        read_invite(link)
    assert caught.value.code == "play/no-invite"


@pytest.mark.parametrize(
    "url",
    ["http://[", "rubicon.test", "ftp://h.test", "http://h.test:99999", "http://a b", "http:"],
)
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(RubiconError) as caught:
        checked_address(url)
    assert caught.value.code == "play/bad-address"


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("https://h.test", True),
        ("http://localhost:8042", True),
        ("http://127.0.0.1:8042", True),
        ("http://[::1]:8042", True),
        ("http://h.test", False),
        ("http://192.168.1.4:8042", False),
    ],
)
def test_a_connection_that_others_can_read_is_known(url: str, private: bool) -> None:
    assert is_private(checked_address(url)) is private


class Falling:
    """A client whose connections are taken and let fall at once."""

    attempts, timeout = 1, 1.0

    def events(self, *_: str, **__: object) -> Iterator[dict[str, str]]:
        return iter(())

    def hang_up(self) -> None:
        pass


def test_a_connection_that_is_let_fall_is_a_server_that_is_away() -> None:
    told = threading.Event()
    heard = news.GameNews(Falling(), "k3v")  # type: ignore[arg-type]
    heard.on_news = told.set
    heard.start()
    try:
        assert told.wait(30)
    finally:
        heard.stop()
