"""A test run that is killed leaves no PostgreSQL server behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.table.conftest import GIVEN
from tests.table.postgres_watcher import is_running, release, start
from tests.waiting import until

ROOT = Path(__file__).parents[2]
KILLED = """
import os, signal
from pathlib import Path

from tests.table.postgres_watcher import server_pid


def test_that_is_killed(postgres):
    folder = postgres.server.pgdata.parent
    Path({told!r}).write_text(f"{{server_pid(folder)}} {{folder}}")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_test_run_leaves_no_server(tmp_path: Path) -> None:
    told = tmp_path / "told"
    (tmp_path / "test_killed.py").write_text(KILLED.format(told=str(told)))
    environment = {name: value for name, value in os.environ.items() if name != GIVEN}
    arguments = ["-q", "-p", "tests.table.conftest", "-p", "no:cacheprovider", "-p", "no:xdist"]
    killed = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "--rootdir", tmp_path, tmp_path],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        check=False,
    )
    if killed.returncode == 0:
        pytest.skip("PostgreSQL cannot be started here")
    assert killed.returncode == -signal.SIGKILL, killed.stdout
    pid, _, folder = told.read_text().partition(" ")
    until(lambda: not Path(folder).exists())
    assert not is_running(int(pid))


def test_a_watcher_without_a_server_deletes_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    watcher = start(folder)
    assert folder.exists()
    release(watcher)
    assert not folder.exists()
