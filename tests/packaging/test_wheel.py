"""A wheel brings the web app, and machine code of the rules: its first start compiles nothing."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON_TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"

# Plays a game between bots; prints what was compiled and what was written.
FIRST_START = """
import json, sys, time
from pathlib import Path

import rubicon
from rubicon.engine.warmup import compilations_heard

record = sys.argv[1]
began = time.process_time()
with compilations_heard() as compiled:
    from rubicon.cli.main import main
    code = main(["play", "--watch", "--seed", "1", "--plain", "--record", record])
    seconds = time.process_time() - began
    from rubicon.cli.warmup import warm_everything
    warm_everything()
folder = Path(rubicon.__file__).parent
written = [file.name for file in folder.rglob("__pycache__/*.kernel")]
print(json.dumps([code, len(compiled), written, seconds]))
"""


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without switches of Numba or paths to these sources."""
    leave_out = ("NUMBA_", "PYTHON", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(leave_out)}
    return kept | more


def run(*command: str | Path, **more: str) -> str:
    return subprocess.run(
        [str(part) for part in command],
        env=clean_environment(**more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from these sources."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(python, "-m", "pip", "install", "-q", wheel)
    return python


@pytest.mark.full
def test_a_wheel_is_for_one_python_and_one_platform(wheel: Path) -> None:
    *_, interpreter, abi, platform = wheel.stem.split("-")
    assert (interpreter, abi) == (PYTHON_TAG, PYTHON_TAG)
    assert platform != "any"


@pytest.mark.full
def test_a_wheel_has_the_web_app(wheel: Path, python: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert "rubicon/web/app_files/index.html" in names
    code = "from rubicon.web.http.static_files import app_files; print(*app_files(), sep='\\n')"
    served = run(python, "-c", code).split()
    assert {f"rubicon/web/app_files/{name}" for name in served} <= names
    assert any(name.startswith("assets/") and name.endswith(".js") for name in served)


@pytest.mark.full
def test_a_wheel_needs_the_version_of_numba_it_was_built_with(python: Path) -> None:
    code = "from importlib.metadata import requires; print(*requires('rubicon'), sep='\\n')"
    (wanted,) = [line for line in run(python, "-c", code).splitlines() if line[:5] == "numba"]
    assert wanted.startswith("numba==")


@pytest.mark.full
def test_the_first_start_of_a_wheel_compiles_nothing(python: Path, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    said = run(python, "-c", FIRST_START, tmp_path / "game.txt", HOME=home, XDG_CACHE_HOME=home)
    code, compiled, written, seconds = json.loads(said.splitlines()[-1])
    assert (code, compiled, written) == (0, 0, [])
    assert not list((tmp_path / "home").rglob("*.kernel"))
    print(f"first game after {seconds:.1f} s of processor time")


@pytest.mark.full
def test_a_wheel_that_does_not_fit_compiles_without_a_complaint(
    python: Path, tmp_path: Path
) -> None:
    """Here the switch for checked indices makes other machine code."""
    cache = tmp_path / "cache"
    code = "from rubicon.odds.warmup import ODDS_KERNEL; ODDS_KERNEL.load()"
    run(python, "-W", "error", "-c", code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(cache))
    assert len(list(cache.rglob("odds-*.kernel"))) == 1
