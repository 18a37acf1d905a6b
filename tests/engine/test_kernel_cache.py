"""Machine code is stored, and is stale when anything has changed that it was made from."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.engine.compiler import kernel

PACKAGE = kernel.PACKAGE

NUMBERS = '"""Numbers."""\n\nSTEP = {step}\n'
SENTENCES = 'SENTENCE = "{sentence}"\n'
LOWER = """
from rubicon.engine.records import compiled
from rubicon.engine import numbers
from rubicon.engine.numbers import STEP

@compiled
def lower(x):
    return x + STEP
"""
UPPER = """
from enum import IntEnum

import numpy as np

from rubicon.engine.records import compiled
from rubicon.engine.lower import lower
from rubicon.engine.sentences import SENTENCE

class Factor(IntEnum):
    TEN = 10

TABLE = np.array([0, 0], np.int64)

@compiled
def upper(x):
    return lower(x) * Factor.TEN + TABLE[0]

def sentence():
    return SENTENCE
"""
ASK = """
from numba.core.event import RecordingListener, install_listener
from rubicon.engine.upper import upper

heard = RecordingListener()
with install_listener("numba:compile", heard):
    answer = upper(2)
reply = [int(answer), len(heard.buffer) // 2]
"""
# Each question is answered by a new process that is forked after Numba was imported: the import
# takes longer than the rest.
DESK = """
import json, os, sys, traceback

import numba
from numba.core import config

def reply_to(folder, switches, code):
    os.environ.update(switches)
    os.chdir(folder)
    sys.path.insert(0, folder)
    config.reload_config()
    known = {}
    exec(code, known)
    return known["reply"]

for line in sys.stdin:
    if child := os.fork():
        if os.waitpid(child, 0)[1]:
            print(json.dumps("the process died"), flush=True)
        continue
    try:
        reply = reply_to(*json.loads(line))
    except BaseException:
        reply = traceback.format_exc()
    print(json.dumps(reply), flush=True)
    os._exit(0)
"""


class Desk:
    """Runs a question about a package of procedures, each in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin
        assert process.stdout
        self.questions, self.replies = process.stdin, process.stdout

    def ask(self, folder: Path, switches: dict[str, str]) -> list[object]:
        self.questions.write(json.dumps([str(folder), switches, ASK]) + "\n")
        self.questions.flush()
        reply = json.loads(self.replies.readline())
        assert isinstance(reply, list), reply
        return reply


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    alone = {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": ""}
    with subprocess.Popen(
        [sys.executable, "-P", "-c", DESK],
        env=clean | alone,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Desk(process)


class Toy:
    """A package of two procedures, a constant and a sentence, each in a module of its own."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder = folder
        self.desk = desk
        self.engine = folder / "rubicon" / "engine"
        self.engine.mkdir(parents=True)
        compiler = "engine/compiler"
        shutil.copytree(PACKAGE / compiler, folder / "rubicon" / compiler, ignore=ignore_caches)
        for part in (".", "engine"):
            (folder / "rubicon" / part / "__init__.py").touch()
        shutil.copy(PACKAGE / "engine/records.py", self.engine)
        self.write("lower", LOWER)
        self.write("upper", UPPER)
        self.write("numbers", NUMBERS.format(step=1))
        self.write("sentences", SENTENCES.format(sentence="Well done."))

    def write(self, module: str, code: str) -> None:
        (self.engine / f"{module}.py").write_text(code, "utf-8")

    def ask(self, **switches: str) -> tuple[int, int]:
        """In a new process: the answer of `upper(2)`, and how many procedures were compiled."""
        answer, compiled = self.desk.ask(self.folder, switches)
        assert isinstance(answer, int)
        assert isinstance(compiled, int)
        return answer, compiled

    def stored(self, folder: Path | None = None) -> list[Path]:
        """The stored files."""
        return sorted((folder or self.engine / "__pycache__").rglob("*.kernel"))


def ignore_caches(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__"]


BOTH, NONE = 2, 0  # procedures compiled


@pytest.fixture
def toy(tmp_path: Path, desk: Desk) -> Toy:
    return Toy(tmp_path / "toy", desk)


def test_the_second_process_compiles_nothing(toy: Toy) -> None:
    assert toy.ask() == (30, BOTH)
    assert toy.ask() == (30, NONE)
    assert len(toy.stored()) == 1


@pytest.mark.parametrize(
    ("module", "code", "answer"),
    [
        ("numbers", NUMBERS.format(step=2), 40),
        ("lower", LOWER.replace("x + STEP", "x - STEP"), 10),
        ("lower", LOWER.replace("+ STEP", "+ numbers.STEP * 3"), 50),
        ("upper", UPPER.replace("TEN = 10", "TEN = 11"), 33),
        ("upper", UPPER.replace("[0, 0]", "[5, 0]"), 35),
        ("upper", UPPER.replace("x) *", "x + 1) *"), 40),
    ],
    ids=["constant", "callee", "constant of a module", "enumeration", "table", "entry point"],
)
def test_a_change_of_what_is_computed_compiles_again(
    toy: Toy, module: str, code: str, answer: int
) -> None:
    assert toy.ask() == (30, BOTH)
    toy.write(module, code)
    assert toy.ask() == (answer, BOTH)
    assert toy.ask() == (answer, NONE)
    assert len(toy.stored()) == 1, "older files are removed"


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("sentences", SENTENCES.format(sentence="Well played.")),
        ("numbers", NUMBERS.format(step=1).replace("Numbers", "The numbers")),
        ("lower", '"""A module."""\n\n\n# A comment.\n' + LOWER),
        ("lower", LOWER.replace("return", '"""One step more."""\n    return')),
        ("lower", LOWER.replace("return", "# One step more.\n\n    return")),
        ("lower", LOWER.replace("(x)", "(x: int) -> int")),
        ("upper", UPPER.replace("def sentence", "OTHER = 3\n\n\ndef sentence")),
        ("unrelated", "X = 1\n"),
    ],
    ids=[
        "sentence",
        "docstring of a module",
        "position",
        "docstring",
        "comment",
        "annotation",
        "unused constant",
        "unrelated module",
    ],
)
def test_a_change_of_wording_compiles_nothing(toy: Toy, module: str, code: str) -> None:
    assert toy.ask() == (30, BOTH)
    toy.write(module, code)
    assert toy.ask() == (30, NONE)


def test_a_damaged_file_is_compiled_again(toy: Toy) -> None:
    toy.ask()
    (file,) = toy.stored()
    file.write_bytes(file.read_bytes()[:1000])
    assert toy.ask() == (30, BOTH)
    assert toy.ask() == (30, NONE)


def test_numba_cache_dir_names_the_folder(toy: Toy, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert toy.ask(NUMBA_CACHE_DIR=str(folder)) == (30, BOTH)
    assert toy.ask(NUMBA_CACHE_DIR=str(folder)) == (30, NONE)
    assert len(toy.stored(folder)) == 1
    assert toy.stored() == []


def test_a_read_only_package_uses_the_cache_folder_of_the_user(toy: Toy, tmp_path: Path) -> None:
    (toy.engine / "__pycache__").write_text("no folder can be made here, even by root")
    user = {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}
    assert toy.ask(**user) == (30, BOTH)
    assert toy.ask(**user) == (30, NONE)
    assert len(toy.stored(tmp_path)) == 1


def test_without_any_folder_each_process_compiles(toy: Toy, tmp_path: Path) -> None:
    (toy.engine / "__pycache__").touch()
    (tmp_path / "file").touch()
    nowhere = str(tmp_path / "file")
    user = {"XDG_CACHE_HOME": nowhere, "LOCALAPPDATA": nowhere, "HOME": nowhere}
    assert toy.ask(**user) == (30, BOTH)
    assert toy.ask(**user) == (30, BOTH)


def test_code_with_checked_indices_is_stored_apart(toy: Toy) -> None:
    assert toy.ask() == (30, BOTH)
    assert toy.ask(NUMBA_BOUNDSCHECK="1") == (30, BOTH)
    assert toy.ask(NUMBA_BOUNDSCHECK="1") == (30, NONE)
    assert toy.ask() == (30, NONE)


def test_uncompiled_it_gives_the_same_answer(toy: Toy) -> None:
    assert toy.ask(NUMBA_DISABLE_JIT="1") == (30, NONE)
    assert toy.stored() == []


def test_code_for_any_processor_is_found_in_the_package(toy: Toy) -> None:
    """What a wheel ships is used on every processor, and nothing is written beside it."""
    assert toy.ask(NUMBA_CPU_NAME="generic") == (30, BOTH)
    shipped = toy.engine / "machine_code"
    shipped.mkdir()
    (file,) = toy.stored()
    file.rename(shipped / file.name)
    assert toy.ask() == (30, NONE)
    assert toy.stored() == []


def test_shipped_code_of_other_sources_is_not_used(toy: Toy) -> None:
    toy.ask(NUMBA_CPU_NAME="generic")
    shipped = toy.engine / "machine_code"
    shipped.mkdir()
    (file,) = toy.stored()
    file.rename(shipped / file.name)
    toy.write("numbers", NUMBERS.format(step=2))
    assert toy.ask() == (40, BOTH)


def test_an_interrupted_writer_leaves_no_file(tmp_path: Path) -> None:
    class Interrupted:
        def to_bytes(self) -> bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel.write(tmp_path / "rules.kernel", Interrupted())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
