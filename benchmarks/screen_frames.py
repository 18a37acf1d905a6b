"""How many bytes and how much time the full screen takes while bots play before it.

    python benchmarks/screen_frames.py

Bots play at 100 steps a second (a decision, or its dice) on a pseudo-terminal of 120 x 40.
Prints the start to the first screen, the bytes of a step, the steps a second, and the processor
time of a step.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import resource
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

SIZE = (40, 120)
SECONDS = 8.0
STEP = 1 / 100
COMMAND = [sys.executable, "-m", "rubicon.cli.main", "play", "--watch", "--seed", "1", "--save"]
SEATS = ["--seats", "greedy,greedy,greedy,greedy", "--delay", str(STEP)]


def watch(record: Path) -> None:
    """Watch bots for some seconds, and print the figures."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    began = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, *SEATS, "--record", str(record)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        start_new_session=True,
    ) as process:
        os.close(theirs)
        first, got, sizes = 0.0, b"", []
        while not first or time.perf_counter() - began - first < SECONDS:
            if select.select([ours], [], [], 0.5)[0]:
                part = os.read(ours, 1 << 16)
                got += part
                sizes.append(len(part))
                if not first and b"Rubicon" in got:
                    first, before = time.perf_counter() - began, len(got)
        os.write(ours, b"\x03")
        while process.poll() is None:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    os.read(ours, 1 << 16)
                except OSError:
                    break
    os.close(ours)
    steps = len(re.findall(r"^\w+[:.]? ", record.read_text(encoding="utf-8"), re.MULTILINE))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    drawn = len(got) - before
    print(f"first screen after {first:.2f} s")
    print(f"{steps / SECONDS:.0f} steps a second, {drawn / steps:.0f} bytes a step")
    print(f"processor time: {(used.ru_utime + used.ru_stime):.1f} s in all")


def main() -> None:
    """Measure once."""
    with tempfile.TemporaryDirectory() as folder:
        watch(Path(folder) / "game.risk")


if __name__ == "__main__":
    main()
