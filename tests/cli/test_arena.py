"""`rubicon arena`: its output, its errors, and matches that are interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.lab.arena.block_file import NAME
from rubicon.lab.arena.match import strongest

FIELDS = [
    *("name", "games", "win_share", "low", "high", "mean_rank", "unfinished"),
    *("mean_decision_ms", "worst_decision_ms", "seat_shares"),
]
SHORT = ["random*3", "--rounds", "3", "--processes", "1"]
ROW = ("name", "games", "win_share", "low", "high", "mean_rank", "unfinished", "seat_shares")


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["arena", *arguments, "--json"]) == 0
    made: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return made


def test_the_objects_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["strongest", "greedy*2", "--option", "cards.values=fixed", "--blocks", "3"]
    found = rows(capsys, *asked, "--processes", "1", "--players", "random")
    assert [list(one) for one in found] == [FIELDS] * 3
    assert [(one["name"], one["games"]) for one in found] == [
        ("strongest", 12),
        ("greedy", 12),
        ("random", 12),
    ]
    assert strongest() != "random"


def test_games_are_whole_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, *SHORT, "--games", "4")[0]["games"] == 6


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *SHORT, "--blocks", "1", "--sprt", "0.1"]) == 0
    shown = capsys.readouterr().out
    assert "3 games in 1 blocks" in shown
    assert "undecided" in shown


def test_records_are_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows(capsys, "hunter", "random*2", "--blocks", "1", "--records", str(tmp_path))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["0-0.risk", "0-1.risk", "0-2.risk"]
    assert main(["replay", "--check", str(files[0])]) == 0
    assert capsys.readouterr().out.startswith("ok: ")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["hunter"], "arena/players"),
        (["hunter*7"], "arena/players"),
        (["hunter*x", "random"], "arena/players"),
        (["huntr", "random"], "player/unknown"),
        (["random*3", "-o", "cards.values=none_such"], "ruleset/bad-value"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], code: str) -> None:
    assert main(["arena", *arguments]) == 2
    assert code in capsys.readouterr().err


def test_another_match_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = ["--blocks", "1", "--out", str(tmp_path)]
    rows(capsys, *SHORT, *kept)
    assert main(["arena", *SHORT, *kept]) == 2
    assert "arena/exists" in capsys.readouterr().err
    assert main(["arena", *SHORT, *kept, "--resume", "--seed", "9"]) == 2
    assert "arena/other-match" in capsys.readouterr().err


def test_a_killed_match_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["hunter", "random*2", "--rounds", "20", "--processes", "1"]
    command = [sys.executable, "-m", "rubicon", "arena", *asked, "--out", str(tmp_path)]
    file = tmp_path / NAME
    with subprocess.Popen([*command, "--blocks", "1000000"], stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") > 3):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]) + lines[3][:40])  # cut off in the middle of a line
    resumed = rows(capsys, *asked, "--out", str(tmp_path), "--resume", "--blocks", "5")
    whole = rows(capsys, *asked, "--blocks", "5")
    assert [[one[name] for name in ROW] for one in resumed] == [
        [one[name] for name in ROW] for one in whole
    ]
    assert file.read_bytes().count(b"\n") == 6
