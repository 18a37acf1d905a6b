"""`rubicon verify` needs no disk that can be written to: no cache, no home, no temporary files."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.table.admin.game_files import RECORD, TRANSCRIPT, exported
from rubicon.table.commands.votes import vote
from tests.table.hosted import GAME, SOON, hosted

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
    """A folder with a transcript, which is the home too."""
    assert main(["verify", "--example", str(tmp_path / "dice.jsonl")]) == 0
    return tmp_path


def verified(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`rubicon verify` in a folder, where no file can be written anywhere."""
    nowhere = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), str(folder))
    before, mode = sorted(folder.iterdir()), folder.stat().st_mode
    folder.chmod(0o555)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, *arguments],
            cwd=folder,
            env={**os.environ, **nowhere},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        folder.chmod(mode)
    assert sorted(folder.iterdir()) == before
    return done


def test_a_transcript_is_read_where_nothing_can_be_written(folder: Path) -> None:
    done = verified(folder, "dice.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "table example: 23 lines, none of them wrong\n" in done.stdout


def test_a_record_is_played_again_where_nothing_can_be_written(tmp_path: Path) -> None:
    read_only = tmp_path / "read-only"
    read_only.mkdir()
    with hosted(tmp_path) as game:
        game.play(30)
        for colour in game.snapshot.game().colours:
            game.table.change(GAME, partial(vote, seat=colour, motion="draw")).result(SOON)
        store = game.table.store
        files = store.read(lambda connection: exported(connection, GAME, "")).files
    for name in (RECORD, TRANSCRIPT):
        (read_only / name).write_text(files[name], "utf-8")
    done = verified(read_only, TRANSCRIPT, "--record", RECORD)
    assert (done.returncode, done.stderr) == (0, "")
    assert "outcomes are the transcript's and the rules'" in done.stdout
