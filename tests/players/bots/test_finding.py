"""Own bots are found in files, by registered names, and as entry points of packages."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.players import bot
from rubicon.players.bot import REGISTERED, bot_named, check_name, is_own
from rubicon.players.characters import FULL_NAMES
from rubicon.players.seating import seated
from tests.players.played import first_turn

SOURCE = """
from dataclasses import dataclass

import {beside}
from rubicon.players import Bot, register


@dataclass
class Note:
    text: str


class Mine(Bot):
    def decide(self, view):
        return view.legal[{beside}.NUMBER]


@register("mine-{beside}")
def registered(view):
    return view.legal[-1]


number = 7
"""


VERSION = """
from rubicon.players import register


@register("version")
def bot(view):
    return view.legal[{number}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    beside = f"beside_{abs(hash(str(tmp_path)))}"  # modules are loaded once in a process
    (tmp_path / f"{beside}.py").write_text("NUMBER = 0\n", "utf-8")
    file = tmp_path / "mine.py"
    file.write_text(SOURCE.format(beside=beside), "utf-8")
    return file


def error_code(name: str) -> str:
    with pytest.raises(RubiconError) as caught:
        bot_named(name)
    return caught.value.code


def test_a_class_in_a_file(file: Path) -> None:
    game = first_turn()
    player = seated(f"{file}:Mine", game.actors[0], seed=1)
    assert player.decide(game) == game.legal[0]
    assert is_own(f"{file}:Mine")


def test_a_file_is_loaded_once(file: Path) -> None:
    assert bot_named(f"{file}:Mine") is bot_named(f"{file}:Mine")


def test_what_a_file_registers_has_its_name_in_the_file_and_alone(file: Path) -> None:
    beside = next(one.stem for one in file.parent.glob("beside_*.py"))
    registered = bot_named(f"{file}:mine-{beside}")
    assert registered is bot_named(f"mine-{beside}") is bot_named(f"{file}:registered")


def test_two_versions_of_a_file_play_each_other(tmp_path: Path) -> None:
    game = first_turn()
    for number in (0, 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = VERSION.format(number=number)
        (folder / "versions.py").write_text(source, "utf-8")
    for number in (0, 1):
        for name in ("bot", "version"):
            file = tmp_path / str(number) / "versions.py"
            player = seated(f"{file}:{name}", game.actors[0], seed=1)
            assert player.decide(game) == game.legal[number]


def test_a_file_says_what_it_has(file: Path) -> None:
    with pytest.raises(RubiconError, match="It has Mine") as caught:
        bot_named(f"{file}:Yours")
    assert caught.value.code == "player/not-in-file"


@pytest.mark.parametrize("wanted", ["number", "Note"])
def test_what_is_no_bot_is_refused(file: Path, wanted: str) -> None:
    assert error_code(f"{file}:{wanted}") == "player/not-a-bot"


def test_there_must_be_a_file(tmp_path: Path) -> None:
    assert error_code(f"{tmp_path / 'nothing.py'}:Mine") == "player/no-file"
    assert error_code(f"{tmp_path}.py:Mine") == "player/no-file"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("x = 1\ny = x / 0\n", r"ZeroDivisionError: division by zero \(line 2\)"),
        ("def broken(:\n", "SyntaxError"),
    ],
)
def test_a_file_with_an_error_says_where(tmp_path: Path, source: str, said: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(source, "utf-8")
    with pytest.raises(RubiconError, match=said) as caught:
        bot_named(f"{file}:Mine")
    assert caught.value.code == "player/bad-file"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert not is_own("huntre")
    with pytest.raises(RubiconError, match="Did you mean 'hunter'") as caught:
        seated("huntre", "red", seed=1)
    assert caught.value.code == "player/unknown"


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, bot.GROUP)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages that offer bots, as far as they are installed."""
    offered = [
        entry("packaged", "tests.players.bots.test_bot_seat:Eager"),
        entry("broken", "tests.players.bots.test_bot_seat:Nothing"),
        entry("hunter", "tests.players.bots.test_bot_seat:Eager"),
        EntryPoint("other", "tests.players.bots.test_bot_seat:Eager", "another.group"),
    ]

    def entry_points(group: str) -> EntryPoints:
        return EntryPoints(offered).select(group=group)

    monkeypatch.setattr(bot, "entry_points", entry_points)


@pytest.mark.usefixtures("packages")
def test_bots_of_packages() -> None:
    game = first_turn()
    assert is_own("packaged")
    assert seated("packaged", game.actors[0], seed=1).decide(game) in game.legal
    assert error_code("broken") == "player/bad-package"
    assert error_code("other") == "player/unknown"


@pytest.mark.usefixtures("packages")
def test_the_names_of_our_bots_are_ours() -> None:
    assert not is_own("hunter")
    assert type(seated("hunter", "red", seed=1)).__name__ == "Player"
    for name in ("hunter", "strongest"):
        with pytest.raises(RubiconError) as caught:
            check_name(name)
        assert caught.value.code == "player/name-taken"


@pytest.mark.usefixtures("packages")
def test_a_server_knows_none_of_them(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`FULL_NAMES` is what a server lets people choose from."""
    monkeypatch.setitem(REGISTERED, "mine", bot_named(f"{file}:Mine"))
    assert not [name for name in FULL_NAMES if is_own(name)]
