"""Worker processes do not outlive the process that started them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

PROGRAM = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from rubicon.processes import exit_with_parent

if __name__ == "__main__":
    with ProcessPoolExecutor(2, get_context("spawn"), exit_with_parent) as pool:
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


def is_running(process: int) -> bool:
    """Whether a process is there, and not only its exit status."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
