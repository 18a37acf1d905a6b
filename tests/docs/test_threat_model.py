"""docs/threat-model.md: every measure names tests, and every test that is named is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


@cache
def names_in(file: str) -> set[str]:
    """The tests that a file has."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "test"), sorted(set(NAMED)))
def test_what_is_named_is_there(file: str, test: str) -> None:
    assert test in names_in(file)


def test_every_measure_names_its_proof() -> None:
    rows = [line for line in PAGE.partition("## Measures")[2].splitlines() if line.startswith("|")]
    measures = [row for row in rows if not row.startswith(("| against", "| ---"))]
    assert len(measures) > 35
    assert [row for row in measures if "`tests/" not in row] == []


def test_the_page_says_what_is_not_done() -> None:
    sections = PAGE.partition("## Measures")[2].split("\n### ")[1:]
    silent = [section.splitlines()[0] for section in sections if "Not done:" not in section]
    assert silent == ["Requests"]
