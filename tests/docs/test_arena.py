"""Every command and example of `docs/arena.md` is executed."""

import ast
import doctest
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from rubicon.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "arena.md"
BLOCKS = re.findall(r"```\n(rubicon .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_python_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_there_are_commands() -> None:
    assert len(BLOCKS) == 8


def test_the_data_set_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (written,) = [block for block in BLOCKS if "--dataset" in block]
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(written)[1:]) == 0
    capsys.readouterr()
    exec(program, {})
    armies = ast.literal_eval(capsys.readouterr().out)
    assert False in armies
    assert all(mean > 0 for mean in armies.values())


@pytest.mark.parametrize("commands", BLOCKS)
def test_commands(commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = Path(sys.executable).parent  # has `rubicon`, which the page calls as a program
    monkeypatch.setenv("PATH", f"{here}{os.pathsep}{os.environ['PATH']}")
    for line in commands.splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
