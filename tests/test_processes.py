"""Worker processes do not outlive the process that started them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

PROGRAM = """
import os, time
from concurrent.futures import ProcessPoolExecutor

from rubicon.processes import exit_with_parent, spawn_context

if __name__ == "__main__":
    with ProcessPoolExecutor(2, spawn_context(), exit_with_parent) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 600).result()
"""
PATIENCE = 60.0  # seconds


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.kill()
    until = time.monotonic() + PATIENCE
    while is_running(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(worker)


ONE_CALL = """
import os
from concurrent.futures import ProcessPoolExecutor

from rubicon.processes import spawn_context

if __name__ == "__main__":
    with ProcessPoolExecutor(1, spawn_context()) as pool:
        print(pool.submit(os.getcwd).result())
"""


def test_processes_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    """The folder may be shared, and the file another user's."""
    program, shared = tmp_path / "program.py", tmp_path / "shared"
    program.write_text(ONE_CALL)
    shared.mkdir()
    (shared / "socket.py").write_text("open('was_run', 'w').close()")
    command = [sys.executable, str(program)]
    done = subprocess.run(command, cwd=shared, capture_output=True, text=True, check=False)
    assert not (shared / "was_run").exists()
    assert done.stdout.strip() == str(shared), done.stderr


def is_running(process: int) -> bool:
    """Whether a process is there, and not only its exit status."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
