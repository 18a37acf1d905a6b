"""`rubicon play` as it is used: in this process, between pipes, or on a terminal of its own."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from rubicon.cli.main import main

COLUMNS = 80
QUICK = ("-o", "setup.claim=random", "-o", "setup.place=all_at_once")
COMMAND = (sys.executable, "-m", "rubicon.cli.main", "play")
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")


def rubicon(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Run `rubicon play` in this process; its exit code, and what it printed on both streams."""
    output = Printed()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", io.StringIO(typed))
        code = main(["play", *arguments])
    return code, output.getvalue()


class Printed(io.StringIO):
    """What is printed, by a stream that says it can take more than ASCII."""

    encoding = "utf-8"


def outside(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Run `rubicon play` in a process of its own, between pipes."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def widest(text: str) -> int:
    """The widest line, but for the names of files, which nobody may break."""
    lines = [ANSI.sub("", line) for line in text.splitlines() if ".risk" not in line]
    return max(map(len, lines))


def spawn(arguments: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
    """`rubicon play` on a terminal of its own."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "PYTHONUTF8": "1"},
        start_new_session=True,
    )
    os.close(theirs)
    return process, ours


def read_until(descriptor: int, wanted: str, seconds: float = 120) -> str:
    """What is printed until a text appears."""
    got = ""
    end = time.monotonic() + seconds
    while wanted not in ANSI.sub("", got) and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            try:
                got += os.read(descriptor, 65536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                break
    assert wanted in ANSI.sub("", got), got
    return got
