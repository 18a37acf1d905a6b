"""The words of options, groups and values of forms; the names of the rulesets and the bots."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rubicon.players.characters import BOTS
from rubicon.rules.options.registry import option_forms
from rubicon.rules.ruleset.ruleset import preset_names
from tests.browser.app.built import ROOT

FORMS = [form for form in option_forms() if not form["fixed"]]
TEXTS_FOLDER = ROOT / "frontend" / "src" / "texts"
TEXTS: dict[str, Any] = json.loads((TEXTS_FOLDER / "de" / "options.json").read_text("utf-8"))
BOT = re.compile(r"""^  (\w+): \["([^"]+)", "([^"]+)"\],""", re.MULTILINE)
RULESET = re.compile(r"""^  (?:"([\w-]+)"|(\w+)): \[""", re.MULTILINE)


def test_every_option_and_each_of_its_values_has_german_words_and_no_others() -> None:
    wanted = {form["name"]: {one["value"] for one in form["values"]} for form in FORMS}
    assert {name: set(values) for name, (_, _, values) in TEXTS["options"].items()} == wanted


def test_every_group_has_a_german_name() -> None:
    assert list(TEXTS["groups"]) == list(dict.fromkeys(form["group"] for form in FORMS))


def test_no_words_are_empty() -> None:
    for label, words, values in TEXTS["options"].values():
        assert label
        assert words
        assert all(name and meaning for name, meaning in values.values())


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_ruleset_has_a_name_and_a_line(language: str) -> None:
    text = (TEXTS_FOLDER / language / "rulesets.ts").read_text("utf-8")
    names = {quoted or plain for quoted, plain in RULESET.findall(text)}
    assert names == set(preset_names())


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_bot_has_a_name_and_a_line(language: str) -> None:
    text = (TEXTS_FOLDER / language / "bots.ts").read_text("utf-8")
    assert [name for name, _, _ in BOT.findall(text)] == [bot.name for bot in BOTS]


def test_the_english_lines_of_the_bots_are_those_of_the_registry() -> None:
    text = (TEXTS_FOLDER / "en" / "bots.ts").read_text("utf-8")
    assert [line for _, _, line in BOT.findall(text)] == [bot.line for bot in BOTS]
