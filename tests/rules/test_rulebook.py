"""The rulebook says what is in force, and the generated pages are fresh."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rubicon.rules.board import Board
from rubicon.rules.followers import stated_with_followers
from rubicon.rules.impossible import Chosen, impossibilities
from rubicon.rules.option import Number, Option
from rubicon.rules.options import LEFT_OUT, OPTIONS
from rubicon.rules.options_page import options_page
from rubicon.rules.rulebook import SECTIONS, chapters, generated, regenerate, rulebook
from rubicon.rules.ruleset import Ruleset, preset_names, presets

DOCS = Path(__file__).parents[2] / "docs"
BRACKETS = re.compile(r"\[([^\]]+)\]")
ID = re.compile(r"A-\d\d[b-d]?|S00[0-4]-\d\d|RW\d|\d\.\d+")

WORLD = Board.load("world").territories
# Other legal values of options that are no short list of words.
OTHERS: dict[str, list[Any]] = {
    "setup.armies": ["2:41 3:36 4:31 5:26 6:21"],
    "setup.starting_cards": ["1:1 2:2", "3:1"],
    "cards.custom_designs": [{t.id: "cavalry" for t in WORLD}],
    "stars.custom": [{t.id: 1 for t in WORLD}],
    "dice.recipients": ["gm", "attacker defender"],
    "missions.custom": ["M01 M02 M03 M04 M05 M06 M07", "M01 M02 M03 M04 M05 M06 M08"],
    "objectives.class_table": ["OB01:major OB12:minor", "OB12:minor"],
}


def other_values(option: Option) -> list[Any]:
    """Every other value, or some of many."""
    if option.name in OTHERS:
        return OTHERS[option.name]
    values: set[Any] = {*option.values}
    if isinstance(option.kind, Number) and not option.kind.only:
        values |= {option.kind.low, option.kind.low + 1, option.kind.high}
    texts = {str(value) for value in values} - {option.text(option.default)}
    return [text for text in sorted(texts) if text]


def changes() -> Iterator[tuple[str, Any]]:
    for option in OPTIONS.values():
        yield from ((option.name, value) for value in other_values(option))


CHANGES = [(name, value) for name, value in changes() if not OPTIONS[name].fixed]
BASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in preset_names()),
    ("classic", {"game.round_limit": 10}),
    ("classic", {"rebels.setup": "abandoned_player"}),
    ("classic", {"setup.armies": "2:40 3:35 4:30 5:25 6:20"}),
    ("two-player", {"neutral.layout": "single40"}),
]
# No base allows these: too small, too large, or nothing without their table.
NOWHERE = {
    "army_cap=1",
    "setup.cities=128",
    "cards.design_table=custom",
    "stars.table=custom",
    "missions.deck=custom",
}


@cache
def bases() -> tuple[tuple[Chosen, str], ...]:
    chosen = [Ruleset.load(name, options).chosen for name, options in BASES]
    return tuple((each, chapters(each)) for each in chosen)


def changed(name: str, value: Any) -> Iterator[tuple[bool, bool]]:
    """For every base that allows it: whether nothing followed, and whether the words differ."""
    stated = {name: OPTIONS[name].read(value)}
    for base, words in bases():
        after = Chosen(stated_with_followers(base.options, stated), base.board)
        if after.options != base.options and not any(impossibilities(after)):
            yield differing(base, after) == {name}, chapters(after) != words


def differing(first: Chosen, second: Chosen) -> set[str]:
    """The options that two rulesets do not share."""
    return {name for name in OPTIONS if first.options[name] != second.options[name]}


class TestWords:
    @pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{n}={v}"[:50] for n, v in CHANGES])
    def test_every_other_value_changes_the_words(self, name: str, value: Any) -> None:
        """Alone where a base lets it change alone, otherwise with what follows."""
        results = list(changed(name, value))
        assert bool(results) == (f"{name}={value}" not in NOWHERE)
        lonely = [differs for alone, differs in results if alone]
        assert not results or any(lonely or [differs for _, differs in results])

    @pytest.mark.parametrize("name", preset_names())
    def test_every_paragraph_says_where_it_comes_from(self, name: str) -> None:
        for paragraph in chapters(Ruleset.load(name).chosen).split("\n\n"):
            ids = BRACKETS.findall(paragraph)
            assert ids or paragraph.startswith(("#", "-", "1")), paragraph
            for group in ids:
                assert all(ID.fullmatch(one) for one in group.split(", ")), group

    @pytest.mark.parametrize("name", preset_names())
    def test_sentences_are_whole(self, name: str) -> None:
        text = chapters(Ruleset.load(name).chosen)
        assert "  " not in text
        assert "{" not in text
        assert " ." not in text
        assert "None" not in text

    def test_sections_are_left_out_where_nothing_is_played(self) -> None:
        titles = {section.title for section in SECTIONS}
        classic = set(re.findall("^## (.*)", chapters(Ruleset.load("classic").chosen), re.M))
        assert titles - classic == {"Objectives and rewards", "Missions", "Headquarters"}

    @pytest.mark.parametrize(
        ("preset", "sentence"),
        [
            ("classic", "35 with three players"),
            ("classic", "hold all 42 territories"),
            ("two-player", "three piles of 14"),
            ("two-player", "26 of them to place"),
            ("email", "judged when your turn ends"),
            ("basic", "no wild cards"),
            ("basic", "to any other of yours"),
            ("revised", "15 territories"),
            ("revised", "the fifth player two cards"),
            ("capital", "those of all others"),
            ("digest", "a second one if the cards"),
            ("secret-mission", "Destroy the grey armies. (M13)"),
        ],
    )
    def test_what_the_presets_say(self, preset: str, sentence: str) -> None:
        assert sentence in rulebook(Ruleset.load(preset))

    def test_it_speaks_of_the_board(self) -> None:
        text = rulebook(Ruleset.load("revised", board="skerries"))
        assert "twelve territories" in text or "12 territories" in text
        assert "East Africa" not in text
        assert "Saltmoor" in text

    def test_the_short_game_of_headquarters(self) -> None:
        text = rulebook(Ruleset.load("capital", {"hq.needed": "short"}))
        assert "two others with up to four players and three with five or six" in text
        four = {"hq.needed": "short", "players.max": 4}
        assert "two others with up to four" in rulebook(Ruleset.load("capital", four))


class TestPages:
    def test_they_are_fresh(self) -> None:
        for name, text in generated().items():
            assert (DOCS / name).read_text("utf-8") == text, f"{name}: call rulebook.regenerate()"

    def test_there_is_a_rulebook_for_every_preset_and_no_other(self) -> None:
        assert {path.stem for path in (DOCS / "rulebook").glob("*.md")} == set(preset_names())

    def test_regenerate(self, tmp_path: Path) -> None:
        regenerate(tmp_path)
        found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
        assert found == generated().keys()

    def test_the_page_has_every_option_value_and_left_out_variation(self) -> None:
        page = options_page()
        for option in OPTIONS.values():
            assert f"### `{option.name}`\n" in page
            assert all(f"- `{value}`" in page for value in option.values)
        assert all(f"`{name}`" in page for name in LEFT_OUT)

    @pytest.mark.parametrize("name", preset_names())
    def test_the_appendix_has_every_value(self, name: str) -> None:
        ruleset = presets()[name]
        text = rulebook(ruleset)
        for option in OPTIONS:
            assert f"| `{option}` | " in text
            assert f"`{ruleset.option_text(option)}`" in text

    def test_documents_mention_only_what_there_is(self) -> None:
        text = (DOCS / "rulesets.md").read_text("utf-8")
        for name in re.findall(r"`([a-z]+\.[a-z_0-9]+)[ =]", text):
            assert name in OPTIONS, name

    def test_the_example_of_the_documents_loads(self, tmp_path: Path) -> None:
        text = (DOCS / "rulesets.md").read_text("utf-8")
        toml = re.findall(r"```toml\n(.*?)```", text, re.S)[0]
        path = tmp_path / "house.toml"
        path.write_text(toml, "utf-8")
        assert Ruleset.load(path).option_text("setup.armies") == "3:30 4:25 5:20 6:18"
