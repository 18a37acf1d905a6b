"""Every command and example of `docs/arena.md` is executed."""

import doctest
import re
import shlex
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
    assert len(BLOCKS) == 5


@pytest.mark.parametrize("commands", BLOCKS)
def test_commands(commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands.splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
