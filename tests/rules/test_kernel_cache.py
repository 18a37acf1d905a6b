"""Compiled code is kept, and is stale when any module that it came from has changed."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.rules import kernel_cache
from rubicon.rules.kernel_cache import config, imported_files, module_file

PACKAGE = kernel_cache.PACKAGE

NUMBERS = "STEP = {step}\n"
LOWER = """
from rubicon.rules.layout import compiled
from rubicon.rules.numbers import STEP

@compiled
def lower(x):
    return x + STEP
"""
UPPER = """
from rubicon.rules.layout import compiled
from rubicon.rules.lower import lower

@compiled
def upper(x):
    return lower(x) * 10
"""
ASK = """
from numba.core import config
from rubicon.rules.upper import upper

answer = upper(2)
hits = sum(getattr(upper, "stats").cache_hits.values()) if hasattr(upper, "stats") else -1
reply = [answer, hits, config.CACHE_LOCATOR_CLASSES]
"""
# Every question is answered by a new process, which has Numba from its parent: most of the time
# would go to importing it.
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
    """Answers questions about packages of kernels, each in a process of its own."""

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
    """A package of two kernels and a constant, each in a module of its own."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder = folder
        self.desk = desk
        self.rules = folder / "rubicon" / "rules"
        self.rules.mkdir(parents=True)
        for part in ("__init__.py", "rules/__init__.py", "rules/layout.py", "rules/procedure.py"):
            shutil.copy(PACKAGE / part, folder / "rubicon" / part)
        shutil.copy(PACKAGE / "rules" / "kernel_cache.py", self.rules)
        self.write("lower", LOWER)
        self.write("upper", UPPER)
        self.set_step(1)

    def write(self, module: str, code: str) -> None:
        (self.rules / f"{module}.py").write_text(code, "utf-8")

    def set_step(self, step: int) -> None:
        self.write("numbers", NUMBERS.format(step=step))

    def ask(self, **switches: str) -> tuple[int, int]:
        """In a new process: the answer of the upper kernel, and how often the cache had it."""
        answer, hits, locators = self.desk.ask(self.folder, switches)
        assert locators == "", "other packages must keep their own locators"
        assert isinstance(answer, int)
        assert isinstance(hits, int)
        return answer, hits

    def kept(self, folder: Path | None = None) -> list[str]:
        """The kinds of the kept files."""
        files = (folder or self.rules / "__pycache__").rglob("*.nb[ic]")
        return sorted(f"{file.name.split('-')[0]}{file.suffix}" for file in files)


EVERYTHING = ["lower.lower.nbc", "lower.lower.nbi", "upper.upper.nbc", "upper.upper.nbi"]
MISS, HIT = 0, 1


@pytest.fixture
def toy(tmp_path: Path, desk: Desk) -> Toy:
    return Toy(tmp_path / "toy", desk)


def test_a_change_in_another_module_is_noticed(toy: Toy) -> None:
    assert toy.ask() == (30, MISS)
    assert toy.ask() == (30, HIT)
    toy.set_step(2)
    assert toy.ask() == (40, MISS)
    assert toy.ask() == (40, HIT)
    assert toy.kept() == EVERYTHING, "older files must not pile up"


def test_a_change_elsewhere_costs_nothing(toy: Toy) -> None:
    toy.ask()
    toy.write("unrelated", "X = 1\n")
    assert toy.ask() == (30, HIT)


def test_a_moved_function_leaves_nothing_behind(toy: Toy) -> None:
    toy.ask()
    toy.write("lower", "\n\n" + LOWER)
    assert toy.ask() == (30, MISS)
    assert toy.kept() == EVERYTHING


def test_the_cache_may_be_elsewhere(toy: Toy, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert toy.ask(NUMBA_CACHE_DIR=str(elsewhere)) == (30, MISS)
    assert toy.ask(NUMBA_CACHE_DIR=str(elsewhere)) == (30, HIT)
    assert toy.kept(elsewhere) == EVERYTHING
    assert toy.kept() == []


def test_a_read_only_installation_uses_the_folder_of_the_user(toy: Toy, tmp_path: Path) -> None:
    (toy.rules / "__pycache__").write_text("no folder can be made here, even by root")
    user = {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}
    assert toy.ask(**user) == (30, MISS)
    assert toy.ask(**user) == (30, HIT)
    assert toy.kept(tmp_path) == EVERYTHING


def test_without_any_folder_it_is_compiled_anew(toy: Toy, tmp_path: Path) -> None:
    (toy.rules / "__pycache__").touch()
    (tmp_path / "file").touch()
    nowhere = str(tmp_path / "file")
    user = {"XDG_CACHE_HOME": nowhere, "LOCALAPPDATA": nowhere, "HOME": nowhere}
    assert toy.ask(**user) == (30, MISS)
    assert toy.ask(**user) == (30, MISS)


def test_code_with_checked_indices_is_kept_apart(toy: Toy) -> None:
    assert toy.ask() == (30, MISS)
    assert toy.ask(NUMBA_BOUNDSCHECK="1") == (30, MISS)
    assert toy.ask(NUMBA_BOUNDSCHECK="1") == (30, HIT)
    assert toy.ask() == (30, HIT)


def test_uncompiled_it_works_too(toy: Toy) -> None:
    assert toy.ask(NUMBA_DISABLE_JIT="1") == (30, -1)
    assert toy.kept() == []


def test_a_writer_that_was_stopped_leaves_no_old_code_under_a_new_stamp(toy: Toy) -> None:
    toy.ask()
    old = {file.name.split("-")[0]: file for file in (toy.rules / "__pycache__").glob("*.nbc")}
    code = {name: file.read_bytes() for name, file in old.items()}
    toy.set_step(2)
    toy.ask()
    for file in (toy.rules / "__pycache__").glob("*.nbc"):
        assert file.read_bytes() != code[file.name.split("-")[0]]
        file.unlink()
    assert toy.ask() == (40, MISS)
    assert toy.ask() == (40, HIT)


def test_names_of_modules_become_files() -> None:
    assert module_file("rubicon.rules.layout") == PACKAGE / "rules" / "layout.py"
    assert module_file("rubicon.rules") == PACKAGE / "rules" / "__init__.py"
    assert module_file("rubicon.rules.layout.compiled") is None
    assert module_file("numpy") is None


LAYOUT = {PACKAGE / "rules" / "layout.py"}


@pytest.mark.parametrize(
    "code",
    [
        "from rubicon.rules.layout import compiled",
        "from rubicon.rules.layout import *",
        "from rubicon.rules import layout",
        "from rubicon.rules import layout as shape",
        "from rubicon.rules import (  # one (1)\n    layout,\n)",
        "import numpy, rubicon.rules.layout as shape",
        "def late():\n    from rubicon.rules.layout import (\n        compiled,\n    )",
    ],
)
def test_every_form_of_import_is_seen(code: str) -> None:
    assert set(imported_files(code)) == LAYOUT


def test_a_package_imported_as_such_counts_whole() -> None:
    assert set(imported_files("from rubicon import rules")) == set(PACKAGE.glob("rules/**/*.py"))


def test_the_setting_of_others_is_put_back() -> None:
    before = config.CACHE_LOCATOR_CLASSES
    with kernel_cache.in_force():
        assert config.CACHE_LOCATOR_CLASSES == kernel_cache.LOCATOR
    assert before == config.CACHE_LOCATOR_CLASSES
