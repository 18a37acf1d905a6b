"""`rubicon play` with bots of one's own, and `rubicon bot`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rubicon.cli.terminal.opening import LONGEST_NAME, read_seats
from rubicon.players.player import PLAYERS, Player
from rubicon.players.program import decide, hello, line_of, over, read_line
from rubicon.players.view import View
from rubicon.rules.record import Record
from tests.cli.at_terminal import outside, rubicon
from tests.players.played import first_turn
from tests.players.programs.programs import answering, program, rubicon_bot

LAST = '{"action": asked["legal"][-1]["highest"]}'
WATCH = ("--watch", "--seed", "1", "--board", "skerries", "--bot-seconds", "100")
SOURCE = """
from rubicon.players import Bot


class Mine(Bot):
    def decide(self, view):
        return view.legal[-1]


class Broken(Bot):
    def decide(self, view):
        return "ATTACK everywhere"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(SOURCE, "utf-8")
    return file


def test_own_bots_can_be_watched(file: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.risk"
    seats = f"{file}:Mine,{answering(tmp_path, LAST)},greedy,{file}:Mine"
    code, printed = rubicon(*WATCH, "--record", str(record), "--save", "--seats", seats)
    assert code == 0, printed
    game = Record.load(record).verify()
    assert game.over
    assert game.names[0] == "Mine"
    assert game.names[1].startswith(Path(sys.executable).name)
    assert game.names[2:] == ("greedy", "Mine-2")


def test_a_person_plays_against_them(file: Path) -> None:
    code, printed = outside("--seats", f"me,{file}:Mine,greedy", "--seed", "4", typed="quit\n")
    assert code == 0, printed
    assert "Mine" in printed


def test_a_saved_game_starts_no_code(file: Path, tmp_path: Path) -> None:
    """Whoever sends a record sends no program."""
    record = tmp_path / "game.risk"
    rubicon("--seats", f"me,{file}:Mine,greedy", "--record", str(record), typed="quit\n")
    game = Record.load(record).replay()
    assert game.names == ("me", "Mine", "greedy")
    _, printed = rubicon("--resume", str(record), typed="quit\n")
    assert "Pass the keyboard" in printed  # to the person who has that seat now
    text = record.read_text("utf-8").replace("Mine", "exec:touch ran")
    record.write_text(text, "utf-8")
    rubicon("--resume", str(record), typed="quit\n")
    assert not Path("ran").exists()


def test_a_wrong_answer_ends_the_game_with_its_reason(file: Path) -> None:
    code, printed = rubicon(*WATCH, "--seats", f"greedy,{file}:Broken,greedy")
    assert code == 2
    assert f"{file}:Broken as blue: 'ATTACK everywhere' cannot be read" in printed
    assert "Legal now: claim" in printed
    assert "[player/orders]" in printed


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        ("mine.py:Yours", "player/no-file"),
        ("exec:no-such-program", "player/no-program"),
        ("huntre", "play/unknown-seat"),
    ],
)
def test_what_is_not_there_is_refused_before_the_game(seat: str, code: str) -> None:
    status, printed = rubicon(*WATCH, "--seats", f"greedy,{seat},greedy")
    assert status == 2
    assert code in printed


def test_a_silent_program_ends_the_game(tmp_path: Path) -> None:
    seats = f"greedy,{program(tmp_path, 'time.sleep(600)')},greedy"
    code, printed = rubicon(*WATCH[:-1], "0.5", "--seats", seats)
    assert code == 2
    assert "no answer within 0.5 seconds" in printed


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ("bots/mine.py:Mine", "Mine"),
        ("exec:/usr/bin/node bot.mjs --deep", "node bot.mjs --deep"),
        ("exec:" + "x" * 100, "x" * LONGEST_NAME),
        ("exec:", "program"),
        ("other.py:hunter", "hunter-2"),
    ],
)
def test_its_name_at_the_table(bot: str, name: str) -> None:
    (seat,) = read_seats(bot, PLAYERS)
    assert (seat.name, seat.bot) == (name, bot)


def test_rubicon_bot_plays_a_seat() -> None:
    game = first_turn()
    colour = game.actors[0]
    messages = (hello(game, colour, 3, 9.0), decide(View(game, colour), 1, 9.0), over(game, colour))
    done = subprocess.run(
        shlex.split(rubicon_bot("turtle").removeprefix("exec:")),
        input=b"".join(map(line_of, messages)),
        capture_output=True,
        check=True,
    )
    _, answer = map(read_line, done.stdout.splitlines())
    assert answer["action"] == str(Player("turtle", colour, seed=3).decide(game))


@pytest.mark.parametrize(
    ("name", "typed", "code"),
    [
        ("huntre", b"", "player/unknown"),
        ("huntre", b'{"kind":"hello","version":1,"seat":"red","seed":1}\n', "player/unknown"),
        ("hunter", b"hello\n", "player/not-json"),
    ],
)
def test_rubicon_bot_says_what_is_wrong(name: str, typed: bytes, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rubicon", "bot", name],
        input=typed,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert code in done.stderr.decode()
    assert done.stdout == b""
