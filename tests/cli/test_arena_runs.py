"""`rubicon arena` as a process: stopped by control-C, at a terminal, with bots of one's own."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.lab.arena.blocks import NAME, kept_match
from tests.cli.at_terminal import ANSI
from tests.lab.arena.matches import timeless
from tests.players.programs.programs import answering, rubicon_bot

PLAYERS = ["hunter", "random*2", "--rounds", "20"]
ARENA = [sys.executable, "-m", "rubicon", "arena"]
SOURCE = """
from rubicon.players import Bot


class Mine(Bot):
    def decide(self, view):
        return view.legal[-1]
"""


def wait_for_blocks(process: subprocess.Popen[bytes], file: Path, number: int) -> None:
    """Wait until a file has so many blocks; the process must not end before."""
    while not (file.exists() and file.read_bytes().count(b"\n") > number):
        assert process.poll() is None
        time.sleep(0.01)


@pytest.mark.usefixtures("control_c")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_control_c_keeps_the_blocks(tmp_path: Path, processes: str) -> None:
    kept, whole = tmp_path / "kept", tmp_path / "whole"
    endless = [*PLAYERS, "--out", str(kept), "--blocks", "1000000", "--processes", processes]
    with subprocess.Popen([*ARENA, *endless], stderr=subprocess.PIPE) as process:
        wait_for_blocks(process, kept / NAME, 3)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert b"They are kept in" in said
    assert b"Traceback" not in said
    number = len(kept_match(kept)[1])
    assert number >= 3
    asked = [*PLAYERS, "--processes", "1", "--json", "--blocks", str(number + 2)]
    assert main(["arena", *asked, "--out", str(kept), "--resume"]) == 0
    assert main(["arena", *asked, "--out", str(whole)]) == 0
    assert timeless(kept_match(kept)[1]) == timeless(kept_match(whole)[1])


@pytest.mark.usefixtures("control_c")
def test_the_live_table_of_a_terminal() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*ARENA, *PLAYERS, "--blocks", "1000000", "--processes", "1"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "PYTHONUTF8": "1"},
    )
    os.close(theirs)
    shown = ""
    while ANSI.sub("", shown).count("wins %") < 3:  # a table that is drawn again and again
        assert process.poll() is None
        if select.select([ours], [], [], 0.2)[0]:
            shown += os.read(ours, 65536).decode("utf-8", "replace")
    process.send_signal(signal.SIGINT)
    shown += until_closed(ours)
    assert process.wait() == 130
    lines = [ANSI.sub("", line).rstrip() for line in shown.splitlines()]
    assert any(line.lstrip("\r").startswith("hunter ") for line in lines)
    assert "They are not kept" in shown
    assert "\x1b[?25h" in shown  # the cursor is back


def until_closed(descriptor: int) -> str:
    """The output until the other end is closed."""
    got = b""
    try:
        while more := os.read(descriptor, 65536):
            got += more
    except OSError:  # Linux says so
        pass
    os.close(descriptor)
    return got.decode("utf-8", "replace")


def test_own_bots_and_programs_beside_compiled_players(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, records, dataset = tmp_path / "mine.py", tmp_path / "records", tmp_path / "set"
    file.write_text(SOURCE, "utf-8")
    program = answering(tmp_path, '{"action": asked["legal"][-1]["highest"]}')
    asked = [f"{file}:Mine", program, "greedy", "--board", "skerries", "--rounds", "4"]
    files = ["--records", str(records), "--dataset", str(dataset), "--html", str(tmp_path / "page")]
    assert main(["arena", *asked, "--blocks", "1", "--json", *files]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found] == [f"{file}:Mine", program, "greedy"]
    assert all(one["mean_decision_ms"] > 0 for one in found)
    assert len(list(records.iterdir())) == len(list(dataset.iterdir())) == 3


DRAWING = """
from rubicon.players import Bot


class Drawing(Bot):
    def decide(self, view):
        return self.random.choice(view.legal)
"""


def test_a_bot_as_a_program_is_the_same_player(tmp_path: Path) -> None:
    """It draws the same numbers: an older version of a bot can be a program."""
    file, out = tmp_path / "drawing.py", tmp_path / "out"
    file.write_text(DRAWING, "utf-8")
    bot = f"{file}:Drawing"
    program = rubicon_bot(bot)
    asked = [program, "greedy*2", "--board", "skerries", "--rounds", "3", "--versus", bot]
    assert main(["arena", *asked, "--blocks", "1", "--out", str(out), "--json"]) == 0
    two = ("greedy", "greedy")
    (new, blocks), (old, others) = kept_match(out), kept_match(out / "versus")
    assert (new.players, old.players) == ((program, *two), (bot, *two))
    for game, other in zip(blocks[0].games, others[0].games, strict=True):
        assert (game.ranks, game.decisions) == (other.ranks, other.decisions)
