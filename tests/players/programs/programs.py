"""Programs for tests, in Python: each is written to a file and started by `exec:`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

READY = 'say({"kind": "ready", "version": 1})\n'
HEAD = """
import json
import os
import subprocess
import sys
import time


def say(message):
    print(json.dumps(message), flush=True)


def heard():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"kind": "end"}


hello = heard()
"""
ANSWERS = """
while (asked := heard())["kind"] == "decide":
    say({"kind": "answer", "number": asked["number"], **ANSWER})
"""


def program(folder: Path, body: str, *, ready: bool = True) -> str:
    """The name of a player: a program that says it is ready, and then does what `body` says."""
    file = folder / "program.py"
    file.write_text(HEAD + READY * ready + body, "utf-8")
    return "exec:" + shlex.join([sys.executable, str(file)])


def answering(folder: Path, answer: str) -> str:
    """The name of a program that gives this answer, Python of a dict, to every question."""
    return program(folder, ANSWERS.replace("ANSWER", answer))


def rubicon_bot(name: str) -> str:
    """The name of a player: `rubicon bot NAME`."""
    return "exec:" + shlex.join([sys.executable, "-m", "rubicon", "bot", name])
