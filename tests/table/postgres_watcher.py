"""Stops a PostgreSQL server when the test run that started it is gone, however that ended.

The server is a daemon: a killed test run would leave it behind. This program waits until its
standard input ends, which the operating system does for it when the test run dies.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 30.0  # seconds until the server is killed


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Watch over the server in `folder`/data; `release` ends it."""
    return subprocess.Popen(
        [sys.executable, __file__, str(folder)],
        stdin=subprocess.PIPE,
        start_new_session=True,  # control-C and signals to the group of the test run spare it
    )


def release(watcher: subprocess.Popen[bytes]) -> None:
    """Let the watcher stop what still runs, and wait for it."""
    watcher.communicate()


def server_pid(folder: Path) -> int | None:
    """The process of the server, or None where none runs."""
    try:
        return int((folder / "data" / "postmaster.pid").read_text("ascii").splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None


def is_running(pid: int) -> bool:
    """Whether a process exists."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def stop(folder: Path) -> None:
    """Stop the server at once, and delete its folder."""
    pid = server_pid(folder)
    if pid is not None:
        until = time.monotonic() + PATIENCE
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGQUIT)  # PostgreSQL's immediate shutdown
            while is_running(pid) and time.monotonic() < until:
                time.sleep(0.05)
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.buffer.read()
    stop(Path(sys.argv[1]))
