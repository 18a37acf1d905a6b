"""Running `rubicon play`: in this process, between pipes, or on a pseudo-terminal."""

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
CHOOSE = ("--setup", "choose")  # territories are dealt, and the person places armies
COMMAND = (sys.executable, "-m", "rubicon.cli.main", "play")
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")


def rubicon(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Run `rubicon play` in this process; the exit code, and the text of both streams."""
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
    """A text stream that accepts Unicode."""

    encoding = "utf-8"


def outside(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Run `rubicon play` in a subprocess, between pipes; the exit code and its text."""
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
    """The length of the longest line, without lines with a file name: those are never broken."""
    lines = [ANSI.sub("", line) for line in text.splitlines() if ".risk" not in line]
    return max(map(len, lines))


def spawn(arguments: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start `rubicon play` on a pseudo-terminal; the process and our end of the terminal."""
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
    """The output until a text appears; AssertionError after `seconds`."""
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
