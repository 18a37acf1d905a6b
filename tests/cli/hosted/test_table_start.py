"""The host of a table at the terminal: free seats are filled with bots, or players waited for."""

from __future__ import annotations

import io
from unittest.mock import create_autospec

import pytest

from rubicon.cli.hosted import lobby
from rubicon.cli.hosted.lobby import WaitingRoom
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import make_output
from rubicon.client import Client

CALLS = ("start", "seat_bot", "say")


class Answers:
    """A keyboard with one line."""

    interactive = False
    draft = ""
    recalls = True

    def __init__(self, line: str) -> None:
        self.line = line

    def read(self, prompt: str) -> str:
        """The line."""
        assert prompt == lobby.START
        return self.line


def table(*names: str) -> dict[str, object]:
    """A table of three seats, of which the named are taken."""
    colours = ("red", "blue", "green")
    seats = [
        {"colour": colour, "name": name, "free": not name}
        for colour, name in zip(colours, (*names, "", "", ""), strict=False)
    ]
    return {
        "id": "abc",
        "title": "Classic RISK",
        "board": "world 1",
        "state": "lobby",
        "seats": seats,
        "your_seat": "red",
        "you_host": True,
    }


def host(line: str, *tables: dict[str, object]) -> tuple[list[tuple[str, ...]], str]:
    """What the host's line asks of the server, and what is printed."""
    client = create_autospec(Client, instance=True)
    client.table.side_effect = [*tables, *[tables[-1]] * 3]
    printed = io.StringIO()
    output = make_output(plain=True, stream=printed)
    WaitingRoom(client, "abc", Answers(line), output).ask()
    asked = [(one[0], *one[1]) for one in client.method_calls if one[0] in CALLS]
    return asked, " ".join(printed.getvalue().split())


def test_enter_starts_and_bots_take_the_free_seats_first() -> None:
    assert host("", table("Ann", "Bob", "Cid"))[0] == [("start", "abc")]
    assert host("bots", table("Ann", "Bob"))[0] == [
        ("seat_bot", "abc", "green", "medium"),
        ("start", "abc"),
    ]


def test_one_bot_takes_the_next_free_seat_and_a_line_is_said() -> None:
    assert host("bot", table("Ann"))[0] == [("seat_bot", "abc", "blue", "medium")]
    assert host("bot hard", table("Ann"))[0] == [("seat_bot", "abc", "blue", "hard")]
    assert host("bot", table("Ann", "Bob", "Cid"))[0] == []
    assert host("say good luck; all", table("Ann"))[0] == [("say", "abc", "good luck; all")]


def test_wait_ends_when_somebody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "INTERVAL", 0.0)
    asked, printed = host("wait", table("Ann"), table("Ann"), table("Ann", "Bob"))
    assert asked == []
    assert "Waiting for players" in printed


def test_other_words_are_explained_and_quit_leaves() -> None:
    asked, printed = host("robot", table("Ann"))
    assert asked == []
    assert "`bots` puts one on every free seat" in printed
    with pytest.raises(Quit):
        host("quit", table("Ann"))


def test_who_leaves_gives_the_seat_back() -> None:
    client = create_autospec(Client, instance=True)
    output = make_output(plain=True, stream=io.StringIO())
    room = WaitingRoom(client, "abc", Answers("leave"), output)
    with pytest.raises(Quit):
        room.ask()
    client.leave.assert_called_once_with("abc")
