"""`rubicon verify` needs no disk that can be written to: no cache, no home, no temporary files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rubicon.cli.main import main

# An audit hook refuses what a read-only file system refuses, also to an administrator.
READ_ONLY = """
import errno, os, sys

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link", "os.symlink"}


def refuse(event, arguments):
    opened = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
    if event in CHANGES or (opened and arguments[0] != os.devnull):
        raise OSError(errno.EROFS, "Read-only file system", str(arguments[0]))


sys.addaudithook(refuse)
try:
    open("probe", "w")
except OSError as error:
    assert error.errno == errno.EROFS
else:
    sys.exit("the file system can be written to")
from rubicon.cli.main import main

sys.exit(main(["verify", *sys.argv[1:]]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A read-only folder with a transcript, which is the home too."""
    assert main(["verify", "--example", str(tmp_path / "dice.jsonl")]) == 0
    tmp_path.chmod(0o555)
    return tmp_path


def test_a_transcript_is_read_where_nothing_can_be_written(folder: Path) -> None:
    nowhere = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), str(folder))
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, "dice.jsonl"],
        cwd=folder,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "table example: 17 lines, none of them wrong\n" in done.stdout
    assert [each.name for each in folder.iterdir()] == ["dice.jsonl"]
