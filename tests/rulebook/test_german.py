"""Every sentence of the rulebook has a German counterpart, whatever options are chosen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rubicon.errors import RubiconError
from rubicon.rulebook.german import german_title, in_german, untranslated
from rubicon.rulebook.rulebook import RulebookChapter, rulebook_chapters
from rubicon.rules.options.registry import OptionForm, option_forms
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names, presets

# A value that one preset cannot have, another can: stars, missions, headquarters, two players.
BASES = ("classic", "revised", "secret-mission", "capital", "two-player", "basic")

FORMS = [form for form in option_forms() if not form["fixed"]]
PLACES = [territory.id for territory in presets()["classic"].board.territories]
# Tables that no list of values has.
OWN_TABLES = (
    ("cards.custom_designs", " ".join(f"{place}:cavalry" for place in PLACES)),
    ("stars.custom", " ".join(f"{place}:1" for place in PLACES)),
    ("missions.custom", "M01 M02 M03 M04 M05 M06 M07 M08"),
)


def values(form: OptionForm) -> list[str]:
    """The values of an option whose sentences may differ: all of few, some numbers of many."""
    given = [value["value"] for value in form["values"]]
    if form["type"] == "number" and not form["range"].get("only"):
        low, high = form["range"]["low"], form["range"]["high"]
        given += [str(low), str(min(low + 1, high)), str(min(low + 2, high)), str(high)]
    return list(dict.fromkeys(given))


def variants(base: str) -> Iterator[Ruleset]:
    """A preset, and the same with each value of each option that it can have."""
    ruleset = presets()[base]
    given = [(form["name"], value) for form in FORMS for value in values(form)]
    for name, value in (*given, *OWN_TABLES):
        try:
            yield ruleset.with_options({name: value})
        except RubiconError:  # this value needs another preset
            continue


def german(name: str, board: str = "world") -> list[RulebookChapter]:
    ruleset = Ruleset.load(name, board=board)
    return in_german(rulebook_chapters(ruleset), ruleset.board)


def words(chapters: list[RulebookChapter]) -> list[str]:
    return [
        rule["text"] for each in chapters for block in each["blocks"] for rule in block["texts"]
    ]


@pytest.mark.parametrize("board", ["world", "skerries"])
@pytest.mark.parametrize("name", preset_names())
def test_every_sentence_of_a_preset_is_there_in_german(name: str, board: str) -> None:
    ruleset = Ruleset.load(name, board=board)
    assert untranslated(rulebook_chapters(ruleset), ruleset.board) == []


@pytest.mark.parametrize("base", BASES)
def test_every_value_of_every_option_has_its_sentence_in_german(base: str) -> None:
    found = list(variants(base))
    missing = {text for one in found for text in untranslated(rulebook_chapters(one), one.board)}
    assert len(found) > 100
    assert missing == set()


def test_every_value_is_met_in_some_variant() -> None:
    met = {
        (form["name"], one.option_text(form["name"]))
        for base in BASES
        for one in (presets()[base], *variants(base))
        for form in FORMS
    }
    wanted = {(form["name"], value["value"]) for form in FORMS for value in form["values"]}
    assert wanted - met == set()


def test_sources_and_shape_stay_as_they_are() -> None:
    english = rulebook_chapters(presets()["revised"])
    for before, after in zip(english, german("revised"), strict=True):
        assert [block["kind"] for block in before["blocks"]] == [
            block["kind"] for block in after["blocks"]
        ]
        assert [rule["sources"] for block in before["blocks"] for rule in block["texts"]] == [
            rule["sources"] for block in after["blocks"] for rule in block["texts"]
        ]
    assert words(english) != words(german("revised"))


def test_numbers_and_places_are_those_of_the_game() -> None:
    texts = words(german("classic", "skerries"))
    assert "Das Brett „Die Schären“ hat 12 Gebiete in vier Kontinenten." in texts
    assert "Die Laternen: 2 Gebiete, eine Armee je Zug" in texts
    assert "Das Spiel ist für drei bis sechs Spieler." in texts
    assert "Erobere Salzmoor und die Laternen. (M01)" in words(german("secret-mission", "skerries"))


def test_a_text_without_a_counterpart_stays_english_and_is_named() -> None:
    world = presets()["classic"].board
    chapter: RulebookChapter = {
        "title": "Aim",
        "blocks": [{"kind": "text", "texts": [{"text": "Sing!", "sources": []}], "rows": []}],
    }
    assert untranslated([chapter], world) == ["Sing!"]
    assert words(in_german([chapter], world)) == ["Sing!"]


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_has_a_german_title(name: str) -> None:
    assert german_title(name, "", "") != ("", "")
