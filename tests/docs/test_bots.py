"""`docs/bots.md` is executed: its bots play, its examples and messages are as they say."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from rubicon.cli.main import COMMANDS
from rubicon.cli.play import command
from rubicon.players.bot import GROUP, REGISTERED
from rubicon.players.program import (
    MOST_BYTES,
    SECONDS,
    START_SECONDS,
    VERSION,
    decide,
    hello,
    over,
    read_line,
)
from rubicon.players.seating import seated
from rubicon.players.view import TerritorySeen, View
from rubicon.rules.ruleset.ruleset import preset_names
from tests.players.played import SOON, first_turn, play_on, played, player_count

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bots.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", TEXT, re.DOTALL))
BOTS = {
    "mybot.py": "MyBot",
    "patient.py": "Patient",
    "last.py": "last",
    "conqueror.py": "Conqueror",
    "policy.py": "quick",
}
MOST_LINES = 10
NODE = shutil.which("node")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bots of the page as files."""
    folder = tmp_path_factory.mktemp("bots")
    for name, source in BLOCKS.items():
        (folder / name).write_text(source, "utf-8")
    return folder


def named(folder: Path, file: str) -> str:
    return f"{folder / file}:{BOTS[file]}"


def test_every_bot_of_the_page_is_played() -> None:
    assert list(BLOCKS) == list(BOTS)


def test_the_first_bot_has_ten_lines() -> None:
    assert len([line for line in BLOCKS["mybot.py"].splitlines() if line.strip()]) <= MOST_LINES


def test_the_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    REGISTERED.pop("first")
    assert results.attempted >= 15
    assert results.failed == 0


@pytest.mark.parametrize("file", ["mybot.py", "conqueror.py", "policy.py"])
@pytest.mark.parametrize("preset", preset_names())
def test_its_bots_play_every_preset(folder: Path, file: str, preset: str) -> None:
    names = ["greedy"] * player_count(preset)
    names[0] = named(folder, file)
    assert played(preset, names, cap=300).over


@pytest.mark.parametrize("file", ["patient.py", "last.py"])
def test_its_small_bots_play(folder: Path, file: str) -> None:
    assert played("classic", [named(folder, file), "greedy", "greedy"], cap=300).over


def wins(name: str, other: str, games: int) -> float:
    """The share of games of three that a bot wins, in all seats in turn."""
    won = 0
    for number in range(games):
        names = [other] * 3
        names[number % 3] = name
        game = played("classic", names, seed=number, cap=150)
        won += game.winner == game.colours[number % 3]
    return won / games


def test_the_first_bot_beats_random(folder: Path) -> None:
    assert wins(named(folder, "mybot.py"), "random", 12) > 0.6


@pytest.mark.full
@pytest.mark.parametrize(
    ("file", "other", "share"),
    [
        ("mybot.py", "random", 0.9),
        ("mybot.py", "greedy", 0.25),
        ("conqueror.py", "greedy", 0.38),
        ("conqueror.py", "hunter", 0.65),
    ],
)
def test_the_shares_are_those_of_the_page(
    folder: Path, file: str, other: str, share: float
) -> None:
    assert wins(named(folder, file), other, 300) == pytest.approx(share, abs=0.08)


def test_the_example_in_javascript_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    if NODE is None:
        pytest.skip("there is no node in PATH")
    (line,) = re.findall(r'"(exec:node [^,"]*),greedy', TEXT)
    monkeypatch.chdir(ROOT)
    assert played("classic", [line, "greedy", "greedy"], cap=300).over
    assert f'"{line},greedy,greedy"' in (ROOT / line.split()[-1]).read_text("utf-8")


@pytest.mark.parametrize("line", re.findall(r"^\$ rubicon (\S+ [^<\n]*)", TEXT, re.MULTILINE))
def test_the_commands_are_understood(line: str) -> None:
    name, *arguments = shlex.split(line)
    assert name in COMMANDS
    if name == "play":
        assert command.make_context(name, arguments).command is command


def table(title: str) -> list[list[str]]:
    """The names in the first cells of a table, by row; `title` is its first cell."""
    rows = TEXT.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in rows]


def test_the_view_has_what_the_page_says() -> None:
    view = View(game := first_turn(), game.actors[0])
    names = [name for row in table("`view`") for name in row if name.isidentifier()]
    assert len(names) > 15
    assert [name for name in names if not hasattr(view, name)] == []
    public = {name for name in dir(View) if not name.startswith("_")}
    assert public - set(names) == {"chance"}
    lands = ["id", "number", "name", "owner", "armies", "mine"]
    lands += ["continent", "neighbours", "enemies"]
    assert {name for name in dir(TerritorySeen) if not name.startswith("_")} == set(lands)
    assert all(f"`{name}`" in TEXT for name in lands)


def test_every_field_of_the_messages_is_on_the_page() -> None:
    game = first_turn()
    seat = game.actors[0]
    asked = decide(View(game, seat), 1, 1.0)
    for message in (hello(game, seat, 1, 1.0), asked, over(game, seat), asked["view"]):
        assert [field for field in message if f"`{field}`" not in TEXT] == []


def test_the_messages_of_a_program_are_read(folder: Path) -> None:
    (block,) = re.findall(r"```jsonl\n(.*?)```", TEXT, re.DOTALL)
    messages = [read_line(line) for line in block.encode().splitlines(keepends=True)]
    assert [message["kind"] for message in messages] == ["ready", "answer", "answer"]
    assert messages[0]["version"] == VERSION


def test_the_numbers_are_these() -> None:
    limits = f"{START_SECONDS:g} seconds for `ready` and {SECONDS:g} for an answer"
    assert limits in TEXT
    assert f"{MOST_BYTES:,} bytes" in TEXT
    assert f'"{GROUP}"' in TEXT


def test_every_error_is_listed() -> None:
    sources = (ROOT / "src" / "rubicon" / "players").rglob("*.py")
    source = "".join(file.read_text("utf-8") for file in sources)
    codes = set(re.findall(r'"player/([a-z-]+)"', source))
    codes |= set(re.findall(r'(?:_wrong|PlayerError)\(\s*"([a-z-]+)"', source))
    listed = set(re.findall(r"`player/([a-z-]+)`", TEXT))
    internal = {"not-a-game", "seed", "seconds"}  # mistakes of who calls, not of a bot
    assert codes - internal == listed


def test_a_package_offers_what_a_file_has(folder: Path) -> None:
    """The class that the entry point of the page names is the one of the page."""
    (target,) = re.findall(r'^conqueror = "my_bots\.(\w+:\w+)"', TEXT, re.MULTILINE)
    assert target.replace(":", ".py:") == f"conqueror.py:{BOTS['conqueror.py']}"
    assert os.fspath(folder / "conqueror.py").endswith("conqueror.py")


def test_by_its_registered_name(folder: Path) -> None:
    game = first_turn()
    with closing(seated(named(folder, "conqueror.py"), game.actors[0], seed=1)) as player:
        by_name = {seat: seated("conqueror", seat, seed=1, seconds=SOON) for seat in game.seats}
        assert player.decide(game) == by_name[game.actors[0]].decide(game)
    play_on(game, by_name, 1, 4)
    assert game.over or game.position.round_number == 5
