"""Whether the terminal is dark or light: its own answer about its background (OSC 11)."""

from __future__ import annotations

import os
import re
import select
import sys
import time

# The second question is one that nearly every terminal answers: so the end of waiting is known.
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
LONGEST = 0.15  # seconds
ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
END = re.compile(rb"\x1b\[\?[0-9;]*c")


def is_light(answer: bytes) -> bool | None:
    """Whether an answer tells of a light background; None where it tells nothing."""
    found = ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return bool(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)


def ground_of_terminal() -> bool | None:
    """Ask the terminal; None if it does not answer in time, or cannot be asked."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    import termios
    import tty

    keys = sys.stdin.fileno()
    before = termios.tcgetattr(keys)
    try:
        tty.setcbreak(keys, termios.TCSANOW)
        os.write(sys.stdout.fileno(), QUESTION)
        return is_light(_answer(keys))
    finally:
        termios.tcsetattr(keys, termios.TCSANOW, before)


def _answer(keys: int) -> bytes:
    """What the terminal sends until it has answered both questions, or the time is up."""
    got, end = b"", time.monotonic() + LONGEST
    while not END.search(got) and (left := end - time.monotonic()) > 0:
        if select.select([keys], [], [], left)[0]:
            got += os.read(keys, 256)
    return got
