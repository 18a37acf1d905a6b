"""docs/api.md: its programs run against a real server, and it names every path there is."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import ServerProcess, start, stop

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
URL = "http://127.0.0.1:8042"


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals do not go to the home of who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    running = start(tmp_path_factory.mktemp("api"))
    yield running
    stop(running)


def programs() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def run(program: str, server: ServerProcess) -> str:
    """What a program of the page prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program.replace(URL, server.url), "docs/api.md", "exec"), {})
    return printed.getvalue()


def test_the_bot_plays_to_the_end_and_its_dice_are_right(server: ServerProcess) -> None:
    bot = programs()[0]
    assert len([line for line in bot.splitlines() if line.strip()]) <= 20
    printed = run(bot, server)
    assert re.search(r"^(red|blue|green) wins$", printed, re.MULTILINE)
    assert "dice right: True secrets open: True" in printed


def test_the_position_is_data(server: ServerProcess) -> None:
    assert run(programs()[1], server) == "claim a territory 0 territories; Claim a territory\n"


def test_a_finished_game_shows_its_luck(server: ServerProcess) -> None:
    *seats, last = run(programs()[2], server).splitlines()
    shown = [
        re.fullmatch(r"(\w+): [+-][\d.]+ armies, luckier than \d+ in 100", one) for one in seats
    ]
    assert [one and one[1] for one in shown] == ["red", "blue", "green"]
    assert re.search(r"(red|blue|green) wins in round \d+$", last)


def test_rules_are_chosen_in_the_lobby(server: ServerProcess) -> None:
    assert run(programs()[3], server) == "1 Secret Mission RISK 3\n"


def test_own_links_are_in_the_dice(server: ServerProcess) -> None:
    assert run(programs()[5], server) == "dice right: True with own links: True\n"


def test_an_error_suggests_what_to_do(server: ServerProcess) -> None:
    assert run(programs()[4], server).startswith("404 ruleset/unknown-preset There is no ruleset")


def test_every_path_is_named(server: ServerProcess) -> None:
    with server.http() as http:
        schema = json.loads(http.get("/api/v1/schema/openapi.json").text)
    table = PAGE.partition("## Routes")[2]
    for path, methods in schema["paths"].items():
        short = path.removeprefix("/api/v1")
        words = [word for word in short.split("/") if word and not word.startswith("{")]
        assert all(word in table for word in words), f"{path}: {list(methods)}"
    assert len(schema["paths"]) > 30
