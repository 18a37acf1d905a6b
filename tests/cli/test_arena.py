"""`rubicon arena`: its output, its errors, and matches that are interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rubicon.cli import arena
from rubicon.cli.main import main
from rubicon.lab.arena.blocks import NAME, kept_match
from rubicon.lab.arena.statistics import LEAST_BLOCKS
from rubicon.players.bot import loaded_file
from rubicon.players.characters import STRONGEST_LEVEL

FIELDS = [
    *("name", "games", "win_share", "low", "high", "mean_rank", "unfinished"),
    *("mean_decision_ms", "worst_decision_ms", "seat_shares"),
    *("rating", "rating_low", "rating_high"),
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
    assert STRONGEST_LEVEL.name != "random"


def test_games_are_whole_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, *SHORT, "--games", "4")[0]["games"] == 6


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *SHORT, "--blocks", "1", "--sprt", "0.1"]) == 0
    shown = capsys.readouterr().out
    assert "3 games in 1 block " in shown
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


@pytest.mark.parametrize("option", ["--out", "--records", "--dataset", "--html"])
def test_where_nothing_can_be_written_is_said_before_a_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "play_contest", None)  # a game would fail
    (tmp_path / "file").write_text("a file", "utf-8")
    assert main(["arena", *SHORT, option, str(tmp_path / "file" / "below")]) == 2
    error = capsys.readouterr().err
    assert "arena/cannot-write" in error
    assert option in error


def test_a_report_is_no_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["arena", *SHORT, "--html", str(tmp_path)]) == 2
    assert "arena/cannot-write" in capsys.readouterr().err


def test_few_blocks_are_called_few(capsys: pytest.CaptureFixture[str]) -> None:
    main(["arena", "random*3", "--blocks", "1", "--rounds", "5"])
    assert "Played: 1 block. Below 20" in capsys.readouterr().err
    main(["arena", "random*3", "--blocks", "20", "--rounds", "5"])
    assert "too narrow" not in capsys.readouterr().err


BOT_SOURCE = """
from rubicon.players import Bot

print("loaded")


class Loud(Bot):
    def decide(self, view):
        print("thinking")
        return view.legal[0]


class Leaving(Bot):
    def decide(self, view):
        raise SystemExit(0)


class Failing(Bot):
    def decide(self, view):
        return {}[view.round] if view.round == 2 else self.random.choice(view.legal)


class Endless(Bot):
    def decide(self, view):
        while view.round == 2:
            pass
        return self.random.choice(view.legal)


class Recalling(Bot):
    seeds = []

    def __init__(self, seat, *, seed=0):
        super().__init__(seat, seed=seed)
        self.seeds.append(seed)

    def decide(self, view):
        return view.legal[0]
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOT_SOURCE, "utf-8")
    return file


def test_what_a_bot_prints_is_not_among_the_results(
    capsys: pytest.CaptureFixture[str], bots: Path
) -> None:
    match = ["arena", f"{bots}:Loud", "random*2", "--blocks", "1", "--rounds", "2", "--json"]
    assert main(match) == 0
    printed = capsys.readouterr()
    assert [one["name"] for one in json.loads(printed.out)] == [f"{bots}:Loud", "random"]
    assert "thinking" in printed.err


def test_a_bot_cannot_leave_the_program(capsys: pytest.CaptureFixture[str], bots: Path) -> None:
    assert main(["arena", f"{bots}:Leaving", "random*2", "--blocks", "1"]) == 2
    assert "player/failed" in capsys.readouterr().err


def test_a_bot_that_fails_is_named_with_its_deal(
    capsys: pytest.CaptureFixture[str], bots: Path
) -> None:
    assert main(["arena", f"{bots}:Failing", "random*2", "--blocks", "1", "--seed", "7"]) == 2
    said = capsys.readouterr().err
    assert "KeyError: 2 (bots.py, line " in said
    assert (
        "It happened in round 2 of rotation 0; --seed 7 --blocks 1 plays this deal again." in said
    )


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_bot_that_never_answers_is_named_with_its_deal(
    capsys: pytest.CaptureFixture[str], bots: Path, processes: str
) -> None:
    match = ["arena", f"{bots}:Endless", "random*2", "--blocks", "1", "--seed", "7"]
    assert main([*match, "--bot-seconds", "0.5", "--processes", processes]) == 2
    said = capsys.readouterr().err
    assert "player/too-slow" in said
    assert "no answer within 0.5 seconds (bots.py, line " in said
    assert "It happened in round 2 of rotation 0; --seed 7" in said


def test_bots_of_one_file_can_be_told_apart(
    capsys: pytest.CaptureFixture[str], bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bots.parent)
    match = ["arena", "bots.py:Loud", "bots.py:Recalling", "random", "--blocks", "1"]
    assert main([*match, "--rounds", "1"]) == 0
    shown = capsys.readouterr().out
    column = "".join(line[:13].strip() for line in shown.splitlines()[2:])
    assert column == "bots.py:Loudbots.py:Recallingrandom"


def test_a_bot_learns_nothing_of_the_dice_from_its_seed(bots: Path) -> None:
    asked = [f"{bots}:Recalling*2", "random", "--rounds", "1", "--seed", "7"]
    assert main(["arena", *asked, "--blocks", "2", "--processes", "1"]) == 0
    seeds = loaded_file(bots.resolve()).Recalling.seeds
    assert len(seeds) == len(set(seeds)) == 2 * 3 * 2  # blocks, rotations, copies of the bot
    assert not {one % 2**32 for one in seeds} & set(range(1000))


def test_another_limit_is_no_other_match(tmp_path: Path) -> None:
    match = ["arena", "random*3", "--rounds", "3", "--out", str(tmp_path / "kept")]
    assert main([*match, "--blocks", "1"]) == 0
    assert main([*match, "--blocks", "2", "--resume", "--bot-seconds", "60"]) == 0
    assert len(kept_match(tmp_path / "kept")[1]) == 2


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


def test_two_versions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["hunter", "greedy*2", "--rounds", "40", "--versus", "random", "--out", str(tmp_path)]
    assert main(["arena", *asked, "--blocks", "3", "--json", "--processes", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["blocks"], found["verdict"]) == (3, None)
    assert found["low"] <= found["difference"] <= found["high"]
    assert [one["name"] for one in found["new"]] == ["hunter", "greedy"]
    assert [one["name"] for one in found["old"]] == ["random", "greedy"]
    gain = found["new"][0]["win_share"] - found["old"][0]["win_share"]
    assert found["difference"] == pytest.approx(gain, abs=1e-3)
    asked += ["--blocks", "200", "--sprt", "0.1", "--resume", "--processes", "1"]
    assert main(["arena", *asked]) == 0
    shown = capsys.readouterr().out
    assert "hunter less random: +" in shown
    assert "hunter wins more than random (gain 0.1, alpha 0.05, beta 0.05)" in shown
    new, old = kept_match(tmp_path)[1], kept_match(tmp_path / "versus")[1]
    assert len(new) == len(old) == LEAST_BLOCKS  # it stopped as soon as it was allowed to
    assert main(["arena", *asked]) == 0  # what is decided is not played on
    assert len(kept_match(tmp_path)[1]) == LEAST_BLOCKS


def test_ratings_over_kept_matches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    short = ["--blocks", "4", "--processes", "1", "--rounds", "60"]
    rows(capsys, "hunter", "greedy*2", *short, "--out", folders[0])
    rows(capsys, "greedy", "random*2", *short, "--out", folders[1])
    found = rows(capsys, "--ratings", *folders)
    assert [list(one) for one in found] == [["name", "rating", "low", "high", "games"]] * 3
    assert [one["name"] for one in found] == ["hunter", "greedy", "random"]
    assert main(["arena", "--ratings", *folders]) == 0
    assert "95 % interval" in capsys.readouterr().out
    assert main(["arena", "--ratings", str(tmp_path)]) == 2
    assert "arena/no-match" in capsys.readouterr().err
    assert main(["arena", "--ratings"]) == 2


def test_what_is_not_installed_is_said_before_a_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    kept = tmp_path / "kept"
    assert main(["arena", *SHORT[:-2], "--ray", "--out", str(kept)]) == 2
    assert "arena/no-ray" in capsys.readouterr().err
    assert main(["arena", *SHORT, "--ray"]) == 2
    assert "--ray or --processes" in capsys.readouterr().err
    monkeypatch.setattr("rubicon.cli.arena.find_spec", lambda name: None)
    assert main(["arena", *SHORT, "--dataset", "set", "--out", str(kept)]) == 2
    assert "arena/no-pyarrow" in capsys.readouterr().err
    assert not kept.exists()
