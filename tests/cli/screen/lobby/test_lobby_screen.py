"""The games of a server on the full screen: choosing, opening, waiting, a server that is away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from rubicon.cli.hosted import lobby as listing
from rubicon.cli.screen.lobby import LobbyScreen
from rubicon.client import Client
from tests.cli.hosted.test_hosted_game import Network, connecting, folders, server
from tests.cli.screen.at_screen import SIZES, shown
from tests.cli.screen.lobby.at_lobby import ended, lobby, press, running, shows, text_of
from tests.web.conftest import RunningServer, in_process

__all__ = ["folders", "server"]  # fixtures
BOTS = {1: "greedy", 2: "greedy"}
ESCAPES = "\x1b]0;title\x07\x1b[31mred\n\u202e"


@pytest.fixture(autouse=True)
def tracker() -> None:
    """What a server in this process needs to start others: under a screen it cannot begin."""
    resource_tracker.ensure_running()


def running_game(client: Client) -> str:
    """A game that has started, with two bots."""
    game = str(client.open_table(board="skerries", seats=3, bots=BOTS, title="Sunday")["game"])
    client.start(game)
    return game


@pytest.mark.parametrize("size", SIZES)
def test_own_games_and_open_tables_fit_every_size(
    server: RunningServer, size: tuple[int, int]
) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    running_game(ann)
    bob.open_table(seats=4, ruleset="revised", title="Friday six")

    async def look() -> str:
        async with running(lobby(ann, connecting(server)), size) as app:
            return await shows(app, "Friday six", "Sunday")

    rows = asyncio.run(look()).splitlines()
    assert len(rows) == size[1]
    assert all(len(row) <= size[0] for row in rows)
    text = "\n".join(rows)
    assert "rubicon.test" in rows[0]
    assert "connected" in rows[0]
    assert "3 seats free" in text
    assert "no clock" in text
    assert rows.index(next(row for row in rows if "Sunday" in row)) < rows.index(" Open tables")
    assert rows[-1].startswith(" Enter open")
    assert "Esc leave" in rows[-1]


def test_a_chosen_game_is_opened_by_arrows_or_by_its_number(server: RunningServer) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    mine = running_game(ann)
    running_game(bob)
    other = str(bob.open_table(seats=3, bots={1: "greedy"}, title="Friday six")["game"])

    async def opened(*keys: str) -> tuple[str, bool] | None:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "Friday six", "Sunday")
            press(app, *keys)
            if keys[0] != "enter":
                await shows(app, "The host starts the game")
                bob.start(other)
            return await ended(app)

    assert asyncio.run(opened("enter")) == (mine, False)
    assert asyncio.run(opened("2", "enter")) == (other, False)
    assert ann.table(other)["your_seat"] == "green"


def test_a_host_opens_a_table_seats_bots_chats_and_starts(server: RunningServer) -> None:
    ann = server.client("Ann")

    async def play() -> tuple[tuple[str, bool] | None, str]:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "none yet")
            # Whoever types the whole word types it once.
            assert "› new" in press(app, "n")
            assert "› new classic 3" in press(app, *"ew classic 3")
            press(app, *" board=skerries", "enter")
            text = await shows(app, "free", "Invite others", "S say")
            assert "Enter start" not in text
            press(app, *"say hello", "enter")
            await shows(app, "red says: hello")
            press(app, "b", "enter")
            await shows(app, "medium  bot", "B bot")
            press(app, *"bot easy", "enter")
            seen = await shows(app, "easy  bot", "Enter start")
            press(app, "enter")
            return await ended(app), seen

    chosen, seen = asyncio.run(play())
    assert chosen is not None
    assert ann.table(chosen[0])["state"] == "running"
    assert "Ann  you, host" in seen


def test_escape_goes_back_from_a_table_and_then_leaves(server: RunningServer) -> None:
    ann = server.client("Ann")

    async def play() -> LobbyScreen:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "none yet")
            press(app, *"new", "enter")
            await shows(app, "Invite others")
            press(app, "escape")
            await shows(app, "Your games", "2 seats free")
            press(app, *"wat", "escape")
            assert not app.line.text
            press(app, "q")
            return app

    app = asyncio.run(play())
    assert app.prompts.chosen is None
    assert app.result is None


def test_lines_mean_what_they_mean_line_by_line(server: RunningServer) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    game = running_game(bob)
    link = bob.invite_links(game)["url"]

    async def play() -> tuple[str, str, tuple[str, bool] | None]:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "none yet")
            press(app, *"join nowhere", "enter")
            refused = await shows(app, "There is no game 'nowhere'", "Your line stays")
            assert "› join nowhere" in refused
            press(app, "escape", "?")
            helped = await shows(app, "A number opens that game")
            press(app, "escape", *"7", "enter")
            await shows(app, "The list has no number 7")
            press(app, "escape", "w", *str(link), "enter")
            return refused, helped, await ended(app)

    _, helped, chosen = asyncio.run(play())
    assert "Esc: close" in helped
    assert chosen == (game, True)


def test_a_refused_table_is_told_and_the_lists_come_back(server: RunningServer) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = str(bob.open_table(seats=3, title="Friday six")["game"])

    async def play() -> str:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "Friday six")
            press(app, "enter")
            await shows(app, "The host starts the game")
            bob.kick(table, "blue")
            bob.change_table(table, access="private")
            return await shows(app, "Your games", "✗")

    assert "none yet" in asyncio.run(play()).splitlines()[3]


def test_a_lost_connection_is_one_amber_line_and_the_list_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubicon.cli.screen.lobby_prompts.LOOK", 0.05)
    monkeypatch.setattr("rubicon.cli.screen.lobby_prompts.RETRY", 0.05)
    network = Network()

    def connect(_: str, token: str | None) -> Client:
        return Client("http://rubicon.test", token, transport=network)

    async def play() -> None:
        ann = connect("", None).guest("Ann")
        ann.attempts = 1
        ann.open_table(seats=3, title="Friday six")
        way, app = network.server, lobby(ann, connect)
        async with running(app):
            await shows(app, "Friday six")
            network.server = None
            text = await shows(app, "Connection lost", "reconnecting")
            assert "Friday six" in text
            assert "You see the tables of" in text
            press(app, *"new classic", "enter")
            text = await shows(app, "✗", "› new classic")
            assert "Friday six" in text
            network.server = way
            text = await shows(app, "connected")
            assert "Connection lost" not in text
            assert "› new classic" in text

    with in_process(tmp_path) as network.server:
        asyncio.run(play())


def test_keys_are_not_kept_waiting_by_a_server_that_does_not_answer(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, blocked = server.client("Ann"), threading.Event()

    def never() -> None:
        blocked.wait(60)
        raise EOFError

    async def play() -> str:
        async with running(lobby(ann, connecting(server))) as app:
            await shows(app, "none yet")
            monkeypatch.setattr(ann, "open_table", lambda **_: never())
            press(app, *"new", "enter")
            text = press(app, *"join x", "enter")
            assert "The server is asked" in text
            assert "Ctrl-C leave" in text
            app.leave()
            return text

    try:
        assert "› join x" in asyncio.run(play())
    finally:
        blocked.set()


@pytest.mark.parametrize("size", SIZES)
def test_hostile_titles_and_names_stay_in_their_places(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    ann = server.client("Ann")
    ann.open_table(seats=3, title="Friday six")

    def evil(found: Callable[..., dict[str, object]]) -> Callable[..., dict[str, object]]:
        def answer(*positional: object, **named: object) -> dict[str, object]:
            page = found(*positional, **named)
            for table in page["tables"]:  # type: ignore[attr-defined]
                table["title"] = ESCAPES + "漢字" * 200
                table["seats"][0]["name"] = ESCAPES * 50
                table["ruleset"]["title"] = table["ruleset"]["name"] = ESCAPES
            return page

        return answer

    def connect(url: str, token: str | None) -> Client:
        client = server.connect(token)
        monkeypatch.setattr(client, "search_tables", evil(client.search_tables))
        table = client.table
        monkeypatch.setattr(client, "table", lambda game: table(game) | {"title": ESCAPES})
        said = [
            {"id": 1, "seat": ESCAPES, "to": "", "text": ESCAPES * 9**6},
            {"id": 2, "seat": "blue", "to": "", "text": ESCAPES},
        ]
        monkeypatch.setattr(client, "chat", lambda *_, after=0: said[after:])
        return client

    async def look() -> list[str]:
        async with running(lobby(ann, connect), size) as app:
            texts = [await shows(app, "title")]
            press(app, "enter")
            texts.append(await shows(app, "blue says:"))
            return texts

    for text in asyncio.run(look()):
        assert text.replace("\n", "").isprintable()
        assert len(text.splitlines()) == size[1]
        assert "▚ Rubicon" in text.splitlines()[0]
        assert text.splitlines()[-1].lstrip().startswith(("Enter", "B"))


def test_broken_answers_are_told_and_not_shown(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = server.client("Ann")

    def connect(url: str, token: str | None) -> Client:
        client = server.connect(token)
        monkeypatch.setattr(client, "search_tables", lambda *_, **__: {"tables": [{"id": 1}]})
        return client

    async def look() -> str:
        async with running(lobby(ann, connect)) as app:
            return await shows(app, "asking the server", "trying again")

    assert "reconnecting" in asyncio.run(look())


def test_a_list_says_how_many_tables_it_leaves_out(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    for number in range(5):
        ann.open_table(seats=3, title=f"Mine {number}")
        bob.open_table(seats=3, title=f"Free {number}")
    monkeypatch.setattr(listing, "MOST", 3)

    async def look() -> str:
        async with running(lobby(ann, connecting(server)), (60, 20)) as app:
            return await shows(app, "Open tables", "Mine 4")

    text = asyncio.run(look())
    assert "Your games (the 3 newest of 5)" in text
    assert "Open tables (the 3 newest of 5)" in text  # own tables are open ones, too: not here
    assert sum("Free" in row for row in text.splitlines()) == 3


def test_a_whole_list_has_a_plain_heading() -> None:
    assert listing.heading("Your games", 50, 73) == "Your games (the 50 newest of 73)"
    assert listing.heading("Your games", 3, 3) == "Your games"
    assert listing.heading("Your games", 0, 0) == "Your games"


def test_a_long_list_keeps_the_selected_table_on_the_screen(server: RunningServer) -> None:
    ann = server.client("Ann")
    for number in range(25):
        ann.open_table(seats=3, title=f"Table {number}")

    async def look() -> tuple[str, str]:
        async with running(lobby(ann, connecting(server)), (60, 20)) as app:
            first = await shows(app, "more")
            return first, press(app, *["down"] * 24)

    first, last = asyncio.run(look())
    marked = next(row for row in first.splitlines() if row.startswith("›"))
    assert "  1" in marked
    assert next(row for row in last.splitlines() if row.startswith("›")).startswith("› 25")
    assert "more" not in last


def test_a_terminal_that_is_too_small_says_so(server: RunningServer) -> None:
    async def look() -> str:
        app = lobby(server.client("Ann"), connecting(server))
        async with shown(app, (50, 10)) as terminal:
            await terminal.type("n")
            assert not app.line.text
            app.prompts.leave()
            return text_of(app)

    assert "Rubicon needs 60 x 20" in asyncio.run(look())
