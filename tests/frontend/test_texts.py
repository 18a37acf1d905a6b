"""The app has words of its own, in both languages, for what the server names by ids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.engine.records.position import Phase
from rubicon.engine.records.tables import ObjectiveKind, RewardKind
from rubicon.rules.board.board import Board
from rubicon.rules.options.form import option_forms
from rubicon.table.service.chat import PHRASES

TEXTS = Path(__file__).parents[2] / "frontend" / "src" / "texts"
KEY = re.compile(r"""^ +"?([\w./]+)"?: ?(?=[\["(`{o])""", re.MULTILINE)


def keys(language: str, name: str) -> set[str]:
    """The keys of a file of texts, at any depth."""
    return set(KEY.findall((TEXTS / language / f"{name}.ts").read_text("utf-8")))


@pytest.mark.parametrize("language", ["en", "de"])
def test_ids_of_the_game_have_words(language: str) -> None:
    board = Board.load("world")
    assert {mission.id for mission in board.missions} <= keys(language, "mission")
    named = {kind.name.lower() for kind in (*ObjectiveKind, *RewardKind)}
    assert named <= keys(language, "objectives")
    assert PHRASES.keys() <= keys(language, "talk")
    assert {phase.name.lower() for phase in Phase} <= keys(language, "news")


def test_every_option_and_value_has_german_words() -> None:
    text = (TEXTS / "de" / "options.ts").read_text("utf-8")
    groups, options = text.split("export const options")
    words = dict(re.findall(r'^  "?([\w.]+)"?: (option\((?:.|\n)*?\)),\n', options, re.MULTILINE))
    forms = option_forms()
    assert words.keys() == {form["name"] for form in forms}
    for form in forms:
        found = set(re.findall(r'^    "?([\w./]+)"?: \[', words[form["name"]], re.MULTILINE))
        assert found == {value["value"] for value in form["values"]}, form["name"]
        assert re.search(rf'^  "?{re.escape(form["group"])}"?: "', groups, re.MULTILINE)
