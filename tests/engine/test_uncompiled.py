"""With NUMBA_DISABLE_JIT=1 the rules run as plain Python, for debuggers and coverage."""

import os
import subprocess
import sys
from pathlib import Path

from rubicon.rules.ruleset.ruleset import presets
from tests.engine.uncompiled_games import play

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
# Test modules that draw random numbers when they are imported.
COLLECTED = ("tests/cli/test_replay.py", "tests/engine/test_invariants.py")


def uncompiled(*arguments: str) -> list[str]:
    """The lines that a Python program prints where Numba compiles nothing."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout.splitlines()


def test_a_game_of_every_preset_goes_the_same_way() -> None:
    mode, *games = uncompiled("-m", "tests.engine.uncompiled_games")
    assert mode == "uncompiled"
    assert games == [play(preset) for preset in presets()]


def test_the_case_book_passes() -> None:
    last = uncompiled("-m", "rubicon.cli.main", "cases", str(CASES))[-1]
    assert last.endswith(" passed, 0 failed")
    assert not last.startswith("0 ")


def test_watching_bots_in_the_terminal(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    options = ["--board", "skerries", "-o", "game.round_limit=2", "--record", str(record)]
    lines = uncompiled("-m", "rubicon.cli.main", "play", "--watch", "--seed", "1", *options)
    assert any("rounds were played" in line for line in lines)
    assert record.exists()


def test_test_modules_can_be_collected() -> None:
    assert uncompiled("-m", "pytest", "-q", "--collect-only", *COLLECTED)
