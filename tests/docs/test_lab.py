"""`docs/lab.md` is executed: its examples, and the program that learns."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

from rubicon.rules.ruleset.ruleset import Ruleset

PAGE = Path(__file__).parents[2] / "docs" / "lab.md"
MOST_LINES = 60
FAIR_SHARE = 1 / 3


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    """What the program of the page defines."""
    found = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    lines = [line for line in found[0].splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(found[0], str(PAGE), "exec"), names)
    return names


def test_the_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 20
    assert results.failed == 0


def test_a_short_training_beats_random(program: dict[str, Any]) -> None:
    classic = Ruleset.load("classic")
    weights = program["train"](classic, steps=200, games=64)
    assert program["win_share"](classic, weights, games=120) > 1.4 * FAIR_SHARE


@pytest.mark.full
def test_the_player_beats_random(program: dict[str, Any]) -> None:
    classic = Ruleset.load("classic")
    weights = program["train"](classic, steps=800)
    assert program["win_share"](classic, weights) > 1.8 * FAIR_SHARE
